// Weights of one layout run in the other: the same at distance 0, wrong everywhere else.

import { Chart } from "../chart";
import { dot, range, type Numbers } from "../core";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import { channels, turned, type Layout } from "../rotation";
import { DISTANCE } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const FAR = 32;
const ARCS = 120; // pixels for the two rows of channels
const LAYOUTS = ["interleaved", "half"] as const;

/** The score of the example's query at `distance` and its key at 0, or both further on. */
function score(
  data: Data, layout: Layout, distance: number, [q, k] = sides(data), from = 0,
): number {
  const w = data.frequencies("rotary-64");
  const key = from ? turned(k, from, w, layout) : k;
  return dot(turned(q, distance + from, w, layout), key);
}

function sides(data: Data): readonly [Numbers, Numbers] {
  const [q, k] = data.matrix("layouts.pair");
  return [q!, k!];
}

/** A vector with its channels in the order of another layout. */
function reordered(x: Numbers, from: Layout, to: Layout, data: Data): Numbers {
  if (from === to) return x;
  const order = data.numbers(`layouts.${from}-${to}-${x.length}`);
  return Float64Array.from(order, (at) => x[at]!);
}

function setting({ state }: Scene): { trained: Layout; run: Layout; permute: boolean } {
  const [trained, run] = [state.text("trained") as Layout, state.text("run") as Layout];
  return { trained, run, permute: state.on("permute") };
}

function asRun(scene: Scene, distance: number): number {
  const { trained, run, permute } = setting(scene);
  const [q, k] = sides(scene.data);
  const made = (x: Numbers) => (permute ? reordered(x, trained, run, scene.data) : x);
  return score(scene.data, run, distance, [made(q), made(k)]);
}

export const layouts: View = {
  id: "layouts",
  controls: [
    { kind: "choice", name: "trained", words: "layouts", options: LAYOUTS, start: "interleaved" },
    { kind: "choice", name: "run", words: "layouts", options: LAYOUTS, start: "half" },
    { kind: "switch", name: "permute", words: "layouts", start: 0 },
    DISTANCE,
  ],

  measures: {
    "rotary.layouts-at-zero": (data) =>
      Math.abs(score(data, "half", 0, sides(data), 7) - score(data, "interleaved", 0, sides(data), 7)),
    "rotary.layouts-at-seven": (data) =>
      Math.max(
        Math.abs(score(data, "half", 7) + 5.806929), Math.abs(score(data, "interleaved", 7) + 11.297189),
      ),
    "rotary.layouts-exchange": (data) => score(data, "half", 7) - score(data, "interleaved", 7),
    "rotary.layouts-reordered": (data) => {
      const [q, k] = sides(data).map((x) => reordered(x, "interleaved", "half", data));
      return score(data, "half", 7, [q!, k!]);
    },
    "rotary.one-side-reordered": (data) => {
      const [q, k] = sides(data);
      return score(data, "half", 7, [reordered(q, "interleaved", "half", data), k]);
    },
  },

  picture: {
    height: () => ARCS + 220,

    draw(pen, scene) {
      const { trained, run } = setting(scene);
      arcs(pen, trained, 46, "sin", scene.say("layouts.weights"));
      arcs(pen, run, 106, "cos", scene.say("layouts.code"));
      const chart = axes(pen);
      const k = Math.min(scene.state.number("k"), FAR);
      chart.levels([-20, 0, 20], shown);
      chart.places([0, 8, 16, 24, 32], shown);
      const distances = range(FAR * 4 + 1).map((i) => i / 4);
      chart.curve(distances.map((d) => [d, score(scene.data, trained, d)]), "sin");
      chart.curve(distances.map((d) => [d, asRun(scene, d)]), "cos", 1, 2.5);
      chart.mark(k);
      chart.point(k, asRun(scene, k));
    },

    pick: (x, y, pen) => (y > ARCS ? { k: Math.max(0, axes(pen).at(x)) } : undefined),
  },

  numbers(scene) {
    const k = scene.state.number("k");
    const [due, got] = [score(scene.data, setting(scene).trained, k), asRun(scene, k)];
    return [
      [scene.say("layouts.due"), shown(due)],
      [scene.say("layouts.got"), shown(got)],
      [scene.say("layouts.off"), shown(got - due)],
    ];
  },

  table(scene) {
    const { trained } = setting(scene);
    const rows = range(FAR + 1).map((d) => [d, score(scene.data, trained, d), asRun(scene, d)]);
    return {
      head: ["m − n", scene.say("layouts.due"), scene.say("layouts.got")],
      rows: rows.map((row) => row.map((value) => shown(value))),
    };
  },

  python(scene) {
    const { trained, run, permute } = setting(scene);
    const scored = (layout: Layout) =>
      `rope = posenc.bind(posenc.Rope(dim=64, layout="${layout}"))\n` +
      `print((rope.query(q, np.array([${scene.state.number("k")}])) * k).sum())\n`;
    const back = trained === "half" ? ".argsort()" : "";
    const rewrite = `x = x[..., np.r_[0:64:2, 1:64:2]${back}]\nq, k = x\n`;
    return (
      "import numpy as np, posenc\n\n" +
      "x = np.random.default_rng(0).standard_normal((2, 1, 1, 64))\nq, k = x\n" +
      scored(trained) + (permute && trained !== run ? rewrite : "") + scored(run)
    );
  },
};

function axes(pen: Pen): Chart {
  return new Chart(pen, [0, FAR], [-26, 26], { top: ARCS });
}

/** Eight channels in a row, with an arc for each pair. */
function arcs(pen: Pen, layout: Layout, y: number, colour: "sin" | "cos", name: string): void {
  const left = 12;
  const step = Math.min(44, (pen.width - 2 * left) / 8);
  const x = (channel: number) => left + (channel + 0.5) * step;
  pen.label(name, left, y - 34);
  for (let i = 0; i < 4; i++) {
    const [a, b] = channels(i, 4, layout);
    const [middle, half] = [(x(a) + x(b)) / 2, (x(b) - x(a)) / 2];
    const points = range(25).map((at) => {
      const turn = (Math.PI * at) / 24;
      return [middle - half * Math.cos(turn), y - Math.sin(turn) * Math.min(26, half)] as const;
    });
    pen.line(points, colour, 2, colour === "cos" ? [5, 3] : []);
  }
  range(8).forEach((channel) => pen.disc(x(channel), y, 4, "ink"));
}
