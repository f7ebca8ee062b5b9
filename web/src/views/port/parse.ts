// What was pasted, as numbers or as the facts of a config. Nothing is worked out here.

import type { Numbers } from "../../core";

/** Numbers, and how far each may be off for the digits that were written, as a share of it. */
export interface List {
  kind: "list";
  values: Numbers;
  slack: Numbers;
}

/** What a config says of its rotary encoding: numbers by their own names, and the rule's name. */
export interface Config {
  kind: "config";
  dim: number;
  base: number;
  rule: string;
  facts: Record<string, number>;
}

/** Why it is neither: a key of words, and the text that it stumbled over. */
export interface Wrong {
  kind: "wrong";
  why: "empty" | "word" | "sign" | "cut" | "count" | "json" | "lacks";
  at: string;
}

const [LEAST, MOST] = [4, 20_000];
const NUMBER = /^[+-]?(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

export function parse(text: string): List | Config | Wrong {
  const whole = text.trim();
  if (whole === "") return wrong("empty");
  return whole.startsWith("{") ? config(whole) : list(whole);
}

function wrong(why: Wrong["why"], at = ""): Wrong {
  return { kind: "wrong", why, at: at.slice(0, 24) };
}

function list(text: string): List | Wrong {
  if (/\.\.\.|…/.test(text)) return wrong("cut");
  const words = text
    .replace(/\b(?:dtype|device)\s*=\s*[\w.:'"]+/g, " ")
    .replace(/\b[a-z_]\w*(?:\.[a-z_]\w*)*\s*[=(]/gi, " ")
    .split(/[\s,;[\](){}]+/)
    .filter((word) => word !== "");
  if (words.length > MOST) return wrong("count", String(words.length));
  const read = words.map((word) => NUMBER.exec(word.replace(/^([+-]?)\./, "$10.")));
  const odd = read.findIndex((found, i) => found === null || !Number.isFinite(Number(words[i])));
  if (odd >= 0) return wrong("word", words[odd]);
  if (words.length < LEAST) return wrong("count", String(words.length));
  const values = Float64Array.from(words, Number);
  const sign = values.findIndex((value, _, all) => value < 0 || all.every((each) => each === 0));
  if (sign >= 0) return wrong("sign", words[sign]);
  // One who prints so many digits prints them of every number: those that lack are zeros.
  const digits = { plain: 0, raised: 0 };
  const form = (found: RegExpExecArray | null) => (found?.[3] === undefined ? "plain" : "raised");
  for (const found of read) digits[form(found)] = Math.max(digits[form(found)], found?.[2]?.length ?? 0);
  const slack = values.map((value, i) => {
    const found = read[i] ?? null;
    const places = digits[form(found)] - Number(found?.[3] ?? 0);
    return places === 0 ? 0 : (0.5 * 10 ** -places) / Math.abs(value || 1);
  });
  return { kind: "list", values, slack };
}

type Dict = Record<string, unknown>;

function dict(value: unknown): Dict | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Dict) : undefined;
}

function number(from: Dict | undefined, ...names: string[]): number {
  const found = names.map((name) => from?.[name]).find((value) => typeof value === "number");
  return found === undefined ? NaN : Number(found);
}

function config(text: string): Config | Wrong {
  let read: Dict | undefined;
  try {
    read = dict(JSON.parse(text));
  } catch (error) {
    return wrong("json", error instanceof Error ? error.message.replace(/^.*(position \d+).*$/s, "$1") : "");
  }
  const all = { ...read, ...dict(read?.["text_config"]) };
  const stated = dict(all["rope_parameters"]) ?? dict(all["rope_scaling"]) ?? {};
  const layers = Object.values(stated).some(dict); // with rules, and often bases, of their own
  const head = number(all, "qk_rope_head_dim", "head_dim");
  const share = number({ ...all, ...stated }, "partial_rotary_factor", "rotary_pct");
  const whole = Number.isNaN(head) ? number(all, "hidden_size") / number(all, "num_attention_heads") : head;
  const dim = whole * (Number.isNaN(share) ? 1 : share);
  const base = number({ ...all, ...stated }, "rope_theta", "rotary_emb_base");
  if (Number.isNaN(dim)) return wrong("lacks", "head_dim");
  if (Number.isNaN(base) && !layers) return wrong("lacks", "rope_theta");
  const rule = layers ? "per layer" : String(stated["rope_type"] ?? stated["type"] ?? "default");
  const others = Object.entries(stated).filter(([name]) => !/theta|type|partial/.test(name));
  const facts = Object.fromEntries(others.map(([name, value]) => [name, Number(value)]));
  return { kind: "config", dim, base, rule, facts };
}
