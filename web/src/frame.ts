// A view on the page: question, picture, numbers, what it proves, and the same in Python.

import { due, prove, type Measure, type Result } from "./claims";
import { knob, type Knob } from "./controls";
import { copier } from "./copier";
import { h } from "./dom";
import { Pen } from "./pen";
import type { Panel, Scene, Told, View } from "./view";
import { shown } from "./words";

export class Frame {
  readonly element: HTMLElement;
  /** What was measured, once it was. */
  results: readonly Result[] = [];
  visible = false;
  readonly #pen: Pen | undefined;
  readonly #panel: Panel | undefined;
  readonly #knobs: Knob[];
  readonly #numbers = h("dl", { class: "numbers" });
  readonly #table = h("table");
  readonly #more: HTMLDetailsElement;
  readonly #claims = h("ul", { class: "claims" });
  readonly #summary: HTMLElement;

  constructor(
    readonly view: View,
    readonly scene: Scene,
    /** How a claim is measured, by this view or another. */
    private readonly measure: (claim: string) => Measure | undefined,
  ) {
    const { id } = view;
    const { say } = scene;
    const canvas = h("canvas", {
      role: "img", "aria-labelledby": `${id}-caption`, "aria-describedby": `${id}-summary`,
      onpointerdown: (event: PointerEvent) => this.#point(event, true),
      onpointermove: (event: PointerEvent) => event.buttons && this.#point(event, false),
    });
    this.#pen = view.picture && new Pen(canvas);
    this.#panel = view.panel?.(scene);
    this.#knobs = view.controls.map((control) => knob(control, scene.state, say, id));
    this.#summary = h("p", { id: `${id}-summary`, class: "unseen" });
    this.#more = h(
      "details", { ontoggle: () => this.#tabulate() },
      h("summary", {}, say("frame.table")), h("div", { class: "scroll", tabindex: 0 }, this.#table),
    );
    const chapter = scene.data.payload.chapters[id];
    const caption = h("figcaption", { id: `${id}-caption` }, say(`${id}.caption`));
    this.element = h(
      "section", { id, "aria-labelledby": `${id}-title` },
      h("h2", { id: `${id}-title` }, say(`${id}.title`)),
      h("p", { class: "question" }, say(`${id}.question`)),
      ...(this.#pen ? [h("figure", {}, canvas, caption)] : []),
      this.#summary,
      h("div", { class: "knobs" }, ...this.#knobs.map((each) => each.element)),
      ...(this.#panel ? [this.#panel.element] : []),
      this.#numbers, ...(view.table ? [this.#more] : []),
      h("p", { class: "therefore" }, say(`${id}.text`)),
      h("details", {}, h("summary", {}, say("frame.deeper")), h("p", {}, say(`${id}.deeper`))),
      view.hidden || !scene.go ? h("details", {}, h("summary", {}, say("frame.claims")), this.#claims) : this.#claims,
      h("p", { class: "copies" }, ...this.#copies(), chapter ? h("code", {}, `posenc tour --chapter ${chapter}`) : ""),
    );
  }

  get width(): number {
    return this.#pen?.canvas.clientWidth ?? 0;
  }

  /** Draw what is set now. */
  draw(width = this.width): void {
    const { view, scene } = this;
    const pen = this.#pen;
    if (pen && view.picture) {
      pen.begin(width, view.picture.height(width, scene));
      pen.canvas.style.height = `${pen.height}px`;
      view.picture.draw(pen, scene);
    }
    this.#panel?.show();
    this.#knobs.forEach((each) => each.show());
    this.#tell(view.numbers(scene));
    this.#tabulate();
  }

  /** Numbers in the elements that are there, so that nothing is laid out anew. */
  #tell(told: readonly Told[]): void {
    const there = this.#numbers.children;
    if (there.length !== told.length) {
      const pair = () => h("div", {}, h("dt"), h("dd"));
      this.#numbers.replaceChildren(...told.map(pair));
    }
    told.forEach((words, i) => {
      words.forEach((text, j) => {
        const element = there[i]?.children[j];
        if (element && element.textContent !== text) element.textContent = text;
      });
    });
  }

  /** The theme has changed. */
  repaint(): void {
    this.#pen?.dip();
    if (this.visible) this.draw();
  }

  /** For those who do not see the picture; said when the reader has stopped. */
  summarise(): string {
    const told = this.view.numbers(this.scene).map(([label, value]) => `${label} ${value}`);
    this.#summary.textContent = told.join("; ");
    return this.#summary.textContent;
  }

  /** Measure everything that the view claims. */
  prove(): readonly Result[] {
    const { data } = this.scene;
    const { claims, measured } = data.payload;
    const due = (measured[this.view.id] ?? []).map((place) => claims[place]!);
    this.results = due.map((claim) => prove(claim, this.measure(claim.id), data));
    this.#claims.replaceChildren(...this.results.map((result) => this.#told(result)));
    this.summarise();
    this.element.classList.toggle("broken", this.results.some((result) => !result.ok));
    return this.results;
  }

  #told({ claim, value, ok }: Result): HTMLElement {
    const { say } = this.scene;
    const verdict = claim.verdict === "holds" ? "" : say(`verdict.${claim.verdict}`);
    return h(
      "li", { class: ok ? "ok" : "bad", "data-claim": claim.id },
      h("b", {}, ok ? "✓ " : "✗ "), verdict, say(`claim:${claim.id}`),
      h("small", {}, ` ${say("frame.measured", { value: shown(value, 9) })}${due(claim, say)}`),
    );
  }

  #tabulate(): void {
    if (!this.#more.open || !this.view.table) return;
    const { head, rows } = this.view.table(this.scene);
    this.#table.replaceChildren(
      h("thead", {}, h("tr", {}, ...head.map((cell) => (cell ? h("th", { scope: "col" }, cell) : h("td"))))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))),
    );
  }

  #point(event: PointerEvent, begins: boolean): void {
    if (!this.#pen) return;
    const { offsetX: x, offsetY: y } = event;
    const set = this.view.picture?.pick?.(x, y, this.#pen, this.scene, begins);
    if (set) this.scene.state.set(set);
  }

  #copies(): HTMLElement[] {
    const plain = () => this.results
      .map(({ claim }) => `# ${this.scene.say(`claim:${claim.id}`)}\n${claim.plain}\nprint(value)`)
      .join("\n\n");
    const numpy = () => `import numpy as np\nimport math\n\n${plain()}\n`;
    const python = copier(this.scene.say, "frame.python", () => this.view.python(this.scene));
    const measures = this.scene.data.payload.measured[this.view.id]?.length;
    return measures ? [python, copier(this.scene.say, "frame.numpy", numpy)] : [python];
  }
}
