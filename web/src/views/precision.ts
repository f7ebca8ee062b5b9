// Positions as half precision reads them, and what becomes of the cosines.

import { range, type Numbers } from "../core";
import { bfloat16, float16, FORMATS, type Format } from "../half";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { around, line, told, type Read } from "./precision/line";

const HEAD = "paper-128-10000";
const SMALL = "paper-32";
const LINE = 90; // pixels for the line of positions

const counted = new Map<(value: number) => number, number>();

/** How many of 8192 positions a format tells apart. */
function distinct(round: (value: number) => number): number {
  const count = counted.get(round) ?? new Set(range(8192).map(round)).size;
  counted.set(round, count);
  return count;
}

/** A cosine where every number on the way is rounded, or the `last` alone. */
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

/** What the format makes of a position; nothing where the cosine alone is rounded. */
function reads(scene: Scene): Read {
  const { round, last } = setting(scene);
  return last ? (p) => p : round;
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
    "precision.fp16-first": () => range(4096).find((p) => float16(p) !== p) ?? NaN,
    "precision.bf16-15962": () => bfloat16(15962),
    "precision.bf16-table": (data) => {
      const off = (p: number, w: number) => Math.abs(rounded(p, w, bfloat16, false) - Math.cos(p * w));
      const worst = (w: number) => Math.max(...range(2048).map((p) => off(p, w)));
      return Math.max(...data.frequencies(SMALL).map(worst));
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
      line(pen, setting(scene).place, reads(scene));
      const off = errors(scene);
      const wide = pen.width / off.length;
      const middle = LINE + 90;
      off.forEach((value, i) => {
        const [tall, falls] = [42 * Math.abs(value), value < 0];
        const top = falls ? middle : middle - tall;
        pen.box(i * wide + 1, top, wide - 2, Math.max(1, tall), falls ? "sin" : pen.hatch);
      });
      // Beyond the largest number of the format there is no angle, and no cosine.
      if (Number.isNaN(off[0])) pen.label("NaN", pen.width / 2, middle - 8, "center");
      pen.line([[0, middle], [pen.width, middle]], "faint");
      pen.label("+2", 2, LINE + 14, "left", "faint");
      pen.label("−2", 2, LINE + 176, "left", "faint");
    },

    pick(x, y, pen, scene) {
      if (y > LINE) return undefined;
      const { place } = setting(scene);
      const side = around(place, reads(scene));
      return { place: place - side + Math.floor((x / pen.width) * (2 * side + 1)) };
    },
  },

  numbers(scene) {
    const { place, round, last } = setting(scene);
    const off = errors(scene);
    const worst = Math.max(...off.map(Math.abs));
    return [
      [scene.say("precision.read"), told(reads(scene)(place))],
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
