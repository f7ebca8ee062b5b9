// Four ways to number tokens, on one slider: what each costs.

import { code, codes, distance, norm, range, type Numbers } from "../core";
import type { Data } from "../payload";
import type { Scene, View } from "../view";
import { shown } from "../words";

const CODE = "paper-64-10000";
const BITS = 10;
const WIDTH = 64;
const WAYS = ["integer", "fraction", "binary", "sinusoid"] as const;
type Way = (typeof WAYS)[number];

const LANE = 74; // pixels for a way

function digits(p: number): Numbers {
  return Float64Array.from({ length: BITS }, (_, j) => (p >> j) & 1);
}

function flips(p: number, q: number): number {
  return digits(p ^ q).reduce((sum, bit) => sum + bit, 0);
}

/** A position in a text of so many tokens, told in one of the four ways. */
function told(way: Way, p: number, length: number, data: Data): Numbers {
  if (way === "integer") return new Float64Array(WIDTH).fill(p);
  if (way === "fraction") return new Float64Array(WIDTH).fill(p / (length - 1));
  return way === "binary" ? digits(p) : code(p, data.frequencies(CODE));
}

/** How long the code is, how far the next one is, and how much a longer text would change it. */
function meters(way: Way, scene: Scene): readonly [size: number, step: number, shift: number] {
  const [p, length] = [scene.state.number("p"), scene.state.number("length")];
  const here = told(way, p, length, scene.data);
  return [
    norm(here), distance(here, told(way, p + 1, length, scene.data)),
    distance(here, told(way, p, 2 * length, scene.data)),
  ];
}

export const naive: View = {
  id: "naive",
  controls: [{ kind: "range", name: "length", words: "naive", min: 2, max: 2048, start: 64 }],

  measures: {
    "naive.integer-norm": (data) => norm(told("integer", 1023, 1024, data)),
    "naive.fraction": (data) => {
      const at = (length: number) => told("fraction", 10, length, data)[0]!;
      return Math.max(Math.abs(at(21) - 0.5), Math.abs(at(1001) - 0.01));
    },
    "naive.cliff": () => flips(511, 512),
    "naive.far-and-alike": () => flips(511, 512) / flips(0, 512),
    "naive.mean-flips": () => range(1023).reduce((sum, p) => sum + flips(p, p + 1), 0) / 1023,
    "naive.bridge": () => {
      const below = (p: number, j: number) => Math.sin((2 * Math.PI * (p + 0.5)) / 2 ** (j + 1)) < 0;
      const wrong = (p: number) => digits(p).filter((bit, j) => below(p, j) !== (bit === 1)).length;
      return range(1024).reduce((sum, p) => sum + wrong(p), 0);
    },
    "naive.closest": (data) => {
      const rows = codes(1024, data.frequencies(CODE));
      let nearest = Infinity;
      rows.forEach((row, p) => {
        for (let q = 0; q < p; q += 1) nearest = Math.min(nearest, quick(row, rows[q]!, nearest));
      });
      return Math.sqrt(nearest);
    },
  },

  picture: {
    height: () => WAYS.length * LANE,

    draw(pen, scene) {
      const [p, length] = [scene.state.number("p"), scene.state.number("length")];
      const wide = pen.width - 8;
      WAYS.forEach((way, lane) => {
        const top = lane * LANE;
        const [size, step] = meters(way, scene);
        const figures = scene.say("naive.figures", { size: shown(size, 2), step: shown(step, 3) });
        pen.label(`${scene.say(`naive.${way}`)}: ${figures}`, 4, top + 18);
        [p, p + 1].forEach((at, row) => {
          const values = told(way, at, length, scene.data);
          const largest = way === "integer" ? 1023 : 1;
          const y = top + 26 + row * 18;
          pen.cells([values.map((value) => value / largest)], [4, y, wide, 17]);
          pen.outline(4, y, wide, 17);
        });
      });
    },

    pick: () => undefined,
  },

  numbers(scene) {
    return WAYS.map((way) => {
      const [, , shift] = meters(way, scene);
      return [scene.say("naive.longer", { way: scene.say(`naive.${way}`) }), shown(shift, 4)];
    });
  },

  table(scene) {
    const rows = WAYS.map((way) => [scene.say(`naive.${way}`), ...meters(way, scene).map((v) => shown(v, 4))]);
    return { head: ["", ...["size", "step", "change"].map((key) => scene.say(`naive.${key}`))], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `at = np.array([${scene.state.number("p")}, ${scene.state.number("p") + 1}])\n` +
    "for spec in (posenc.Integer(dim=64), posenc.Binary(bits=11), posenc.Sinusoidal(dim=64)):\n" +
    "    here, there = posenc.bind(spec).embed(at)\n" +
    "    print(spec, np.linalg.norm(here), np.linalg.norm(there - here))\n",
};

/** The squared distance, given up once it is more than `enough`. */
function quick(a: Numbers, b: Numbers, enough: number): number {
  let sum = 0;
  for (let i = 0; i < a.length && sum < enough; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}
