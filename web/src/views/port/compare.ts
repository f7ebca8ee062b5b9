// Which known frequencies a list holds, where it first departs from them, and what was likely done.

import { sum, type Numbers } from "../../core";
import { bfloat16, float16 } from "../../half";
import type { Ladder } from "../../payload";
import { FORMS } from "./forms";
import type { List } from "./parse";

/** What was found: keys of words, the numbers for them, and what to compare pair by pair. */
export interface Finding {
  /** What the list is, or what was done to it. */
  cause: string;
  slots: Record<string, number>;
  /** To how many digits it is so; empty where nothing agrees. */
  agrees: "" | "exact" | "printed" | "float32" | "bfloat16" | "float16";
  /** The ladder that it is or is nearest to; none where the page has none of that many pairs. */
  known: Ladder | undefined;
  /** The ladder to hold it against: the paper's of that width and base. */
  plain: Ladder | undefined;
}

const SINGLE = 2e-6; // what float32 powers leave of a frequency, as a share of it
const DOUBLE = 4e-15;

const ROUNDED: readonly (readonly [Finding["agrees"], (x: number) => number, number])[] = [
  ["exact", (x) => x, DOUBLE], ["float32", (x) => x, SINGLE],
  ["bfloat16", bfloat16, 1e-9], ["float16", float16, 1e-9],
];

/** Whether every number is that of `due`, to a share or to the digits that were written. */
function agree({ values, slack }: List, due: Numbers, within: number): boolean {
  return values.every((x, i) => Math.abs(x - due[i]!) <= Math.max(within, slack[i]!) * Math.abs(due[i]!));
}

export function ratio(values: Numbers, due: Numbers): Numbers {
  return due.map((w, i) => (values[i] ?? NaN) / w);
}

/** The first pair that differs by more than single precision and the digits written; -1 for none. */
export function first({ values, slack }: List, due: Numbers): number {
  return due.findIndex((w, i) => !(Math.abs((values[i] ?? NaN) - w) <= Math.max(SINGLE, slack[i] ?? 0) * w));
}

export function compare(list: List, ladders: readonly Ladder[], bases: readonly number[]): Finding {
  const fitting = ladders.filter(({ frequencies }) => frequencies.length === list.values.length);
  return written(list, fitting, bases) ?? scaled(list, fitting) ?? ruled(list, fitting)
    ?? geometric(list, fitting, bases) ?? nearest(list, fitting);
}

/** The paper's ladder of this one's width and base, or itself. */
export function plainOf(ladder: Ladder, ladders: readonly Ladder[]): Ladder {
  const same = (fact: string) => (other: Ladder) => other.fact(fact) === ladder.fact(fact);
  const named = ladders.filter(({ name }) => name.startsWith("paper-") || name === `${ladder.name}-plain`);
  return named.filter(same("dim")).find(same("base")) ?? ladder;
}

/** A ladder as it is, or in another form or number format. */
function written(list: List, ladders: readonly Ladder[], bases: readonly number[]): Finding | undefined {
  for (const [form, back] of Object.entries(FORMS)) {
    const made = back(list);
    for (const [agrees, rounded, within] of ROUNDED) {
      const known = ladders.find(({ frequencies }) => agree(made, frequencies.map(rounded), within));
      if (known === undefined) continue;
      const digits = agrees === "exact" && Math.max(...made.slack) > DOUBLE ? "printed" : agrees;
      const square = known.fact("base") ** 2;
      const cause = form !== "same" ? form : known.name.startsWith("t2t-") ? "tensor2tensor"
        : known.fact("base") <= 1000 && bases.includes(square) ? "root" : form;
      return { cause, slots: { base: square }, agrees: digits, known, plain: plainOf(known, ladders) };
    }
  }
  return undefined;
}

/** One number for all, as far as single precision and the digits written allow. */
function constant(values: Numbers, slack: Numbers): number {
  const middle = Math.exp(sum(values.map(Math.log)) / values.length);
  const even = values.every((x, i) => Math.abs(x / middle - 1) <= 2 * Math.max(SINGLE, slack[i]!));
  return even && middle > 0 ? middle : NaN;
}

function whole(value: number): boolean {
  return value > 1.5 && Math.abs(value / Math.round(value) - 1) < 1e-5;
}

/** A ladder times one and the same number. */
function scaled(list: List, ladders: readonly Ladder[]): Finding | undefined {
  for (const known of ladders) {
    const w = known.frequencies;
    const by = constant(ratio(list.values, w), list.slack);
    if (Number.isNaN(by)) continue;
    const step = w[1]! / w[0]!;
    const near = (due: number) => Math.abs(by / due - 1) < 1e-5;
    const cause = near(Math.sqrt(step)) ? "slip" : near(step) ? "index"
      : whole(by) ? "angles" : whole(1 / by) ? "slower" : "factor";
    const factor = cause === "slower" ? Math.round(1 / by) : whole(by) ? Math.round(by) : by;
    return { cause, slots: { factor }, agrees: "", known, plain: known };
  }
  return undefined;
}

/** A ladder for the fast pairs, and slower for the others: what rules for longer text do. */
function ruled(list: List, ladders: readonly Ladder[]): Finding | undefined {
  for (const known of ladders.filter(({ name }) => name.startsWith("paper-"))) {
    const from = first(list, known.frequencies);
    const by = ratio(list.values, known.frequencies);
    const slower = by.every((x, i) => x > 0 && x <= 1 + Math.max(SINGLE, list.slack[i]!));
    if (from < Math.max(2, by.length / 8) || !slower) continue;
    const slots = { pair: from, factor: 1 / Math.min(...by) };
    return { cause: "rule", slots, agrees: "", known, plain: known };
  }
  return undefined;
}

/** One step from every pair to the next, which is that of some base. */
function geometric(list: List, ladders: readonly Ladder[], bases: readonly number[]): Finding | undefined {
  const { values, slack } = list;
  const n = values.length;
  const steps = values.slice(1).map((x, i) => x / values[i]!);
  const step = constant(steps, slack.slice(1).map((part, i) => part + slack[i]!));
  if (Number.isNaN(step) || Math.abs(step - 1) < 1e-9 || !values.every((x) => x > 0)) return undefined;
  const grown = (count: number) => {
    const base = step ** -count;
    return bases.find((known) => Math.abs(base / known - 1) < 1e-3) ?? NaN;
  };
  const told = ([["base", n], ["ends", n - 1], ["half", 2 * n], ["twice", n / 2]] as const)
    .find(([, count]) => !Number.isNaN(grown(count)));
  const base = told ? grown(told[1]) : step ** -n;
  const { known } = nearest(list, ladders);
  return { cause: told?.[0] ?? "unknown", slots: { base, dim: 2 * n }, agrees: "", known, plain: known };
}

/** The ladder whose largest ratio is the smallest. */
function nearest({ values }: List, ladders: readonly Ladder[]): Finding {
  const far = ({ frequencies }: Ladder) =>
    Math.max(...ratio(values, frequencies).map((x) => (x > 0 ? Math.abs(Math.log(x)) : Infinity)));
  const known = ladders.map((ladder) => [far(ladder), ladder] as const).sort(([a], [b]) => a - b)[0]?.[1];
  const slots = { pairs: values.length };
  return { cause: known ? "other" : "alone", slots, agrees: "", known, plain: known };
}
