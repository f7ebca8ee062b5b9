// A word, its position and their sum, in the plane that holds all three.

import { code, cosine, dot, farthest, norm, range, sum, type Numbers } from "../core";
import { matrix, plus, times } from "../matrix";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import { normal } from "../random";
import type { Scene, View } from "../view";
import { shown } from "../words";

const CODE = "paper-64-10000";
const WIDE = "paper-768-10000";
const SCALES = ["plain", "scaled", "unit"] as const;

/** Word vectors of a deviation, the same on every page. */
function words(count: number, dim: number, deviation: number, seed = 1): Numbers[] {
  const draw = normal(seed);
  return matrix(count, dim, () => deviation * draw());
}

/** The mean size of the cosine between a word and a code. */
function overlap(w: Numbers, count: number): number {
  const places = range(64).map((i) => code(8 * i, w));
  const rows = words(count, 2 * w.length, 1);
  const each = (word: Numbers) => sum(places.map((place) => Math.abs(cosine(word, place)))) / 64;
  return sum(rows.map(each)) / count;
}

/** The mean cosine of a word with its sum; each word is taken with its opposite. */
function share(data: Data, deviation: number): number {
  const w = data.frequencies(CODE);
  const cosines = words(2048, 64, deviation).map((word, p) => {
    const place = code(p % 1024, w);
    const both = [1, -1].map((sign) => cosine(word, word.map((x, i) => x + sign * place[i]!)));
    return (both[0]! + both[1]!) / 2;
  });
  return sum(cosines) / cosines.length;
}

/** How many of some positions the nearest code names, read from sums with words. */
function readShare(w: Numbers, deviation: number, count: number, step = 16): number {
  const places = range(1024).map((p) => code(p, w));
  const rows = words(count, 2 * w.length, deviation);
  const right = rows.filter((word, i) => {
    const total = word.map((x, at) => x + places[i * step]![at]!);
    let [best, at] = [-Infinity, -1];
    places.forEach((place, p) => {
      const product = dot(total, place);
      if (product > best) [best, at] = [product, p];
    });
    return at === i * step;
  });
  return right.length / count;
}

function vectors(scene: Scene): { word: Numbers; place: Numbers; total: Numbers } {
  const w = scene.ladder().frequencies;
  const dim = 2 * w.length;
  const deviation = { plain: 0.02, scaled: 0.02 * Math.sqrt(dim), unit: 1 }[scene.state.text("scale")] ?? 1;
  const word = words(1, dim, deviation, 1 + scene.state.number("word"))[0]!;
  const place = code(scene.state.number("p"), w);
  return { word, place, total: word.map((x, i) => x + place[i]!) };
}

export const adding: View = {
  id: "adding",
  controls: [
    { kind: "choice", name: "scale", words: "adding", options: SCALES, start: "plain" },
    { kind: "range", name: "word", words: "adding", min: 0, max: 99, start: 0 },
  ],

  measures: {
    "input.almost-square": (data) => overlap(data.frequencies(CODE), 2000),
    "input.squarer-when-wide": (data) => overlap(data.frequencies(WIDE), 400),
    "input.word-share": (data) => share(data, 0.02),
    "input.word-share-unit": (data) => share(data, 1),
    "input.never-drowned": (data) => {
      const sizes = words(512, 768, 0.02).map((word) => dot(word, word));
      return norm(code(100, data.frequencies(WIDE))) / Math.sqrt(sum(sizes) / sizes.length);
    },
    "input.read-from-the-sum": (data) => readShare(data.frequencies(WIDE), 1, 64),
    "input.concat-is-two-projections": (data) => {
      const [forWords, forPlaces] = [2, 3].map((seed) => words(64, 64, 1, seed));
      const e = words(20, 64, 1);
      const p = range(20).map((at) => code(at, data.frequencies(CODE)));
      const beside = e.map((row, i) => Float64Array.from([...row, ...p[i]!]));
      const stacked = times(beside, [...forWords!, ...forPlaces!]);
      return farthest(stacked, plus(times(e, forWords!), times(p, forPlaces!)));
    },
  },

  picture: {
    height: (width) => Math.min(width * 0.6, 320),

    draw(pen, scene) {
      const { word, place, total } = vectors(scene);
      const angle = Math.acos(cosine(word, place));
      const scale = Math.min(pen.width - 60, 2 * pen.height) / (2.2 * Math.max(norm(total), norm(place), norm(word)));
      const from = [30, pen.height - 30] as const;
      const along = (size: number, turn: number) =>
        [from[0] + scale * size * Math.cos(turn), from[1] - scale * size * Math.sin(turn)] as const;
      const end = along(norm(place), 0);
      const tip = [end[0] + scale * norm(word) * Math.cos(angle), end[1] - scale * norm(word) * Math.sin(angle)] as const;
      arrow(pen, from, end, "sin", [], "PE(p)");
      arrow(pen, from, along(norm(word), angle), "cos", [6, 3], "e");
      pen.line([end, tip], "cos", 1, [2, 3]);
      arrow(pen, from, tip, "mark", [], "e + PE(p)");
    },
  },

  numbers(scene) {
    const { word, place, total } = vectors(scene);
    const at = SCALES.findIndex((each) => each === scene.state.text("scale"));
    const read = (name: string, row: number) => {
      const [right, low, high] = [...scene.data.matrix(name)[row]!].map((x) => shown(100 * x, 1));
      return `${right} % (${low} … ${high})`;
    };
    return [
      ["|e|", shown(norm(word), 4)],
      ["|PE|", shown(norm(place), 4)],
      ["cos(e, PE)", shown(cosine(word, place), 4)],
      ["cos(e, e + PE)", shown(cosine(word, total), 4)],
      [scene.say("adding.sum"), read("adding.sum", at)],
      [scene.say("adding.beside"), read("adding.beside", 0)],
    ];
  },

  table(scene) {
    const { word, place, total } = vectors(scene);
    const rows = range(word.length).map((i) => [i, word[i]!, place[i]!, total[i]!].map((x) => shown(x)));
    return { head: ["", "e", "PE(p)", "e + PE(p)"], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    "e = np.random.default_rng(7).normal(0, 0.02, 64)\n" +
    `p = posenc.bind(posenc.Sinusoidal(dim=64)).embed(np.array([${scene.state.number("p")}]))[0]\n` +
    "print(e @ (e + p) / np.linalg.norm(e) / np.linalg.norm(e + p))\n",
};

type Place = readonly [number, number];

function arrow(
  pen: Pen, from: Place, to: Place, colour: "sin" | "cos" | "mark", dashes: readonly number[], name: string,
): void {
  pen.line([from, to], colour, 2.5, dashes);
  pen.disc(to[0], to[1], 4, colour);
  const left = to[0] > pen.width - 80;
  pen.label(name, to[0] + (left ? -8 : 8), to[1] + (name === "PE(p)" ? 18 : -8), left ? "right" : "left");
}
