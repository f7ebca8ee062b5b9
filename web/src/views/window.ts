// A window slides on: its codes all change, what they have in common does not; and cached keys.

import { code, codes, distance, dot, farthest, farthestFrom, range, type Numbers } from "../core";
import type { Data } from "../payload";
import { turned } from "../rotation";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { off, POLICIES, read, readAdded, type Policy } from "./window/cache";

const WINDOW = 2047;
const FIRST = 100; // the token at position 0 before anything slides
const SHOWN = 48; // tokens of the picture, in the middle of the window
const FROM = 1100;
const GAP = 16;

function stays(data: Data): { before: Numbers[]; after: Numbers[] } {
  const rows = codes(WINDOW, data.frequencies("paper-64-10000"));
  return { before: rows.slice(1), after: rows.slice(0, -1) };
}

function shownCodes(scene: Scene): Numbers[] {
  const slid = scene.state.number("slide");
  const w = scene.data.frequencies("paper-64-10000");
  return range(SHOWN).map((i) => code(FROM + i - FIRST - slid, w));
}

export const sliding: View = {
  id: "window",
  controls: [
    { kind: "range", name: "slide", words: "window", min: 0, max: 1000, start: 0 },
    { kind: "choice", name: "cache", words: "window", options: POLICIES, start: "untouched" },
  ],

  measures: {
    "window.recoded": (data) => {
      const { before, after } = stays(data);
      return before.filter((row, n) => farthest(row, after[n]!) > 0.01).length;
    },
    "window.step": (data) => {
      const { before, after } = stays(data);
      return farthestFrom(1.471848, before.map((row, n) => distance(row, after[n]!)));
    },
    "window.map": (data) => {
      const w = data.frequencies("paper-768-10000");
      const back = (row: Numbers) => row.map((x, at) => {
        const [cos, sin] = [Math.cos(w[at >> 1]!), Math.sin(w[at >> 1]!)];
        return at % 2 ? x * cos + row[at - 1]! * sin : x * cos - row[at + 1]! * sin;
      });
      const rows = range(67).map((i) => 31 * i);
      return farthest(rows.map((n) => back(code(n + 1, w))), rows.map((n) => code(n, w)));
    },
    "window.turn-back": (data) => {
      const w = data.frequencies("rotary-8");
      const k = data.matrix("rotary.pair")[1]!;
      const back = turned(turned(k, 1000, w, "half"), -1, w, "half");
      return farthest(back, turned(k, 999, w, "half"));
    },
    "window.cache-turned": (data) => farthest(read(data, WINDOW, "turned"), read(data, WINDOW, "recoded")),
    "window.cache-growing": (data) =>
      farthest(read(data, WINDOW, "growing", 100), read(data, WINDOW, "recoded")),
  },

  picture: {
    height: (width) => Math.min(340, (width - GAP) / 2) + 22,

    draw(pen, scene) {
      const rows = shownCodes(scene);
      const half = (pen.width - GAP) / 2;
      const place = FROM - FIRST - scene.state.number("slide");
      pen.label(`${scene.say("window.codes")} p = ${place} … ${place + SHOWN - 1}`, 0, 14);
      pen.cells(rows, [0, 22, half, pen.height - 22]);
      pen.label(scene.say("window.likeness"), half + GAP, 14);
      const alike = rows.map((a) => Float64Array.from(rows, (b) => (dot(a, b) / 32 - 0.3) / 0.7));
      pen.cells(alike, [half + GAP, 22, half, pen.height - 22]);
    },
  },

  numbers(scene) {
    const policy = scene.state.text("cache") as Policy;
    const slid = scene.state.number("slide");
    const w = scene.data.frequencies("paper-64-10000");
    const place = FROM - FIRST - slid;
    return [
      [scene.say("window.place", { token: FROM }), shown(place)],
      [scene.say("window.moved"), shown(distance(code(place, w), code(place - 1, w)))],
      [scene.say("window.rotary"), shown(off(scene.data, policy, read))],
      [scene.say("window.added"), policy === "turned" ? "–" : shown(off(scene.data, policy, readAdded))],
    ];
  },

  table(scene) {
    const rows = POLICIES.map((policy) => {
      const added = policy === "turned" ? "–" : shown(off(scene.data, policy, readAdded));
      return [scene.say(`window.cache-${policy}`), shown(off(scene.data, policy, read)), added];
    });
    return { head: ["", scene.say("window.rotary"), scene.say("window.added")], rows };
  },

  python: () =>
    "import numpy as np, posenc\n\n" +
    "k = np.random.default_rng(0).standard_normal((2, 1, 1, 8))[1]\n" +
    'rope = posenc.bind(posenc.Rope(dim=8, layout="half"))\n' +
    "cached = rope.key(k, np.array([1000]))\n" +
    "print(abs(rope.key(cached, np.array([-1])) - rope.key(k, np.array([999]))).max())\n",
};
