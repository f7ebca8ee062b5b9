// Positions as they are, and as their digits.

import type { Numbers } from "./core";

/** The position itself in every channel. */
export function integer(p: number, width: number): Numbers {
  return new Float64Array(width).fill(p);
}

/** Binary digits, the lowest first. */
export function digits(p: number, bits: number): Numbers {
  return Float64Array.from({ length: bits }, (_, j) => (p >> j) & 1);
}
