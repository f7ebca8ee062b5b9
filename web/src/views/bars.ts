// All the numbers of one position, as bars: which end moves when the slider does.

import {
  code, codes, distance, dot, farthest, farthestFrom, norm, pair, sum, withinTurn,
} from "../core";
import { PAIR } from "../settings";
import type { View } from "../view";
import { shown } from "../words";

const CODE = "paper-64-10000";
const STEP = 34; // pixels, for how far each bar goes with the next position

export const bars: View = {
  id: "bars",
  controls: [PAIR],

  measures: {
    "page.rows": (data) => {
      const w = data.frequencies(CODE);
      const made = Array.from(data.numbers("bars.positions"), (p) => code(p, w));
      return farthest(made, data.matrix("bars.rows"));
    },
    "sinusoid.norm": (data) => {
      const sizes = codes(1024, data.frequencies(CODE)).map(norm);
      return farthestFrom(sizes[0]!, sizes);
    },
    "sinusoid.neighbour-cosine": (data) => {
      const rows = codes(1024, data.frequencies(CODE));
      const cosines = rows.slice(1).map((row, p) => dot(row, rows[p]!) / norm(row) / norm(rows[p]!));
      return farthestFrom(cosines[0]!, cosines);
    },
    "sinusoid.pair-step": (data) => {
      const rows = codes(1024, data.frequencies(CODE));
      const due = [[0, 0.958851], [20, 0.003162], [31, 0.000133]] as const;
      const miss = (i: number, step: number) =>
        rows.slice(1).map((row, p) => Math.abs(distance(pair(row, i), pair(rows[p]!, i)) - step));
      return Math.max(...due.flatMap(([i, step]) => miss(i, step)));
    },
    "sinusoid.restless-left": (data) => {
      const [now, next] = codes(2, data.frequencies(CODE));
      const squares = Array.from({ length: 32 }, (_, i) => distance(pair(now!, i), pair(next!, i)) ** 2);
      return sum(squares.slice(0, 8)) / sum(squares);
    },
  },

  picture: {
    height: () => 260,

    draw(pen, scene) {
      const w = scene.ladder().frequencies;
      const p = scene.state.number("p");
      const half = scene.state.text("layout") === "half";
      const [now, next] = [code(p, w), code(p + 1, w)];
      const chosen = scene.state.number("pair");
      const width = pen.width / now.length;
      const reach = (pen.height - STEP - 16) / 2;
      const middle = reach + 4;
      const gap = width > 6 ? 1 : 0;
      now.forEach((value, at) => {
        const [i, cosine] = [at >> 1, at % 2];
        const x = (half ? i + cosine * w.length : at) * width;
        if (i === chosen) pen.box(x, 0, width, pen.height, "line");
        const top = middle - Math.max(0, value * reach);
        pen.box(x + gap, top, width - 2 * gap, Math.max(1, Math.abs(value) * reach), cosine ? pen.hatch : "sin");
        const moved = (Math.abs(next[at]! - value) / 2) * STEP;
        pen.box(x + gap, pen.height - moved, width - 2 * gap, moved, "ink");
      });
      pen.line([[0, middle], [pen.width, middle]], "faint");
      pen.line([[0, pen.height - 0.5], [pen.width, pen.height - 0.5]], "faint");
    },

    pick(x, _y, pen, scene) {
      const pairs = scene.ladder().frequencies.length;
      const column = Math.floor((x / pen.width) * 2 * pairs);
      return { pair: scene.state.text("layout") === "half" ? column % pairs : column >> 1 };
    },
  },

  numbers(scene) {
    const w = scene.ladder().frequencies;
    const [p, chosen] = [scene.state.number("p"), scene.state.number("pair")];
    const angle = p * w[chosen]!;
    return [
      [scene.say("bars.frequency"), shown(w[chosen]!)],
      [scene.say("bars.angle"), shown(angle)],
      [scene.say("bars.turns"), shown(angle / (2 * Math.PI))],
      [scene.say("bars.within"), shown(withinTurn(angle))],
      ["sin", shown(Math.sin(angle))],
      ["cos", shown(Math.cos(angle))],
    ];
  },

  table(scene) {
    const w = scene.ladder().frequencies;
    const p = scene.state.number("p");
    const rows = Array.from(w, (each, i) => {
      const angle = p * each;
      return [i, each, angle, Math.sin(angle), Math.cos(angle)].map((n) => shown(n));
    });
    return { head: ["i", "w", "p·w", "sin", "cos"], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `code = posenc.bind(${scene.ladder().python})\n` +
    `print(code.embed(np.array([${scene.state.number("p")}])))\n`,
};
