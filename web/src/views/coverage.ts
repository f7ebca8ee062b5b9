// The angles that each pair of a head saw in training, and those that a longer text brings.

import type { Numbers } from "../core";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";

const CODE = "paper-128-10000";
const LENGTHS = ["1024", "2048", "4096", "8192", "32768", "131072"];
const TIMES = ["1", "2", "4", "8", "16", "32"];
const TURN = 2 * Math.PI;

function turns(w: Numbers, length: number): Numbers {
  return w.map((each) => (length * each) / TURN);
}

function unfinished(w: Numbers, length: number): number {
  return turns(w, length).filter((each) => each < 1).length;
}

/** The pairs that come to angles past those of training. */
function unseen(w: Numbers, trained: number, length: number): number[] {
  const [seen, longer] = [turns(w, trained), turns(w, length)];
  return [...w.keys()].filter((i) => seen[i]! < 1 && longer[i]! > seen[i]! * (1 + 1e-9));
}

/** A head of 128 at the base of the bar, or the model's own. */
function head({ data, state, ladder }: Scene): Numbers {
  const own = state.text("scheme").startsWith("given");
  return own ? ladder().frequencies : data.frequencies(`paper-128-${state.text("base")}`);
}

function lengths({ state }: Scene): { trained: number; target: number } {
  const trained = Number(state.text("trained-on"));
  return { trained, target: trained * Number(state.text("times")) };
}

function textbook(data: Data): Numbers {
  return data.frequencies(CODE);
}

export const coverage: View = {
  id: "coverage",
  controls: [
    { kind: "choice", name: "trained-on", options: LENGTHS, start: "4096" },
    { kind: "choice", name: "times", options: TIMES, start: "4" },
  ],

  measures: {
    "longer.never-turn": (data) => unfinished(textbook(data), 4096),
    "longer.trained-more": (data) => {
      const due = [[2048, 23], [4096, 18], [8192, 14]] as const;
      return Math.max(...due.map(([length, count]) => Math.abs(unfinished(textbook(data), length) - count)));
    },
    "longer.fastest-turns": (data) => turns(textbook(data), 4096)[0]!,
    "longer.slowest-turns": (data) => turns(textbook(data), 4096).at(-1)!,
    "longer.fast-pairs-first": (data) => unseen(textbook(data), 4096, 8192)[0]!,
    "longer.by-itself": (data) => unseen(textbook(data), 4096, 16384).length,
  },

  picture: {
    height(width, scene) {
      const { across, size } = grid(width, head(scene).length);
      return Math.ceil(head(scene).length / across) * size;
    },

    draw(pen, scene) {
      const w = head(scene);
      const { trained, target } = lengths(scene);
      const { across, size } = grid(pen.width, w.length);
      const [seen, longer] = [turns(w, trained), turns(w, target)];
      w.forEach((_, i) => {
        const [x, y] = [((i % across) + 0.5) * size, (Math.floor(i / across) + 0.5) * size];
        pen.ring(x, y, size / 2 - 5, "line");
        arc(pen, x, y, size / 2 - 5, 0, Math.min(1, seen[i]!), "sin", []);
        arc(pen, x, y, size / 2 - 5, Math.min(1, seen[i]!), Math.min(1, longer[i]!), "cos", [3, 2]);
        pen.label(String(i), x, y + 4, "center", seen[i]! < 1 ? "ink" : "faint", 11);
      });
    },
  },

  numbers(scene) {
    const w = head(scene);
    const { trained, target } = lengths(scene);
    const counted = turns(w, trained);
    const found = unseen(w, trained, target);
    return [
      [scene.say("coverage.unfinished"), `${unfinished(w, trained)} / ${w.length}`],
      [scene.say("coverage.unseen"), found.length ? `${found.length} (${found[0]} … ${found.at(-1)})` : "0"],
      [scene.say("coverage.fastest"), shown(counted[0]!, 2)],
      [scene.say("coverage.slowest"), shown(counted.at(-1)!, 4)],
      [scene.say("coverage.target"), shown(target)],
    ];
  },

  table(scene) {
    const w = head(scene);
    const { trained, target } = lengths(scene);
    const [seen, longer] = [turns(w, trained), turns(w, target)];
    const rows = [...w].map((each, i) => [i, each, seen[i]!, longer[i]!].map((x) => shown(x)));
    return { head: ["i", "w", scene.say("coverage.seen"), scene.say("coverage.longer")], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    `w = posenc.Rope(dim=128, layout="half", base=${scene.state.text("base")}).frequencies()\n` +
    `print((${lengths(scene).trained} * w < 2 * np.pi).sum())\n`,
};

function grid(width: number, pairs: number): { across: number; size: number } {
  const across = Math.min(pairs, width < 500 ? 8 : 16);
  return { across, size: width / across };
}

/** Part of a circle, counted in turns from the right, counter-clockwise. */
function arc(
  pen: Pen, x: number, y: number, radius: number, from: number, to: number,
  colour: "sin" | "cos", dashes: readonly number[],
): void {
  if (to <= from) return;
  const steps = Math.max(2, Math.ceil((to - from) * 40));
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const angle = TURN * (from + ((to - from) * i) / steps);
    return [x + radius * Math.cos(angle), y - radius * Math.sin(angle)] as const;
  });
  pen.line(points, colour, 4, dashes);
}
