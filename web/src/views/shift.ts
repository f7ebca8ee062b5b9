// Moving by k is one matrix for every position: a rotation of each pair, and nothing else.

import { code, dot, farthest, norm, range, type Matrix, type Numbers } from "../core";
import { FAULTS, faulty, type Fault } from "../faults";
import { unexplained } from "../least";
import { determinant, matrix, times, transposed } from "../matrix";
import type { Data, Ladder } from "../payload";
import { DISTANCE } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const [NARROW, CODE, WIDE] = ["paper-16-10000", "paper-64-10000", "paper-768-10000"];
const GAP = 16; // pixels between the matrix and the bars

/** What each fault does to the code, in Python. */
const SLIPS: Record<Fault, string> = {
  none: "",
  sines: "code[:, 1::2] = 0\n",
  slip:
    "w = posenc.Sinusoidal(dim=128).frequencies()[1::2]\n" +
    "code[:, 1::2] = np.cos(np.outer([p, p + k], w))\n",
};

/** The matrix that takes the code of any p to that of p + k. */
function shift(k: number, w: Numbers): Numbers[] {
  const rows = Array.from(range(2 * w.length), () => new Float64Array(2 * w.length));
  w.forEach((_, i) => {
    const [sin, cos] = code(k, w.subarray(i, i + 1));
    rows[2 * i]!.set([cos!, sin!], 2 * i);
    rows[2 * i + 1]!.set([-sin!, cos!], 2 * i);
  });
  return rows;
}

/** M times a code, pair by pair. */
function moved(row: Numbers, k: number, w: Numbers): Numbers {
  return row.map((value, at) => {
    const other = row[at ^ 1]!;
    const [cos, sin] = [Math.cos(k * w[at >> 1]!), Math.sin(k * w[at >> 1]!)];
    return at % 2 ? value * cos - other * sin : value * cos + other * sin;
  });
}

function miss(k: number, w: Numbers, places: readonly number[]): number {
  return farthest(places.map((p) => moved(code(p, w), k, w)), places.map((p) => code(p + k, w)));
}

function slipped(data: Data): Matrix {
  const w = data.frequencies(CODE!);
  return range(1024).map((p) => faulty(p, w, data, "slip"));
}

/** The code that is moved: a cosine's wrong rates are known for one of them. */
function ladder({ state, data, ladder }: Scene): Ladder {
  return state.text("fault") === "slip" ? data.ladder(CODE!) : ladder();
}

/** The code here and k on, and what the matrix makes of the first. */
function compared(scene: Scene): { here: Numbers; there: Numbers; made: Numbers } {
  const w = ladder(scene).frequencies;
  const [p, k] = [scene.state.number("p"), scene.state.number("k")];
  const fault = scene.state.text("fault") as Fault;
  const here = faulty(p, w, scene.data, fault);
  const there = faulty(p + k, w, scene.data, fault);
  return { here, there, made: moved(here, k, w) };
}

export const shifted: View = {
  id: "shift",
  controls: [
    DISTANCE,
    { kind: "choice", name: "fault", words: "shift", options: FAULTS, start: "none" },
  ],

  measures: {
    "distance.shift": (data) => Math.max(...[1, 5].map((k) => miss(k, data.frequencies(NARROW!), range(90)))),
    "distance.shift-in-window": (data) =>
      miss(1, data.frequencies(WIDE!), range(67).map((i) => 31 * i)),
    "distance.orthogonal": (data) => {
      const m = shift(5, data.frequencies(NARROW!));
      return farthest(times(transposed(m), m), matrix(16, 16, (i, j) => Number(i === j)));
    },
    "distance.determinant": (data) => determinant(shift(5, data.frequencies(NARROW!))),
    "distance.sines-map": (data) => {
      const w = data.frequencies(CODE!);
      const sines = range(1100).map((p) => w.map((each) => Math.sin(p * each)));
      const printed = [[1, 0.8885], [7, 1.0826]] as const;
      const left = (k: number) => unexplained(sines.slice(0, -k), sines.slice(k));
      const largest = (k: number) => Math.max(...left(k).map((row) => Math.max(...row.map(Math.abs))));
      return Math.max(...printed.map(([k, due]) => Math.abs(largest(k) - due)));
    },
    "distance.wrong-exponent-norm": (data) => {
      const sizes = slipped(data).map(norm);
      return Math.max(Math.abs(Math.min(...sizes) - 5.117509), Math.abs(Math.max(...sizes) - 6.187609));
    },
    "distance.wrong-exponent-products": (data) => {
      const rows = slipped(data);
      const seven = rows.slice(7).map((row, p) => dot(row, rows[p]!));
      return Math.max(Math.abs(Math.min(...seven) - 17.628785), Math.abs(Math.max(...seven) - 30.040921));
    },
  },

  picture: {
    height: (width) => (width < 600 ? width + 200 : 320),

    draw(pen, scene) {
      const { there, made } = compared(scene);
      const w = ladder(scene).frequencies;
      const narrow = pen.width < 600;
      const side = narrow ? pen.width : pen.height;
      pen.cells(shift(scene.state.number("k"), w), [0, 0, side, side]);
      const [left, top] = narrow ? [0, side + GAP] : [side + GAP, 0];
      const [width, height] = [pen.width - left, pen.height - top];
      const wide = width / there.length;
      const middle = top + height / 2;
      const y = (value: number) => middle - (value * (height - 8)) / 2 / 1.5;
      there.forEach((value, at) => {
        const x = left + at * wide;
        pen.box(x, Math.min(middle, y(value)), wide * 0.8, Math.abs(y(value) - middle), at % 2 ? pen.hatch : "sin");
        pen.line([[x - 1, y(made[at]!)], [x + wide * 0.8 + 1, y(made[at]!)]], "mark", 2.5);
      });
      pen.line([[left, middle], [pen.width, middle]], "faint");
    },
  },

  numbers(scene) {
    const { here, there, made } = compared(scene);
    return [
      [scene.say("shift.miss"), shown(farthest(made, there))],
      [scene.say("shift.norm"), shown(norm(here))],
      ["PE(p)·PE(p+k)", shown(dot(here, there))],
    ];
  },

  table(scene) {
    const { here, there, made } = compared(scene);
    const rows = range(here.length).map((at) => [String(at), ...[here, made, there].map((row) => shown(row[at]!))]);
    return { head: ["", "PE(p)", "M·PE(p)", "PE(p+k)"], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `spec = ${ladder(scene).python}\n` +
    `p, k = ${scene.state.number("p")}, ${scene.state.number("k")}\n` +
    "code = posenc.bind(spec).embed(np.array([p, p + k]), dtype=np.float64)\n" +
    SLIPS[scene.state.text("fault") as Fault] +
    "print(abs(spec.shift(k) @ code[0] - code[1]).max())\n",
};
