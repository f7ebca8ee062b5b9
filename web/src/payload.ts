// What Python wrote into the page, as `posenc.explorer._payload` describes it.

import { decode, ladder, type Matrix, type Numbers } from "./core";

export type Language = "en" | "zh";
export type Relation = "equal" | "at_most" | "at_least";

export interface Claim {
  id: string;
  relation: Relation;
  expected: number;
  tolerance: number;
  verdict: "holds" | "false" | "only if";
  actual: number | null;
  plain: string;
}

/** Frequencies as they are, or as steps, see `ladder`; with the call that makes them, and facts. */
type Stored = { python: string } & (
  | { frequencies: string }
  | { first: number; ratio: number; off: readonly number[] }
);

/** As it is packed: the keys of all words, and each language's in their order. */
export type Packed = Omit<Payload, "words"> & {
  words: { keys: readonly string[] } & Record<Language, readonly string[]>;
};

export interface Payload {
  schema: 2;
  version: string;
  /** The views, by part of the page. */
  groups: Record<string, readonly string[]>;
  /** The chapter of `posenc tour` that tells the same, by view. */
  chapters: Record<string, number>;
  /** Places in the list of claims, by view. */
  measured: Record<string, readonly number[]>;
  /** Encodings that this page was asked for: what each is called, and what Python calls it. */
  given: readonly (readonly [name: string, python: string])[];
  /** What the bar lets the reader choose. */
  schemes: readonly string[];
  dims: readonly number[];
  bases: readonly number[];
  ladders: Record<string, Stored>;
  numbers: Record<string, { shape: readonly number[]; data: string | readonly number[] }>;
  /** What else a view was given, by its name; see `Data.extra`. */
  extra: Record<string, unknown>;
  claims: readonly Claim[];
  words: Record<Language, Record<string, string>>;
  /** What is set when the page opens, as an address says it. */
  start: Record<string, string | number>;
}

/** Frequencies, and what is known of them. */
export interface Ladder {
  name: string;
  /** Radians a position, fastest first. */
  frequencies: Numbers;
  /** The call of posenc that makes the encoding. */
  python: string;
  /** A number that belongs to it, such as `dim`, `base`, `factor`; NaN where it has none. */
  fact(name: string): number;
}

/** The payload, and its vectors as numbers. */
export class Data {
  readonly #ladders = new Map<string, Ladder>();
  readonly #arrays = new Map<string, Numbers>();

  constructor(readonly payload: Payload) {}

  ladder(name: string): Ladder {
    const known = this.#ladders.get(name);
    if (known) return known;
    const stored = found(this.payload.ladders, name);
    const made = {
      name,
      frequencies: frequencies(stored),
      python: stored.python,
      fact: (asked: string) => Number((stored as Record<string, unknown>)[asked] ?? NaN),
    };
    this.#ladders.set(name, made);
    return made;
  }

  has(ladder: string): boolean {
    return ladder in this.payload.ladders;
  }

  /** Whether there are such numbers. */
  holds(name: string): boolean {
    return name in this.payload.numbers;
  }

  frequencies(ladder: string): Numbers {
    return this.ladder(ladder).frequencies;
  }

  /** All numbers of an array, row after row. */
  numbers(name: string): Numbers {
    const { data } = found(this.payload.numbers, name);
    const numbers = this.#arrays.get(name) ?? decode(data);
    this.#arrays.set(name, numbers);
    return numbers;
  }

  /** An array of two or more dimensions as rows of its last one. */
  matrix(name: string): Matrix {
    const wide = found(this.payload.numbers, name).shape.at(-1) ?? 1;
    const all = this.numbers(name);
    return Array.from({ length: all.length / wide }, (_, i) => all.subarray(i * wide, (i + 1) * wide));
  }

  /** What else a view was given: it alone knows of what form that is. */
  extra<T>(view: string): T {
    return found(this.payload.extra, view) as T;
  }

  claim(id: string): Claim {
    const claim = this.payload.claims.find((each) => each.id === id);
    if (claim === undefined) throw new Error(`the payload has no claim ${id}`);
    return claim;
  }
}

function frequencies(stored: Stored): Numbers {
  if ("frequencies" in stored) return decode(stored.frequencies);
  return ladder(stored.first, stored.ratio, stored.off);
}

function found<T>(named: Record<string, T>, name: string): T {
  const value = named[name];
  if (value === undefined) throw new Error(`the payload has no ${name}`);
  return value;
}
