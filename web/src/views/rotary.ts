// A query and a key, each turned by its own position: what is left of both is their distance.

import {
  code, dot, farthest, farthestFrom, norm, range, withinTurn, type Numbers,
} from "../core";
import { attend } from "../matrix";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import { shares, turned } from "../rotation";
import { DISTANCE } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const LADDER = "rotary-8";
const AXIS = 56; // pixels for the line of positions
const BAR = 70; // and for the bars below the dials
const SEVEN = [[5, 2], [10, 7], [100, 97], [5, 5], [50, 50], [2, 5], [60, 63]] as const;

interface Heads {
  w: Numbers;
  q: Numbers;
  k: Numbers;
}

function heads(data: Data): Heads {
  const [q, k] = data.matrix("rotary.pair");
  return { w: data.frequencies(LADDER), q: q!, k: k! };
}

function score({ w, q, k }: Heads, m: number, n: number): number {
  return dot(turned(q, m, w, "half"), turned(k, n, w, "half"));
}

/** The same words with codes added instead. */
function added({ w, q, k }: Heads, m: number, n: number): number {
  const [at, other] = [code(m, w), code(n, w)];
  return dot(q.map((x, i) => x + at[i]!), k.map((x, i) => x + other[i]!));
}

/** Attention of six tokens from a position on, whose values may turn as well. */
function outputs(data: Data, start: number, values = true, undo = false): Numbers[] {
  const w = data.frequencies(LADDER);
  const rows = data.matrix("rotary.tokens");
  const six = (at: number) => rows.slice(at, at + 6).map((row, i) => turned(row, start + i, w, "half"));
  const out = attend(six(0), six(6), values ? six(12) : rows.slice(12));
  return undo ? out.map((row, i) => turned(row, -(start + i), w, "half")) : out;
}

/** Where the two tokens are: the key at p, the query k further on. */
function places(scene: Scene): { m: number; n: number } {
  const n = scene.state.number("p");
  return { n, m: n + scene.state.number("k") };
}

/** The last position of the line that both are on. */
function end(m: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(64, m + 1)));
}

