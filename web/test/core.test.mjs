// The page's arithmetic against numbers of another hand: tools/page_golden.py.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const core = await bundled("core.ts");
const { bfloat16, float16 } = await bundled("half.ts");
const golden = JSON.parse(await readFile(new URL("golden.json", import.meta.url), "utf8"));
const w = Float64Array.from(golden.paper["64-10000"]);
const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);

test("codes are sines and cosines", () => {
  for (const [p, row] of Object.entries(golden.codes)) {
    const made = core.code(Number(p), w);
    assert.equal(made.length, row.length);
    row.forEach((value, i) => near(made[i], value));
  }
  assert.deepEqual(core.codes(13, w)[12], core.code(12, w));
});

test("what two codes have in common", () => {
  for (const [k, due] of Object.entries(golden.similarity)) {
    near(core.similarity(Number(k), w), due);
    near(core.dot(core.code(20, w), core.code(20 + Number(k), w)), due, 1e-11);
    near(core.cosine(core.code(20, w), core.code(20 + Number(k), w)), due / 32);
  }
  near(core.norm(core.code(777, w)), golden.norm);
  near(core.distance(core.code(500, w), core.code(501, w)), golden.distance);
});

test("angles within a turn, of either sign", () => {
  w.forEach((each, i) => near(core.withinTurn(777 * each), golden.turns[i]));
  near(core.withinTurn(-1), 2 * Math.PI - 1);
  assert.equal(core.withinTurn(0), 0);
});

test("halves hold the same numbers in another order", () => {
  assert.deepEqual([...core.halves(Float64Array.of(1, 2, 3, 4))], [1, 3, 2, 4]);
});

test("numbers come back as Python wrote them", () => {
  const text = Buffer.from(Float64Array.of(0.1, -1e300).buffer).toString("base64");
  assert.deepEqual([...core.decode(text)], [0.1, -1e300]);
  assert.deepEqual([...core.decode([-3, 7])], [-3, 7]);
});

test("NaN is farther than anything", () => {
  assert.ok(Number.isNaN(core.farthest(Float64Array.of(1, NaN), Float64Array.of(1, 2))));
});

test("short formats round to the nearest, ties to even", () => {
  for (const [value, due] of golden.bfloat16) assert.equal(bfloat16(value), due, String(value));
  for (const [value, due] of golden.float16) assert.equal(float16(value), due ?? Infinity, String(value));
});
