// Words that are drawn, and their sums with codes.

import { dot, type Numbers } from "../../core";
import { matrix } from "../../matrix";
import type { Data } from "../../payload";
import { normal } from "../../random";

export const DIMS = ["16", "64", "128", "768"];

const drawn = new Map<string, Numbers[]>();

/** Word vectors of variance 1, the same on every page. */
export function words(count: number, dim: number, seed = 1): Numbers[] {
  const key = `${count} ${dim} ${seed}`;
  const draw = normal(seed);
  const made = drawn.get(key) ?? matrix(count, dim, draw);
  drawn.set(key, made);
  return made;
}

export function frequencies(data: Data, dim: number): Numbers {
  return data.frequencies(`paper-${dim}-10000`);
}

/** How large the words of a width are: of two deviations, as they are or times the root of it. */
export function scale(data: Data, dim: number, unit: boolean, rooted: boolean): number {
  return data.matrix("adding.scales")[DIMS.indexOf(`${dim}`)]![2 * Number(unit) + Number(rooted)]!;
}

export function added(word: Numbers, by: number, place: Numbers): Numbers {
  return word.map((value, i) => by * value + place[i]!);
}

/** Of sums with words, how many have the code of their own position nearest, among `places`. */
export function nearest(places: readonly Numbers[], by: number, count: number): number {
  const right = words(count, places[0]!.length).filter((word, i) => {
    const at = Math.floor((i / count) * places.length);
    const total = added(word, by, places[at]!);
    const own = dot(total, places[at]!);
    return places.every((place) => dot(total, place) <= own);
  });
  return right.length / count;
}
