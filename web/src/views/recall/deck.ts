// Which question comes next: shuffled, and what was missed comes again after two others; missed
// again it goes to the end, so that three hard ones cannot hold up the rest.

import type { Claim } from "../../payload";
import { uniform } from "../../random";

/** A question, as `posenc.explorer.views.recall` states it. */
export interface Item {
  id: string;
  kind: "verdict" | "which" | "among" | "slider" | "number";
  claim: string;
  view: string;
  /** Of `which`: from and below which numbers each is right; of `among`: the numbers themselves. */
  options?: Record<string, readonly [number, number]> | readonly number[];
  low?: number;
  high?: number;
  within?: number;
}

/** What the claim says is so. */
export function answer(claim: Claim): number {
  return claim.actual ?? claim.expected;
}

/** What can be chosen, by name. */
export function choices({ kind, options }: Item): string[] {
  if (kind === "verdict") return ["holds", "false", "only if"];
  if (options === undefined) return [];
  return Array.isArray(options) ? options.map(String) : Object.keys(options);
}

/** Whether a guess is right: the claim alone decides. */
export function right(item: Item, claim: Claim, guess: string): boolean {
  const due = answer(claim);
  if (item.kind === "verdict") return guess === claim.verdict;
  if (item.kind === "which") {
    const [from, below] = (item.options as Record<string, readonly [number, number]>)[guess] ?? [1, 0];
    return from <= due && due < below;
  }
  return Math.abs(Number(guess) - due) <= (item.within ?? 0);
}

export interface Saved {
  seed: number;
  queue: string[];
  /** Whether each question that was asked was right at once. */
  first: Record<string, boolean>;
}

const AGAIN = 2; // other questions before one that was missed

export class Deck {
  readonly seed: number;
  readonly first: Record<string, boolean>;
  #queue: string[];

  constructor(
    readonly all: readonly string[],
    seed: number,
    saved?: Saved,
  ) {
    const known = saved?.queue.filter((id) => all.includes(id));
    this.seed = saved?.seed ?? seed;
    this.first = { ...saved?.first };
    this.#queue = known ?? shuffled(all, this.seed);
  }

  /** The question that is asked now; none at the end. */
  get current(): string | undefined {
    return this.#queue[0];
  }

  get left(): number {
    return this.#queue.length;
  }

  get rightAtOnce(): number {
    return this.all.filter((id) => this.first[id]).length;
  }

  /** Take the answer to the current question, and go on to the next. */
  take(ok: boolean): void {
    const [now, ...rest] = this.#queue;
    if (now === undefined) return;
    if (!ok) rest.splice(now in this.first ? rest.length : AGAIN, 0, now);
    this.first[now] ??= ok;
    this.#queue = rest;
  }

  get saved(): Saved {
    return { seed: this.seed, queue: [...this.#queue], first: { ...this.first } };
  }
}

/** The same order for the same seed: Fisher and Yates. */
function shuffled(all: readonly string[], seed: number): string[] {
  const [order, draw] = [[...all], uniform(seed)];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
