// Questions to guess at before the answer is shown; what was missed comes again.

import type { Measure } from "../claims";
import { h } from "../dom";
import type { Panel, Scene, View } from "../view";
import { Card } from "./recall/card";
import { Deck, type Item, type Saved } from "./recall/deck";
import { forget, keep, kept, possible } from "./recall/store";

const FIRST = 1; // the seed of the first order

/** `measure` finds how another view measures a claim. */
export function recall(measure: (claim: string) => Measure | undefined): View {
  let deck: Deck | undefined;
  let guess: string | undefined;
  let keeping = kept() !== undefined;

  const items = ({ data }: Scene) => data.extra<{ items: readonly Item[] }>("recall").items;
  const fresh = (scene: Scene, seed: number, saved?: Saved) =>
    (deck = new Deck(items(scene).map(({ id }) => id), seed, saved));
  const cards = (scene: Scene) => deck ?? fresh(scene, FIRST, kept());
  const asked = (scene: Scene) => items(scene).find(({ id }) => id === cards(scene).current);

  function panel(scene: Scene): Panel {
    const { say } = scene;
    const progress = h("p", { class: "cards", "aria-hidden": "true" });
    const place = h("div");
    const saves = h("p", { class: "copies" });
    const button = (key: string, onclick: () => void) => h("button", { type: "button", onclick }, say(key));

    function go(change: () => void): void {
      change();
      guess = undefined;
      if (keeping) keep(cards(scene).saved);
      build();
      place.querySelector<HTMLElement>("button, input")?.focus({ preventScroll: true });
      scene.redraw();
    }

    function build(): void {
      const item = asked(scene);
      progress.replaceChildren(...items(scene).map(({ id }) => {
        const first = cards(scene).first[id];
        const sign = first === undefined ? "·" : first ? "✓" : "↻";
        return h("b", { class: id === item?.id ? "now" : first ? "ok" : "" }, sign);
      }));
      place.replaceChildren(...(item ? [card(item)] : done()));
      const box = h("input", {
        type: "checkbox",
        onchange: () => ((keeping = box.checked) ? keep(cards(scene).saved) : forget()),
      });
      box.checked = keeping;
      const wiped = button("recall.forget", () => {
        forget();
        keeping = false;
        go(() => fresh(scene, FIRST));
      });
      const tick = h("span", { class: "knob tick" }, h("label", {}, box, say("recall.keep")));
      saves.replaceChildren(...(possible() ? [tick, wiped] : []));
    }

    function card(item: Item): HTMLElement {
      const told = {
        guessed: (given: string) => void (guess = given),
        next: (ok: boolean) => go(() => cards(scene).take(ok)),
      };
      return new Card(item, scene, measure(item.claim), told, guess).element;
    }

    function done(): Node[] {
      const { rightAtOnce, all, seed } = cards(scene);
      const said = say("recall.done", { right: rightAtOnce, all: all.length });
      const again = button("recall.again", () => go(() => fresh(scene, seed + 1)));
      return [h("p", { class: "question", role: "status" }, said), again];
    }

    build();
    const note = h("small", {}, say("recall.caption"));
    return { element: h("div", {}, progress, place, note, saves), show: () => undefined };
  }

  return {
    id: "recall",
    controls: [],
    measures: {},
    panel,

    numbers(scene) {
      const { left, rightAtOnce, all } = cards(scene);
      return [
        [scene.say("recall.left"), String(left)],
        [scene.say("recall.once"), `${rightAtOnce} / ${all.length}`],
      ];
    },

    python: (scene) =>
      "from posenc import claims\n\n" +
      `print(claims.prove(claims.find("${asked(scene)?.claim ?? "sinusoid.norm"}")))\n`,
  };
}
