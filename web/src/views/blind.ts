// Tokens change places: without positions their outputs only follow them.

import { code, farthest, range, spread, type Matrix, type Numbers } from "../core";
import { h } from "../dom";
import { attend, matrix, times } from "../matrix";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import { normal } from "../random";
import type { Panel, Scene, View } from "../view";
import { shown } from "../words";

const TEXTS: Record<string, readonly string[]> = {
  cat: ["猫", "咬", "狗"],
  dog: ["狗", "咬", "人"],
  roles: ["一", "把", "把", "把", "把", "住"],
};
const ORDERS = ["012", "021", "102", "120", "201", "210"];
const BLOCK = 110; // pixels for a row of tokens and what becomes of them

const draw = normal(7);
/** W_q, W_k and W_v of width 8, and a vector for each word: what is shown holds for any. */
const WEIGHTS = matrix(24, 8, () => draw() / 2);
const VECTORS = new Map<string, Numbers>();

function vector(word: string): Numbers {
  const known = VECTORS.get(word) ?? Float64Array.from({ length: 8 }, draw);
  VECTORS.set(word, known);
  return known;
}

/** The vectors of a sentence. */
function vectors(data: Data, name: string): Matrix {
  return name === "cat" ? data.matrix("blind.cat") : TEXTS[name]!.map(vector);
}

interface Given {
  placed?: boolean;
  causal?: boolean;
}

/** Attention over tokens at positions 0, 1, 2, ...; `placed` adds the sinusoid of their width. */
function outputs(data: Data, x: Matrix, { placed = false, causal = false }: Given = {}): Numbers[] {
  const wide = x[0]!.length;
  const w = data.frequencies(`paper-${wide}`);
  const weights = wide === 4 ? data.matrix("blind.weights-4") : WEIGHTS;
  const told = placed ? x.map((row, p) => code(p, w).map((value, i) => value + row[i]!)) : x;
  const [q, k, v] = range(3).map((i) => times(told, weights.slice(i * wide, (i + 1) * wide)));
  return attend(q!, k!, v!, causal);
}

/** The tokens backwards, told what they are told, against the outputs backwards. */
function moved(data: Data, given: Given = {}): number {
  const x = data.matrix("blind.cat");
  return farthest(outputs(data, [...x].reverse(), given), outputs(data, x, given).reverse());
}

function text({ state }: Scene): readonly string[] {
  return TEXTS[state.text("sentence")] ?? [];
}

/** Which token stands at each place. */
function order(scene: Scene): number[] {
  const chosen = [...scene.state.text("order")].map(Number);
  return text(scene).length === 3 ? chosen : range(text(scene).length);
}

/** What comes out as written, and in the order that is chosen. */
function both(scene: Scene): { before: Numbers[]; after: Numbers[] } {
  const x = vectors(scene.data, scene.state.text("sentence"));
  const given = { placed: scene.state.on("placed"), causal: scene.state.on("causal") };
  return {
    before: outputs(scene.data, x, given),
    after: outputs(scene.data, order(scene).map((at) => x[at]!), given),
  };
}

function change(scene: Scene): number {
  const { before, after } = both(scene);
  return farthest(after, order(scene).map((at) => before[at]!));
}

export const blind: View = {
  id: "blind",
  controls: [
    { kind: "choice", name: "sentence", words: "blind", options: Object.keys(TEXTS), start: "cat" },
    { kind: "choice", name: "order", words: "blind", options: ORDERS, start: "210" },
    { kind: "switch", name: "placed", words: "blind", start: 0 },
    { kind: "switch", name: "causal", words: "blind", start: 0 },
  ],

  measures: {
    "blind.equivariance": (data) => moved(data),
    "blind.invariance": (data) => {
      const x = data.matrix("blind.cat");
      return farthest(outputs(data, [...x].reverse()), outputs(data, x));
    },
    "blind.with-positions": (data) => moved(data, { placed: true }),
    "blind.any-mask": (data) => moved(data, { causal: true }),
    "blind.four-roles": (data) => {
      const four = outputs(data, vectors(data, "roles")).slice(1, 5);
      return Math.max(...range(8).map((i) => spread(four.map((row) => row[i]!))));
    },
  },

  picture: {
    height: () => 2 * BLOCK + 60,

    draw(pen, scene) {
      const { before, after } = both(scene);
      const places = order(scene);
      const step = pen.width / places.length;
      places.forEach((token, at) => {
        pen.line([[(token + 0.5) * step, BLOCK - 8], [(at + 0.5) * step, BLOCK + 62]], "faint", 1.5);
      });
      strips(pen, text(scene), before, 0);
      strips(pen, places.map((token) => text(scene)[token]!), after, BLOCK + 60);
    },
  },

  panel: movable,

  numbers(scene) {
    const { before, after } = both(scene);
    return [
      [scene.say("blind.change"), shown(change(scene))],
      [scene.say("blind.mean"), shown(farthest(mean(before), mean(after)))],
    ];
  },

  table(scene) {
    const { before, after } = both(scene);
    const rows = order(scene).map((token, at) => [
      text(scene)[token]!, [...before[token]!].map((value) => shown(value, 4)).join("  "),
      [...after[at]!].map((value) => shown(value, 4)).join("  "),
    ]);
    return { head: ["", scene.say("blind.before"), scene.say("blind.after")], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    "x = np.array([[.2, -.1, .5, .1], [.9, .3, -.2, .4], [-.3, .6, .2, -.5]])\n" +
    "w_q, w_k, w_v = np.random.RandomState(7).randn(3, 4, 4) * 0.5\n\n\n" +
    "def f(x):\n    return posenc.attend(*((x @ w)[None] for w in (w_q, w_k, w_v)), posenc.NoPE())[0]\n\n\n" +
    `order = ${JSON.stringify(order(scene).slice(0, 3))}\n` +
    "print(abs(f(x[order]) - f(x)[order]).max())\n",
};

function mean(rows: Matrix): Numbers {
  return rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
}

/** Each token, and its output below it as coloured cells. */
function strips(pen: Pen, tokens: readonly string[], rows: Matrix, top: number): void {
  const step = pen.width / tokens.length;
  const wide = Math.min(step - 16, 220);
  rows.forEach((row, at) => {
    const middle = (at + 0.5) * step;
    pen.label(tokens[at]!, middle, top + 26, "center", "ink", 24);
    pen.cells([row.map((value) => value * 2)], [middle - wide / 2, top + 40, wide, 44]);
    pen.outline(middle - wide / 2, top + 40, wide, 44);
  });
}

/** The tokens as buttons, that the arrow keys and a press move along. */
function movable(scene: Scene): Panel {
  const element = h("div", { class: "tokens", role: "group", "aria-label": scene.say("blind.order") });
  const move = (at: number, by: number) => {
    const places = order(scene);
    const to = (at + by + places.length) % places.length;
    [places[at], places[to]] = [places[to]!, places[at]!];
    scene.state.set({ order: places.join("") });
    show();
    (element.children[to] as HTMLElement | undefined)?.focus();
  };
  const show = () => {
    const places = order(scene);
    element.hidden = places.length !== 3;
    if (element.dataset["shown"] === places.join("") + scene.state.text("sentence")) return;
    element.dataset["shown"] = places.join("") + scene.state.text("sentence");
    element.replaceChildren(...places.map((token, at) =>
      h("button", {
        type: "button", onclick: () => move(at, 1),
        onkeydown: (event: KeyboardEvent) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (by) move(at, by);
        },
      }, `${text(scene)[token]} ⇄`),
    ));
  };
  show();
  return { element, show };
}
