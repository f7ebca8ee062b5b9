import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { Deck, choices, right } = await bundled("views/recall/deck.ts");
const { line } = await bundled("views/recall/line.ts");
const ALL = ["a", "b", "c", "d", "e"];

/** All questions in their order, each answered as `ok` says. */
function played(deck, ok) {
  const seen = [];
  while (deck.current !== undefined) {
    seen.push(deck.current);
    deck.take(ok(deck.current, seen));
  }
  return seen;
}

test("every question comes once where all are answered", () => {
  const deck = new Deck(ALL, 1);
  assert.deepEqual(played(deck, () => true).sort(), ALL);
  assert.equal(deck.rightAtOnce, 5);
});

test("a seed gives one order, another seed another", () => {
  const order = (seed) => played(new Deck(ALL, seed), () => true).join("");
  assert.equal(order(7), order(7));
  assert.ok(new Set([1, 2, 3, 4, 5].map(order)).size > 1);
});

test("what was missed comes again after two others, and does not count as right at once", () => {
  const deck = new Deck(ALL, 1);
  const [first] = [deck.current];
  const seen = played(deck, (id, seen) => id !== first || seen.filter((each) => each === id).length > 1);
  assert.equal(seen.indexOf(first, 1), 3);
  assert.equal(seen.length, 6);
  assert.equal(deck.rightAtOnce, 4);
});

test("whoever misses everything twice still meets every question", () => {
  const seen = played(new Deck(ALL, 1), (id, seen) => seen.filter((each) => each === id).length > 2);
  assert.equal(seen.length, 15);
});

test("the last question comes again at once where no others are left", () => {
  const deck = new Deck(["a"], 1);
  deck.take(false);
  assert.equal(deck.current, "a");
  deck.take(true);
  assert.equal(deck.current, undefined);
  deck.take(true);
  assert.deepEqual(deck.first, { a: false });
});

test("what was kept goes on where it was left, without questions that are no more", () => {
  const before = new Deck([...ALL, "old"], 3);
  before.take(false);
  const saved = JSON.parse(JSON.stringify(before.saved));
  const after = new Deck(ALL, 1, saved);
  assert.equal(after.seed, 3);
  assert.deepEqual(after.saved.queue, saved.queue.filter((id) => id !== "old"));
});

const claim = (more) => ({ expected: 5, actual: null, verdict: "holds", ...more });

test("the claim decides", () => {
  const near = { kind: "slider", within: 0.25 };
  assert.ok(right(near, claim(), "5.2"));
  assert.ok(!right(near, claim(), "5.3"));
  assert.ok(right(near, claim({ actual: 7 }), "7"), "of what is false, what is so instead");
  const which = { kind: "which", options: { low: [0, 5], high: [5, 9] } };
  assert.ok(right(which, claim(), "high") && !right(which, claim(), "low") && !right(which, claim(), "none"));
  const among = { kind: "among", options: [5, 7, 9] };
  assert.ok(right(among, claim({ actual: 7 }), "7") && !right(among, claim({ actual: 7 }), "5"));
  const verdict = { kind: "verdict" };
  assert.ok(right(verdict, claim({ verdict: "only if" }), "only if") && !right(verdict, claim(), "false"));
});

test("choices by name, in their order", () => {
  assert.deepEqual(choices({ kind: "among", options: [1.5, 2] }), ["1.5", "2"]);
  assert.deepEqual(choices({ kind: "which", options: { left: [0, 1], right: [1, 2] } }), ["left", "right"]);
  assert.deepEqual(choices({ kind: "slider" }), []);
  assert.equal(choices({ kind: "verdict" }).length, 3);
});

test("the line shows what is so only once it is known", () => {
  assert.ok(!line(0, 10, 5, undefined, String).includes("✓"));
  assert.match(line(0, 10, 5, 7.5, String), /✓ 7\.5/);
  assert.match(line(0, 10, 5, 7.5, String), /width="25%"/);
});
