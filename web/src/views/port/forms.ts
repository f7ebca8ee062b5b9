// What was done to frequencies before they were written, and the way back.

import { range, type Numbers } from "../../core";
import type { List } from "./parse";

const TURN = 2 * Math.PI;

/** Numbers that frequencies were written as, and the way back. */
export const FORMS: Record<string, (list: List) => List> = {
  same: (list) => list,
  reversed: (list) => placed(list, range(list.values.length).reverse()),
  inverses: ({ values, slack }) => ({ kind: "list", values: values.map((x) => 1 / x), slack }),
  wavelengths: ({ values, slack }) => ({ kind: "list", values: values.map((x) => TURN / x), slack }),
};

/** The numbers at these places. */
function placed({ values, slack }: List, places: readonly number[]): List {
  const at = (row: Numbers) => Float64Array.from(places, (place) => row[place]!);
  return { kind: "list", values: at(values), slack: at(slack) };
}

/** Each number once, where all stand there twice: one half after the other, or side by side. */
export function once(list: List): readonly [copies: "" | "halves" | "doubled", list: List] {
  const { values } = list;
  const half = values.length / 2;
  if (values.length % 2) return ["", list];
  const first = range(half);
  if (first.every((i) => values[i] === values[i + half])) return ["halves", placed(list, first)];
  const even = first.map((i) => 2 * i);
  return even.every((i) => values[i] === values[i + 1]) ? ["doubled", placed(list, even)] : ["", list];
}
