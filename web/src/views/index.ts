// The views, in the order of the page.

import type { View } from "../view";
import { bars } from "./bars";
import { clocks } from "./clocks";
import { map } from "./map";
import { similar } from "./similarity";

export const VIEWS: readonly View[] = [bars, map, clocks, similar];
