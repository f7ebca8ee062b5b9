// Four ways to number tokens on one slider, and four things to ask of each.

import { norm, range, sum, type Numbers } from "../core";
import { digits } from "../counting";
import type { Pen } from "../pen";
import type { View } from "../view";
import { shown } from "../words";
import { asked } from "./naive/asked";
import { BITS, codes, flips, LAST, over, past, share, WAYS, type Way } from "./naive/ways";

const LANE = 74; // pixels for a way
const LEFT = 44;
const ROW = 21;

export const naive: View = {
  id: "naive",
  controls: [{ kind: "range", name: "length", words: "naive", min: 2, max: LAST, start: 64 }],

  measures: {
    "naive.integer-norm": (data) => norm(codes("integer", data).all[1023]!),
    "naive.fraction": (data) =>
      Math.max(Math.abs(share(10, 21, data) - 0.5), Math.abs(share(10, 1001, data) - 0.01)),
    "naive.cliff": () => flips(511, 512),
    "naive.far-and-alike": () => flips(511, 512) / flips(0, 512),
    "naive.mean-flips": () => sum(range(1023).map((p) => flips(p, p + 1))) / 1023,
    "naive.bridge": () => {
      const below = (p: number, j: number) => Math.sin((2 * Math.PI * (p + 0.5)) / 2 ** (j + 1)) < 0;
      const wrong = (p: number) => digits(p, 10).filter((bit, j) => below(p, j) !== (bit === 1)).length;
      return sum(range(1024).map(wrong));
    },
    "naive.closest": (data) => {
      const all = codes("sinusoid", data).all.slice(0, 1024);
      let nearest = Infinity;
      all.forEach((row, p) => {
        for (let q = 0; q < p; q += 1) nearest = Math.min(nearest, quick(row, all[q]!, nearest));
      });
      return Math.sqrt(nearest);
    },
  },

  picture: {
    height: () => WAYS.length * LANE,

    draw(pen, scene) {
      const p = scene.state.number("p");
      WAYS.forEach((way, lane) => {
        const top = lane * LANE;
        pen.label(scene.say(`naive.${way}`), 0, top + 15);
        [p, p + 1].forEach((at, row) => {
          const y = top + 22 + row * ROW;
          pen.label(row ? "p + 1" : "p", 0, y + 15, "left", "faint");
          if (past(way, at, scene)) pen.label(scene.say("naive.past"), LEFT, y + 15, "left", "faint");
          else strip(pen, way, codes(way, scene.data).all[at]!, over(way, scene.state.number("length")), y);
        });
      });
    },

    pick: (x, _y, pen) => ({ p: ((x - LEFT) / (pen.width - LEFT)) * 1023 }),
  },

  panel: asked,
  numbers({ data, state, say }) {
    const [p, length] = [state.number("p"), state.number("length")];
    const at = (tokens: number) => shown(p < tokens ? share(p, tokens, data) : NaN);
    return [
      [say("naive.flips"), shown(flips(p, p + 1))],
      ["p / (L − 1)", at(length)],
      ["p / (2 L − 1)", at(2 * length)],
    ];
  },

  python: (scene) => {
    const [p, length] = [scene.state.number("p"), scene.state.number("length")];
    return "import numpy as np, posenc\n\n" +
      "ways = (posenc.Integer(dim=64), posenc.NormalizedInteger(dim=64), posenc.Binary(bits=11), " +
      "posenc.Sinusoidal(dim=64))\n" +
      "for spec in ways:\n" +
      `    here, there = posenc.bind(spec, length=${length}).embed(np.array([${p}, ${p + 1}]))\n` +
      "    print(spec, np.linalg.norm(here), np.linalg.norm(there - here))\n";
  },
};

/** Two bars where all channels are one number, else a cell for each. */
function strip(pen: Pen, way: Way, row: Numbers, by: number, y: number): void {
  const wide = pen.width - LEFT - 1;
  if (way === "integer" || way === "fraction") {
    const value = row[0]! / by;
    const long = Math.min(1, way === "integer" ? value / 1023 : value) * (wide - 60);
    pen.box(LEFT, y, long, ROW - 2, pen.hatch);
    pen.label(shown(value, 4), LEFT + long + 6, y + 15);
    return;
  }
  pen.cells([row], [LEFT, y, wide, ROW - 2]);
  pen.outline(LEFT, y, wide, ROW - 2);
  if (way === "sinusoid") return;
  row.forEach((bit, j) => {
    const x = LEFT + ((j + 0.5) / BITS) * wide;
    pen.label(String(bit), x, y + 15, "center", bit ? "paper" : "ink");
  });
}

/** The squared distance, given up once it is more than `enough`. */
function quick(a: Numbers, b: Numbers, enough: number): number {
  let total = 0;
  for (let i = 0; i < a.length && total < enough; i++) total += (a[i]! - b[i]!) ** 2;
  return total;
}
