// Three vectors as arrows in the plane that holds them, as strips, and shares as bars.

import { cosine, norm, type Numbers } from "../../core";
import type { Box, Pen } from "../../pen";
import { shown } from "../../words";

export interface Three {
  word: Numbers;
  place: Numbers;
  total: Numbers;
}

const EDGE = 24; // pixels around the arrows
const SIDE = 68; // for the names of strips

/** With their true lengths and angles. */
export function arrows(pen: Pen, { word, place }: Three, [x, y, width, height]: Box): void {
  const angle = Math.acos(cosine(word, place));
  const [across, up] = [norm(word) * Math.cos(angle), norm(word) * Math.sin(angle)];
  const least = Math.min(0, across);
  const most = norm(place) + Math.max(0, across);
  const by = Math.min((width - 2 * EDGE - SIDE) / (most - least), (height - 2 * EDGE) / up);
  const at = (a: number, b: number) => [x + EDGE + by * (a - least), y + height - EDGE - by * b] as const;
  const [zero, there, tip, sum] = [
    at(0, 0), at(norm(place), 0), at(across, up), at(norm(place) + across, up),
  ];
  pen.line([there, sum, tip], "faint", 1, [2, 3]);
  const all = [
    ["sin", there, [], "PE(p)", 0, 18, "center"],
    ["mark", sum, [8, 3], "e + PE(p)", 8, -5, "left"],
    ["cos", tip, [3, 2], "e", -8, -5, "right"],
  ] as const;
  for (const [colour, end, dashes, name, right, down, align] of all) {
    pen.line([zero, end], colour, 2.5, dashes);
    pen.disc(...end, 4, colour);
    pen.label(name, end[0] + right, end[1] + down, align, colour);
  }
}

/** Each number of each as a cell. */
export function strips(pen: Pen, { word, place, total }: Three, [x, y, width, height]: Box): void {
  const rows = [["e", word], ["PE(p)", place], ["e + PE(p)", total]] as const;
  const largest = Math.max(...rows.flatMap(([, row]) => [...row].map(Math.abs)));
  const step = height / 3;
  rows.forEach(([name, row], i) => {
    const top = y + i * step;
    pen.label(name, x, top + step / 2 + 4);
    pen.cells([row.map((value) => value / largest)], [x + SIDE, top + 2, width - SIDE - 1, step - 6]);
    pen.outline(x + SIDE, top + 2, width - SIDE - 1, step - 6);
  });
}

/** Shares from 0 to 1, with the ends of an interval where there is one. */
export function shares(
  pen: Pen, names: readonly string[], read: readonly (readonly number[])[], [x, y, width, height]: Box,
): void {
  const wide = width - 60;
  const step = height / read.length;
  read.forEach(([right, low, high], i) => {
    const top = y + i * step;
    pen.label(names[i]!, x, top + 13);
    pen.box(x, top + 18, wide, 12, "line");
    pen.box(x, top + 18, wide * right!, 12, "sin");
    if (low !== undefined) pen.line([[x + wide * low, top + 24], [x + wide * high!, top + 24]], "ink", 4);
    pen.label(`${shown(100 * right!, 1)} %`, x + wide + 8, top + 29);
  });
}
