// Tokens change places: without positions their outputs only follow them.

import { farthest, range, spread, sum, type Matrix, type Numbers } from "../core";
import { scores, softmax } from "../matrix";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { movable } from "./blind/buttons";
import { heard, outputs, type Given } from "./blind/heard";
import { names, order, ORDERS, SENTENCES, swapped, tokens, vectors } from "./blind/sentence";

const BLOCK = 100; // pixels for a row of tokens and what becomes of them
const LINES = 56; // between the two rows
const SAME = 1e-12; // what rounding leaves between outputs that are the same

/** What becomes of the tokens read backwards, against their outputs backwards. */
function moved(data: Data, given: Given = {}): number {
  const x = data.matrix("blind.cat");
  return farthest(outputs(data, [...x].reverse(), given), outputs(data, x, given).reverse());
}

function spoken(scene: Scene): Matrix {
  return vectors(scene.data, tokens(scene), scene.state.text("sentence"));
}

/** What comes out as written, and in the order that is chosen; and by how much each token's differs. */
function both(scene: Scene): { before: Numbers[]; after: Numbers[]; off: number[] } {
  const { data, state } = scene;
  const x = spoken(scene);
  const given = { placed: state.on("placed"), causal: state.on("causal") };
  const before = outputs(data, x, given);
  const after = outputs(data, order(scene).map((at) => x[at]!), given);
  return { before, after, off: order(scene).map((token, at) => farthest(after[at]!, before[token]!)) };
}

let held = 0; // the token that a pointer has taken

export const blind: View = {
  id: "blind",
  controls: [
    { kind: "choice", name: "sentence", words: "blind", options: SENTENCES, start: "cat" },
    { kind: "choice", name: "order", words: "blind", options: Object.keys(ORDERS), start: "back" },
    { kind: "switch", name: "placed", words: "blind", start: 0 },
    { kind: "switch", name: "causal", words: "blind", start: 0 },
  ],

  measures: {
    "blind.equivariance": (data) => moved(data),
    "blind.invariance": (data) => {
      const x = data.matrix("blind.cat");
      return farthest(outputs(data, [...x].reverse()), outputs(data, x));
    },
    "blind.weighted-mean": (data) => {
      const [q, k] = heard(data, data.matrix("blind.cat"));
      const weights = softmax(scores(q!, k!));
      const off = Math.max(...weights.map((row) => Math.abs(sum(row) - 1)));
      return weights.every((row) => row.every((share) => share > 0)) ? off : Infinity;
    },
    "blind.with-positions": (data) => moved(data, { placed: true }),
    "blind.any-mask": (data) => moved(data, { causal: true }),
    "blind.four-roles": (data) => {
      const four = outputs(data, vectors(data, data.extra<Record<string, string>>("blind")["roles"]!.split(" "))).slice(1, 5);
      return Math.max(...range(4).map((i) => spread(four.map((row) => row[i]!))));
    },
  },

  picture: {
    height: () => 2 * BLOCK + LINES + 24,

    draw(pen, scene) {
      const { before, after, off } = both(scene);
      const [places, named] = [order(scene), names(scene)];
      const step = pen.width / places.length;
      const below = BLOCK + LINES;
      const largest = Math.max(...[...before, ...after].flatMap((row) => [...row].map(Math.abs)));
      strips(pen, named, before, 0, largest);
      strips(pen, places.map((token) => named[token]!), after, below, largest);
      places.forEach((token, at) => {
        const same = off[at]! < SAME;
        const [from, to] = [(token + 0.5) * step, (at + 0.5) * step];
        pen.line([[from, BLOCK], [to, below]], same ? "faint" : "mark", same ? 1.5 : 2.5, same ? [] : [6, 4]);
        const sign = same ? "=" : `≠ ${shown(off[at]!, 3)}`;
        pen.label(sign, to, below + BLOCK + 16, "center", same ? "ink" : "mark", same ? 20 : 13);
      });
    },

    pick(x, _y, pen, scene, begins) {
      const places = order(scene);
      const at = Math.floor((x / pen.width) * places.length);
      if (begins) held = places[at]!;
      return begins ? undefined : swapped(scene, places.indexOf(held), at);
    },
  },

  panel: movable,

  numbers(scene) {
    const { before, after, off } = both(scene);
    return [
      [scene.say("blind.change"), shown(Math.max(...off))],
      [scene.say("blind.mean"), shown(farthest(mean(before), mean(after)))],
    ];
  },

  table(scene) {
    const { before, after } = both(scene);
    const row = (values: Numbers) => [...values].map((value) => shown(value, 4)).join("  ");
    const rows = order(scene).map((token, at) =>
      [tokens(scene)[token]!, row(before[token]!), row(after[at]!)]);
    return { head: ["", scene.say("blind.before"), scene.say("blind.after")], rows };
  },

  python(scene) {
    const rows = spoken(scene).map((row) => `[${row.join(", ")}]`);
    const told = "posenc.bind(posenc.Sinusoidal(dim=4)).embed(np.arange(len(x)), dtype=np.float64)";
    return `import numpy as np, posenc\n\nx = np.array([${rows.join(", ")}])  # ${tokens(scene).join(" ")}\n` +
      "weights = np.random.RandomState(7).randn(3, 4, 4) * 0.5\n" +
      `places = ${scene.state.on("placed") ? told : "0"}\n\n\n` +
      "def f(x):\n    q, k, v = ((x + places) @ w for w in weights)\n" +
      "    return posenc.attend(q[None], k[None], v[None], posenc.NoPE(), " +
      `causal=${scene.state.on("causal") ? "True" : "False"})[0]\n\n\n` +
      `order = ${JSON.stringify(order(scene))}\nprint(abs(f(x[order]) - f(x)[order]).max())\n`;
  },
};

function mean(rows: Matrix): Numbers {
  return rows[0]!.map((_, i) => sum(rows.map((row) => row[i]!)) / rows.length);
}

/** Each token, and its output below it as coloured cells. */
function strips(pen: Pen, named: readonly string[], rows: Matrix, top: number, largest: number): void {
  const step = pen.width / named.length;
  const wide = Math.min(step - 12, 220);
  rows.forEach((row, at) => {
    const middle = (at + 0.5) * step;
    pen.label(named[at]!, middle, top + 26, "center", "ink", named.length > 3 ? 18 : 22);
    pen.cells([row.map((value) => value / largest)], [middle - wide / 2, top + 40, wide, 48]);
    pen.outline(middle - wide / 2, top + 40, wide, 48);
  });
}