export const rotary: View = {
  id: "rotary",
  controls: [
    DISTANCE,
    { kind: "switch", name: "lock", words: "rotary", start: 1 },
    { kind: "switch", name: "values", words: "rotary", start: 0 },
  ],

  measures: {
    "rotary.relative": (data) => {
      const found = heads(data);
      const due = dot(turned(found.q, 3, found.w, "half"), found.k);
      return Math.max(...range(1997).map((n) => Math.abs(score(found, n + 3, n) - due)));
    },
    "rotary.lengths": (data) => {
      const { q, w } = heads(data);
      return farthestFrom(1.862653, [0, 1, 10, 100, 1000].map((p) => norm(turned(q, p, w, "half"))));
    },
    "rotary.seven-turned": (data) => {
      const due = [-3.723953, -3.723953, -3.723953, -1.467987, -1.467987, -3.822771, -3.822771];
      return Math.max(...SEVEN.map(([m, n], i) => Math.abs(score(heads(data), m, n) - due[i]!)));
    },
    "rotary.seven-added": (data) => {
      const due = [1.176863, 2.000127, -2.134787, 3.041148, 0.331414, 0.829287, 0.841743];
      return Math.max(...SEVEN.map(([m, n], i) => Math.abs(added(heads(data), m, n) - due[i]!)));
    },
    "rotary.turn-values": (data) => farthest(outputs(data, 100), outputs(data, 0)),
    "rotary.values-undone": (data) => farthest(outputs(data, 100, true, true), outputs(data, 0, true, true)),
    "rotary.same-frequencies": (data) => {
      const [ours, theirs] = [data.frequencies("rotary-64"), data.frequencies("paper-64-10000")];
      return ours.filter((w, i) => w !== theirs[i]).length;
    },
  },

  picture: {
    height: (width) => AXIS + Math.min(width / 4, 170) + BAR,

    draw(pen, scene) {
      const { w, q, k } = heads(scene.data);
      const { m, n } = places(scene);
      line(pen, m, n);
      const [query, key] = [turned(q, m, w, "half"), turned(k, n, w, "half")];
      const longest = Math.max(...[q, k].flatMap((x) => range(4).map((i) => Math.hypot(x[i]!, x[i + 4]!))));
      const parts = shares(query, key, "half");
      const size = pen.width / w.length;
      const reach = Math.min(size / 2, 85) - 8;
      const zero = pen.height - BAR / 2;
      w.forEach((_, i) => {
        const [x, y] = [(i + 0.5) * size, AXIS + reach + 8];
        pen.ring(x, y, reach, "line");
        wedge(pen, x, y, reach * 0.3, [key[i]!, key[i + 4]!], [query[i]!, query[i + 4]!]);
        hand(pen, x, y, reach, [query[i]!, query[i + 4]!], longest, "sin");
        hand(pen, x, y, reach, [key[i]!, key[i + 4]!], longest, "cos");
        const part = parts[i]!;
        const tall = (part / 4) * (BAR / 2 - 4);
        pen.box(x - 14, Math.min(zero, zero - tall), 28, Math.abs(tall), part < 0 ? "sin" : pen.hatch);
        pen.label(shown(part, 2), x, part < 0 ? zero - 6 : zero + 16, "center"); // where the bar is not
      });
      pen.line([[0, zero], [pen.width, zero]], "faint");
    },

    pick(x, y, pen, scene, begins) {
      if (y > AXIS) return undefined;
      const { m, n } = places(scene);
      const at = Math.round((x / pen.width) * end(m));
      if (begins) nearer = Math.abs(at - m) < Math.abs(at - n) ? "m" : "n";
      if (nearer === "m") return { k: at - n };
      return scene.state.on("lock") ? { p: at } : { p: at, k: m - at };
    },
  },

  numbers(scene) {
    const found = heads(scene.data);
    const { m, n } = places(scene);
    const [here, there] = [n, 0].map((at) => outputs(scene.data, at, scene.state.on("values")));
    return [
      [scene.say("rotary.query"), shown(m)],
      [scene.say("rotary.key"), shown(n)],
      [scene.say("rotary.score"), shown(score(found, m, n))],
      [scene.say("rotary.added"), shown(added(found, m, n))],
      ["|q|", shown(norm(turned(found.q, m, found.w, "half")))],
      [scene.say("rotary.moved"), shown(farthest(here!, there!))],
    ];
  },

  table(scene) {
    const found = heads(scene.data);
    const rows = SEVEN.map(([m, n]) => [m, n, m - n, score(found, m, n), added(found, m, n)]);
    return {
      head: ["m", "n", "m − n", scene.say("rotary.score"), scene.say("rotary.added")],
      rows: rows.map((row) => row.map((value) => shown(value))),
    };
  },

  python(scene) {
    const { m, n } = places(scene);
    return (
      "import numpy as np, posenc\n\n" +
      "q, k = np.random.default_rng(0).standard_normal((2, 1, 1, 8))\n" +
      'rope = posenc.bind(posenc.Rope(dim=8, layout="half"))\n' +
      `print((rope.query(q, np.array([${m}])) * rope.key(k, np.array([${n}]))).sum())\n`
    );
  },
};

/** Which of the two a pointer took hold of. */
let nearer: "m" | "n" = "n";

function line(pen: Pen, m: number, n: number): void {
  const x = (p: number) => Math.min(Math.max((p / end(m)) * pen.width, 8), pen.width - 8);
  pen.line([[0, 28], [pen.width, 28]], "faint");
  pen.line([[x(n), 28], [x(m), 28]], "mark", 4);
  for (const [p, name, colour] of [[n, "K", "cos"], [m, "Q", "sin"]] as const) {
    pen.disc(x(p), 28, 7, colour);
    // The query's above the line and the key's below: they may be close.
    pen.label(`${name} ${p}`, x(p), name === "Q" ? 14 : 50, x(p) < 40 ? "left" : x(p) > pen.width - 40 ? "right" : "center");
  }
}

/** The angle from one hand to the other. */
function wedge(
  pen: Pen, x: number, y: number, radius: number, [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): void {
  const [from, to] = [Math.atan2(b, a), Math.atan2(d, c)];
  const turn = withinTurn(to - from + Math.PI) - Math.PI;
  const points = range(17).map((i) => {
    const angle = from + (turn * i) / 16;
    return [x + radius * Math.cos(angle), y - radius * Math.sin(angle)] as const;
  });
  pen.line(points, "mark", 3);
}

/** Two channels as a hand. */
function hand(
  pen: Pen, x: number, y: number, reach: number, [across, up]: readonly [number, number],
  longest: number, colour: "sin" | "cos",
): void {
  const scale = reach / longest;
  pen.line([[x, y], [x + across * scale, y - up * scale]], colour, 3, colour === "cos" ? [5, 3] : []);
}
