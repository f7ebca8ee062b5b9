// The views, in the order of the page.

import type { Measure } from "../claims";
import type { Payload } from "../payload";
import type { View } from "../view";
import { bars } from "./bars";
import { adding } from "./adding";
import { base } from "./base";
import { biases } from "./biases";
import { blind } from "./blind";
import { clocks } from "./clocks";
import { coverage } from "./coverage";
import { curves } from "./curves";
import { given } from "./given";
import { grids } from "./grid";
import { layouts } from "./layouts";
import { map } from "./map";
import { naive } from "./naive";
import { norms } from "./norms";
import { port } from "./port";
import { precision } from "./precision";
import { recall } from "./recall";
import { rotary } from "./rotary";
import { shifted } from "./shift";
import { sliding } from "./window";
import { rules } from "./rules";
import { statements } from "./statements";
import { similar } from "./similarity";

const ALWAYS: readonly View[] = [
  blind, naive,
  bars, map, curves, clocks, norms, similar, shifted, adding, base,
  rotary, layouts, biases,
  coverage, rules, precision, grids, sliding,
  statements(measured), recall(measured), port,
];

/** How the first view that states a claim measures it. */
export function measured(claim: string): Measure | undefined {
  return ALWAYS.map(({ measures }) => measures[claim]).find(Boolean);
}

/** All of a page: what it was given comes first. */
export function views(asked: Payload["given"]): readonly View[] {
  return asked.length ? [given(asked), ...ALWAYS] : ALWAYS;
}
