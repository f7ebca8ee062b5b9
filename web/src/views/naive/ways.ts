// Four ways to number tokens, and what to ask of each.

import { code, distance, norm, range, spread, sum, type Numbers } from "../../core";
import { digits, integer } from "../../counting";
import type { Data } from "../../payload";
import type { Scene } from "../../view";

export const CODE = "paper-64-10000";
export const LAST = 1024; // the code after the last position that the bar can set
export const BITS = 11; // which count to it
export const WIDTH = 64;
export const WAYS = ["integer", "fraction", "binary", "sinusoid"] as const;
export const ASKED = ["size", "unique", "smooth", "free"] as const;
export type Way = (typeof WAYS)[number];

export interface Codes {
  all: readonly Numbers[];
  /** How far each is from the next. */
  steps: readonly number[];
}

export const known = new Map<Way, Codes>();

/** All codes of a way; shares before they are divided. */
export function codes(way: Way, data: Data): Codes {
  const there = known.get(way);
  if (there) return there;
  const all = range(LAST + 1).map((p) => {
    if (way === "binary") return digits(p, BITS);
    return way === "sinusoid" ? code(p, data.frequencies(CODE)) : integer(p, WIDTH);
  });
  const made = { all, steps: all.slice(1).map((row, p) => distance(row, all[p]!)) };
  known.set(way, made);
  return made;
}

/** What a text of so many tokens divides a code by. */
export function over(way: Way, length: number): number {
  return way === "fraction" ? length - 1 : 1;
}

/** The first channel of position p as a share. */
export function share(p: number, length: number, data: Data): number {
  return codes("fraction", data).all[p]![0]! / over("fraction", length);
}

export function flips(p: number, q: number): number {
  return sum(digits(p ^ q, BITS));
}

type Answer = readonly [value: number, good: boolean];

/** What each question has for an answer at p, and whether it is a good one, wherever p is. */
export function answers(way: Way, { data, state }: Scene): readonly Answer[] {
  const [p, length] = [state.number("p"), state.number("length")];
  const { all, steps } = codes(way, data);
  const here = all[p]!;
  const [by, later] = [over(way, length), over(way, 2 * length)];
  const others = all.map((row, q) => (q === p ? Infinity : distance(row, here)));
  const last = all[way === "fraction" ? length - 1 : LAST - 1]!;
  const nearest = Math.min(...others) / by;
  return [
    [norm(here) / by, last.every((value) => Math.abs(value / by) <= 1)],
    [nearest, nearest > 0],
    [steps[p]! / by, spread(steps) < 1e-9],
    [norm(here) * (1 / by - 1 / later), by === later],
  ];
}

/** A position that the text does not have. */
export function past(way: Way, p: number, { state }: Scene): boolean {
  return way === "fraction" && p >= state.number("length");
}
