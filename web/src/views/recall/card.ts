// One question: its choices, slider or box, and after a guess what is so.

import { prove, type Measure } from "../../claims";
import { h } from "../../dom";
import type { Scene } from "../../view";
import { shown } from "../../words";
import { answer, choices, right, type Item } from "./deck";
import { line } from "./line";

const STEPS = 512; // places of a slider

function short(value: number): string {
  return shown(value, Number.isInteger(value) ? 0 : 3);
}

export interface Told {
  /** What was guessed, before it is taken. */
  guessed(guess: string): void;
  next(ok: boolean): void;
}

export class Card {
  readonly element: HTMLElement;
  readonly #field: HTMLFieldSetElement;
  readonly #status = h("div", { role: "status" });
  #guess: string | undefined;
  #showLine: () => void = () => undefined;

  constructor(
    private readonly item: Item,
    private readonly scene: Scene,
    private readonly measure: Measure | undefined,
    private readonly told: Told,
    guess?: string,
  ) {
    const asked = h("legend", { class: "question" }, scene.say(`recall.ask-${item.id}`));
    this.#field = h("fieldset", { class: "ask" }, asked);
    this.#field.append(...(choices(item).length ? this.#buttons() : this.#entry(guess)));
    this.element = h("div", {}, this.#field, this.#status);
    if (guess !== undefined) this.#reveal(guess);
  }

  #buttons(): Node[] {
    const { item, scene: { say } } = this;
    const named = (option: string) => {
      if (item.kind === "among") return short(Number(option));
      return say(`recall.${item.kind === "verdict" ? option.replace(" ", "-") : `${item.id}-${option}`}`);
    };
    const all = choices(item).map((option) => h("button", {
      type: "button", "data-option": option, onclick: () => this.#take(option),
    }, named(option)));
    return [h("div", { class: "tokens" }, ...all)];
  }

  #entry(guess: string | undefined): Node[] {
    const { item: { kind, low = 0, high = 1 }, scene: { say } } = this;
    const slides = kind === "slider";
    const box = h("input", {
      type: slides ? "range" : "number", min: low, max: high, step: slides ? (high - low) / STEPS : "any",
      value: guess ?? (slides ? (low + high) / 2 : ""), "aria-label": say("recall.guess"),
      onkeydown: (event: KeyboardEvent) => event.key === "Enter" && check(),
    });
    const check = () => box.value !== "" && this.#take(box.value);
    const button = h("button", { type: "button", onclick: check }, say("recall.check"));
    const picture = h("div");
    const row = h("div", { class: "knob" }, h("div", { class: "lined" }, picture, box), button);
    if (!slides) return [row];
    this.#showLine = () => {
      const due = this.#guess === undefined ? undefined : answer(this.#claim);
      picture.innerHTML = line(low, high, Number(box.value), due, short);
      box.setAttribute("aria-valuetext", short(Number(box.value)));
    };
    box.addEventListener("input", this.#showLine);
    this.#showLine();
    return [row];
  }

  get #claim() {
    return this.scene.data.claim(this.item.claim);
  }

  #take(guess: string): void {
    this.told.guessed(guess);
    this.#reveal(guess);
    this.#status.querySelector("button")?.focus({ preventScroll: true });
  }

  #reveal(guess: string): void {
    this.#guess = guess;
    this.#field.disabled = true;
    this.#showLine();
    for (const each of this.#field.querySelectorAll<HTMLElement>("[data-option]")) {
      const option = each.dataset["option"] ?? "";
      if (right(this.item, this.#claim, option)) each.prepend("✓ ");
      else if (option === guess) each.prepend("✗ ");
    }
    this.#status.replaceChildren(...this.#revealed(right(this.item, this.#claim, guess)));
  }

  /** What the claim says, measured now, and where to see it. */
  #revealed(ok: boolean): Node[] {
    const { scene: { say, data, go }, item: { view } } = this;
    const claim = this.#claim;
    const verdict = claim.verdict === "holds" ? "" : `${say(`verdict.${claim.verdict}`)} `;
    const value = shown(prove(claim, this.measure, data).value, 9);
    const due = { expected: shown(claim.expected), tolerance: shown(claim.tolerance) };
    const how = `${say("frame.measured", { value })} ${say(`relation.${claim.relation}`, due)}`;
    const next = h("button", { type: "button", onclick: () => this.told.next(ok) }, say("recall.next"));
    const link = h("a", {
      href: `#view=${view}`,
      onclick: (event: MouseEvent) => {
        event.preventDefault();
        go?.(view);
      },
    }, say("recall.see", { view: say(`${view}.title`) }));
    const judged = [h("b", {}, ok ? "✓ " : "✗ "), say(ok ? "recall.right" : "recall.wrong")];
    return [
      h("p", { class: ok ? "ok" : "missed" }, ...judged),
      h("p", {}, verdict, say(`claim:${claim.id}`), " ", h("small", {}, how)),
      h("p", { class: "copies" }, next, ...(go ? [link] : [])),
    ];
  }
}
