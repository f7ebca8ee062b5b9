// Sliders with a box for the number beside them, and lists to choose from.

import { h } from "./dom";
import type { Control, State } from "./state";
import { shown, type Words } from "./words";

const LEAP = 64;
const STRIDE = 8;

/** The element for a control, and a function that shows its value in it. */
export interface Knob {
  element: HTMLElement;
  show(): void;
}

/** `within` tells apart two sliders that set the same thing in different places. */
export function knob(control: Control, state: State, say: Words, within = "bar"): Knob {
  if (control.kind === "range") return slider(control, state, say, within);
  return control.kind === "switch"
    ? tick(control, state, say, within)
    : list(control, state, say, within);
}

function key({ words = "control", name }: Control): string {
  return `${words}.${name}`;
}

function slider(
  control: Control & { kind: "range" }, state: State, say: Words, within: string,
): Knob {
  const { name, min, max } = control;
  const label = say(key(control));
  const set = (value: unknown) => state.set({ [name]: value });
  const range = h("input", {
    type: "range", id: `${within}-${name}`, min, max, step: 1,
    oninput: () => set(range.value),
    onkeydown: (event: KeyboardEvent) => {
      const by = stride(event);
      if (by === 0) return;
      event.preventDefault();
      set(state.number(name) + by);
    },
  });
  const box = h("input", {
    type: "number", min, max, step: 1, "aria-label": say("control.exactly", { name: label }),
    onchange: () => {
      set(box.value);
      box.value = String(state.number(name));
    },
  });
  const show = () => {
    const value = String(state.number(name));
    const most = String(Math.min(max, state.limit(name)));
    const told = `${label} ${value}`;
    if (range.ariaValueText === told && range.max === most) return;
    range.max = box.max = most;
    range.value = value;
    range.ariaValueText = told;
    if (document.activeElement !== box) box.value = value;
  };
  const words = h("label", { for: range.id }, label);
  return { element: h("div", { class: "knob" }, words, range, box), show };
}

/** How far a key goes beyond what the browser does itself. */
function stride(event: KeyboardEvent): number {
  const steps: Record<string, number> = { PageUp: LEAP, PageDown: -LEAP };
  const shifted = { ArrowRight: STRIDE, ArrowUp: STRIDE, ArrowLeft: -STRIDE, ArrowDown: -STRIDE };
  return { ...steps, ...(event.shiftKey ? shifted : {}) }[event.key] ?? 0;
}

function list(
  control: Control & { kind: "choice" }, state: State, say: Words, within: string,
): Knob {
  const { name, options } = control;
  const named = (option: string) =>
    control.words || !/^\d/.test(option) ? say(`${key(control)}-${option}`) : shown(Number(option));
  const select = h(
    "select",
    { id: `${within}-${name}`, onchange: () => state.set({ [name]: select.value }) },
    ...options.map((option) => h("option", { value: option }, named(option))),
  );
  const words = h("label", { for: select.id }, say(key(control)));
  return {
    element: h("div", { class: "knob" }, words, select),
    show: () => (select.value = state.text(name)),
  };
}

function tick(
  control: Control & { kind: "switch" }, state: State, say: Words, within: string,
): Knob {
  const box = h("input", {
    type: "checkbox", id: `${within}-${control.name}`,
    onchange: () => state.set({ [control.name]: box.checked ? 1 : 0 }),
  });
  const words = h("label", { for: box.id }, box, say(key(control)));
  return {
    element: h("div", { class: "knob tick" }, words),
    show: () => (box.checked = state.on(control.name)),
  };
}
