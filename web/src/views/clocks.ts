// Every pair as a hand on a dial of its own, turning at its own speed.

import { codes, dot, pair, withinTurn, type Numbers } from "../core";
import type { Pen } from "../pen";
import type { View } from "../view";
import { shown } from "../words";

const CODE = "sinusoid-64";
const PAIRS = 32;

/** How many dials stand side by side, and how wide each is. */
function grid(width: number): { across: number; size: number } {
  const across = width < 500 ? 6 : 8;
  return { across, size: width / across };
}

export const clocks: View = {
  id: "clocks",
  controls: [{ kind: "range", name: "k", min: 0, max: 1023, start: 1 }],

  measures: {
    "sinusoid.pair-circle": (data) => {
      const w = data.frequencies(CODE);
      const square = (hand: Numbers) => Math.abs(dot(hand, hand) - 1);
      const misses = codes(1024, w).map((row) =>
        Math.max(...Array.from(w, (_, i) => square(pair(row, i)))),
      );
      return Math.max(...misses);
    },
  },

  height(width) {
    const { across, size } = grid(width);
    return Math.ceil(PAIRS / across) * size;
  },

  draw(pen: Pen, scene) {
    const w = scene.data.frequencies(CODE);
    const [p, k] = [scene.state.number("p"), scene.state.number("k")];
    const { across, size } = grid(pen.width);
    w.forEach((each, i) => {
      const x = ((i % across) + 0.5) * size;
      const y = (Math.floor(i / across) + 0.5) * size;
      const reach = size / 2 - 6;
      pen.ring(x, y, reach, i === scene.state.number("pair") ? "mark" : "line");
      hand(pen, x, y, reach * 0.9, (p + k) * each, "faint", 1);
      hand(pen, x, y, reach * 0.9, p * each, "sin", 2.5);
    });
  },

  pick(x, y, pen) {
    const { across, size } = grid(pen.width);
    return { pair: Math.floor(y / size) * across + Math.min(Math.floor(x / size), across - 1) };
  },

  numbers(scene) {
    const chosen = scene.state.number("pair");
    const w = scene.data.frequencies(CODE)[chosen]!;
    const angle = scene.state.number("p") * w;
    return [
      [scene.say("clocks.period"), shown((2 * Math.PI) / w, 4)],
      [scene.say("clocks.turns"), shown(Math.floor(angle / (2 * Math.PI)))],
      [scene.say("clocks.angle"), `${shown((withinTurn(angle) / Math.PI) * 180, 3)}°`],
      [scene.say("clocks.by"), `${shown((withinTurn(scene.state.number("k") * w) / Math.PI) * 180, 3)}°`],
    ];
  },

  table(scene) {
    const p = scene.state.number("p");
    const rows = Array.from(scene.data.frequencies(CODE), (w, i) => [
      String(i), shown((2 * Math.PI) / w, 4), shown(Math.floor((p * w) / (2 * Math.PI))),
      shown((withinTurn(p * w) / Math.PI) * 180, 3),
    ]);
    return { head: ["i", scene.say("clocks.period"), scene.say("clocks.turns"), "°"], rows };
  },

  python: () =>
    "import math, posenc\n\n" +
    "w = posenc.Sinusoidal(dim=64).frequencies()\n" +
    "print(2 * math.pi / w)  # positions for a turn\n",
};

/** A hand from the middle of a dial: sine up, cosine to the right. */
function hand(
  pen: Pen, x: number, y: number, reach: number, angle: number,
  colour: "sin" | "faint", width: number,
): void {
  pen.line([[x, y], [x + reach * Math.cos(angle), y - reach * Math.sin(angle)]], colour, width);
}
