// What a view is: what can be set, what is drawn, what is proved, what is told.

import type { Measure } from "./claims";
import type { Data, Ladder, Language } from "./payload";
import type { Pen } from "./pen";
import type { Control, State, Value } from "./state";
import type { Words } from "./words";

/** What a view looks at when it draws or tells. */
export interface Scene {
  data: Data;
  state: State;
  say: Words;
  language: Language;
  /** The frequencies that the bar has chosen. */
  ladder(): Ladder;
  /** Bring another view to the top, where the page has it. */
  go?(view: string): void;
  /** Draw again, for what is not in the state. */
  redraw(): void;
}

/** Words for a number, and the number as it is shown. */
export type Told = readonly [label: string, value: string];

/** Everything that a picture shows, for those who read it. */
export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Elements of a view's own, below its picture or in place of it. */
export interface Panel {
  element: HTMLElement;
  /** Show what is set now. */
  show(): void;
}

export interface Picture {
  /** How high it is drawn, in CSS pixels. */
  height(width: number, scene: Scene): number;
  draw(pen: Pen, scene: Scene): void;
  /** What a pointer at a place of the picture sets; `begins` when it was just put down. */
  pick?(x: number, y: number, pen: Pen, scene: Scene, begins: boolean): Record<string, Value> | undefined;
}

export interface View {
  /** Its name in the address, and before its words: `bars.title`. */
  id: string;
  /** What it lets the reader set, besides what the bar on top does. */
  controls: readonly Control[];
  /** Claims by id, and how they are measured here. */
  measures: Record<string, Measure>;
  /** Its claims are folded away, as they would give the answers. */
  hidden?: boolean;
  picture?: Picture;
  panel?(scene: Scene): Panel;
  /** The few numbers that stand below the picture. */
  numbers(scene: Scene): readonly Told[];
  table?(scene: Scene): Table;
  /** The same in one call of posenc. */
  python(scene: Scene): string;
}
