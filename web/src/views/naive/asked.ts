// The questions as a table: a way in each row, with its number and whether that is good.

import { h } from "../../dom";
import type { Panel, Scene } from "../../view";
import { shown } from "../../words";
import { answers, ASKED, past, WAYS, type Way } from "./ways";

export function asked(scene: Scene): Panel {
  const { say } = scene;
  const cells = WAYS.map(() => ASKED.map(() => h("td")));
  const head = ASKED.map((key) => h("th", { scope: "col" }, say(`naive.${key}`)));
  const row = (way: Way, i: number) =>
    h("tr", {}, h("th", { scope: "row" }, say(`naive.${way}`)), ...cells[i]!);
  const table = h(
    "table", { class: "tight" },
    h("thead", {}, h("tr", {}, h("td"), ...head)),
    h("tbody", {}, ...WAYS.map(row)),
  );
  const show = () => WAYS.forEach((way, i) => {
    const there = !past(way, scene.state.number("p"), scene);
    answers(way, scene).forEach(([value, good], j) => {
      const cell = cells[i]![j]!;
      cell.className = good ? "ok" : "missed";
      cell.replaceChildren(h("b", {}, good ? "✓ " : "✗ "), shown(there ? value : NaN, 3));
    });
  });
  show();
  return { element: h("div", { class: "scroll", tabindex: 0 }, table), show };
}
