// The wave of a pair, and on a ruler the wavelengths of all of them.

import { Chart } from "../chart";
import { codes, farthest, range, type Numbers } from "../core";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import { PAIR } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const CODE = "paper-64-10000";
const OTHER = "t2t-64";
const WINDOW = 64;
const RULER = 92; // pixels
const TURN = 2 * Math.PI;

function periods(data: Data, dim: number): Numbers {
  return data.frequencies(`paper-${dim}-10000`).map((w) => TURN / w);
}

function unfinished(data: Data, dim: number, length: number): number {
  return periods(data, dim).filter((period) => period > length - 1).length;
}

/** The first position of the window that shows p. */
function first(p: number): number {
  return Math.min(Math.max(p - WINDOW / 2, 0), 1024 - WINDOW);
}

/** Ladders on the ruler: the chosen one, and the other textbook one or a model's own. */
function shownLadders({ data, state, ladder }: Scene): Numbers[] {
  const given = data.payload.schemes.filter((name) => name.startsWith("given") && data.has(name));
  const others = [CODE, OTHER, ...given].filter((name) => name !== ladder().name && name !== state.text("scheme"));
  return [ladder().name, ...others].slice(0, 3).map((name) => data.frequencies(name));
}

export const curves: View = {
  id: "curves",
  controls: [PAIR],

  measures: {
    "sinusoid.periods-64": (data) => {
      const found = periods(data, 64);
      const due = [[0, 6.283185], [1, 8.378762], [2, 11.173259], [31, 47117.24278]] as const;
      return Math.max(...due.map(([i, period]) => Math.abs(found[i]! - period)));
    },
    "sinusoid.longest-period": (data) => periods(data, 64).at(-1)!,
    "sinusoid.longest-periods": (data) => {
      const due = [[8, 6283], [16, 19869], [64, 47117], [768, 61343]] as const;
      return Math.max(...due.map(([dim, period]) => Math.abs(periods(data, dim).at(-1)! - period)));
    },
    "sinusoid.tensor2tensor": (data) => TURN / data.frequencies(OTHER).at(-1)!,
    "sinusoid.ladders-differ": (data) =>
      farthest(codes(1024, data.frequencies(CODE)), codes(1024, data.frequencies(OTHER))),
    "sinusoid.unfinished": (data) => {
      const due = [[64, 1024, 14], [768, 1024, 171], [64, 2047, 11], [768, 2047, 142]] as const;
      return Math.max(...due.map(([dim, length, count]) => Math.abs(unfinished(data, dim, length) - count)));
    },
    "sinusoid.slow-turn": (data) => 1023 / periods(data, 64).at(-1)!,
    "sinusoid.exp-of-log": (data) => {
      const base = data.ladder(CODE).fact("base");
      const w = data.frequencies(CODE);
      return Math.max(...w.map((each, i) => Math.abs(Math.exp((-2 * i * Math.log(base)) / 64) / each - 1)));
    },
  },

  picture: {
    height: () => 220 + RULER,

    draw(pen, scene) {
      const w = scene.ladder().frequencies[scene.state.number("pair")]!;
      const p = scene.state.number("p");
      const start = first(p);
      const chart = axes(pen, start);
      chart.levels([-1, 0, 1], shown);
      chart.places([start, start + 32, start + 63], shown);
      const fine = range(4 * (WINDOW - 1) + 1).map((i) => start + i / 4);
      chart.curve(fine.map((x) => [x, Math.sin(x * w)]), "sin");
      chart.curve(fine.map((x) => [x, Math.cos(x * w)]), "cos", 1);
      chart.mark(p);
      ruler(pen, scene);
    },

    pick(x, y, pen, scene) {
      if (y < pen.height - RULER) return { p: axes(pen, first(scene.state.number("p"))).at(x) };
      const wave = scale(pen).at(x);
      const off = scene.ladder().frequencies.map((w) => Math.abs(Math.log((w * wave) / TURN)));
      return { pair: off.indexOf(Math.min(...off)) };
    },
  },

  numbers(scene) {
    const w = scene.ladder().frequencies;
    const period = TURN / w[scene.state.number("pair")]!;
    return [
      [scene.say("curves.wave"), shown(period, 4)],
      [scene.say("curves.turns"), shown(1023 / period, 4)],
      [scene.say("curves.last"), shown(TURN / w.at(-1)!, 2)],
      [scene.say("curves.unfinished"), `${w.filter((each) => 1023 * each < TURN).length} / ${w.length}`],
    ];
  },

  table(scene) {
    const rows = [...scene.ladder().frequencies].map((w, i) => [i, w, TURN / w].map((x) => shown(x)));
    return { head: ["i", "w", scene.say("curves.wave")], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `w = ${scene.ladder().python}.frequencies()\nprint(2 * np.pi / w)\n`,
};

function axes(pen: Pen, start: number): Chart {
  return new Chart(pen, [start, start + WINDOW - 1], [-1.05, 1.05], { bottom: pen.height - RULER });
}

function scale(pen: Pen): Chart {
  return new Chart(pen, [5, 100_000], [0, 1], { log: true, top: pen.height - RULER });
}

/** Wavelengths as ticks, a row for each ladder; the chosen pair stands out. */
function ruler(pen: Pen, scene: Scene): void {
  const chart = scale(pen);
  const top = pen.height - RULER + 8;
  chart.places([10, 100, 1000, 10_000, 100_000], (x) => (x < 1000 ? shown(x) : `${x / 1000}k`));
  shownLadders(scene).forEach((w, row) => {
    const y = top + row * 20;
    w.forEach((each) => {
      const x = chart.x(TURN / each);
      pen.line([[x, y], [x, y + (row ? 10 : 16)]], row ? "faint" : "sin", row ? 1 : 2);
    });
  });
  const x = chart.x(TURN / scene.ladder().frequencies[scene.state.number("pair")]!);
  pen.line([[x, top - 6], [x, top + 24]], "mark", 3);
  const end = chart.x(1023);
  pen.line([[end, top - 6], [end, pen.height - 24]], "ink", 1, [3, 3]);
}
