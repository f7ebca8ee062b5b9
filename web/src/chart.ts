// Axes, and curves over them.

import type { Colour, Pen } from "./pen";

export type Range = readonly [low: number, high: number];

const LEFT = 48; // pixels for the numbers of the scale
const RIGHT = 10;
const MARGIN = 10;
const BOTTOM = 22;

/** How a curve is told from others without its colour. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

interface Options {
  /** The axis across counts powers of ten. */
  log?: boolean;
  /** The part of the picture that it takes, from top to bottom; all of it otherwise. */
  top?: number;
  bottom?: number;
}

export class Chart {
  readonly #log: boolean;
  readonly #top: number;
  readonly #bottom: number;

  constructor(
    private readonly pen: Pen,
    private readonly across: Range,
    private readonly up: Range,
    { log = false, top = 0, bottom = pen.height }: Options = {},
  ) {
    [this.#log, this.#top, this.#bottom] = [log, top + MARGIN, bottom - BOTTOM];
  }

  x(value: number): number {
    const [low, high] = this.#log ? this.across.map(Math.log10) as [number, number] : this.across;
    const at = ((this.#log ? Math.log10(value) : value) - low) / (high - low);
    return LEFT + at * (this.pen.width - LEFT - RIGHT);
  }

  y(value: number): number {
    const [low, high] = this.up;
    return this.#top + ((high - value) / (high - low)) * (this.#bottom - this.#top);
  }

  /** The value across at a place of the picture, as for a pointer. */
  at(x: number): number {
    const share = (x - LEFT) / (this.pen.width - LEFT - RIGHT);
    const [low, high] = this.#log ? this.across.map(Math.log10) as [number, number] : this.across;
    const value = low + share * (high - low);
    return this.#log ? 10 ** value : value;
  }

  /** Lines at heights, each with its number. */
  levels(values: readonly number[], show: (value: number) => string): void {
    const { pen } = this;
    for (const value of values) {
      pen.line([[LEFT, this.y(value)], [pen.width - RIGHT, this.y(value)]], "line");
      pen.label(show(value), LEFT - 6, this.y(value) + 4, "right");
    }
  }

  /** Numbers below places. */
  places(values: readonly number[], show: (value: number) => string): void {
    const { pen } = this;
    values.forEach((value, i) => {
      const align = i === 0 ? "left" : i === values.length - 1 ? "right" : "center";
      pen.label(show(value), this.x(value), this.#bottom + 16, align);
    });
  }

  curve(points: readonly (readonly [number, number])[], colour: Colour, style = 0, width = 1.75): void {
    const placed = points.map(([x, y]) => [this.x(x), this.y(y)] as const);
    this.pen.line(placed, colour, width, DASHES[style]);
  }

  /** An upright line where something is set. */
  mark(value: number): void {
    const x = this.x(value);
    this.pen.line([[x, this.#top - 4], [x, this.#bottom + 4]], "mark", 1.5);
  }

  point(x: number, y: number): void {
    this.pen.ring(this.x(x), this.y(y), 5, "mark");
  }
}
