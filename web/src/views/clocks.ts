// Every pair as a hand on a dial of its own, turning at its own speed.

import { code, codes, dot, norm, pair, withinTurn, type Numbers } from "../core";
import type { Pen } from "../pen";
import { DISTANCE, PAIR } from "../settings";
import type { View } from "../view";
import { shown } from "../words";

const CODE = "paper-64-10000";

/** How many dials stand side by side, and how wide each is. */
function grid(width: number, pairs: number): { across: number; size: number } {
  const across = Math.min(pairs, width < 500 ? 6 : 11);
  return { across, size: width / across };
}

export const clocks: View = {
  id: "clocks",
  controls: [DISTANCE, PAIR, { kind: "switch", name: "flat", words: "clocks", start: 0 }],

  measures: {
    "sinusoid.pair-circle": (data) => {
      const w = data.frequencies(CODE);
      const square = (hand: Numbers) => Math.abs(dot(hand, hand) - 1);
      const misses = codes(1024, w).map((row) =>
        Math.max(...Array.from(w, (_, i) => square(pair(row, i)))),
      );
      return Math.max(...misses);
    },
    "sinusoid.hand-angle": (data) => {
      const w = data.frequencies(CODE);
      const turned = (hand: Numbers) => Math.atan2(hand[0]!, hand[1]!);
      const misses = codes(1024, w).map((row, p) =>
        Math.max(...Array.from(w, (each, i) => apart(turned(pair(row, i)), p * each))),
      );
      return Math.max(...misses);
    },
    "distance.sines-norm": (data) => {
      const sines = codes(1024, data.frequencies(CODE)).map((row) => row.filter((_, i) => i % 2 === 0));
      const sizes = sines.map(norm);
      return Math.max(Math.min(...sizes), Math.abs(Math.max(...sizes) - 4.190612));
    },
  },

  picture: {
    height(width, scene) {
      const { across, size } = grid(width, scene.ladder().frequencies.length);
      return Math.ceil(scene.ladder().frequencies.length / across) * size;
    },

    draw(pen, scene) {
      const w = scene.ladder().frequencies;
      const [p, k] = [scene.state.number("p"), scene.state.number("k")];
      const { across, size } = grid(pen.width, w.length);
      const flat = scene.state.on("flat");
      w.forEach((each, i) => {
        const x = ((i % across) + 0.5) * size;
        const y = (Math.floor(i / across) + 0.5) * size;
        const reach = size / 2 - 5;
        pen.ring(x, y, reach, i === scene.state.number("pair") ? "mark" : "line");
        hand(pen, x, y, reach * 0.9, (p + k) * each, "faint", 1, flat);
        hand(pen, x, y, reach * 0.9, p * each, "sin", 2.5, flat);
      });
    },

    pick(x, y, pen, scene) {
      const { across, size } = grid(pen.width, scene.ladder().frequencies.length);
      return { pair: Math.floor(y / size) * across + Math.min(Math.floor(x / size), across - 1) };
    },
  },

  numbers(scene) {
    const chosen = scene.state.number("pair");
    const w = scene.ladder().frequencies[chosen]!;
    const p = scene.state.number("p");
    const angle = p * w;
    const all = code(p, scene.ladder().frequencies);
    const seen = scene.state.on("flat") ? all.filter((_, i) => i % 2 === 0) : all;
    return [
      [scene.say("clocks.period"), shown((2 * Math.PI) / w, 4)],
      [scene.say("clocks.turns"), shown(Math.floor(angle / (2 * Math.PI)))],
      [scene.say("clocks.angle"), `${shown((withinTurn(angle) / Math.PI) * 180, 3)}°`],
      [scene.say("clocks.by"), `${shown((withinTurn(scene.state.number("k") * w) / Math.PI) * 180, 3)}°`],
      [scene.say("clocks.norm"), shown(norm(seen))],
    ];
  },

  table(scene) {
    const p = scene.state.number("p");
    const rows = Array.from(scene.ladder().frequencies, (w, i) => [
      String(i), shown((2 * Math.PI) / w, 4), shown(Math.floor((p * w) / (2 * Math.PI))),
      shown((withinTurn(p * w) / Math.PI) * 180, 3),
    ]);
    return { head: ["i", scene.say("clocks.period"), scene.say("clocks.turns"), "°"], rows };
  },

  python: (scene) =>
    "import math, posenc\n\n" +
    `w = ${scene.ladder().python}.frequencies()\n` +
    "print(2 * math.pi / w)  # positions for a turn\n",
};

/** How far apart two angles are on the circle. */
function apart(a: number, b: number): number {
  const gap = withinTurn(a - b);
  return Math.min(gap, 2 * Math.PI - gap);
}

/** A hand from the middle of a dial: sine up, cosine to the right; its height alone where `flat`. */
function hand(
  pen: Pen, x: number, y: number, reach: number, angle: number,
  colour: "sin" | "faint", width: number, flat: boolean,
): void {
  const across = flat ? 0 : reach * Math.cos(angle);
  pen.line([[x, y], [x + across, y - reach * Math.sin(angle)]], colour, width);
}
