// How the statements are measured that no view of their own shows.

import { code, farthest, norm, range, sum, type Matrix, type Numbers } from "../../core";
import type { Measure } from "../../claims";
import { attend, matrix, times } from "../../matrix";
import type { Data } from "../../payload";
import { normal } from "../../random";

const CODE = "paper-64-10000";
const TURN = 2 * Math.PI;

/** What a linear read-out misses its targets by after so many steps of gradient descent. */
function learned(inputs: Matrix, targets: readonly number[], rate: number, steps = 400): number {
  const weights = new Float64Array(inputs[0]!.length);
  const misses = () => inputs.map((row, i) => sum(row.map((x, j) => x * weights[j]!)) - targets[i]!);
  for (let step = 0; step < steps; step++) {
    const off = misses();
    weights.forEach((_, j) => (weights[j]! -= rate * sum(off.map((miss, i) => miss * inputs[i]![j]!))));
  }
  return Math.max(...misses().map(Math.abs));
}

/** How far the nearest of rising periods is from a distance, as a part of it. */
function nearest(periods: Numbers, distance: number): number {
  let [low, high] = [0, periods.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (periods[middle]! < distance) low = middle;
    else high = middle;
  }
  return Math.min(Math.abs(periods[low]! - distance), Math.abs(periods[high]! - distance)) / distance;
}

function normed(row: Numbers): Numbers {
  const mean = sum(row) / row.length;
  const centred = row.map((x) => x - mean);
  const size = Math.sqrt(sum(centred.map((x) => x * x)) / row.length + 1e-5);
  return centred.map((x) => x / size);
}

/** Attention over the fixture behind LayerNorm, with so much added to every number of token i. */
function behindNorm(data: Data, added: (i: number) => number): Numbers[] {
  const x = data.matrix("blind.cat").map((row, i) => normed(row.map((value) => value + added(i))));
  const weights = data.matrix("blind.weights-4");
  const [q, k, v] = range(3).map((i) => times(x, weights.slice(4 * i, 4 * i + 4)));
  return attend(q!, k!, v!);
}

/** Changes of sign along 64 positions: all of them, and those in the first half of the picture. */
function stripes(data: Data): readonly [all: number, left: number] {
  const rows = range(64).map((p) => code(p, data.frequencies(CODE)));
  const changes = (p: number) => rows[p]!.filter((value, i) => value * rows[p + 1]![i]! < 0).length;
  return [sum(range(63).map(changes)), sum(range(32).map(changes))];
}

/** The Fourier transform of numbers, a power of two of them: real and imaginary parts. */
function spectrum(signal: readonly number[]): readonly (readonly [number, number])[] {
  const { length } = signal;
  if (length === 1) return [[signal[0]!, 0]];
  const [even, odd] = [0, 1].map((from) => spectrum(signal.filter((_, i) => i % 2 === from)));
  return signal.map((_, k) => {
    const [[re, im], [x, y]] = [even![k % even!.length]!, odd![k % odd!.length]!];
    const [cos, sin] = [Math.cos((TURN * k) / length), Math.sin((TURN * k) / length)];
    return [re + x * cos + y * sin, im + y * cos - x * sin];
  });
}

/** Layers that it takes until the last of `count` tokens has heard of the first. */
function layers(count: number, window: number): number {
  let reached = count - 1; // the first position of which the last token knows
  let made = 0;
  while (reached > 0) {
    reached -= window - 1;
    made++;
  }
  return made;
}

export const MEASURES: Record<string, Measure> = {
  "naive.staircase": () => {
    const bits = range(16).map((p) => Float64Array.from(range(4), (j) => (p >> j) & 1));
    return learned(bits, range(16), 0.05);
  },
  "sinusoid.caught-distance": (data) => {
    const w = data.frequencies(CODE)[0]!;
    const apart = range(1000).map((k) => Math.abs(Math.sin(((k + 1) * w) / 2)));
    return 1 + apart.indexOf(Math.min(...apart));
  },
  "sinusoid.nearest-period-inside": (data) => {
    const periods = data.frequencies("paper-768-10000").map((w) => TURN / w);
    let far = 0;
    for (let k = 7; k < 61343; k++) far = Math.max(far, nearest(periods, k));
    return far;
  },
  "naive.always-drowns": (data) =>
    farthest(behindNorm(data, (i) => 300 + i), behindNorm(data, () => 0)),
  "naive.discrete": () => {
    const draw = normal(7);
    return learned(matrix(16, 16, (i, j) => Number(i === j)), range(16).map(draw), 1);
  },
  "sinusoid.hands": (data) => data.frequencies(CODE).length,
  "sinusoid.stripes-left": (data) => {
    const [all, left] = stripes(data);
    return left / all;
  },
  "sinusoid.channel-step": (data) => {
    const w = data.frequencies(CODE);
    return Math.abs(code(2, w)[0]! - code(1, w)[0]!);
  },
  "sinusoid.sum-of-waves": () => {
    const waves = (j: number, wave: (x: number) => number) => {
      const bins = spectrum(range(1024).map((p) => wave((Math.PI * p) / 2 ** j))).slice(0, 513);
      return bins.filter(([re, im]) => Math.hypot(re, im) > 1e-6).length;
    };
    return Math.max(...range(10).flatMap((j) => [waves(j, Math.sin), waves(j, Math.cos)]));
  },
  "input.gpt2-formula": () => {
    const [all, words, wide, blocks] = [124_439_808, 50_257, 768, 12]; // as published
    const block = 12 * wide * wide + 13 * wide; // attention, feed-forward, biases and norms
    return all - words * wide - blocks * block - 2 * wide;
  },
  "input.layer-is-projection": () => {
    const draw = normal(7);
    const once = matrix(256, 256, () => draw() / 16);
    const size = (rows: Matrix) => norm(Float64Array.from(rows, norm));
    return size(times(once, once).map((row, i) => row.map((x, j) => x - once[i]![j]!))) / size(once);
  },
  "learned.formula-extrapolates": (data) =>
    data.frequencies(CODE).filter((w) => 1023 * w < TURN).length,
  "sinusoid.with-pi": () =>
    Math.max(...range(1000).map((p) =>
      Math.max(Math.abs(Math.sin(Math.PI * p)), Math.abs(Math.cos(Math.PI * p) - (-1) ** p)))),
  "learned.untouched-row": () => range(1000).reduce((size) => size - 6e-4 * 0.1 * size, 1),
  "blind.path": () => layers(64, 3) / layers(64, 64),
};
