// Matrices as rows, and attention as the tour defines it.

import { dot, range, type Matrix, type Numbers } from "./core";

export function matrix(rows: number, columns: number, at: (i: number, j: number) => number): Numbers[] {
  return Array.from({ length: rows }, (_, i) =>
    Float64Array.from({ length: columns }, (_, j) => at(i, j)),
  );
}

export function transposed(a: Matrix): Numbers[] {
  return matrix(a[0]?.length ?? 0, a.length, (i, j) => a[j]![i]!);
}

/** The product of two matrices. */
export function times(a: Matrix, b: Matrix): Numbers[] {
  const columns = transposed(b);
  return matrix(a.length, columns.length, (i, j) => dot(a[i]!, columns[j]!));
}

export function plus(a: Matrix, b: Matrix): Numbers[] {
  return a.map((row, i) => row.map((value, j) => value + b[i]![j]!));
}

/** Rows that are positive and add up to 1. */
export function softmax(scores: Matrix): Numbers[] {
  return scores.map((row) => {
    const largest = Math.max(...row);
    const raised = row.map((value) => Math.exp(value - largest));
    const total = raised.reduce((sum, value) => sum + value, 0);
    return raised.map((value) => value / total);
  });
}

/** Scores over the square root of the width, no key after its query where `causal`. */
export function scores(q: Matrix, k: Matrix, causal = false): Numbers[] {
  const width = Math.sqrt(q[0]?.length ?? 1);
  return matrix(q.length, k.length, (m, n) => (causal && n > m ? -Infinity : dot(q[m]!, k[n]!) / width));
}

/** Weighted means of the rows of `v`. */
export function attend(q: Matrix, k: Matrix, v: Matrix, causal = false): Numbers[] {
  return times(softmax(scores(q, k, causal)), v);
}

/** The determinant, by elimination with the largest pivot. */
export function determinant(m: Matrix): number {
  const rows = m.map((row) => row.slice());
  let product = 1;
  rows.forEach((_, at) => {
    const best = range(rows.length).slice(at).reduce((a, b) =>
      Math.abs(rows[b]![at]!) > Math.abs(rows[a]![at]!) ? b : a);
    if (best !== at) product *= -1;
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at]![at]!;
    product *= pivot;
    for (const row of rows.slice(at + 1)) {
      const share = row[at]! / pivot;
      for (let j = at; j < row.length; j++) row[j]! -= share * rows[at]![j]!;
    }
  });
  return product;
}
