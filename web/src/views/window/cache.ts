// What becomes of cached keys when the window slides by one, and of what the newest token reads.

import { code, farthest, range, type Matrix, type Numbers } from "../../core";
import { attend, matrix } from "../../matrix";
import type { Data } from "../../payload";
import { normal } from "../../random";
import { turned } from "../../rotation";

const SMALL = 129; // tokens of which outputs are worked out while the reader drags

export const POLICIES = ["recoded", "growing", "turned", "untouched"] as const;
export type Policy = (typeof POLICIES)[number];

interface Tokens {
  q: Numbers;
  k: Matrix;
  v: Matrix;
}

const drawn = new Map<number, Tokens>();

/** Tokens of 16 channels, the last of which asks. */
function tokens(count: number): Tokens {
  const known = drawn.get(count);
  if (known) return known;
  const draw = normal(3);
  const rows = () => matrix(count, 16, draw);
  const made = { q: rows()[0]!, k: rows(), v: rows() };
  drawn.set(count, made);
  return made;
}

/** Where each key stands by the policy, before any turn of what was cached. */
function places(policy: Policy, count: number): number[] {
  if (policy === "recoded") return range(count);
  return range(count).map((n) => (policy === "growing" || n < count - 1 ? n + 1 : n));
}

/** What the newest token reads after the window slid by one, under rotary encoding. */
export function read(data: Data, count: number, policy: Policy, more = 0): Numbers {
  const w = data.frequencies("paper-16-10000");
  const { q, k, v } = tokens(count);
  const at = places(policy, count).map((place) => place + more);
  const keys = k.map((row, n) => {
    const cached = turned(row, at[n]!, w, "half");
    return policy === "turned" && n < count - 1 ? turned(cached, -1, w, "half") : cached;
  });
  const asked = policy === "growing" ? count : count - 1;
  return attend([turned(q, asked + more, w, "half")], keys, v)[0]!;
}

/** The same with codes added to q, k and v; nothing can turn these. */
export function readAdded(data: Data, count: number, policy: Policy): Numbers {
  const w = data.frequencies("paper-16-10000");
  const { q, k, v } = tokens(count);
  const at = places(policy, count);
  const added = (rows: Matrix) => rows.map((row, n) => code(at[n]!, w).map((x, i) => x + row[i]!));
  const last = code(at.at(-1)!, w).map((x, i) => x + q[i]!);
  return attend([last], added(k), added(v))[0]!;
}

const worked = new Map<string, number>();

/** How far the output is from that of the window coded anew, of the tokens that are drawn. */
export function off(data: Data, policy: Policy, way: typeof read | typeof readAdded): number {
  const key = `${policy} ${way === read}`;
  const value = worked.get(key) ?? farthest(way(data, SMALL, policy), way(data, SMALL, "recoded"));
  worked.set(key, value);
  return value;
}
