// A button that copies a text, or shows it where nothing can be copied.

import { h } from "./dom";
import type { Words } from "./words";

const SAID = 1500; // milliseconds for which the button says that it has copied

export function copier(say: Words, key: string, text: () => string): HTMLElement {
  const shown = h("pre", { tabindex: 0 });
  const button = h("button", {
    type: "button",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        // Inside of a frame without rights.
        shown.textContent = text();
        button.after(shown);
        return;
      }
      button.textContent = say("frame.copied");
      setTimeout(() => (button.textContent = say(key)), SAID);
    },
  }, say(key));
  return button;
}
