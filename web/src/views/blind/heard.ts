// One head of attention over the tokens of a sentence, with the weights that Python drew.

import { code, range, type Matrix, type Numbers } from "../../core";
import { attend, plus, times } from "../../matrix";
import type { Data } from "../../payload";

export interface Given {
  placed?: boolean;
  causal?: boolean;
}

/** Queries, keys and values of tokens at positions 0, 1, 2, ...; `placed` adds their sinusoid. */
export function heard(data: Data, x: Matrix, placed = false): Numbers[][] {
  const weights = data.matrix("blind.weights-4");
  const told = placed ? plus(x, x.map((_, p) => code(p, data.frequencies("paper-4")))) : x;
  return range(3).map((i) => times(told, weights.slice(4 * i, 4 * i + 4)));
}

export function outputs(data: Data, x: Matrix, { placed, causal }: Given = {}): Numbers[] {
  const [q, k, v] = heard(data, x, placed);
  return attend(q!, k!, v!, causal);
}
