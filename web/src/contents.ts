// All views by part, as links.

import { h } from "./dom";
import type { Words } from "./words";

type Groups = readonly (readonly [group: string, views: readonly string[]])[];

export function contents(groups: Groups, say: Words, go: (view: string) => void): HTMLElement {
  const menu = h("details", { class: "settings" });
  const link = (view: string) =>
    h("a", {
      href: `#view=${view}`,
      onclick: (event: MouseEvent) => {
        event.preventDefault();
        menu.open = false;
        go(view);
      },
    }, say(`${view}.title`));
  const parts = groups.map(([group, views]) =>
    h(
      "li", {}, h("b", {}, say(`group.${group}`)),
      h("ul", {}, ...views.map((view) => h("li", {}, link(view)))),
    ),
  );
  if (!parts.length) return h("span");
  const name = say("bar.contents");
  menu.append(h("summary", {}, name), h("nav", { "aria-label": name }, h("ol", {}, ...parts)));
  return menu;
}
