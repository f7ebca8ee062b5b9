// Sentences and numbers as the reader sees them.

import type { Language, Payload } from "./payload";

/** Looks sentences up in one language. */
export type Words = (key: string, slots?: Record<string, string | number>) => string;

export function words(payload: Payload, language: Language): Words {
  return (key, slots = {}) => {
    const text = payload.words[language][key];
    if (text === undefined) throw new Error(`the payload has no words for ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(slots[name] ?? ""));
  };
}

const THIN = "\u2009";

/** A number with a few digits: the same in every language, thousands apart. */
export function shown(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) {
    const [mantissa = "", exponent = ""] = value.toExponential(1).split("e");
    return `${signed(mantissa)}e${signed(exponent.replace("+", ""))}`;
  }
  const text = Number.isInteger(value) ? String(value) : value.toFixed(digits);
  const [whole = "", part] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, size >= 10_000 ? THIN : "");
  return signed(part === undefined ? grouped : `${grouped}.${part}`);
}

function signed(text: string): string {
  return text.replace("-", "\u2212");
}
