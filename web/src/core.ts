// All the arithmetic of the page: sines and cosines of position times frequency, and sums of
// products. Which frequencies there are, Python says; nothing here knows a base or a rule.

export type Numbers = Float64Array;

/** Rows of equal length. */
export type Matrix = readonly Numbers[];

/** Numbers as Python writes them: whole ones in a list, others as little-endian bits in base64. */
export function decode(data: string | readonly number[]): Numbers {
  if (typeof data !== "string") return Float64Array.from(data);
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

/** Numbers of which each is `ratio` times the one before, and some units of the last place more. */
export function ladder(first: number, ratio: number, off: readonly number[]): Numbers {
  const bits = new DataView(new ArrayBuffer(8));
  let [product, units] = [first, 0];
  return Float64Array.from(off, (more, i) => {
    product = i ? product * ratio : first;
    units += more;
    bits.setFloat64(0, product);
    bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(units));
    return bits.getFloat64(0);
  });
}

/** The code of a position: sine and cosine of each pair, side by side. */
export function code(position: number, frequencies: Numbers, into?: Numbers): Numbers {
  const row = into ?? new Float64Array(2 * frequencies.length);
  frequencies.forEach((w, i) => {
    row[2 * i] = Math.sin(position * w);
    row[2 * i + 1] = Math.cos(position * w);
  });
  return row;
}

/** The codes of positions 0 to `count` - 1. */
export function codes(count: number, frequencies: Numbers): Numbers[] {
  return Array.from({ length: count }, (_, p) => code(p, frequencies));
}

/** What is made of an object once, and remembered as long as the object is there. */
export function once<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const made = new WeakMap<K, V>();
  return (from) => {
    if (!made.has(from)) made.set(from, make(from));
    return made.get(from)!;
  };
}

/** The sum of products. */
export function dot(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** The length of a vector. */
export function norm(a: Numbers): number {
  return Math.sqrt(dot(a, a));
}

/** The length of the difference of two vectors. */
export function distance(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(sum);
}

/** What two codes k apart have as their dot product, wherever they are. */
export function similarity(k: number, frequencies: Numbers): number {
  let sum = 0;
  for (const w of frequencies) sum += Math.cos(k * w);
  return sum;
}

/** The cosine of the angle between two vectors. */
export function cosine(a: Numbers, b: Numbers): number {
  return dot(a, b) / norm(a) / norm(b);
}

/** Sine and cosine of pair i alone. */
export function pair(row: Numbers, i: number): Numbers {
  return row.subarray(2 * i, 2 * i + 2);
}

/** Whole numbers from 0 up to, without, `count`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** That of the values which is farthest from one of them. */
export function farthestFrom(one: number, values: readonly number[]): number {
  return values.reduce((far, v) => (Math.abs(v - one) > Math.abs(far - one) ? v : far), one);
}

/** The largest size among the differences of two rows, or of two matrices. */
export function farthest(a: Numbers | Matrix, b: Numbers | Matrix): number {
  let far = 0;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i]!, b[i]!];
    const gap = typeof one === "number" ? Math.abs(one - Number(other)) : farthest(one, other as Numbers);
    if (!(gap <= far)) far = gap; // NaN is farther than anything
  }
  return far;
}

/** How far apart the largest and the smallest are. */
export function spread(values: Iterable<number>): number {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}

/** The same numbers with all sines before all cosines. */
export function halves(row: Numbers): Numbers {
  const half = row.length / 2;
  return row.map((_, i) => row[i < half ? 2 * i : 2 * (i - half) + 1]!);
}

/** An angle within one turn, from 0 up to 2 pi. */
export function withinTurn(angle: number): number {
  const turn = 2 * Math.PI;
  return ((angle % turn) + turn) % turn;
}
