// What is pasted, held against the frequencies that the page has; nothing leaves it.

import { Chart } from "../chart";
import { h } from "../dom";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import type { Panel, Scene, View } from "../view";
import { shown } from "../words";
import { curves } from "./curves";
import { ratio } from "./port/compare";
import { EXAMPLES } from "./port/examples";
import { called, differs, judged, type Result, type Slots } from "./port/judge";
import { rotary } from "./rotary";
import { rules } from "./rules";
import { shifted } from "./shift";

const LEAST = 1e-3; // the smallest logarithm of a ratio that fills the height
const EQUAL = 1e-6; // what float32 leaves of it
const MOST = 1024; // rows of the table

// Outside of the panel, so that another language finds what was pasted.
let text: string | undefined;
let result: Result = { said: [] };

function take(data: Data, pasted: string): void {
  [text, result] = [pasted, judged(data, pasted)];
}

function begun(scene: Scene): Result {
  if (text === undefined) take(scene.data, EXAMPLES["tensor2tensor"]!(scene.data));
  return result;
}

function panel(scene: Scene): Panel {
  const { data, say } = scene;
  begun(scene);
  const status = h("div", { role: "status" });
  const box = h("textarea", {
    id: "port-list", rows: 5, spellcheck: "false", autocomplete: "off",
    oninput: () => changed(box.value),
  });
  const changed = (pasted: string) => {
    take(data, pasted);
    tell();
    scene.redraw();
  };
  const tell = () => status.replaceChildren(...result.said.map(([key, slots]) => {
    const named = Object.entries(slots).map(([slot, value]) =>
      [slot, slot === "ladder" || slot === "plain" ? called(String(value), scene) : value]);
    return h("p", {}, say(`port.${key}`, Object.fromEntries(named) as Slots));
  }));
  const buttons = Object.entries(EXAMPLES).map(([key, make]) => h("button", {
    type: "button",
    onclick: () => {
      box.value = make(data);
      changed(box.value);
    },
  }, key));
  box.value = text ?? "";
  tell();
  const element = h(
    "div", { class: "port" },
    h("label", { for: box.id }, say("port.paste")), box, status,
    h("p", { id: "port-try" }, say("port.try")),
    h("div", { class: "tokens", role: "group", "aria-labelledby": "port-try" }, ...buttons),
  );
  return { element, show: () => undefined };
}

/** The ratio of each pair to what is due, as a logarithm. */
function logs(scene: Scene): number[] {
  const { list, plain } = begun(scene);
  return list && plain ? Array.from(ratio(list.values, plain.frequencies), Math.log10) : [];
}

/** A ratio from its logarithm, in few characters. */
function times(log: number): string {
  const by = 10 ** Math.abs(log);
  if (log === 0) return "1";
  if (by < 1.02) return `${log > 0 ? "+" : "\u2212"}${(100 * (by - 1)).toPrecision(1)}%`;
  const digits = by < 10 ? by.toFixed(2) : by < 1e5 ? by.toFixed(0) : by.toExponential(0).replace("+", "");
  return `${log > 0 ? "×" : "÷"}${digits}`;
}

function axes(pen: Pen, values: readonly number[]): Chart {
  const sizes = values.map(Math.abs).filter(Number.isFinite);
  const most = 1.15 * Math.max(LEAST, ...sizes);
  return new Chart(pen, [-0.5, Math.max(1, values.length) - 0.5], [-most, most]);
}

export const port: View = {
  id: "port",
  controls: [],
  measures: {
    "sinusoid.tensor2tensor": curves.measures["sinusoid.tensor2tensor"]!,
    "distance.wrong-exponent-norm": shifted.measures["distance.wrong-exponent-norm"]!,
    "longer.linear": rules.measures["longer.linear"]!,
    "rotary.same-frequencies": rotary.measures["rotary.same-frequencies"]!,
  },

  picture: {
    height: () => 220,

    draw(pen, scene) {
      const values = logs(scene);
      const chart = axes(pen, values);
      const most = Math.max(LEAST, ...values.map(Math.abs).filter(Number.isFinite));
      if (!values.length) return pen.label(scene.say("port.nothing"), pen.width / 2, 110, "center", "faint");
      chart.levels([most, 0, -most], times);
      chart.places([0, values.length - 1], shown);
      const wide = Math.max(1, (chart.x(1) - chart.x(0)) * 0.75);
      values.forEach((value, i) => {
        const size = Number.isFinite(value) ? value : -most;
        const [from, to] = [chart.y(Math.max(0, size)), chart.y(Math.min(0, size))];
        const fill = Math.abs(size) < EQUAL ? "faint" : size > 0 ? pen.hatch : "sin";
        pen.box(chart.x(i) - wide / 2, from, wide, Math.max(2, to - from), fill);
      });
      const pair = differs(begun(scene));
      if (pair >= 0) chart.mark(pair);
    },
  },

  panel,

  numbers(scene) {
    const found = begun(scene);
    const [{ list, known }, pair] = [found, differs(found)];
    const worst = Math.max(...logs(scene).map(Math.abs));
    return [
      [scene.say("port.pairs"), list ? shown(list.values.length) : "–"],
      [scene.say("port.nearest"), known ? called(known.name, scene) : "–"],
      [scene.say("port.worst"), list && known ? shown(10 ** worst) : "–"],
      [scene.say("port.differs"), pair < 0 ? "–" : shown(pair)],
    ];
  },

  table(scene) {
    const { list, plain } = begun(scene);
    const due = plain?.frequencies ?? [];
    const rows = [...(list?.values ?? []).slice(0, MOST)].map((value, i) =>
      [String(i), ...[value, due[i] ?? NaN, value / (due[i] ?? NaN)].map((x) => shown(x, 9))]);
    return { head: ["i", scene.say("port.pasted"), scene.say("port.due"), scene.say("port.ratio")], rows };
  },

  python(scene) {
    const { list, known } = begun(scene);
    const pasted = `pasted = np.array([${[...(list?.values ?? [])].join(", ")}])\n`;
    if (!known) return `import numpy as np\n\n${pasted}print(pasted[1:] / pasted[:-1])\n`;
    return `import numpy as np, posenc\n\n${pasted}print(pasted / ${known.python}.frequencies())\n`;
  },
};
