// Drawing on a canvas in CSS pixels, in the colours of the page.

import type { Matrix } from "./core";

export type Colour = "ink" | "faint" | "line" | "paper" | "sin" | "cos" | "mark";

const COLOURS: readonly Colour[] = ["ink", "faint", "line", "paper", "sin", "cos", "mark"];

const SHADES = 1024; // colours from nothing to one

/** Left, top, width and height in CSS pixels. */
export type Box = readonly [number, number, number, number];

export class Pen {
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  #colours = {} as Record<Colour, string>;
  #rgb = {} as Record<Colour, readonly number[]>;
  #font = "sans-serif";
  #hatch: CanvasPattern | null = null;
  /** Maps run from the paper to the ink, for those who see or print no colours. */
  #grey = false;
  readonly #palette = new Uint32Array(2 * SHADES + 1);
  readonly #kept = new Map<string, OffscreenCanvas>();

  constructor(readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("this browser draws no canvas");
    this.context = context;
  }

  /** Take the size and the colours that the page gives now; the canvas is empty after it. */
  begin(width: number, height: number): void {
    const scale = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
    if (this.canvas.width !== across) this.canvas.width = across;
    if (this.canvas.height !== down) this.canvas.height = down;
    [this.width, this.height] = [width, height];
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.context.clearRect(0, 0, width, height);
  }

  /** Read the colours of the theme again. */
  dip(): void {
    const style = getComputedStyle(this.canvas);
    for (const name of COLOURS) this.#colours[name] = style.getPropertyValue(`--${name}`).trim();
    for (const name of COLOURS) this.#rgb[name] = this.#mixed(this.#colours[name]);
    this.#font = style.fontFamily;
    this.#hatch = null;
    const asked = document.documentElement.dataset["grey"] === "1";
    this.#grey = asked || matchMedia("(forced-colors: active), (monochrome)").matches;
    this.#kept.clear();
    this.#mix();
  }

  colour(name: Colour): string {
    return this.#colours[name];
  }

  box(x: number, y: number, width: number, height: number, fill: Colour | CanvasPattern): void {
    this.context.fillStyle = typeof fill === "string" ? this.colour(fill) : fill;
    this.context.fillRect(x, y, width, height);
  }

  line(
    points: readonly (readonly [number, number])[], colour: Colour, width = 1,
    dashes: readonly number[] = [],
  ): void {
    this.context.setLineDash([...dashes]);
    this.context.strokeStyle = this.colour(colour);
    this.context.lineWidth = width;
    this.context.beginPath();
    points.forEach(([x, y], i) => (i ? this.context.lineTo(x, y) : this.context.moveTo(x, y)));
    this.context.stroke();
    this.context.setLineDash([]);
  }

  disc(x: number, y: number, radius: number, colour: Colour): void {
    this.context.fillStyle = this.colour(colour);
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  ring(x: number, y: number, radius: number, colour: Colour): void {
    this.context.strokeStyle = this.colour(colour);
    this.context.lineWidth = colour === "line" ? 1 : 2.5;
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.stroke();
  }

  /** A border around something that is chosen. */
  frame(x: number, y: number, width: number, height: number): void {
    this.context.strokeStyle = this.colour("mark");
    this.context.lineWidth = 2;
    this.context.strokeRect(x, y, width, height);
  }

  /** A thin border, so that pale cells have an edge. */
  outline(x: number, y: number, width: number, height: number): void {
    this.context.strokeStyle = this.colour("faint");
    this.context.lineWidth = 1;
    this.context.strokeRect(x, y, width, height);
  }

  /** The colour of a number from -1 to 1, as four bytes. */
  #shade(value: number): number {
    const at = Math.round((value + 1) * SHADES);
    return this.#palette[at < 0 ? 0 : at > 2 * SHADES ? 2 * SHADES : at] ?? 0; // NaN has none
  }

  #mix(): void {
    const { paper, ink, sin, cos } = this.#rgb;
    const bytes = new Uint8ClampedArray(this.#palette.buffer);
    for (let i = 0; i <= 2 * SHADES; i++) {
      const value = i / SHADES - 1;
      const share = this.#grey ? (1 + value) / 2 : Math.abs(value);
      const end = this.#grey ? ink : value < 0 ? sin : cos;
      for (let c = 0; c < 3; c++) bytes[4 * i + c] = paper[c]! + share * (end[c]! - paper[c]!);
      bytes[4 * i + 3] = 255;
    }
  }

  /**
   * Rows of numbers from -1 to 1 as coloured cells; over the whole canvas unless a box is given.
   * What has a key is the same as long as the key is, and is made but once.
   */
  cells(rows: Matrix | (() => Matrix), box: Box = [0, 0, this.width, this.height], key = ""): void {
    const image = this.#kept.get(key) ?? this.#image(typeof rows === "function" ? rows() : rows, key);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(image, ...box);
  }

  /** Without a key into the canvas of an earlier image of that size: to make one takes a while. */
  #image(rows: Matrix, key: string): OffscreenCanvas {
    const [height, width] = [Math.max(1, rows.length), Math.max(1, rows[0]?.length ?? 0)];
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    rows.forEach((row, y) => {
      for (let x = 0; x < width; x++) pixels[y * width + x] = this.#shade(row[x]!);
    });
    const name = key || `${width}x${height}`;
    const canvas = this.#kept.get(name) ?? new OffscreenCanvas(width, height);
    this.#kept.set(name, canvas);
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    return canvas;
  }

  label(
    text: string, x: number, y: number, align: CanvasTextAlign = "left", colour: Colour = "ink",
    size = 13,
  ): void {
    this.context.font = `${size}px ${this.#font}`;
    this.context.fillStyle = this.colour(colour);
    this.context.textAlign = align;
    this.context.fillText(text, x, y);
  }

  /** Stripes, by which a cosine is told from a sine without any colour. */
  get hatch(): CanvasPattern | Colour {
    this.#hatch ??= this.#stripes();
    return this.#hatch ?? "cos";
  }

  /** Any colour that CSS can name, as numbers: a pixel of it tells. */
  #mixed(colour: string): readonly number[] {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    if (context === null) return [0, 0, 0];
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }

  #stripes(): CanvasPattern | null {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const context = tile.getContext("2d");
    if (context === null) return null;
    context.fillStyle = this.colour("cos");
    context.fillRect(0, 0, 6, 6);
    context.strokeStyle = this.colour("paper");
    context.lineWidth = 1.5;
    context.beginPath();
    for (const at of [-6, 0, 6]) {
      context.moveTo(at, 6);
      context.lineTo(at + 6, 0);
    }
    context.stroke();
    return this.context.createPattern(tile, "repeat");
  }
}
