// Walks through the positions at so many a second; never by itself.

import type { State } from "./state";

const LEAP = 16; // positions at once for readers who asked for little motion

export class Player {
  #timer: number | undefined;
  #began = 0;
  #from = 0;

  constructor(
    private readonly state: State,
    private readonly changed: (playing: boolean) => void,
  ) {}

  get playing(): boolean {
    return this.#timer !== undefined;
  }

  toggle(): void {
    if (this.playing) this.stop();
    else this.#start();
  }

  stop(): void {
    if (this.#timer !== undefined) cancelAnimationFrame(this.#timer);
    this.#timer = undefined;
    this.changed(false);
  }

  #start(): void {
    this.#from = this.state.number("p") >= 1023 ? 0 : this.state.number("p");
    this.#began = performance.now();
    this.#timer = requestAnimationFrame((now) => this.#step(now));
    this.changed(true);
  }

  #step(now: number): void {
    const passed = ((now - this.#began) / 1000) * this.state.number("speed");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const by = calm ? Math.floor(passed / LEAP) * LEAP : Math.floor(passed);
    this.state.set({ p: this.#from + by });
    if (this.#from + by >= 1023) this.stop();
    else this.#timer = requestAnimationFrame((later) => this.#step(later));
  }
}
