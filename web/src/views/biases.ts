// What attention is told of a distance: a slope, a bucket, a clipped row, a row of a table, nothing.

import { Chart } from "../chart";
import { range } from "../core";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";

const FAR = 512;
const ROWS = 512; // of the learned table
const WAYS = ["alibi", "t5", "shaw", "learned", "none"] as const;

function bucket(data: Data, distance: number, way: "both" | "causal"): number {
  return data.numbers(`biases.${way}`)[distance + FAR]!;
}

/** Behind the query, the first distance in each bucket. */
function edges(data: Data, way: "both" | "causal"): number[] {
  const found = range(200).map((back) => bucket(data, -back, way));
  return range(Math.max(...found) + 1).map((name) => found.indexOf(name));
}

function miss(found: readonly number[], due: readonly number[]): number {
  const off = due.map((value, i) => Math.abs((found[i] ?? NaN) - value));
  return Math.max(...off, Math.abs(found.length - due.length));
}

/** Rows that a table of so many has for positions; NaN where it has none. */
function row(position: number, rows: number): number {
  return position >= 0 && position < rows ? position : NaN;
}

/** What is told of a key at this distance from the query; NaN where there is nothing to tell. */
function told(scene: Scene, distance: number): number {
  const { data, state } = scene;
  const way = state.text("tells");
  if (state.on("causal-only") && distance > 0) return NaN;
  if (way === "alibi") return -data.numbers("biases.slopes-8")[state.number("head")]! * Math.abs(distance);
  if (way === "t5") return bucket(data, distance, state.on("causal-only") ? "causal" : "both");
  if (way === "shaw") return data.numbers("biases.shaw")[distance + FAR]!;
  return way === "learned" ? row(state.number("p") + distance, ROWS) : 0;
}

function bounds(scene: Scene): readonly [number, number] {
  const way = scene.state.text("tells");
  if (way === "alibi") return [-Math.max(4, 128 * scene.data.numbers("biases.slopes-8")[scene.state.number("head")]!), 1];
  return way === "learned" ? [0, ROWS] : way === "none" ? [-1, 1] : [0, 32];
}

const CAUSAL_EDGES = [...range(16), 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113];

export const biases: View = {
  id: "biases",
  controls: [
    { kind: "choice", name: "tells", words: "biases", options: WAYS, start: "t5" },
    { kind: "range", name: "gap", words: "biases", min: -FAR, max: FAR, start: -8 },
    { kind: "range", name: "head", words: "biases", min: 0, max: 7, start: 0 },
    { kind: "switch", name: "causal-only", words: "biases", start: 0 },
  ],

  measures: {
    "relative.buckets-both-ways": (data) => {
      const due = [
        [-200, 15], [-128, 15], [-91, 15], [-90, 14], [-64, 14], [-46, 13], [-16, 10], [-12, 9], [-8, 8],
        [-7, 7], [-1, 1], [0, 0], [1, 17], [7, 23], [8, 24], [12, 25], [200, 31],
      ] as const;
      return Math.max(...due.map(([at, name]) => Math.abs(bucket(data, at, "both") - name)));
    },
    "relative.buckets-causal": (data) => miss(edges(data, "causal"), CAUSAL_EDGES) + bucket(data, 200, "causal"),
    "relative.reach-both-ways": (data) => edges(data, "both").at(-1)!,
    "relative.eight-slopes": (data) =>
      miss([...data.numbers("biases.slopes-8")], range(8).map((h) => 1 / 2 ** (h + 1))),
    "learned.out-of-range": () => {
      const missing = range(12).filter((p) => Number.isNaN(row(p, 8)));
      return miss(missing, [8, 9, 10, 11]) ? -1 : missing.length;
    },
  },

  picture: {
    height: () => 260,

    draw(pen, scene) {
      const [low, high] = bounds(scene);
      const chart = axes(pen, scene);
      chart.levels([low, (low + high) / 2, high], (x) => shown(x, 1));
      chart.places([-128, -64, 0, 64, 128], shown);
      let points: [number, number][] = [];
      const flush = () => {
        chart.curve(points, "sin", 0, 2);
        points = [];
      };
      for (let distance = -128; distance <= 128; distance++) {
        const value = told(scene, distance);
        if (Number.isNaN(value)) {
          flush();
          pen.line([[chart.x(distance), chart.y(low)], [chart.x(distance + 0.5), chart.y(high)]], "line", 1);
        } else if (value >= low) {
          points.push([distance - 0.5, value], [distance + 0.5, value]);
        }
      }
      flush();
      const gap = Math.max(-128, Math.min(128, scene.state.number("gap")));
      chart.mark(gap);
      const value = told(scene, gap);
      if (value >= low) chart.point(gap, value);
      if (scene.state.text("tells") === "learned" && Number.isNaN(value)) {
        pen.label(scene.say("biases.no-row"), pen.width / 2, 24, "center", "mark");
      }
    },

    pick: (x, _y, pen, scene) => ({ gap: axes(pen, scene).at(x) }),
  },

  numbers(scene) {
    const gap = scene.state.number("gap");
    const value = told(scene, gap);
    const nothing = scene.say(scene.state.text("tells") === "learned" ? "biases.no-row" : "biases.unseen");
    return [
      [scene.say("biases.distance"), shown(gap)],
      [scene.say("biases.told"), Number.isNaN(value) ? nothing : shown(value, 4)],
    ];
  },

  table(scene) {
    const rows = range(257).map((i) => [shown(i - 128), shown(told(scene, i - 128), 4)]);
    return { head: [scene.say("biases.distance"), scene.say("biases.told")], rows };
  },

  python({ state }) {
    const named = (spec: string, rows: number) =>
      `bind(posenc.${spec}, {"table": np.arange(${rows}.0)[:, None]})`; // each row is its number
    const lines: Record<string, string> = {
      alibi: `bind(posenc.Alibi(heads=8, symmetric=True)).bias(m, n)[${state.number("head")}]`,
      t5: `${named(`T5Bias(heads=1, bidirectional=${state.on("causal-only") ? "False" : "True"})`, 32)}.bias(m, n)`,
      shaw: "np.clip(n - m, -16, 16) + 16",
      learned: `${named(`Learned(rows=${ROWS}, dim=1)`, ROWS)}.embed(n)`,
      none: "bind(posenc.NoPE()).bias",
    };
    const m = state.number("p");
    return "import numpy as np, posenc\nfrom posenc import bind\n\n" +
      `m, n = np.array([${m}]), np.array([${m + state.number("gap")}])\n` +
      `print(${lines[state.text("tells")]})\n`;
  },
};

function axes(pen: Pen, scene: Scene): Chart {
  return new Chart(pen, [-130, 130], bounds(scene));
}
