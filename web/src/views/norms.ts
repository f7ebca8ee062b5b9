// How long the codes are along the text, and how alike neighbours: constants, unless a slip is made.

import { Chart } from "../chart";
import { code, codes, cosine, distance, farthestFrom, norm, range, spread, type Numbers } from "../core";
import { FAULTS, faulty, type Fault } from "../faults";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { bars } from "./bars";
import { clocks } from "./clocks";
import { shifted } from "./shift";

const CODE = "paper-64-10000";
const COUNT = 1024;
const known = new Map<string, readonly number[]>();

/** What is measured at every position: the length of the code, or its cosine with the next. */
function line(scene: Scene, fault: Fault): readonly number[] {
  const what = scene.state.text("shows");
  const ladder = scene.ladder();
  const key = `${ladder.name} ${fault} ${what}`;
  const there = known.get(key);
  if (there) return there;
  const rows = range(COUNT + 1).map((p) => faulty(p, ladder.frequencies, scene.data, fault));
  const values = range(COUNT).map((p) =>
    what === "norm" ? norm(rows[p]!) : cosine(rows[p]!, rows[p + 1]!) || 0,
  );
  known.set(key, values);
  return values;
}

function largest(scene: Scene): number {
  const pairs = scene.ladder().frequencies.length;
  return scene.state.text("shows") === "norm" ? 1.25 * Math.sqrt(pairs) : 1.1;
}

function neighbours(data: Data, dim: number): readonly [Numbers, Numbers] {
  const w = data.frequencies(`paper-${dim}-10000`);
  return [code(100, w), code(101, w)];
}

export const norms: View = {
  id: "norms",
  controls: [{ kind: "choice", name: "shows", words: "norms", options: ["norm", "cosine"], start: "norm" }],

  measures: {
    "sinusoid.norm": bars.measures["sinusoid.norm"]!,
    "sinusoid.neighbours": (data) => {
      const printed = [
        [16, 0.935646, 1.014725], [64, 0.966151, 1.471848],
        [512, 0.973055, 3.71427], [768, 0.97336, 4.523235],
      ] as const;
      return Math.max(...printed.flatMap(([dim, alike, apart]) => {
        const [one, other] = neighbours(data, dim);
        return [Math.abs(cosine(one, other) - alike), Math.abs(distance(one, other) - apart)];
      }));
    },
    "sinusoid.neighbour-tells": (data) => {
      const rows = codes(COUNT, data.frequencies(CODE));
      return spread(rows.slice(1).map((row, p) => cosine(row, rows[p]!)));
    },
    "distance.sines-norm": clocks.measures["distance.sines-norm"]!,
    "distance.wrong-exponent-norm": shifted.measures["distance.wrong-exponent-norm"]!,
  },

  picture: {
    height: () => 240,

    draw(pen, scene) {
      const chart = axes(pen, scene);
      const high = largest(scene) / 1.25;
      chart.levels([0, high / 2, high], (value) => shown(value, 2));
      chart.places([0, 256, 512, 768, 1023], shown);
      const colours = ["sin", "cos", "ink"] as const;
      FAULTS.forEach((fault, style) => {
        const points = line(scene, fault).flatMap((value, p) => (p % 3 ? [] : [[p, value] as const]));
        chart.curve(points, colours[style]!, style, style ? 1.25 : 2.5);
      });
      chart.mark(scene.state.number("p"));
    },

    pick: (x, _y, pen, scene) => ({ p: axes(pen, scene).at(x) }),
  },

  numbers(scene) {
    const p = scene.state.number("p");
    return FAULTS.map((fault) => {
      const values = line(scene, fault);
      const span = shown(Math.abs(farthestFrom(values[0]!, values) - values[0]!));
      return [
        scene.say("norms.of", { code: scene.say(`norms.${fault}`) }),
        `${shown(values[p]!)} (± ${span})`,
      ];
    });
  },

  table(scene) {
    const all = FAULTS.map((fault) => line(scene, fault));
    const rows = range(COUNT).map((p) => [shown(p), ...all.map((values) => shown(values[p]!))]);
    return { head: ["p", ...FAULTS.map((fault) => scene.say(`norms.${fault}`))], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `code = posenc.bind(${scene.ladder().python}).embed(np.arange(1024))\n` +
    "print(np.linalg.norm(code, axis=-1), (code[1:] * code[:-1]).sum(-1))\n",
};

function axes(pen: Pen, scene: Scene): Chart {
  return new Chart(pen, [0, COUNT - 1], [0, largest(scene)]);
}
