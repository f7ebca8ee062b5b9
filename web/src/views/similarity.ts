// The dot product of two codes over their distance: a curve that does not simply fall.

import { Chart } from "../chart";
import { code, codes, dot, once, range, similarity, spread, type Numbers } from "../core";
import type { Pen } from "../pen";
import { DISTANCE } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const CODE = "paper-64-10000";
const FAR = 1024;

function products(w: Numbers): number[] {
  return range(FAR).map((k) => similarity(k, w));
}

/** The products of what the bar has chosen, with 1 at distance 0. */
const cosines = once((w: Numbers) => products(w).map((value) => value / w.length));

function curve(scene: Scene): number[] {
  return cosines(scene.ladder().frequencies);
}

/** The first distance after which the product is larger than at it. */
function firstRise(values: readonly number[]): number {
  return values.findIndex((value, k) => k + 1 < values.length && values[k + 1]! > value);
}

export const similar: View = {
  id: "similarity",
  controls: [DISTANCE],

  measures: {
    "distance.sum-of-cosines": (data) => {
      const w = data.frequencies(CODE);
      const rows = codes(FAR, w);
      const due = rows.map((_, k) => similarity(k, w));
      const misses = [0, 20, 100, 900].flatMap((p) =>
        rows.slice(p).map((row, k) => Math.abs(dot(row, rows[p]!) - due[k]!)),
      );
      return Math.max(...misses);
    },
    "distance.absolute": (data) => {
      const rows = codes(FAR, data.frequencies(CODE));
      const products = (k: number) => rows.slice(k).map((row, p) => dot(row, rows[p]!));
      return Math.max(...[1, 2, 4, 8, 16, 32, 64, 512].map((k) => spread(products(k))));
    },
    "distance.falls": (data) => rises(products(data.frequencies(CODE))) / (FAR - 1),
    "distance.first-rise": (data) => {
      const printed = [[16, 3], [64, 5], [128, 11], [256, 24], [512, 43], [768, 43]] as const;
      return Math.max(...printed.map(([dim, k]) =>
        Math.abs(firstRise(products(data.frequencies(`paper-${dim}-10000`))) - k),
      ));
    },
    "distance.minimum": (data) => Math.min(...products(data.frequencies(CODE))),
    "distance.minimum-place": (data) => {
      const values = products(data.frequencies(CODE));
      return values.indexOf(Math.min(...values));
    },
  },

  picture: {
    height: () => 280,

    draw(pen, scene) {
      const values = curve(scene);
      const k = scene.state.number("k");
      const chart = axes(pen);
      chart.levels([1, 0.5, 0], (value) => shown(value, 1));
      chart.places([0, 256, 512, 768, 1023], shown);
      chart.curve(values.map((value, at) => [at, value]), "sin");
      chart.mark(k);
      chart.point(k, values[k]!);
    },

    pick: (x, _y, pen) => ({ k: axes(pen).at(x) }),
  },

  numbers(scene) {
    const w = scene.ladder().frequencies;
    const [p, k] = [scene.state.number("p"), scene.state.number("k")];
    const values = curve(scene);
    return [
      ["PE(p)·PE(p+k)", shown(dot(code(p, w), code(p + k, w)))],
      ["Σ cos k·wᵢ", shown(similarity(k, w))],
      [scene.say("similarity.cosine"), shown(values[k]!)],
      [scene.say("similarity.rise"), shown(firstRise(values))],
      [scene.say("similarity.ups"), `${shown((100 * rises(values)) / (FAR - 1), 1)} %`],
    ];
  },

  table(scene) {
    const rows = curve(scene).map((value, k) => [shown(k), shown(value)]);
    return { head: ["k", scene.say("similarity.cosine")], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `code = posenc.bind(${scene.ladder().python}).embed(np.arange(1024))\n` +
    "print(code @ code[0] / (code[0] @ code[0]))\n",
};

function axes(pen: Pen): Chart {
  return new Chart(pen, [0, FAR - 1], [-0.4, 1]);
}

function rises(values: readonly number[]): number {
  return values.slice(1).filter((value, k) => value > values[k]!).length;
}
