// How many of all claims hold, in a button that names those that do not.

import type { Result } from "./claims";
import { h } from "./dom";
import type { Words } from "./words";

export class Strip {
  readonly element: HTMLElement;
  readonly #say: Words;

  constructor(say: Words) {
    this.#say = say;
    this.element = h("p", { class: "strip", role: "status" }, say("strip.running"));
  }

  show(results: readonly Result[]): void {
    const bad = results.filter((result) => !result.ok);
    const counts = { ok: results.length - bad.length, all: results.length };
    this.element.classList.toggle("bad", bad.length > 0);
    this.element.replaceChildren(
      h("b", {}, bad.length ? "✗ " : "✓ "),
      h("span", { class: "wide" }, this.#say("strip.passed", counts)),
      h("span", { class: "narrow", "aria-hidden": "true" }, `${counts.ok}/${counts.all}`),
      ...bad.map(({ claim }) => h("code", {}, ` ${claim.id}`)),
    );
  }
}
