// The bar on top: position, player, language, theme, how many claims hold, and a link to all of it.

import { knob, type Knob } from "./controls";
import { h } from "./dom";
import { Player } from "./player";
import type { Control, State } from "./state";
import type { Strip } from "./strip";
import type { Words } from "./words";

export const SHARED: readonly Control[] = [
  { kind: "range", name: "p", min: 0, max: 1023, start: 12 },
  { kind: "range", name: "speed", min: 1, max: 120, start: 30 },
  { kind: "choice", name: "lang", options: ["en", "zh"], start: "en" },
  { kind: "choice", name: "theme", options: ["auto", "light", "dark"], start: "auto" },
];

export class Bar {
  readonly element: HTMLElement;
  readonly #knobs: Knob[];

  constructor(state: State, say: Words, strip: Strip) {
    const at = (name: string) => knob(state.control(name), state, say);
    this.#knobs = SHARED.map(({ name }) => at(name));
    const [position, ...others] = this.#knobs.map((each) => each.element);
    const play = h("button", { type: "button", class: "play" }, say("bar.play"));
    const player = new Player(state, (playing) => {
      play.textContent = say(playing ? "bar.pause" : "bar.play");
      play.setAttribute("aria-pressed", String(playing));
    });
    play.addEventListener("click", () => player.toggle());
    const link = h("button", {
      type: "button",
      onclick: async () => {
        await navigator.clipboard.writeText(location.href);
        link.textContent = say("frame.copied");
      },
    }, say("bar.link"));
    addEventListener("keydown", (event) => {
      const { tagName = "" } = (event.target as HTMLElement | null) ?? {};
      if (event.key !== " " || /INPUT|SELECT|BUTTON|SUMMARY/.test(tagName)) return;
      event.preventDefault();
      player.toggle();
    });
    const settings = h("details", { class: "settings" }, h("summary", {}, say("bar.settings")),
      ...others, link);
    this.element = h("header", {}, position ?? "", play, strip.element, settings);
  }

  show(): void {
    this.#knobs.forEach((each) => each.show());
  }
}
