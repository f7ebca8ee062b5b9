import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { parse } = await bundled("views/port/parse.ts");
const { compare, first } = await bundled("views/port/compare.ts");
const { once } = await bundled("views/port/forms.ts");
const { bfloat16, float16 } = await bundled("half.ts");
const golden = JSON.parse(await readFile(new URL("golden.json", import.meta.url), "utf8"));

function ladder(name, frequencies, facts = {}) {
  const fact = (asked) => facts[asked] ?? NaN;
  return { name, frequencies: Float64Array.from(frequencies), python: name, fact };
}

const BASES = [100, 1000, 10_000, 500_000];
const named = (dim, base) => ladder(`paper-${dim}-${base}`, golden.paper[`${dim}-${base}`], { dim, base });
const LADDERS = [
  named(64, 100), named(64, 10_000), named(128, 500_000),
  ladder("t2t-64", golden.tensor2tensor, { dim: 64, base: 10_000 }),
];
const W = golden.paper["64-10000"];

/** What is found in numbers that are written as JSON. */
function found(values) {
  const [copies, list] = once(parse(JSON.stringify([...values])));
  return { copies, list, ...compare(list, LADDERS, BASES) };
}

function even(count, base, share = 1) {
  return Array.from({ length: count }, (_, i) => base ** ((-share * i) / count));
}

test("numbers in any dress", () => {
  for (const text of [
    "1, 0.5, .25, 1.25e-1", "[1.0, 0.5, 0.25, 0.125]", "1 0.5\n0.25\t0.125",
    "(1; 0.5; 0.25; 0.125)",
    "tensor([1.0000, 0.5000, 0.2500, 0.1250], device='cuda:0', dtype=torch.float32)",
    "array([1.   , 0.5  , 0.25 , 0.125], dtype=float32)",
    "inv_freq = np.array([1, 0.5, 0.25, 0.125])",
    "[[1, 0.5],\n [0.25, 0.125]]", "+1 5e-1 2.5E-01 0.125",
  ]) {
    assert.deepEqual([...parse(text).values], [1, 0.5, 0.25, 0.125], text);
  }
});

test("thousands of numbers", () => {
  const text = Array.from({ length: 5000 }, (_, i) => 1 / (i + 1)).join("\n");
  assert.equal(parse(text).values.length, 5000);
});

test("what cannot be read is named", () => {
  const why = (text) => [parse(text).why, parse(text).at];
  assert.deepEqual(why("  "), ["empty", ""]);
  assert.deepEqual(why("1, 0.5, x7, 0.1"), ["word", "x7"]);
  assert.deepEqual(why("1, nan, 0.5, 0.1"), ["word", "nan"]);
  assert.deepEqual(why("1, 1e999, 0.5, 0.1"), ["word", "1e999"]);
  assert.deepEqual(why("tensor([1.0, 0.5, ..., 0.1, 0.01])"), ["cut", ""]);
  assert.deepEqual(why("1 2"), ["count", "2"]);
  assert.deepEqual(why("0, 0, 0, 0"), ["sign", "0"]);
  assert.deepEqual(why("1, 0.5, -0.1, 0.1"), ["sign", "-0.1"]);
  assert.deepEqual(why("1 ".repeat(20_001)), ["count", "20001"]);
  assert.equal(parse('{"head_dim": 128,').why, "json");
  assert.deepEqual(why('{"rope_theta": 10000}'), ["lacks", "head_dim"]);
  assert.deepEqual(why('{"head_dim": 64}'), ["lacks", "rope_theta"]);
});

test("a config as facts", () => {
  const old = {
    hidden_size: 4096, num_attention_heads: 32, rope_theta: 500000,
    rope_scaling: { type: "yarn", factor: 8 },
  };
  assert.deepEqual(parse(JSON.stringify(old)), {
    kind: "config", dim: 128, base: 500000, rule: "yarn", facts: { factor: 8 },
  });
  const stated = { rope_type: "default", rope_theta: 10000, partial_rotary_factor: 0.4 };
  const now = { text_config: { head_dim: 80, rope_parameters: stated } };
  assert.deepEqual(parse(JSON.stringify(now)), {
    kind: "config", dim: 32, base: 10000, rule: "default", facts: {},
  });
  assert.equal(parse('{"head_dim": 64, "rope_theta": 1e4, "rope_scaling": null}').rule, "default");
  const layers = { head_dim: 64, rope_parameters: { full: { rope_type: "linear", factor: 8 } } };
  assert.equal(parse(JSON.stringify(layers)).rule, "per layer");
});

