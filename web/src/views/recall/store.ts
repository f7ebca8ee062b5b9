// What the reader asked to keep; in a frame without an origin the browser keeps nothing and throws.

import type { Saved } from "./deck";

const KEY = "posenc.recall";

function attempt<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

export function possible(): boolean {
  return attempt(() => (localStorage.getItem(KEY), true)) ?? false;
}

export function kept(): Saved | undefined {
  const read = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Saved> | null);
  const whole = Array.isArray(read?.queue) && typeof read.seed === "number" && typeof read.first === "object";
  return whole ? (read as Saved) : undefined;
}

export function keep(saved: Saved): void {
  attempt(() => localStorage.setItem(KEY, JSON.stringify(saved)));
}

export function forget(): void {
  attempt(() => localStorage.removeItem(KEY));
}
