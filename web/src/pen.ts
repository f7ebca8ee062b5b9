// Drawing on a canvas in CSS pixels, in the colours of the page.

import type { Matrix } from "./core";

export type Colour = "ink" | "faint" | "line" | "paper" | "sin" | "cos" | "mark";

const COLOURS: readonly Colour[] = ["ink", "faint", "line", "paper", "sin", "cos", "mark"];

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
  #small: OffscreenCanvas | undefined;

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

  /** The colour of a number from -1 to 1, as red, green, blue and opacity. */
  shade(value: number): readonly number[] {
    const pixel: number[] = [];
    this.#shade(value, pixel, 0);
    return pixel;
  }

  #shade(value: number, into: { [at: number]: number }, at: number): void {
    const size = Math.min(1, Math.abs(value));
    const share = this.#grey ? (1 + Math.sign(value) * size) / 2 : size;
    const ends = this.#grey ? this.#rgb.ink : value < 0 ? this.#rgb.sin : this.#rgb.cos;
    const [from, to] = [this.#rgb.paper, ends];
    for (let i = 0; i < 3; i++) into[at + i] = from[i]! + share * (to[i]! - from[i]!);
    into[at + 3] = 255;
  }

  /** Rows of numbers from -1 to 1 as coloured cells; over the whole canvas unless a box is given. */
  cells(rows: Matrix, box: Box = [0, 0, this.width, this.height]): void {
    const [height, width] = [rows.length, rows[0]?.length ?? 0];
    if (!height || !width) return;
    const image = new ImageData(width, height);
    rows.forEach((row, y) => row.forEach((value, x) => this.#shade(value, image.data, 4 * (y * width + x))));
    const small = (this.#small ??= new OffscreenCanvas(width, height));
    if (small.width !== width) small.width = width;
    if (small.height !== height) small.height = height;
    small.getContext("2d")?.putImageData(image, 0, 0);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(small, ...box);
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
