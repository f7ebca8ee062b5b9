// What several views speak of: the position, the code that is chosen, a pair of it, a distance.

import type { Payload } from "./payload";
import type { Control, State } from "./state";

export const LAST = 1023;
export const PAIR: Control = { kind: "range", name: "pair", min: 0, max: 63, start: 0 };
export const DISTANCE: Control = { kind: "range", name: "k", min: 0, max: LAST, start: 1 };
export const LAYOUT: Control = {
  kind: "choice", name: "layout", options: ["interleaved", "half"], start: "interleaved",
};

/** What every page can be asked for. */
export function shared({ schemes, dims, bases }: Payload): readonly Control[] {
  return [
    { kind: "range", name: "p", min: 0, max: LAST, start: 12 },
    { kind: "choice", name: "scheme", options: schemes, start: schemes[0] ?? "" },
    { kind: "choice", name: "dim", options: dims.map(String), start: "64" },
    { kind: "choice", name: "base", options: bases.map(String), start: "10000" },
    LAYOUT,
    { kind: "range", name: "speed", min: 1, max: 120, start: 30 },
    { kind: "choice", name: "lang", options: ["en", "zh"], start: "en" },
    { kind: "choice", name: "theme", options: ["auto", "light", "dark"], start: "auto" },
    { kind: "switch", name: "grey", start: 0 },
    PAIR,
    DISTANCE,
  ];
}

/** The name of the ladder that is chosen: by scheme, width and base, or by what of them it has. */
export function chosen(state: State, has: (name: string) => boolean): string {
  const [scheme, dim, base] = ["scheme", "dim", "base"].map((name) => state.text(name));
  return [`${scheme}-${dim}-${base}`, `${scheme}-${dim}`, `${scheme}`].find(has) ?? "";
}
