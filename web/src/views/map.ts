// The codes of 64 positions as a map of colours; every row of it is the bars of one position.

import { code, codes, distance, dot, halves, range, type Numbers } from "../core";
import { LAYOUT } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const ROWS = 64;
const STRIDE = 8; // positions from row to row where all 1024 are shown
const ALL = 56; // pixels for that
const GAP = 12;
const CODE = "paper-64-10000";

/** The first position of the window that shows p. */
function first(p: number): number {
  return Math.min(Math.max(p - ROWS / 2, 0), 1024 - ROWS);
}

function row(p: number, scene: Scene): Numbers {
  const made = code(p, scene.ladder().frequencies);
  return scene.state.text("layout") === "half" ? halves(made) : made;
}

export const map: View = {
  id: "map",
  controls: [LAYOUT],

  measures: {
    "sinusoid.layouts": (data) => {
      const woven = codes(ROWS, data.frequencies(CODE));
      const half = woven.map(halves);
      const products = woven.flatMap((a, p) =>
        woven.map((b, q) => Math.abs(dot(a, b) - dot(half[p]!, half[q]!))),
      );
      const moved = woven.map((row, p) => distance(row.slice().sort(), half[p]!.slice().sort()));
      return Math.max(...products, ...moved);
    },
  },

  picture: {
    height: (width) => Math.min(width, 480),

    draw(pen, scene) {
      const p = scene.state.number("p");
      const start = first(p);
      const wide = pen.width - ALL - GAP;
      pen.cells(range(ROWS).map((y) => row(start + y, scene)), [0, 0, wide, pen.height]);
      pen.cells(
        () => range(1024 / STRIDE).map((y) => row(y * STRIDE, scene)), [wide + GAP, 0, ALL, pen.height],
        `${scene.ladder().name} ${scene.state.text("layout")}`,
      );
      pen.frame(wide + GAP, (start / 1024) * pen.height, ALL, (ROWS / 1024) * pen.height);
      const height = pen.height / ROWS;
      pen.frame(0, (p - start) * height, wide, height);
      const pairs = scene.ladder().frequencies.length;
      const chosen = scene.state.number("pair");
      const half = scene.state.text("layout") === "half";
      const width = wide / (2 * pairs);
      for (const x of half ? [chosen, chosen + pairs] : [2 * chosen, 2 * chosen + 1]) {
        pen.frame(x * width, 0, width, pen.height);
      }
    },

    pick(x, y, pen, scene) {
      const wide = pen.width - ALL - GAP;
      if (x > wide) return { p: (y / pen.height) * 1024 };
      const pairs = scene.ladder().frequencies.length;
      const column = Math.floor((x / wide) * 2 * pairs);
      const half = scene.state.text("layout") === "half";
      const p = first(scene.state.number("p")) + Math.floor((y / pen.height) * ROWS);
      return { p, pair: half ? column % pairs : column >> 1 };
    },
  },

  numbers(scene) {
    const start = first(scene.state.number("p"));
    return [[scene.say("map.rows"), `${start} … ${start + ROWS - 1}`]];
  },

  table(scene) {
    const start = first(scene.state.number("p"));
    const head = ["p", ...range(2 * scene.ladder().frequencies.length).map(String)];
    const rows = Array.from({ length: ROWS }, (_, y) => [
      String(start + y), ...Array.from(row(start + y, scene), (value) => shown(value, 3)),
    ]);
    return { head, rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `code = posenc.bind(${scene.ladder().python})\n` +
    `start = ${first(scene.state.number("p"))}\n` +
    `print(code.embed(np.arange(start, start + ${ROWS})))\n`,
};
