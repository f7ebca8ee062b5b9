// The line of positions around one of them, with those that a format can hold.

import type { Pen } from "../../pen";
import { shown } from "../../words";

const [NEAR, FAR] = [20, 2048]; // positions on each side, at least and at most

/** What a format makes of a position. */
export type Read = (position: number) => number;

/** A position as it is read; there may be none so large. */
export function told(position: number): string {
  return position === Infinity ? "∞" : shown(position);
}

/** Positions on each side of the line: enough for the nearest ones that the format can hold. */
export function around(place: number, read: Read): number {
  let [low, high] = [place, place + 1];
  while (place - low < FAR && read(low) !== low) low--;
  while (high - place < FAR && read(high) !== high) high++;
  return Math.min(FAR, Math.max(NEAR, Math.ceil(1.6 * (high - low))));
}

/** Positions around the one that is set, those that the format can hold, and what it is read as. */
export function line(pen: Pen, place: number, read: Read): void {
  const side = around(place, read);
  const step = pen.width / (2 * side + 1);
  const x = (p: number) => Math.min((p - place + side + 0.5) * step, pen.width - 4);
  let free = 0; // where the next number may stand
  pen.line([[Math.max(0, x(0)), 50], [pen.width, 50]], "line");
  for (let p = Math.max(0, place - side); p <= place + side; p++) {
    if (read(p) !== p) {
      if (step > 4) pen.disc(x(p), 50, 1.5, "faint");
      continue;
    }
    pen.disc(x(p), 50, 4, "ink");
    if (x(p) < free || x(p) < 28 || x(p) > pen.width - 28) continue;
    pen.label(shown(p), x(p), 76, "center", "faint");
    free = x(p) + 72;
  }
  const due = read(place);
  pen.line([[x(place), 50], [(x(place) + x(due)) / 2, 26], [x(due), 50]], "mark", 2);
  pen.ring(x(place), 50, 7, "mark");
  pen.label(`${shown(place)} → ${told(due)}`, x(place), 18, "center");
}
