// Which patches of a picture are like one of them, in reading order and by row and column; and events.

import { cosine, farthestFrom, range, type Numbers } from "../core";
import type { Pen } from "../pen";
import type { Scene, View } from "../view";
import { shown } from "../words";
import { along, between, grid, likeness, raster, SIDE, stamps, type Code, type Patch } from "./grid/codes";

const GAP = 20;
const TIMES = 84; // pixels for the events below

function chosen({ state }: Scene): Patch {
  return [state.number("row"), state.number("column")];
}

/** How like every patch is to the chosen one. */
function alike(scene: Scene, made: Code): Numbers[] {
  return likeness(scene.data, chosen(scene), made);
}

export const grids: View = {
  id: "grid",
  controls: [
    { kind: "range", name: "row", words: "grid", min: 0, max: SIDE - 1, start: 6 },
    { kind: "range", name: "column", words: "grid", min: 0, max: SIDE - 1, start: 12 },
  ],

  measures: {
    "orders.raster-right": (data) => farthestFrom(0.966151, between(data, raster, 0, 1)),
    "orders.raster-below": (data) => farthestFrom(0.631262, between(data, raster, 1, 0)),
    "orders.raster-row-end": (data) => cosine(raster(data, [0, SIDE - 1]), raster(data, [1, 0])),
    "orders.grid-right": (data) => farthestFrom(0.978552, between(data, grid, 0, 1)),
    "orders.grid-below": (data) => farthestFrom(0.978552, between(data, grid, 1, 0)),
    "orders.grid-diagonal": (data) => farthestFrom(0.957103, between(data, grid, 1, 1)),
    "orders.grid-row-end": (data) => farthestFrom(0.824599, range(SIDE - 1).map((row) =>
      cosine(grid(data, [row, SIDE - 1]), grid(data, [row + 1, 0])))),
    "orders.by-index": (data) => farthestFrom(0.966151, along(data, range(stamps(data).length))),
    "orders.by-time": (data) => {
      const due = [0.994336, 0.999643, 0.839595, 0.998575];
      return Math.max(...along(data, stamps(data)).map((value, i) => Math.abs(value - due[i]!)));
    },
  },

  picture: {
    height: (width) => side(width) + 26 + TIMES,

    draw(pen, scene) {
      const size = side(pen.width);
      const [row, column] = chosen(scene);
      for (const [at, made] of [raster, grid].entries()) {
        const left = at * (size + GAP);
        const rows = alike(scene, made);
        pen.label(scene.say(at ? "grid.by-grid" : "grid.by-raster"), left, 16);
        // From "no likeness" (0.4) to "the same" (1), so that neighbours stand out.
        pen.cells(rows.map((each) => each.map((value) => (value - 0.4) / 0.6)), [left, 24, size, size]);
        pen.outline(left, 24, size, size);
        pen.frame(left + (column * size) / SIDE, 24 + (row * size) / SIDE, size / SIDE, size / SIDE);
        best(rows, chosen(scene)).forEach(([y, x], rank) => {
          const [across, down] = [left + ((x + 0.5) * size) / SIDE, 24 + ((y + 0.5) * size) / SIDE];
          pen.disc(across, down, Math.min(9, size / SIDE / 2 - 1), "paper");
          pen.label(String(rank + 1), across, down + 4, "center", "ink", Math.min(13, size / SIDE));
        });
      }
      events(pen, scene);
    },

    pick(x, y, pen) {
      const size = side(pen.width);
      if (y < 24 || y > 24 + size) return undefined;
      const across = x > size + GAP / 2 ? x - size - GAP : x;
      return {
        row: Math.floor(((y - 24) / size) * SIDE),
        column: Math.floor((Math.min(Math.max(across, 0), size - 1) / size) * SIDE),
      };
    },
  },

  numbers(scene) {
    const [row, column] = chosen(scene);
    const there = (down: number, right: number, made: Code) =>
      row + down < SIDE && column + right < SIDE ? alike(scene, made)[row + down]![column + right]! : NaN;
    const both = (down: number, right: number) =>
      `${shown(there(down, right, raster), 4)} / ${shown(there(down, right, grid), 4)}`;
    return [
      [scene.say("grid.right"), both(0, 1)],
      [scene.say("grid.below"), both(1, 0)],
      [scene.say("grid.diagonal"), both(1, 1)],
    ];
  },

  table(scene) {
    const rows = alike(scene, raster).map((each, row) => [
      String(row), ...[...each].map((value, column) =>
        `${shown(value, 2)} / ${shown(alike(scene, grid)[row]![column]!, 2)}`),
    ]);
    return { head: ["", ...range(SIDE).map(String)], rows };
  },

  python: (scene) =>
    "import numpy as np, posenc\n\n" +
    "wave = posenc.bind(posenc.Sinusoidal(dim=32)).embed\n" +
    "row, column = np.divmod(np.arange(196), 14)\n" +
    "code = np.concatenate([wave(row), wave(column)], axis=-1)\n" +
    `print((code @ code[${chosen(scene)[0]} * 14 + ${chosen(scene)[1]}] / 32).reshape(14, 14))\n`,
};

function side(width: number): number {
  return Math.min((width - GAP) / 2, 460);
}

/** The four patches that are most like the chosen one. */
function best(rows: readonly Numbers[], [row, column]: Patch): Patch[] {
  const all = rows.flatMap((each, y) => [...each].map((value, x) => [value, y, x] as const));
  const others = all.filter(([, y, x]) => y !== row || x !== column);
  return others.sort((a, b) => b[0] - a[0]).slice(0, 4).map(([, y, x]) => [y, x] as const);
}

/** Events at their times, with the likeness of each to the next: by time above, by index below. */
function events(pen: Pen, scene: Scene): void {
  const times = stamps(scene.data);
  const last = times.at(-1)!;
  const top = pen.height - TIMES + 22;
  const x = (time: number) => 12 + (time / last) * (pen.width - 24);
  const [byTime, byIndex] = [along(scene.data, times), along(scene.data, range(times.length))];
  pen.label(scene.say("grid.events"), 0, top - 6);
  pen.line([[12, top + 30], [pen.width - 12, top + 30]], "faint");
  times.forEach((time) => pen.disc(x(time), top + 30, 5, "sin"));
  byTime.forEach((value, i) => {
    const middle = (x(times[i]!) + x(times[i + 1]!)) / 2;
    const low = i % 2 ? 56 : 18;
    const at = Math.min(Math.max(middle, 50), pen.width - 60);
    pen.label(`${shown(value, 3)} / ${shown(byIndex[i]!, 3)}`, at, top + low, "center");
  });
}
