// A view on the page: question, picture, numbers, what it proves, and the same in Python.

import { prove, type Result } from "./claims";
import { knob, type Knob } from "./controls";
import { h } from "./dom";
import { Pen } from "./pen";
import type { Language } from "./payload";
import type { Scene, View } from "./view";
import { shown, type Words } from "./words";

export class Frame {
  readonly element: HTMLElement;
  /** What was measured, once it was. */
  results: readonly Result[] = [];
  visible = true;
  readonly #pen: Pen;
  readonly #knobs: Knob[];
  readonly #numbers = h("dl", { class: "numbers" });
  readonly #table = h("table");
  readonly #more: HTMLDetailsElement;
  readonly #claims = h("ul", { class: "claims" });
  readonly #summary: HTMLElement;

  constructor(
    readonly view: View,
    readonly scene: Scene,
    readonly language: Language,
  ) {
    const { id } = view;
    const say: Words = scene.say;
    const canvas = h("canvas", {
      role: "img", "aria-labelledby": `${id}-caption`, "aria-describedby": `${id}-summary`,
      onpointerdown: (event: PointerEvent) => this.#point(event),
      onpointermove: (event: PointerEvent) => event.buttons && this.#point(event),
    });
    this.#pen = new Pen(canvas);
    this.#knobs = view.controls.map((control) => knob(control, scene.state, say, id));
    this.#summary = h("p", { id: `${id}-summary`, class: "unseen" });
    this.#more = h(
      "details", { ontoggle: () => this.#tabulate() },
      h("summary", {}, say("frame.table")), h("div", { class: "scroll", tabindex: 0 }, this.#table),
    );
    this.element = h(
      "section", { id, "aria-labelledby": `${id}-title` },
      h("h2", { id: `${id}-title` }, say(`${id}.title`)),
      h("p", { class: "question" }, say(`${id}.question`)),
      h("figure", {}, canvas, h("figcaption", { id: `${id}-caption` }, say(`${id}.caption`))),
      this.#summary,
      h("div", { class: "knobs" }, ...this.#knobs.map((each) => each.element)),
      this.#numbers, this.#more,
      h("p", {}, say(`${id}.text`)),
      h("details", {}, h("summary", {}, say("frame.deeper")), h("p", {}, say(`${id}.deeper`))),
      this.#claims,
      h("p", { class: "copies" }, ...this.#copies()),
    );
  }

  /** Draw what is set now. */
  draw(): void {
    const pen = this.#pen;
    const width = pen.canvas.clientWidth;
    pen.begin(width, this.view.height(width));
    pen.canvas.style.height = `${pen.height}px`;
    this.view.draw(pen, this.scene);
    this.#knobs.forEach((each) => each.show());
    const told = this.view.numbers(this.scene);
    this.#numbers.replaceChildren(
      ...told.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
    );
    this.#tabulate();
  }

  /** The theme has changed. */
  repaint(): void {
    this.#pen.dip();
    this.draw();
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
    const measured = Object.entries(this.view.measures);
    this.results = measured.map(([id, measure]) => prove(data.claim(id), measure, data));
    this.#claims.replaceChildren(...this.results.map((result) => this.#told(result)));
    this.element.classList.toggle("broken", this.results.some((result) => !result.ok));
    return this.results;
  }

  #told({ claim, value, ok }: Result): HTMLElement {
    const { say } = this.scene;
    const verdict = claim.verdict === "holds" ? "" : `${say(`verdict.${claim.verdict}`)} `;
    const due = say(`relation.${claim.relation}`, {
      expected: shown(claim.expected), tolerance: shown(claim.tolerance),
    });
    return h(
      "li", { class: ok ? "ok" : "bad", "data-claim": claim.id },
      h("b", {}, ok ? "✓ " : "✗ "), verdict, claim.statement[this.language],
      h("small", {}, ` ${say("frame.measured", { value: shown(value, 9) })} ${due}`),
    );
  }

  #tabulate(): void {
    if (!this.#more.open) return;
    const { head, rows } = this.view.table(this.scene);
    const cells = (tag: "th" | "td", row: readonly string[]) => row.map((cell) => h(tag, {}, cell));
    this.#table.replaceChildren(
      h("thead", {}, h("tr", {}, ...cells("th", head))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells("td", row)))),
    );
  }

  #point(event: PointerEvent): void {
    const set = this.view.pick?.(event.offsetX, event.offsetY, this.#pen, this.scene);
    if (set) this.scene.state.set(set);
  }

  #copies(): HTMLElement[] {
    const plain = () => Object.keys(this.view.measures)
      .map((id) => this.scene.data.claim(id))
      .map((claim) => `# ${claim.statement[this.language]}\n${claim.plain}\nprint(value)`)
      .join("\n\n");
    const copy = (key: string, text: () => string) => {
      const button = h("button", {
        type: "button",
        onclick: async () => {
          await navigator.clipboard.writeText(text());
          button.textContent = this.scene.say("frame.copied");
        },
      }, this.scene.say(key));
      return button;
    };
    const numpy = () => `import numpy as np\nimport math\n\n${plain()}\n`;
    return [copy("frame.python", () => this.view.python(this.scene)), copy("frame.numpy", numpy)];
  }
}
