// The dot product of two codes over their distance: a curve that does not simply fall.

import { code, codes, dot, similarity, spread } from "../core";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";

const WIDTHS = ["sinusoid-16", "sinusoid-64", "sinusoid-128", "sinusoid-512"] as const;
const CODE = "sinusoid-64";
const FAR = 1024;
const LEFT = 44; // pixels for the numbers of the scale

function curve(scene: Scene): number[] {
  const w = scene.data.frequencies(scene.state.text("code"));
  return Array.from({ length: FAR }, (_, k) => similarity(k, w) / w.length);
}

/** The first distance after which the product is larger than at it. */
function firstRise(values: readonly number[]): number {
  return values.findIndex((value, k) => k + 1 < values.length && values[k + 1]! > value);
}

export const similar: View = {
  id: "similarity",
  controls: [
    { kind: "range", name: "k", min: 0, max: FAR - 1, start: 1 },
    { kind: "choice", name: "code", options: WIDTHS, start: CODE },
  ],

  measures: {
    "distance.products": (data) => {
      const w = data.frequencies(CODE);
      const printed = [32, 30.916832, 28.303862, 23.934362, 22.413912, 19.37282, 19.553972, 13.906089];
      const misses = [0, 20, 100].flatMap((p) =>
        [0, 1, 2, 4, 8, 16, 32, 64].map((k, i) => dot(code(p, w), code(p + k, w)) - printed[i]!),
      );
      return Math.max(...misses.map(Math.abs));
    },
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
    "distance.falls": (data) => {
      const w = data.frequencies(CODE);
      return rises(Array.from({ length: FAR }, (_, k) => similarity(k, w))) / (FAR - 1);
    },
    "distance.minimum": (data) => {
      const w = data.frequencies(CODE);
      return Math.min(...Array.from({ length: FAR }, (_, k) => similarity(k, w)));
    },
  },

  height: () => 280,

  draw(pen, scene) {
    const values = curve(scene);
    const k = scene.state.number("k");
    const x = (at: number) => LEFT + (at / (FAR - 1)) * (pen.width - LEFT - 8);
    const y = (value: number) => 12 + ((1 - value) / 1.4) * (pen.height - 36);
    for (const value of [1, 0.5, 0]) {
      pen.line([[LEFT, y(value)], [pen.width, y(value)]], "line");
      pen.label(shown(value, 1), LEFT - 8, y(value) + 4, "right");
    }
    pen.line(values.map((value, at) => [x(at), y(value)] as const), "sin", 1.5);
    pen.line([[x(k), 8], [x(k), pen.height - 20]], "mark");
    pen.ring(x(k), y(values[k]!), 5, "mark");
    for (const at of [0, 256, 512, 768, 1023]) {
      pen.label(shown(at), x(at), pen.height - 4, at === 1023 ? "right" : "center");
    }
  },

  pick: (x, _y, pen: Pen) => ({ k: ((x - LEFT) / (pen.width - LEFT - 8)) * (FAR - 1) }),

  numbers(scene) {
    const w = scene.data.frequencies(scene.state.text("code"));
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

  python(scene) {
    const dim = scene.data.code(scene.state.text("code")).dim;
    return (
      "import numpy as np, posenc\n\n" +
      `code = posenc.bind(posenc.Sinusoidal(dim=${dim})).embed(np.arange(1024))\n` +
      `print(code @ code[0] / ${dim / 2})\n`
    );
  },
};

function rises(values: readonly number[]): number {
  return values.slice(1).filter((value, k) => value > values[k]!).length;
}
