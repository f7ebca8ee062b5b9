// Codes of the patches of a picture and of events in time, and how like they are.

import { code, cosine, range, type Numbers } from "../../core";
import type { Data } from "../../payload";

/** Patches along each side of the picture. */
export const SIDE = 14;

/** Its row and column. */
export type Patch = readonly [row: number, column: number];

/** Makes the code of a patch. */
export type Code = (data: Data, patch: Patch) => Numbers;

/** By its number in reading order. */
export function raster(data: Data, [row, column]: Patch): Numbers {
  return code(row * SIDE + column, data.frequencies("paper-64-10000"));
}

/** Half of the channels for its row, half for its column. */
export function grid(data: Data, [row, column]: Patch): Numbers {
  const w = data.frequencies("paper-32");
  return Float64Array.from([...code(row, w), ...code(column, w)]);
}

/** Cosines of all patches with the one so far down and to the right of them. */
export function between(data: Data, made: Code, down: number, right: number): number[] {
  return range(SIDE - down).flatMap((row) => range(SIDE - right).map((column) =>
    cosine(made(data, [row, column]), made(data, [row + down, column + right]))));
}

/** Cosines of each event and the next. */
export function along(data: Data, places: readonly number[]): number[] {
  const w = data.frequencies("paper-64-10000");
  return places.slice(1).map((place, i) => cosine(code(places[i]!, w), code(place, w)));
}

/** When the events happened, in seconds. */
export function stamps(data: Data): number[] {
  return [...data.numbers("grid.stamps")];
}

const known = new Map<string, Numbers[]>();

/** How like every patch is to one of them. */
export function likeness(data: Data, patch: Patch, made: Code): Numbers[] {
  const key = `${made === raster} ${patch}`;
  const there = known.get(key);
  if (there) return there;
  const here = made(data, patch);
  const rows = range(SIDE).map((row) =>
    Float64Array.from({ length: SIDE }, (_, column) => cosine(here, made(data, [row, column]))),
  );
  known.set(key, rows);
  return rows;
}
