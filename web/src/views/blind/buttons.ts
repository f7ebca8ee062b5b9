// Three tokens as buttons, that the arrow keys and a press move along.

import { h } from "../../dom";
import type { Panel, Scene } from "../../view";
import { names, order, swapped } from "./sentence";

export function movable(scene: Scene): Panel {
  const element = h("div", { class: "tokens", role: "group", "aria-label": scene.say("blind.order") });
  const move = (at: number, by: number) => {
    const to = (at + by + 3) % 3;
    scene.state.set(swapped(scene, at, to) ?? {});
    show();
    (element.children[to] as HTMLElement | undefined)?.focus();
  };
  const show = () => {
    const [places, named] = [order(scene), names(scene)];
    element.hidden = places.length !== 3;
    const words = places.map((token) => `${named[token]} ⇄`);
    if (element.hidden || element.textContent === words.join("")) return;
    element.replaceChildren(...words.map((word, at) =>
      h("button", {
        type: "button", onclick: () => move(at, 1),
        onkeydown: (event: KeyboardEvent) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (by) move(at, by);
        },
      }, word),
    ));
  };
  show();
  return { element, show };
}
