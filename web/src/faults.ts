// The code of a position as it is, and as two common slips make it.

import { code, type Numbers } from "./core";
import type { Data } from "./payload";

export const FAULTS = ["none", "sines", "slip"] as const;
export type Fault = (typeof FAULTS)[number];

/** With a fault: without cosines, or with cosines that turn at rates of their own. */
export function faulty(p: number, w: Numbers, data: Data, fault: Fault): Numbers {
  const row = code(p, w);
  if (fault === "none") return row;
  const slip = data.frequencies("slip");
  return row.map((value, at) => {
    if (at % 2 === 0) return value;
    return fault === "sines" ? 0 : Math.cos(p * (slip[at >> 1] ?? 0));
  });
}
