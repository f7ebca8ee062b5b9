// The views, in the order of the page.

import type { Payload } from "../payload";
import type { View } from "../view";
import { bars } from "./bars";
import { adding } from "./adding";
import { blind } from "./blind";
import { clocks } from "./clocks";
import { given } from "./given";
import { layouts } from "./layouts";
import { map } from "./map";
import { naive } from "./naive";
import { norms } from "./norms";
import { rotary } from "./rotary";
import { shifted } from "./shift";
import { similar } from "./similarity";

const ALWAYS: readonly View[] = [
  blind, naive,
  bars, map, clocks, norms, similar, shifted, adding,
  rotary, layouts,
];

/** All of a page: what it was given comes first. */
export function views(asked: Payload["given"]): readonly View[] {
  return asked.length ? [given(asked), ...ALWAYS] : ALWAYS;
}
