// Claims, measured here: what Python states is worked out again by the page's own arithmetic.

import type { Claim, Data } from "./payload";
import { shown, type Words } from "./words";

/** Measures the value that a claim speaks of. */
export type Measure = (data: Data) => number;

export interface Result {
  claim: Claim;
  value: number;
  ok: boolean;
}

/** Whether `value` stands to what is expected as the claim says. */
function holds(claim: Claim, value: number): boolean {
  const { relation, expected, tolerance } = claim;
  if (relation === "at_most") return value <= expected + tolerance;
  if (relation === "at_least") return value >= expected - tolerance;
  return Math.abs(value - expected) <= tolerance;
}

/** What is expected, in a sentence. */
export function due({ relation, expected, tolerance }: Claim, say: Words): string {
  const bound = relation === "at_most" ? expected + tolerance : expected - tolerance;
  const exactly = relation === "equal" && tolerance === 0;
  return say(`relation.${exactly ? "exactly" : relation}`, {
    expected: shown(expected), tolerance: shown(tolerance), bound: shown(bound),
  });
}

/** A claim is right where what is measured agrees with its verdict; what nobody measures is not. */
export function prove(claim: Claim, measure: Measure | undefined, data: Data): Result {
  let value = NaN;
  try {
    value = measure?.(data) ?? NaN;
  } catch {
    // Numbers that cannot be made are a claim that fails, and the page goes on.
  }
  const agrees = !Number.isNaN(value) && holds(claim, value) === (claim.verdict !== "false");
  const refuted = claim.actual === null || Math.abs(value - claim.actual) <= claim.tolerance;
  return { claim, value, ok: agrees && refuted };
}
