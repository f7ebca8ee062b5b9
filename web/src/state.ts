// What the reader has set. All of it stands in the address, so that a link shows the same page.

export type Value = number | string;
export type Values = Readonly<Record<string, Value>>;

/** Something that the reader can set. */
export type Control =
  | { kind: "range"; name: string; min: number; max: number; start: number }
  | { kind: "choice"; name: string; options: readonly string[]; start: string };

/** The nearest value that a control allows; its first one for what it cannot read. */
export function allowed(control: Control, value: unknown): Value {
  if (control.kind === "choice") {
    return control.options.find((option) => option === value) ?? control.start;
  }
  const number = value === "" || value === null ? NaN : Number(value);
  if (Number.isNaN(number)) return control.start;
  return Math.min(control.max, Math.max(control.min, Math.round(number)));
}

export class State {
  readonly #controls = new Map<string, Control>();
  readonly #listeners = new Set<() => void>();
  #values: Record<string, Value> = {};

  constructor(controls: Iterable<Control>) {
    for (const control of controls) {
      this.#controls.set(control.name, control);
      this.#values[control.name] = control.start;
    }
  }

  get values(): Values {
    return this.#values;
  }

  control(name: string): Control {
    const control = this.#controls.get(name);
    if (control === undefined) throw new Error(`nothing is called ${name}`);
    return control;
  }

  number(name: string): number {
    return Number(this.#values[name]);
  }

  text(name: string): string {
    return String(this.#values[name]);
  }

  /** Change some values and tell whoever listens, if anything changed. */
  set(changes: Record<string, unknown>): void {
    let changed = false;
    for (const [name, value] of Object.entries(changes)) {
      const control = this.#controls.get(name);
      if (control === undefined) continue;
      const next = allowed(control, value);
      changed ||= next !== this.#values[name];
      this.#values = { ...this.#values, [name]: next };
    }
    if (changed) this.#listeners.forEach((listener) => listener());
  }

  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** What differs from the start, as it stands in the address. */
  get address(): string {
    const set = [...this.#controls.values()].filter((c) => this.#values[c.name] !== c.start);
    return new URLSearchParams(set.map((c) => [c.name, String(this.#values[c.name])])).toString();
  }

  /** Everything as an address says it; what it does not name is as at the start. */
  read(address: string): void {
    const named = new URLSearchParams(address.replace(/^#/, ""));
    const all = [...this.#controls.values()].map((c) => [c.name, named.get(c.name) ?? c.start]);
    this.set(Object.fromEntries(all));
  }

  /** What a page opens with, from which everything else is told apart. */
  begin(values: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(values)) {
      const control = this.#controls.get(name);
      if (control === undefined) continue;
      const start = allowed(control, value);
      this.#controls.set(name, { ...control, start } as Control);
      this.#values = { ...this.#values, [name]: start };
    }
  }
}
