// What is said of something pasted, as keys of words, and what it is held against.

import type { Data, Ladder } from "../../payload";
import type { Scene } from "../../view";
import { shown } from "../../words";
import { compare, first, plainOf } from "./compare";
import { once } from "./forms";
import { parse, type Config, type List, type Wrong } from "./parse";

/** What was pasted, and what it turned out to be; sentences as keys of words. */
export interface Result {
  said: readonly (readonly [key: string, slots: Slots])[];
  list?: List;
  known?: Ladder | undefined;
  /** What it is held against. */
  plain?: Ladder | undefined;
}

export type Slots = Record<string, string | number>;

function known(data: Data): Ladder[] {
  return Object.keys(data.payload.ladders).filter((name) => name !== "slip").map((name) => data.ladder(name));
}

export function judged(data: Data, pasted: string): Result {
  const read = parse(pasted);
  if (read.kind === "wrong") return refused(read);
  return read.kind === "config" ? configured(read, data) : listed(read, data);
}

function refused({ why, at }: Wrong): Result {
  return { said: [[`wrong-${why}`, { at }]] };
}

function listed(read: List, data: Data): Result {
  const [copies, list] = once(read);
  const finding = compare(list, known(data), data.payload.bases);
  const { cause, slots, agrees, known: found, plain } = finding;
  const numbers = Object.fromEntries(Object.entries(slots).map(([key, value]) => [key, shown(value, 4)]));
  const said: [string, Slots][] = [[cause, { ...numbers, ...(found && { ladder: found.name }) }]];
  if (copies) said.unshift([copies, {}]);
  const short = agrees === "bfloat16" || agrees === "float16";
  if (agrees) said.push([short ? "rounded" : agrees, { format: agrees }]);
  const pair = plain ? first(list, plain.frequencies) : -1;
  if (plain && pair >= 0) {
    const [pasted, due] = [list.values, plain.frequencies].map((row) => shown(row[pair] ?? NaN, 9));
    said.push(["first", { pair, pasted: pasted!, due: due!, plain: plain.name }]);
  }
  return { said, list, known: found, plain };
}

/** What a rule needs to be told; where a config is silent, the page does not guess. */
const NEEDED = ["factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"];

/** The ladder whose facts are those of a config: its own numbers, and its rule. */
function configured({ dim, base, rule, facts }: Config, data: Data): Result {
  const all = known(data);
  const ruled = (each: Ladder) =>
    [...NEEDED, ...Object.keys(facts)].every((name) => Object.is(each.fact(name), facts[name] ?? NaN));
  const found = all.filter((each) => each.fact("dim") === dim && each.fact("base") === base).find((each) =>
    (rule === "default" && each.name.startsWith("paper-")) || (each.fact(rule) === 1 && ruled(each)));
  const slots = { dim, base: shown(base), rule };
  if (found === undefined) return { said: [["config-none", slots]] };
  const values = found.frequencies;
  const list: List = { kind: "list", values, slack: values.map(() => 0) };
  const said = [["config-found", { ...slots, ladder: found.name }]] as const;
  return { said, list, known: found, plain: plainOf(found, all) };
}

/** What a ladder is called: shortly where it has a name, otherwise as Python makes it. */
export function called(name: string, { data, say, language }: Scene): string {
  const { names } = data.extra<{ names: Record<string, string> }>("port");
  const given = `control.scheme-${name}`;
  return names[name] ?? (given in data.payload.words[language] ? say(given) : data.ladder(name).python);
}

/** The first pair that differs; -1 for none. */
export function differs({ list, plain }: Result): number {
  return list && plain ? first(list, plain.frequencies) : -1;
}
