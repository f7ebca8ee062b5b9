// How long the codes are along the text, and how near neighbours: constants, and others beside them.

import { Chart } from "../chart";
import { code, codes, cosine, distance, norm, range, spread, type Numbers } from "../core";
import { digits, integer } from "../counting";
import { faulty } from "../faults";
import type { Data, Ladder } from "../payload";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { bars } from "./bars";
import { clocks } from "./clocks";
import { shifted } from "./shift";

const CODE = "paper-64-10000";
const COUNT = 1024;
const BITS = 11; // for the one after the last as well
const OTHERS = ["integer", "binary", "sines", "slip"] as const;
type Way = "none" | (typeof OTHERS)[number];

/** What is looked at, of a code and the next one; and in Python, of all codes but the last and the first. */
const LOOKS = {
  norm: [(here: Numbers) => norm(here), "length(x)"],
  cosine: [cosine, "(x[1:] * x[:-1]).sum(-1) / length(x[1:]) / length(x[:-1])"],
  distance: [distance, "length(x[1:] - x[:-1])"],
} as const;
type Look = keyof typeof LOOKS;

const known = new Map<string, readonly number[]>();

/** What the bar has chosen; the slip has rates for one code alone. */
function ladder({ data, state, ladder: chosen }: Scene): Ladder {
  return state.text("beside") === "slip" ? data.ladder(CODE) : chosen();
}

/** What is looked at, at every position. */
function line(scene: Scene, way: Way): readonly number[] {
  const look = scene.state.text("shows") as Look;
  const { name, frequencies } = ladder(scene);
  const key = `${name} ${way} ${look}`;
  const there = known.get(key);
  if (there) return there;
  const rows = range(COUNT + 1).map((p) => {
    if (way === "integer") return integer(p, 2 * frequencies.length);
    return way === "binary" ? digits(p, BITS) : faulty(p, frequencies, scene.data, way);
  });
  const values = range(COUNT).map((p) => LOOKS[look][0](rows[p]!, rows[p + 1]!));
  known.set(key, values);
  return values;
}

/** The two that are shown. */
function ways(scene: Scene): readonly Way[] {
  return ["none", scene.state.text("beside") as Way];
}

/** The least and the most; a code of zeros has no direction, and no cosine. */
function ends(values: readonly number[]): readonly [number, number] {
  const real = values.filter(Number.isFinite);
  return [Math.min(...real), Math.max(...real)];
}

function neighbours(data: Data, dim: number): readonly [Numbers, Numbers] {
  const w = data.frequencies(`paper-${dim}-10000`);
  return [code(100, w), code(101, w)];
}

export const norms: View = {
  id: "norms",
  controls: [
    { kind: "choice", name: "shows", words: "norms", options: Object.keys(LOOKS), start: "norm" },
    { kind: "choice", name: "beside", words: "norms", options: OTHERS, start: "sines" },
  ],

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
      const high = Math.max(...ways(scene).map((way) => ends(line(scene, way))[1]));
      chart.levels([0, high / 2, high], (value) => shown(value, 2));
      chart.places([0, 256, 512, 768, 1023], shown);
      const p = scene.state.number("p");
      chart.mark(p);
      [1, 0].forEach((style) => { // the level line last, so that nothing covers it
        const way = ways(scene)[style]!;
        const points = line(scene, way).map((value, at) => [at, value] as const);
        const real = points.filter(([, y]) => Number.isFinite(y));
        chart.curve(real, style ? "cos" : "sin", style, style ? 1.25 : 2.5);
        chart.point(p, line(scene, way)[p]!);
      });
    },

    pick: (x, _y, pen, scene) => ({ p: axes(pen, scene).at(x) }),
  },

  numbers(scene) {
    const p = scene.state.number("p");
    return ways(scene).flatMap((way) => {
      const [values, named] = [line(scene, way), { code: scene.say(`norms.beside-${way}`) }];
      return [
        [scene.say("norms.at", named), shown(values[p]!)],
        [scene.say("norms.ends", named), ends(values).map((value) => shown(value)).join(" … ")],
      ] as const;
    });
  },

  table(scene) {
    const all = ways(scene).map((way) => line(scene, way));
    const rows = range(COUNT).map((p) => [shown(p), ...all.map((values) => shown(values[p]!))]);
    return { head: ["p", ...ways(scene).map((way) => scene.say(`norms.beside-${way}`))], rows };
  },

  python(scene) {
    const { python, frequencies } = ladder(scene);
    const made = (spec: string) => `posenc.bind(${spec}).embed(np.arange(1025), dtype=np.float64)`;
    const other = {
      integer: made(`posenc.Integer(dim=${2 * frequencies.length})`),
      binary: made(`posenc.Binary(bits=${BITS})`),
      sines: "code[:, ::2]",
      slip: `${made("posenc.Sinusoidal(dim=128)")}[:, [*range(0, 128, 4), *range(3, 128, 4)]]`,
    }[scene.state.text("beside")];
    return "import numpy as np, posenc\n\n\ndef length(x):\n    return np.linalg.norm(x, axis=-1)\n\n\n" +
      `code = ${made(python)}\nother = ${other}\nfor x in (code, other):\n` +
      `    print(${LOOKS[scene.state.text("shows") as Look][1]})\n`;
  },
};

function axes(pen: Pen, scene: Scene): Chart {
  const [low, high] = ends(ways(scene).flatMap((way) => ends(line(scene, way))));
  return new Chart(pen, [0, COUNT - 1], [Math.min(0, low), 1.05 * high]);
}
