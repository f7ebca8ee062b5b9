// Another base: how soon likeness falls, and how many pairs a sentence leaves almost still.

import { Chart } from "../chart";
import { code, dot, once, range, similarity, spread, type Numbers } from "../core";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";

const FAR = 200;
const CELLS = 46; // pixels for the pairs below the curves
const STILL = 0.1; // radians
const SETTINGS = [["100", "ink"], ["10000", "sin"], ["500000", "cos"]] as const;

function ladder(data: Data, base: string): Numbers {
  return data.frequencies(`paper-64-${base}`);
}

function still(w: Numbers, tokens: number): number {
  return w.filter((each) => tokens * each < STILL).length;
}

const alike = once((w: Numbers) => range(FAR + 1).map((k) => similarity(k, w) / w.length));

function belowHalf(w: Numbers): number {
  return alike(w).findIndex((value) => value < 0.5);
}

function products(w: Numbers): number[] {
  return [0, 20, 100].map((p) => dot(code(p, w), code(p + 7, w)));
}

/** The base of the bar, at the width of this view. */
function chosen(scene: Scene): Numbers {
  return ladder(scene.data, scene.state.text("base"));
}

export const base: View = {
  id: "base",
  controls: [
    { kind: "range", name: "tokens", words: "base", min: 2, max: FAR, start: 20 },
  ],

  measures: {
    "sinusoid.still-pairs": (data) => {
      const due = [["100", 0], ["10000", 13], ["500000", 19]] as const;
      return Math.max(...due.map(([name, count]) => Math.abs(still(ladder(data, name), 20) - count)));
    },
    "sinusoid.below-half": (data) => {
      const due = [["100", 5], ["10000", 28], ["500000", 78]] as const;
      return Math.max(...due.map(([name, k]) => Math.abs(belowHalf(ladder(data, name)) - k)));
    },
    "sinusoid.base-near-one": (data) => {
      const w = data.frequencies("near-one");
      const squared = (k: number) => w.reduce((sum, each) => sum + (2 * Math.sin((k * each) / 2)) ** 2, 0);
      return Math.sqrt(Math.min(...range(1023).map((k) => squared(k + 1))));
    },
    "input.not-sacred": (data) =>
      Math.max(...["paper-64-500", "t2t-64"].map((name) => spread(products(data.frequencies(name))))),
  },

  picture: {
    height: () => 240 + CELLS,

    draw(pen, scene) {
      const chart = axes(pen);
      chart.levels([0, 0.5, 1], (value) => shown(value, 1));
      chart.places([0, 50, 100, 150, 200], shown);
      SETTINGS.forEach(([name, colour], style) => {
        const values = alike(ladder(scene.data, name));
        chart.curve(values.map((value, k) => [k, value]), colour, style);
        const [at, size] = [[8, 60, 140][style]!, values[[8, 60, 140][style]!]!];
        pen.label(shown(Number(name)), chart.x(at) + 4, chart.y(size) - 6);
      });
      chart.curve(alike(chosen(scene)).map((value, k) => [k, value]), "mark", 0, 2.5);
      chart.mark(scene.state.number("tokens"));
      pairs(pen, scene);
    },

    pick: (x, y, pen) => (y < pen.height - CELLS ? { tokens: axes(pen).at(x) } : undefined),
  },

  numbers(scene) {
    const w = chosen(scene);
    const tokens = scene.state.number("tokens");
    const half = belowHalf(w);
    return [
      [scene.say("base.base"), shown(Number(scene.state.text("base")))],
      [scene.say("base.still"), `${still(w, tokens)} / ${w.length}`],
      [scene.say("base.half"), half < 0 ? `> ${FAR}` : shown(half)],
      [scene.say("base.alike"), shown(similarity(tokens, w) / w.length, 4)],
    ];
  },

  table(scene) {
    const tokens = scene.state.number("tokens");
    const rows = scene.data.payload.bases.map((each) => {
      const w = ladder(scene.data, String(each));
      const half = belowHalf(w);
      return [shown(each), `${still(w, tokens)}`, half < 0 ? `> ${FAR}` : shown(half)];
    });
    return { head: ["base", "still", "half"].map((key) => scene.say(`base.${key}`)), rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `w = posenc.Sinusoidal(dim=64, base=${scene.state.text("base")}).frequencies()\n` +
    `print((${scene.state.number("tokens")} * w < 0.1).sum(), np.cos(np.arange(200)[:, None] * w).mean(-1))\n`,
};

function axes(pen: Pen): Chart {
  return new Chart(pen, [0, FAR], [-0.25, 1.05], { bottom: pen.height - CELLS });
}

/** How far each pair turns while the sentence is read: full at a radian, crossed out where still. */
function pairs(pen: Pen, scene: Scene): void {
  const w = chosen(scene);
  const wide = pen.width / w.length;
  const top = pen.height - CELLS + 14;
  w.forEach((each, i) => {
    const turned = scene.state.number("tokens") * each;
    const tall = Math.min(1, turned) * 30;
    pen.box(i * wide + 1, top + 30 - tall, wide - 2, tall, "sin");
    if (turned < STILL) pen.line([[i * wide + 2, top + 28], [(i + 1) * wide - 2, top + 4]], "cos", 1.5);
  });
  pen.line([[0, top + 30], [pen.width, top + 30]], "faint");
}
