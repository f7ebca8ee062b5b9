// A word, its position and their sum: how long, at what angle, and what can be read from it.

import { code, codes, cosine, dot, farthest, norm, range, sum, type Numbers } from "../core";
import { plus, times } from "../matrix";
import type { Data } from "../payload";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { arrows, shares, strips, type Three } from "./adding/drawn";
import { added, DIMS, frequencies, nearest, scale, words } from "./adding/words";

const ARROWS = 190; // pixels for each part of the picture
const SHARES = 118;
const STRIPS = 88;
const NARROW = 560; // where the parts stand one below the other

/** The mean size of the cosine between a word and a code. */
function overlap(data: Data, dim: number, count: number): number {
  const places = range(64).map((i) => code(8 * i, frequencies(data, dim)));
  const size = norm(places[0]!);
  const each = (word: Numbers) => sum(places.map((place) => Math.abs(dot(word, place)))) / norm(word);
  return sum(words(count, dim).map(each)) / size / places.length / count;
}

/** The mean cosine of a word with its sum; each word is taken with its opposite. */
function kept(data: Data, by: number): number {
  const places = codes(1024, frequencies(data, 64));
  const cosines = words(1024, 64).flatMap((word, p) =>
    [by, -by].map((size) => Math.sign(size) * cosine(word, added(word, size, places[p]!))),
  );
  return sum(cosines) / cosines.length;
}

const named = new Map<string, number>();

/** What is set, and how often the position is read: nearest code, fitted to sums, side by side. */
function look({ data, state }: Scene): Three & { read: readonly (readonly number[])[] } {
  const dim = Number(state.text("wide"));
  const [unit, rooted] = [state.text("scale") === "unit", state.on("rooted")];
  const by = scale(data, dim, unit, rooted);
  const raw = words(1, dim, 1 + state.number("word"))[0]!;
  const place = code(state.number("p"), frequencies(data, dim));
  const key = `${dim} ${by}`;
  const known = named.get(key) ?? nearest(codes(64, frequencies(data, dim)), by, 256);
  named.set(key, known);
  const row = data.matrix("adding.read")[4 * DIMS.indexOf(`${dim}`) + 2 * Number(unit) + Number(rooted)]!;
  const fitted = [row.subarray(0, 3), row.subarray(3)].map((each) => [...each].map((x) => x / 1000));
  return { word: raw.map((x) => by * x), place, total: added(raw, by, place), read: [[known], ...fitted] };
}

export const adding: View = {
  id: "adding",
  controls: [
    { kind: "choice", name: "wide", options: DIMS, start: "64" },
    { kind: "choice", name: "scale", words: "adding", options: ["plain", "unit"], start: "unit" },
    { kind: "switch", name: "rooted", words: "adding", start: 0 },
    { kind: "range", name: "word", words: "adding", min: 0, max: 99, start: 0 },
  ],

  measures: {
    "input.almost-square": (data) => overlap(data, 64, 1500),
    "input.squarer-when-wide": (data) => overlap(data, 768, 160),
    "input.word-share": (data) => kept(data, scale(data, 64, false, false)),
    "input.word-share-unit": (data) => kept(data, scale(data, 64, true, false)),
    "input.never-drowned": (data) => {
      const sizes = words(200, 768).map((word) => dot(word, word));
      const word = scale(data, 768, false, false) * Math.sqrt(sum(sizes) / sizes.length);
      return norm(code(100, frequencies(data, 768))) / word;
    },
    "input.read-from-the-sum": (data) => nearest(codes(1024, frequencies(data, 768)), 1, 20),
    "input.concat-is-two-projections": (data) => {
      const [forWords, forPlaces] = [2, 3].map((seed) => words(64, 64, seed));
      const [e, p] = [words(20, 64), codes(20, frequencies(data, 64))];
      const beside = e.map((row, i) => Float64Array.from([...row, ...p[i]!]));
      const stacked = times(beside, [...forWords!, ...forPlaces!]);
      return farthest(stacked, plus(times(e, forWords!), times(p, forPlaces!)));
    },
  },

  picture: {
    height: (width) => ARROWS + STRIPS + (width < NARROW ? SHARES : 0),

    draw(pen, scene) {
      const all = look(scene);
      const narrow = pen.width < NARROW;
      const part = narrow ? pen.width : pen.width * 0.56;
      arrows(pen, all, [0, 0, part, ARROWS]);
      const names = ["nearest", "sum", "beside"].map((key) => scene.say(`adding.${key}`));
      const [x, y] = narrow ? [0, ARROWS + STRIPS] : [part + 16, 40];
      shares(pen, names, all.read, [x, y, pen.width - x, SHARES]);
      strips(pen, all, [0, ARROWS, pen.width, STRIPS]);
    },
  },

  numbers(scene) {
    const { word, place, total, read } = look(scene);
    const percent = (share: number) => shown(100 * share, 1);
    const [near, sums, beside] = read.map(([right, low, high]) =>
      `${percent(right!)} %${low === undefined ? "" : ` (${percent(low)} … ${percent(high!)})`}`);
    return [
      ["|e|", shown(norm(word), 4)],
      ["|PE|", shown(norm(place), 4)],
      ["cos(e, PE)", shown(cosine(word, place), 4)],
      ["cos(e, e + PE)", shown(cosine(word, total), 4)],
      [scene.say("adding.nearest"), near!],
      [scene.say("adding.sum"), sums!],
      [scene.say("adding.beside"), beside!],
    ];
  },

  table(scene) {
    const { word, place, total } = look(scene);
    const rows = range(word.length).map((i) => [i, word[i]!, place[i]!, total[i]!].map((x) => shown(x)));
    return { head: ["", "e", "PE(p)", "e + PE(p)"], rows };
  },

  python({ data, state }) {
    const dim = Number(state.text("wide"));
    const by = scale(data, dim, state.text("scale") === "unit", state.on("rooted"));
    return "import numpy as np, posenc\n\n" +
      `code = posenc.bind(posenc.Sinusoidal(dim=${dim})).embed(np.arange(64))\n` +
      `e = np.random.default_rng(7).normal(0, ${by}, (99, 64, ${dim}))\n` +
      "print(np.linalg.norm(e, axis=-1).mean(), np.linalg.norm(code, axis=-1).mean())\n" +
      "print((((e + code) @ code.T).argmax(-1) == np.arange(64)).mean())  # the nearest is its own\n";
  },
};
