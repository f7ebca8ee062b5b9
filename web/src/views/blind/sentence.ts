// Sentences whose tokens change places.

import { range, type Matrix } from "../../core";
import type { Data } from "../../payload";
import { normal } from "../../random";
import type { Scene } from "../../view";

export const SENTENCES = ["cat", "dog", "mat", "roles"] as const;

/** Where tokens go: of three there are no other orders than these. */
export const ORDERS: Record<string, (places: number[]) => number[]> = {
  same: (places) => places,
  back: (places) => places.reverse(),
  first: ([a, b, ...rest]) => [b!, a!, ...rest],
  last: (places) => [...places.slice(0, -2), ...places.slice(-2).reverse()],
  left: ([a, ...rest]) => [...rest, a!],
  right: (places) => [...places.slice(-1), ...places.slice(0, -1)],
};

/** A vector for each word: of the first sentence those that fit on paper, else drawn from the word. */
export function vectors(data: Data, words: readonly string[], name = ""): Matrix {
  if (name === "cat") return data.matrix("blind.cat");
  const seed = (word: string) => [...word].reduce((made, letter) => 31 * made + letter.charCodeAt(0), 0);
  return words.map((word) => Float64Array.from({ length: 4 }, normal(seed(word))));
}

export function tokens({ data, state }: Scene): readonly string[] {
  return data.extra<Record<string, string>>("blind")[state.text("sentence")]!.split(" ");
}

/** Each token and, where the sentence has a name of as many words, its word of that. */
export function names(scene: Scene): readonly string[] {
  const all = tokens(scene);
  const gloss = scene.say(`blind.sentence-${scene.state.text("sentence")}`).split(" ");
  const more = (i: number) => (gloss.length === all.length && gloss[i] !== all[i] ? ` ${gloss[i]}` : "");
  return all.map((token, i) => token + more(i));
}

/** Which token stands at each place. */
export function order(scene: Scene): number[] {
  return ORDERS[scene.state.text("order")]!(range(tokens(scene).length));
}

/** The order of three tokens in which what stands at `from` has gone to `to`. */
export function swapped(scene: Scene, from: number, to: number): { order: string } | undefined {
  const places = order(scene);
  if (places.length !== 3 || !(to in places)) return undefined;
  [places[from], places[to]] = [places[to]!, places[from]!];
  const named = Object.keys(ORDERS).find((name) => `${ORDERS[name]!(range(3))}` === `${places}`);
  return { order: named ?? "same" };
}
