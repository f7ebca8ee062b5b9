// What Python wrote into the page, as `posenc.explorer._payload` describes it.

import { decode, type Numbers } from "./core";

export type Language = "en" | "zh";
export type Text = Record<Language, string>;
export type Relation = "equal" | "at_most" | "at_least";

export interface Claim {
  id: string;
  statement: Text;
  relation: Relation;
  expected: number;
  tolerance: number;
  verdict: "holds" | "false" | "only if";
  actual: number | null;
  plain: string;
}

/** An encoding whose codes follow from its frequencies. */
export interface Code {
  dim: number;
  base: number;
  frequencies: string;
}

/** Rows that Python worked out, to hold the page's own against. */
export interface Golden {
  code: string;
  positions: number[];
  rows: string;
}

export interface Payload {
  schema: 1;
  version: string;
  codes: Record<string, Code>;
  golden: Record<string, Golden>;
  claims: Claim[];
  words: Record<string, Text>;
  /** What is set when the page opens, as an address says it. */
  start: Record<string, string | number>;
}

/** The payload, and its vectors as numbers. */
export class Data {
  readonly #decoded = new Map<string, Numbers>();

  constructor(readonly payload: Payload) {}

  /** The frequencies of a code, radians a position, fastest first. */
  frequencies(code: string): Numbers {
    return this.#numbers(this.code(code).frequencies);
  }

  code(name: string): Code {
    return found(this.payload.codes, name);
  }

  golden(name: string): { code: string; positions: number[]; rows: Numbers } {
    const golden = found(this.payload.golden, name);
    return { ...golden, rows: this.#numbers(golden.rows) };
  }

  claim(id: string): Claim {
    const claim = this.payload.claims.find((each) => each.id === id);
    if (claim === undefined) throw new Error(`the payload has no claim ${id}`);
    return claim;
  }

  #numbers(text: string): Numbers {
    const known = this.#decoded.get(text) ?? decode(text);
    this.#decoded.set(text, known);
    return known;
  }
}

function found<T>(named: Record<string, T>, name: string): T {
  const value = named[name];
  if (value === undefined) throw new Error(`the payload has no ${name}`);
  return value;
}
