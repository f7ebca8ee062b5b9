// Positions as half precision reads them, and what becomes of the cosines.

import { range, type Numbers } from "../core";
import { bfloat16, float16, FORMATS, type Format } from "../half";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";

const HEAD = "paper-128-10000";
const SMALL = "paper-32";
const LINE = 90; // pixels for the line of positions
const [NEAR, FAR] = [20, 2048]; // positions on each side of the line, at least and at most

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

/** What the format makes of a position; nothing where the cosine alone is rounded. */
function reads(scene: Scene): (p: number) => number {
  const { round, last } = setting(scene);
  return last ? (p) => p : round;
}

function told(position: number): string {
  return position === Infinity ? "∞" : shown(position);
}

/** Positions on each side of the line: enough for the nearest ones that the format can hold. */
function around(scene: Scene): number {
  const [{ place }, read] = [setting(scene), reads(scene)];
  let [low, high] = [place, place + 1];
  while (place - low < FAR && read(low) !== low) low--;
  while (high - place < FAR && read(high) !== high) high++;
  return Math.min(FAR, Math.max(NEAR, Math.ceil(1.6 * (high - low))));
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
      return Math.max(...data.frequencies(SMALL).map((w) => Math.max(...range(2048).map((p) => off(p, w)))));
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
      off.forEach((value, i) => {
        const tall = 42 * Math.abs(value);
        pen.box(i * wide + 1, middle - (value < 0 ? 0 : tall), wide - 2, Math.max(1, tall), value < 0 ? "sin" : pen.hatch);
      });
      // Beyond the largest number of the format there is no angle, and no cosine.
      if (Number.isNaN(off[0])) pen.label("NaN", pen.width / 2, middle - 8, "center");
      pen.line([[0, middle], [pen.width, middle]], "faint");
      pen.label("+2", 2, LINE + 14, "left", "faint");
      pen.label("−2", 2, LINE + 176, "left", "faint");
    },

    pick(x, y, pen, scene) {
      if (y > LINE) return undefined;
      const side = around(scene);
      return { place: scene.state.number("place") - side + Math.floor((x / pen.width) * (2 * side + 1)) };
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

/** Positions around the one that is set, those that the format can hold, and what it is read as. */
function line(pen: Pen, scene: Scene): void {
  const { place } = setting(scene);
  const [read, side] = [reads(scene), around(scene)];
  const step = pen.width / (2 * side + 1);
  const x = (p: number) => Math.min((p - place + side + 0.5) * step, pen.width - 4);
  let free = 0; // where the next number may stand
  pen.line([[Math.max(0, x(0)), 50], [pen.width, 50]], "line");
  for (let p = Math.max(0, place - side); p <= place + side; p++) {
    if (read(p) !== p) {
      if (step > 4) pen.disc(x(p), 50, 1.5, "faint");
      continue;
    }
    pen.disc(x(p), 50, 4, "ink");
    if (x(p) < free || x(p) < 28 || x(p) > pen.width - 28) continue;
    pen.label(shown(p), x(p), 76, "center", "faint");
    free = x(p) + 72;
  }
  const due = read(place);
  pen.line([[x(place), 50], [(x(place) + x(due)) / 2, 26], [x(due), 50]], "mark", 2);
  pen.ring(x(place), 50, 7, "mark");
  pen.label(`${shown(place)} → ${told(due)}`, x(place), 18, "center");
}
