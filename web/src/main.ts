// Puts the page together, draws what is on the screen when something was set, and proves it all.

import { Bar, SHARED } from "./bar";
import type { Result } from "./claims";
import { h } from "./dom";
import { Frame } from "./frame";
import { Data, type Language, type Payload } from "./payload";
import { State, type Control } from "./state";
import { Strip } from "./strip";
import type { View } from "./view";
import { VIEWS } from "./views";
import { words } from "./words";

const PLACE: readonly Control[] = [
  { kind: "choice", name: "view", options: VIEWS.map(({ id }) => id), start: VIEWS[0]?.id ?? "" },
  { kind: "range", name: "embed", min: 0, max: 1, start: 0 },
];

const SETTLED = 280; // milliseconds without a change, after which a change is worth saying

class Page {
  readonly state = new State([...PLACE, ...SHARED, ...VIEWS.flatMap((view) => view.controls)]);
  frames: Frame[] = [];
  #bar: Bar | undefined;
  #drawing = false;
  #settling: number | undefined;
  #language: Language | undefined;
  readonly #seen = new IntersectionObserver((entries) => this.#scrolled(entries));
  readonly #said = h("p", { role: "status", class: "unseen" });

  constructor(
    readonly data: Data,
    readonly main: HTMLElement,
  ) {
    this.state.begin({ lang: preferred(), ...data.payload.start });
    this.state.read(location.hash);
    this.#build();
    this.state.listen(() => this.#changed());
    addEventListener("popstate", () => this.state.read(location.hash));
    addEventListener("resize", () => this.#soon());
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => this.#repaint());
    }
  }

  get results(): readonly Result[] {
    return this.frames.flatMap((frame) => frame.results);
  }

  /** Everything again, in the language that is set. */
  #build(): void {
    const language = this.state.text("lang") as Language;
    this.#language = language;
    const say = words(this.data.payload, language);
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    document.title = say("page.title");
    const strip = new Strip(say);
    this.#bar = new Bar(this.state, say, strip);
    const scene = { data: this.data, state: this.state, say };
    this.frames = this.#asked().map((view) => new Frame(view, scene, language));
    this.main.replaceChildren(
      this.#bar.element, h("h1", {}, say("page.title")), h("p", {}, say("page.opening")),
      ...this.frames.map((frame) => frame.element), this.#said,
    );
    this.#seen.disconnect();
    this.frames.forEach((frame) => this.#seen.observe(frame.element));
    this.#repaint();
    this.frames.forEach((frame) => frame.prove());
    strip.show(this.results);
  }

  /** One view alone where that is asked for, to stand inside of another page. */
  #asked(): readonly View[] {
    const named = VIEWS.filter((view) => view.id === this.state.text("view"));
    return this.state.number("embed") && named.length ? named : VIEWS;
  }

  #changed(): void {
    if (this.state.text("lang") !== this.#language) this.#build();
    this.#soon();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#settled(), SETTLED);
  }

  #soon(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => this.draw());
  }

  /** Draw whatever is on the screen. */
  draw(): void {
    this.#drawing = false;
    const theme = this.state.text("theme");
    if (document.documentElement.dataset["theme"] !== theme) this.#repaint();
    this.#bar?.show();
    this.frames.filter((frame) => frame.visible).forEach((frame) => frame.draw());
  }

  #repaint(): void {
    document.documentElement.dataset["theme"] = this.state.text("theme");
    this.#bar?.show();
    this.frames.forEach((frame) => frame.repaint());
  }

  #scrolled(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const frame = this.frames.find(({ element }) => element === entry.target);
      if (frame) frame.visible = entry.isIntersecting;
    }
    this.#soon();
  }

  #settled(): void {
    const address = this.state.address;
    try {
      if (address !== location.hash.slice(1)) history.pushState(null, "", `#${address}`);
    } catch {
      // Inside of a frame without an origin there is no address, and no need of one.
    }
    const front = this.frames.find((frame) => frame.visible);
    if (front) this.#said.textContent = front.summarise();
  }
}

function preferred(): Language {
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

const text = document.getElementById("payload")?.textContent ?? "";
const main = document.querySelector("main");
if (main) {
  const page = new Page(new Data(JSON.parse(text) as Payload), main);
  Object.assign(window, {
    posenc: {
      state: () => page.state.values,
      set: (values: Record<string, unknown>) => (page.state.set(values), page.draw()),
      claims: () => page.results.map(({ claim, value, ok }) => ({ id: claim.id, value, ok })),
    },
  });
}
