// Pairs of channels turned by an angle: what shifts a code and what rotary encoding does.

import type { Numbers } from "./core";

export type Layout = "half" | "interleaved";

/** The two channels of pair i, of `pairs`. */
export function channels(i: number, pairs: number, layout: Layout): readonly [number, number] {
  return layout === "half" ? [i, i + pairs] : [2 * i, 2 * i + 1];
}

/** A vector with pair i turned by p w_i, counter-clockwise. */
export function turned(x: Numbers, p: number, w: Numbers, layout: Layout): Numbers {
  const made = x.slice();
  w.forEach((each, i) => {
    const [a, b] = channels(i, w.length, layout);
    const cos = Math.cos(p * each);
    const sin = Math.sin(p * each);
    made[a] = x[a]! * cos - x[b]! * sin;
    made[b] = x[a]! * sin + x[b]! * cos;
  });
  return made;
}

/** What each pair adds to the score of a query and a key. */
export function shares(q: Numbers, k: Numbers, layout: Layout): Numbers {
  const pairs = q.length / 2;
  return Float64Array.from({ length: pairs }, (_, i) => {
    const [a, b] = channels(i, pairs, layout);
    return q[a]! * k[a]! + q[b]! * k[b]!;
  });
}
