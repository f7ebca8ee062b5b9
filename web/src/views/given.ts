// Encodings that the reader asked for: what they make of a position, and of two.

import { range, spread } from "../core";
import type { Payload } from "../payload";
import { DISTANCE } from "../settings";
import type { Scene, View } from "../view";
import { shown } from "../words";

const GAP = 16; // pixels between the two maps

/** The view of what the page was given; there is none where it was given nothing. */
export function given(asked: Payload["given"]): View {
  const key = (scene: Scene) => `given-${scene.state.text("which")}`;
  const count = (scene: Scene) => scene.data.matrix(`${key(scene)}.logits`).length;
  return {
    id: "given",
    controls: [
      { kind: "choice", name: "which", words: "given", options: range(asked.length).map(String), start: "0" },
      DISTANCE,
    ],

    measures: Object.fromEntries(asked.flatMap((_, at) => [
      [`given.relative-${at}`, (data) => {
        const rows = data.matrix(`given-${at}.logits`);
        const stripe = (k: number) =>
          range(rows.length).filter((m) => m - k in rows).map((m) => rows[m]![m - k]!);
        return Math.max(...range(2 * rows.length - 1).map((k) => spread(stripe(k - rows.length + 1))));
      }],
      [`given.norm-${at}`, (data) => spread(data.numbers(`given-${at}.lengths`))],
    ] satisfies [string, View["measures"][string]][])),

    picture: {
      height: (width) => Math.min(360, width / 2),

      draw(pen, scene) {
        const half = (pen.width - GAP) / 2;
        for (const [at, what] of ["vectors", "logits"].entries()) {
          const name = `${key(scene)}.${what}`;
          const left = at * (half + GAP);
          if (!scene.data.holds(name)) {
            pen.label(scene.say("given.none"), left + half / 2, pen.height / 2, "center");
            continue;
          }
          const rows = scene.data.matrix(name);
          const largest = Math.max(1e-300, ...rows.flatMap((each) => [...each].map(Math.abs)));
          pen.cells(rows.map((each) => each.map((value) => value / largest)), [left, 0, half, pen.height]);
          const row = scene.state.number("p");
          if (row < rows.length) pen.frame(left, (row / rows.length) * pen.height, half, pen.height / rows.length);
        }
      },

      pick: (_x, y, pen, scene) => ({ p: Math.floor((y / pen.height) * count(scene)) }),
    },

    numbers(scene) {
      const rows = scene.data.matrix(`${key(scene)}.logits`);
      const p = scene.state.number("p");
      const there = rows[p]?.[p - scene.state.number("k")];
      return [[scene.say("given.logit"), shown(there ?? NaN)]];
    },

    table(scene) {
      const rows = scene.data.matrix(`${key(scene)}.logits`);
      return {
        head: ["m \\ n", ...range(rows.length).map(String)],
        rows: rows.map((row, m) => [String(m), ...Array.from(row, (value) => shown(value, 3))]),
      };
    },

    python: (scene) =>
      "import numpy as np, posenc\nfrom posenc.properties import subject\n\n" +
      `asked = subject(${asked[Number(scene.state.text("which"))]?.[1] ?? ""})\n` +
      `at = np.arange(${count(scene)})\nprint(asked.logits(at, at, length=len(at)))\n`,
  };
}
