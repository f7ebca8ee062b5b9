// The codes of 64 positions as a map of colours; every row of it is the bars of one position.

import { code, codes, distance, dot, halves, type Numbers } from "../core";
import type { Scene, View } from "../view";
import { shown } from "../words";

const ROWS = 64;
const CODE = "sinusoid-64";

/** The first position of the window that shows p. */
function first(p: number): number {
  return Math.min(Math.max(p - ROWS / 2, 0), 1024 - ROWS);
}

function row(p: number, scene: Scene): Numbers {
  const made = code(p, scene.data.frequencies(CODE));
  return scene.state.text("layout") === "half" ? halves(made) : made;
}

export const map: View = {
  id: "map",
  controls: [
    { kind: "choice", name: "layout", options: ["interleaved", "half"], start: "interleaved" },
  ],

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

  height: (width) => Math.min(width, 480),

  draw(pen, scene) {
    const p = scene.state.number("p");
    const start = first(p);
    const image = new ImageData(ROWS, ROWS);
    for (let y = 0; y < ROWS; y++) {
      row(start + y, scene).forEach((value, x) => {
        image.data.set(pen.shade(value), 4 * (y * ROWS + x));
      });
    }
    pen.cells(image);
    const [width, height] = [pen.width / ROWS, pen.height / ROWS];
    pen.frame(0, (p - start) * height, pen.width, height);
    const chosen = scene.state.number("pair");
    const half = scene.state.text("layout") === "half";
    for (const x of half ? [chosen, chosen + 32] : [2 * chosen, 2 * chosen + 1]) {
      pen.frame(x * width, 0, width, pen.height);
    }
  },

  pick(x, y, pen, scene) {
    const column = Math.floor((x / pen.width) * ROWS);
    const half = scene.state.text("layout") === "half";
    const p = first(scene.state.number("p")) + Math.floor((y / pen.height) * ROWS);
    return { p, pair: half ? column % 32 : Math.floor(column / 2) };
  },

  numbers(scene) {
    const start = first(scene.state.number("p"));
    return [[scene.say("map.rows"), `${start} … ${start + ROWS - 1}`]];
  },

  table(scene) {
    const start = first(scene.state.number("p"));
    const head = ["p", ...Array.from({ length: ROWS }, (_, i) => String(i))];
    const rows = Array.from({ length: ROWS }, (_, y) => [
      String(start + y), ...Array.from(row(start + y, scene), (value) => shown(value, 3)),
    ]);
    return { head, rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `code = posenc.bind(posenc.Sinusoidal(dim=64, layout="${scene.state.text("layout")}"))\n` +
    `start = ${first(scene.state.number("p"))}\n` +
    `print(code.embed(np.arange(start, start + ${ROWS})))\n`,
};