test("the right list, in double, single, and few digits", () => {
  assert.deepEqual([found(W).cause, found(W).agrees], ["same", "exact"]);
  assert.equal(found(W).known.name, "paper-64-10000");
  assert.equal(found(W.map(Math.fround)).agrees, "float32");
  const printed = compare(parse(W.map((x) => x.toFixed(4)).join(" ")), LADDERS, BASES);
  assert.deepEqual([printed.cause, printed.agrees], ["same", "printed"]);
  assert.equal(printed.known.name, "paper-64-10000");
  const raised = compare(parse(W.map((x) => x.toExponential(4)).join(" ")), LADDERS, BASES);
  assert.deepEqual([raised.cause, raised.agrees], ["same", "printed"]);
});

test("digits that are lacking are zeros: one round number excuses nothing", () => {
  const off = [1.0, 0.8, ...W.slice(2)];
  assert.notEqual(found(off).cause, "same");
});

test("short formats", () => {
  for (const [name, round] of Object.entries({ bfloat16, float16 })) {
    const { cause, agrees } = found(W.map(round));
    assert.deepEqual([cause, agrees], ["same", name]);
  }
});

test("other forms of the same numbers", () => {
  const cases = {
    reversed: W.slice().reverse(),
    inverses: W.map((x) => 1 / x),
    wavelengths: W.map((x) => (2 * Math.PI) / x),
  };
  for (const [cause, values] of Object.entries(cases)) {
    assert.equal(found(values).cause, cause);
    assert.equal(found(values).known.name, "paper-64-10000", cause);
  }
});

test("two copies", () => {
  assert.deepEqual([found([...W, ...W]).copies, found([...W, ...W]).cause], ["halves", "same"]);
  const side = W.flatMap((x) => [x, x]);
  assert.deepEqual([found(side).copies, found(side).cause], ["doubled", "same"]);
  assert.equal(found([...W, ...W].map(bfloat16)).agrees, "bfloat16");
});

test("the ladder of tensor2tensor, and where it leaves the paper's", () => {
  const { cause, list, plain } = found(golden.tensor2tensor);
  assert.deepEqual([cause, plain.name], ["tensor2tensor", "paper-64-10000"]);
  assert.equal(first(list, plain.frequencies), 1);
});

test("one factor for all", () => {
  const factor = (by) => [found(W.map((x) => x * by)).cause, found(W.map((x) => x * by)).slots.factor];
  assert.deepEqual(factor(1 / 4), ["slower", 4]);
  assert.deepEqual(factor(12), ["angles", 12]);
  assert.equal(factor(0.7)[0], "factor");
  assert.equal(found(W.map((x) => x * 10_000 ** (-1 / 64))).cause, "slip");
  assert.equal(found(W.map((x) => x * 10_000 ** (-2 / 64))).cause, "index");
});

test("wrong exponents", () => {
  const told = (...asked) => [found(even(...asked)).cause, found(even(...asked)).slots.base];
  assert.deepEqual(told(32, 10_000, 0.5), ["root", 10_000]);
  assert.deepEqual(told(40, 10_000, 0.5), ["base", 100]);
  assert.deepEqual(told(32, 10_000, 2), ["twice", 10_000]);
  assert.equal(found(even(40, 500_000, 0.5)).cause, "half");
});

test("widths and bases that no ladder has", () => {
  assert.deepEqual([found(even(40, 10_000)).cause, found(even(40, 10_000)).slots.base], ["base", 10_000]);
  assert.equal(found(even(40, 10_000)).slots.dim, 80);
  assert.equal(found(even(40, 10_000).map(Math.fround)).cause, "base");
  const ends = Array.from({ length: 40 }, (_, i) => 10_000 ** (-i / 39));
  assert.equal(found(ends).cause, "ends");
  const { cause, slots } = found(even(40, 31_337));
  assert.equal(cause, "unknown");
  assert.ok(Math.abs(slots.base / 31_337 - 1) < 1e-9);
});

test("a rule for longer text keeps the fast pairs", () => {
  const w = golden.paper["128-500000"];
  const { cause, slots } = found(w.map((x, i) => (i < 29 ? x : x / 8)));
  assert.deepEqual([cause, slots.pair], ["rule", 29]);
  assert.ok(Math.abs(slots.factor - 8) < 1e-9);
});

test("one wrong number", () => {
  const values = [...W];
  values[7] = 0.2;
  const { cause, list, plain } = found(values);
  assert.deepEqual([cause, plain.name, first(list, plain.frequencies)], ["other", "paper-64-10000", 7]);
});

test("numbers that are no frequencies at all", () => {
  assert.equal(found([3, 1, 4, 1, 5]).cause, "alone");
  assert.equal(found([0, 0, 0, 1]).cause, "alone");
});
