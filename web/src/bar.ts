// The bar on top: position, player, what the code is made of, how many claims hold, settings.

import { knob, type Knob } from "./controls";
import { copier } from "./copier";
import { h } from "./dom";
import { Player } from "./player";
import type { State } from "./state";
import type { Strip } from "./strip";
import type { Words } from "./words";

const STEPS = [-64, -1, 1, 64];

export class Bar {
  readonly element: HTMLElement;
  readonly #knobs: Knob[] = [];
  readonly #player: Player;

  constructor(state: State, say: Words, strip: Strip, contents: HTMLElement) {
    const at = (name: string) => {
      const made = knob(state.control(name), state, say);
      this.#knobs.push(made);
      return made.element;
    };
    const play = h("button", { type: "button", class: "play" }, say("bar.play"));
    this.#player = new Player(state, (playing) => {
      play.textContent = say(playing ? "bar.pause" : "bar.play");
      play.setAttribute("aria-pressed", String(playing));
    });
    play.addEventListener("click", () => this.#player.toggle());
    const link = copier(say, "bar.link", () => location.href);
    document.onkeydown = (event) => {
      const { tagName = "", type } = (event.target as HTMLInputElement | null) ?? {};
      if (event.key !== " " || (/INPUT|SELECT|BUTTON|SUMMARY|TEXTAREA|^A$/.test(tagName) && type !== "range")) return;
      event.preventDefault();
      this.#player.toggle();
    };
    const steps = STEPS.map((by) =>
      h("button", {
        type: "button", class: "step", "aria-label": say("bar.by", { by }),
        onclick: () => state.set({ p: state.number("p") + by }),
      }, by > 0 ? `+${by}` : `\u2212${-by}`),
    );
    const code = ["scheme", "dim", "base", "layout"].map(at);
    const settings = ["speed", "lang", "theme", "grey"].map(at);
    this.element = h(
      "header", {},
      at("p"), h("div", { class: "steps" }, ...steps, play), strip.element,
      h("details", { class: "settings" }, h("summary", {}, say("bar.code")), h("div", {}, ...code)),
      h("details", { class: "settings" }, h("summary", {}, say("bar.settings")), h("div", {}, ...settings, link)),
      contents,
    );
  }

  /** Before another bar takes its place. */
  stop(): void {
    if (this.#player.playing) this.#player.stop();
  }

  show(): void {
    this.#knobs.forEach((each) => each.show());
  }
}
