// What the reader has set. All of it stands in the address, so that a link shows the same page.

export type Value = number | string;
export type Values = Readonly<Record<string, Value>>;

/** Something that the reader can set; its words are `control.NAME` or `WORDS.NAME`. */
export type Control = { name: string; words?: string } & (
  | { kind: "range"; min: number; max: number; start: number }
  /** Each option's words are `WORDS.NAME-OPTION`. */
  | { kind: "choice"; options: readonly string[]; start: string }
  | { kind: "switch"; start: 0 | 1 }
);

/** The nearest value that a control allows; its first one for what it cannot read. */
function allowed(control: Control, value: unknown): Value {
  if (control.kind === "choice") {
    return control.options.find((option) => option === value) ?? control.start;
  }
  const number = value === "" || value === null ? NaN : Number(value);
  if (Number.isNaN(number)) return control.start;
  if (control.kind === "switch") return number ? 1 : 0;
  return Math.min(control.max, Math.max(control.min, Math.round(number)));
}

export class State {
  readonly #controls = new Map<string, Control>();
  readonly #listeners = new Set<() => void>();
  readonly #limits = new Map<string, number>();
  #values: Record<string, Value> = {};

  constructor(controls: Iterable<Control>) {
    for (const control of controls) {
      const twin = this.#controls.get(control.name);
      if (twin && JSON.stringify(twin) !== JSON.stringify(control)) {
        throw new Error(`two controls are called ${control.name}`);
      }
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
    return Math.min(Number(this.#values[name]), this.limit(name));
  }

  /** The largest that a range can be now: what else is set may allow less than its control. */
  limit(name: string): number {
    return this.#limits.get(name) ?? Infinity;
  }

  restrict(name: string, largest: number): void {
    this.#limits.set(name, largest);
  }

  on(name: string): boolean {
    return this.number(name) === 1;
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
