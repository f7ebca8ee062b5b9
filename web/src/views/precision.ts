// Positions as half precision reads them, and what becomes of the cosines.

import { range, type Numbers } from "../core";
import { bfloat16, float16, FORMATS, type Format } from "../half";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";

const HEAD = "paper-128-10000";
const SMALL = "paper-32";
const LINE = 90; // pixels for the line of positions
const AROUND = 20;

const counted = new Map<(value: number) => number, number>();

/** How many of 8192 positions a format tells apart. */
function distinct(round: (value: number) => number): number {
  const count = counted.get(round) ?? new Set(range(8192).map(round)).size;
  counted.set(round, count);
  return count;
}

/** The cosine of a position and a frequency where every number on the way is rounded, or the last alone. */
function rounded(p: number, w: number, round: (value: number) => number, last: boolean): number {
  return last ? round(Math.cos(p * w)) : round(Math.cos(round(round(p) * round(w))));
}

function setting({ state }: Scene): { place: number; round: (value: number) => number; last: boolean } {
  return {
    place: state.number("place"),
    round: FORMATS[state.text("format") as Format],
    last: state.text("cast") === "last",
  };
}

function errors(scene: Scene): Numbers {
  const { place, round, last } = setting(scene);
  const off = (w: number) => rounded(place, w, round, last) - Math.cos(place * w);
  return scene.data.frequencies(HEAD).map(off);
}

export const precision: View = {
  id: "precision",
  controls: [
    { kind: "range", name: "place", words: "precision", min: 0, max: 131071, start: 15962 },
    { kind: "choice", name: "format", words: "precision", options: Object.keys(FORMATS), start: "bfloat16" },
    { kind: "choice", name: "cast", words: "precision", options: ["all", "last"], start: "all" },
  ],

  measures: {
    "precision.bf16-positions": () => distinct(bfloat16),
    "precision.fp16-positions": () => distinct(float16),
    "precision.bf16-first": () => range(4096).find((p) => bfloat16(p) !== p) ?? NaN,
    "precision.bf16-15962": () => bfloat16(15962),
    "precision.bf16-table": (data) => {
      let far = 0;
      for (const w of data.frequencies(SMALL)) {
        const step = bfloat16(w);
        for (let p = 0; p < 2048; p++) {
          const made = bfloat16(Math.cos(bfloat16(bfloat16(p) * step)));
          far = Math.max(far, Math.abs(made - Math.cos(p * w)));
        }
      }
      return far;
    },
    "precision.cast-last": (data) => {
      const off = (p: number, w: number) => Math.abs(bfloat16(Math.cos(p * w)) - Math.cos(p * w));
      const places = range(128).map((i) => 130_944 + i);
      return Math.max(...data.frequencies(HEAD).map((w) => Math.max(...places.map((p) => off(p, w)))));
    },
  },

  picture: {
    height: () => LINE + 180,

    draw(pen, scene) {
      line(pen, scene);
      const off = errors(scene);
      const wide = pen.width / off.length;
      const middle = LINE + 90;
      const tall = (value: number) => (Math.sign(value) * Math.min(2, Math.abs(value)) * 84) / 2;
      off.forEach((value, i) => {
        const y = middle - Math.max(0, tall(value));
        pen.box(i * wide + 1, y, wide - 2, Math.max(1, Math.abs(tall(value))), value < 0 ? "sin" : pen.hatch);
      });
      pen.line([[0, middle], [pen.width, middle]], "faint");
      pen.label("+2", 2, LINE + 14, "left", "faint");
      pen.label("−2", 2, LINE + 176, "left", "faint");
    },

    pick(x, y, pen, scene) {
      if (y > LINE) return undefined;
      const step = pen.width / (2 * AROUND + 1);
      return { place: scene.state.number("place") - AROUND + Math.floor(x / step) };
    },
  },

  numbers(scene) {
    const { place, round, last } = setting(scene);
    const off = errors(scene);
    const worst = Math.max(...off.map(Math.abs));
    return [
      [scene.say("precision.read"), shown(last ? place : round(place))],
      [scene.say("precision.worst"), shown(worst)],
      [scene.say("precision.first"), `${shown(Math.cos(place))} / ${shown(rounded(place, 1, round, last))}`],
      [scene.say("precision.told"), shown(distinct(round))],
    ];
  },

  table(scene) {
    const { place, round, last } = setting(scene);
    const rows = [...scene.data.frequencies(HEAD)].map((w, i) =>
      [i, Math.cos(place * w), rounded(place, w, round, last)].map((x) => shown(x)),
    );
    return { head: ["i", scene.say("precision.exact"), scene.say("precision.rounded")], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    'rope = posenc.Rope(dim=128, layout="half")\n' +
    `cos, sin = posenc.tables(rope, np.array([${scene.state.number("place")}]), float64=True)\n` +
    "print(cos)  # angles counted in turns; cast the result, never the position\n",
};

/** Positions around the one that is set, and to which of them the format takes it. */
function line(pen: Pen, scene: Scene): void {
  const { place, round, last } = setting(scene);
  const step = pen.width / (2 * AROUND + 1);
  const x = (p: number) => (p - place + AROUND + 0.5) * step;
  for (let p = place - AROUND; p <= place + AROUND; p++) {
    if (p < 0) continue;
    if (round(p) === p) pen.disc(x(p), 50, Math.min(4, step * 0.4), "ink");
    else pen.disc(x(p), 50, 1.5, "faint");
  }
  const read = last ? place : round(place);
  const end = Math.min(Math.max(x(read), 4), pen.width - 4);
  pen.line([[x(place), 50], [(x(place) + end) / 2, 26], [end, 50]], "mark", 2);
  pen.ring(x(place), 50, 7, "mark");
  pen.label(`${place} → ${read}`, x(place), 18, "center");
}
