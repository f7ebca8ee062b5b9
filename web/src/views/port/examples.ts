// Lists as they come out of other code, each with something to find.

import type { Numbers } from "../../core";
import { bfloat16 } from "../../half";
import type { Data } from "../../payload";

function list(values: Iterable<number>): string {
  return `[${[...values].join(", ")}]`;
}

const PAPER = "paper-64-10000";

/** By what stands on the button, which is the same in every language. */
export const EXAMPLES: Record<string, (data: Data) => string> = {
  tensor2tensor: (data) => list(data.frequencies("t2t-64")),
  "Llama 3.1": (data) => list(data.frequencies("llama-8b").map(Math.fround)),
  "(2i + 1)/d": (data) => list(data.frequencies("slip")),
  "w, w": (data) => list(twice(data.frequencies(PAPER))),
  "w[::-1]": (data) => list(data.frequencies(PAPER).slice().reverse()),
  "w / 4": (data) => list(data.frequencies(PAPER).map((w) => w / 4)),
  bfloat16: (data) => list(data.frequencies(PAPER).map(bfloat16)),
  "w ** 1.1": (data) => list(data.frequencies(PAPER).map((w) => w ** 1.1)),
  "config.json": () => JSON.stringify({
    head_dim: 128,
    rope_theta: 500000.0,
    rope_scaling: {
      rope_type: "llama3", factor: 8.0, low_freq_factor: 1.0, high_freq_factor: 4.0,
      original_max_position_embeddings: 8192,
    },
  }, null, 1),
};

function twice(row: Numbers): number[] {
  return [...row, ...row];
}
