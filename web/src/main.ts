// Puts the page together, draws what is on the screen when something was set, and proves it all.

import { Bar } from "./bar";
import { contents } from "./contents";
import type { Result } from "./claims";
import { code } from "./core";
import { h } from "./dom";
import { Frame } from "./frame";
import { Data, type Ladder, type Language, type Packed, type Payload } from "./payload";
import { chosen, shared } from "./settings";
import { State } from "./state";
import { Strip } from "./strip";
import type { View } from "./view";
import { measured, views } from "./views";
import { words } from "./words";

const SETTLED = 280; // milliseconds without a change, after which a change is worth saying

class Page {
  readonly state: State;
  readonly views: readonly View[];
  frames: Frame[] = [];
  /** Fulfilled when everything is measured. */
  proved: Promise<void> = Promise.resolve();
  #bar: Bar | undefined;
  #drawing = false;
  #settling: number | undefined;
  #language: Language | undefined;
  readonly #seen = new IntersectionObserver((entries) => this.#scrolled(entries), { rootMargin: "200px" });
  readonly #said = h("p", { role: "status", class: "unseen" });

  constructor(
    readonly data: Data,
    readonly root: HTMLElement,
  ) {
    const { payload } = data;
    this.views = views(payload.given);
    const names = this.views.map(({ id }) => id);
    this.state = new State([
      { kind: "choice", name: "view", options: ["", ...names], start: "" },
      { kind: "switch", name: "embed", start: 0 },
      ...shared(payload),
      ...this.views.flatMap((view) => view.controls),
    ]);
    this.state.begin({ lang: preferred(), ...payload.start });
    this.state.read(location.hash);
    this.#build();
    this.#show();
    this.state.listen(() => this.#changed());
    addEventListener("popstate", () => {
      const before = this.state.text("view");
      this.state.read(location.hash);
      if (this.state.text("view") !== before) this.#show();
    });
    addEventListener("resize", () => this.#soon());
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => this.#repaint());
    }
  }

  get results(): readonly Result[] {
    return this.frames.flatMap((frame) => frame.results);
  }

  /** The frequencies that the bar has chosen. */
  ladder(): Ladder {
    return this.data.ladder(chosen(this.state, (name) => this.data.has(name)));
  }

  /** Everything again, in the language that is set. */
  #build(): void {
    const language = this.state.text("lang") as Language;
    this.#language = language;
    const { data, state } = this;
    const say = words(data.payload, language);
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    document.title = say("page.title");
    this.#bar?.stop();
    const strip = new Strip(say);
    const alone = this.#alone();
    const groups = alone ? [] : Object.entries(data.payload.groups);
    this.#bar = new Bar(state, say, strip, contents(groups, say, (view) => this.#go(view)));
    const scene = {
      data, state, say, language, ladder: () => this.ladder(), redraw: () => this.#soon(),
      ...(alone ? {} : { go: (view: string) => this.#go(view) }),
    };
    this.frames = (alone ? [alone] : this.views).map((view) =>
      new Frame(view, scene, (claim) => view.measures[claim] ?? measured(claim)),
    );
    const opening = [h("h1", {}, say("page.title")), h("p", {}, say("page.opening"))];
    this.root.replaceChildren(
      this.#bar.element,
      h("main", {}, ...(alone ? [] : opening), ...this.frames.map((frame) => frame.element)),
      this.#said,
    );
    // What will be on the screen first; the observer tells of the rest in a moment.
    const first = this.frames.findIndex(({ view }) => view.id === state.text("view"));
    this.frames.slice(Math.max(0, first), Math.max(0, first) + 2).forEach((frame) => (frame.visible = true));
    this.#seen.disconnect();
    this.frames.forEach((frame) => this.#seen.observe(frame.element));
    this.#repaint();
    this.proved = this.#prove(strip);
  }

  /** Measure a view at a time, so that the reader never waits for a number. */
  async #prove(strip: Strip): Promise<void> {
    const frames = this.frames;
    for (const frame of frames) {
      await new Promise((resume) => setTimeout(resume));
      if (frames !== this.frames) return;
      frame.prove();
    }
    strip.show(this.results);
  }

  /** The one view that is asked for, to stand inside of another page. */
  #alone(): View | undefined {
    return this.state.on("embed") ? this.views.find(({ id }) => id === this.state.text("view")) : undefined;
  }

  #go(view: string): void {
    this.state.set({ view });
    this.#show();
  }

  /** Bring the view that the address names to the top. */
  #show(): void {
    document.getElementById(this.state.text("view"))?.scrollIntoView();
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
    const { theme, grey } = document.documentElement.dataset;
    if (theme !== this.state.text("theme") || grey !== this.state.text("grey")) this.#repaint();
    this.#restrict();
    this.#bar?.show();
    const seen = this.frames.filter((frame) => frame.visible);
    // All are measured before any is written to, or the page would be laid out for each.
    seen.map((frame) => frame.width).forEach((width, i) => seen[i]!.draw(width));
  }

  /** A code of fewer channels has fewer pairs to choose from. */
  #restrict(): void {
    this.state.restrict("pair", this.ladder().frequencies.length - 1);
  }

  #repaint(): void {
    document.documentElement.dataset["theme"] = this.state.text("theme");
    document.documentElement.dataset["grey"] = this.state.text("grey");
    this.#restrict();
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

/** What stands in the page until the script runs is not given twice: read it there. */
function readable(packed: Packed): Payload {
  const { keys, ...texts } = packed.words;
  const named = (all: readonly string[]) => Object.fromEntries(keys.map((key, i) => [key, all[i]!]));
  const payload = { ...packed, words: { en: named(texts.en), zh: named(texts.zh) } };
  const words = payload.words[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];
  for (const section of document.querySelectorAll("main > section")) {
    words[`${section.id}.title`] ??= section.querySelector("h2")?.textContent ?? "";
    words[`${section.id}.text`] ??= section.querySelector("p")?.textContent ?? "";
  }
  return payload;
}

const text = document.getElementById("payload")?.textContent ?? "";
const page = new Page(new Data(readable(JSON.parse(text) as Packed)), document.body);
Object.assign(window, {
  posenc: {
    state: () => page.state.values,
    set: (values: Record<string, unknown>) => (page.state.set(values), page.draw()),
    ready: () => page.proved,
    code: (p: number) => [...code(p, page.ladder().frequencies)],
    claims: () => page.results.map(({ claim, value, ok }) => ({ id: claim.id, value, ok })),
  },
});
performance.mark("ready");
