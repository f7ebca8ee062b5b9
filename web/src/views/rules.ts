// What each rule for longer text multiplies the frequency of each pair by.

import { Chart } from "../chart";
import { dot, range, type Numbers } from "../core";
import { h } from "../dom";
import type { Data } from "../payload";
import type { Pen } from "../pen";
import { turned } from "../rotation";
import type { Panel, Scene, View } from "../view";
import { shown } from "../words";

const RULES = ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope"] as const;
const FACTORS = ["2", "8", "32"];
const PLAIN = "paper-128-10000";
const BANDS = 26; // pixels for the letters above the pairs
const TURN = 2 * Math.PI;

/** Settings of a config by rule and factor, and the rules in Python. */
interface Given {
  settings: Record<string, string>;
  python: Record<string, string>;
}

function ratios(data: Data, ladder: string, plain = PLAIN): Numbers {
  const w = data.frequencies(plain);
  return data.frequencies(ladder).map((each, i) => each / w[i]!);
}

/** How many pairs are kept, mixed, and slowed by the whole factor. */
function split(ratio: Numbers, factor: number, near = 1e-12): readonly [number, number, number] {
  const kept = ratio.filter((each) => Math.abs(each - 1) < near).length;
  const slowed = ratio.filter((each) => Math.abs(each * factor - 1) < near).length;
  return [kept, ratio.length - kept - slowed, slowed];
}

function miss(found: readonly number[], due: readonly number[]): number {
  return Math.max(...found.map((count, i) => Math.abs(count - due[i]!)));
}

function at({ state }: Scene): { rule: number; factor: number; row: number } {
  const rule = RULES.findIndex((name) => name === state.text("rule"));
  const factor = FACTORS.indexOf(state.text("factor"));
  return { rule, factor, row: rule * FACTORS.length + factor };
}

function chosen(scene: Scene): Numbers {
  const [parts] = scene.data.numbers("rules.parts");
  return scene.data.matrix("rules.ratios")[at(scene).row]!.map((each) => each / parts!);
}

export const rules: View = {
  id: "rules",
  controls: [
    { kind: "choice", name: "rule", words: "rules", options: RULES, start: "yarn" },
    { kind: "choice", name: "factor", options: FACTORS, start: "8" },
    { kind: "range", name: "i", words: "rules", min: 0, max: 63, start: 0 },
  ],

  measures: {
    "longer.linear": (data) =>
      ratios(data, "linear-8").reduce((far, x) => (Math.abs(x - 0.125) > Math.abs(far - 0.125) ? x : far)),
    "longer.ntk-first": (data) => ratios(data, "ntk-8")[0]!,
    "longer.ntk-last": (data) => ratios(data, "ntk-8").at(-1)!,
    "longer.ntk-enough": (data) => {
      const [w, slowed] = [data.frequencies(PLAIN), data.frequencies("ntk-8")];
      const turns = (ladder: Numbers, i: number, length: number) => (ladder[i]! * length) / TURN;
      return range(64).filter((i) => {
        const seen = turns(w, i, 4096);
        return seen < 1 && turns(slowed, i, 32768) > seen * (1 + 1e-9);
      }).length;
    },
    "longer.yarn-split": (data) => miss(split(ratios(data, "yarn-8"), 8), [21, 25, 18]),
    "longer.yarn-rounding": (data) => {
      const found = ratios(data, "yarn-rounded", "yarn-exact");
      return miss([12, 16, 17].map((i) => found[i]!), [1.03249, 1.27266, 1.76268]);
    },
    "longer.factor-once": (data) => {
      const { frequencies: w, fact } = data.ladder("yarn-8");
      const ones = new Float64Array(128).fill(1);
      const made = turned(ones, 50, w, "half").map((x) => x * fact("attention"));
      return dot(made, made) / 128;
    },
    "longer.llama3-split": (data) =>
      miss(split(ratios(data, "llama-8b", "paper-128-500000"), 8), [29, 6, 29]),
  },

  picture: {
    height: () => 260 + BANDS,

    draw(pen, scene) {
      const ratio = chosen(scene);
      const factor = Number(scene.state.text("factor"));
      const chart = axes(pen, factor);
      chart.levels([1, 1 / Math.sqrt(factor), 1 / factor].map(Math.log2), (x) => shown(2 ** x, 3));
      chart.places([0, 16, 32, 48, 63], shown);
      const wide = (chart.x(1) - chart.x(0)) * 0.8;
      const floor = chart.y(-Math.log2(factor) - 0.2);
      ratio.forEach((each, i) => {
        const band = Math.abs(each - 1) < 1e-6 ? "K" : Math.abs(each * factor - 1) < 1e-6 ? "S" : "M";
        const [x, y] = [chart.x(i) - wide / 2, chart.y(Math.log2(each))];
        pen.box(x, y, wide, floor - y, band === "K" ? "sin" : band === "S" ? "faint" : pen.hatch);
        if (i === scene.state.number("i")) pen.frame(x - 2, BANDS - 8, wide + 4, floor - BANDS + 8);
      });
      bands(pen, scene, ratio, chart);
    },

    pick: (x, _y, pen, scene) => ({
      i: Math.min(63, axes(pen, Number(scene.state.text("factor"))).at(x)),
    }),
  },

  panel: snippet,

  numbers(scene) {
    const ratio = chosen(scene);
    const pair = scene.state.number("i");
    const [kept, mixed, slowed] = split(ratio, Number(scene.state.text("factor")), 1e-6);
    const factor = scene.data.matrix("rules.factors")[at(scene).rule]![at(scene).factor]!;
    return [
      [scene.say("rules.ratio", { pair }), shown(ratio[pair]!, 4)],
      [scene.say("rules.split"), `${kept} / ${mixed} / ${slowed}`],
      [scene.say("rules.attention"), shown(factor, 4)],
      [scene.say("rules.logits"), shown(factor * factor, 4)],
    ];
  },

  table(scene) {
    const w = scene.data.frequencies(PLAIN);
    const rows = [...chosen(scene)].map((each, i) => [shown(i), shown(w[i]!), shown(each * w[i]!), shown(each, 4)]);
    return { head: ["i", "w", scene.say("rules.ruled"), scene.say("rules.ratios")], rows };
  },

  python({ data, state }) {
    const [rule, factor] = [state.text("rule"), state.text("factor")];
    const scaling = data.extra<Given>("rules").python[rule]?.replaceAll("{factor}", factor);
    return (
      `import posenc\n\nscaling = posenc.${scaling}\n` +
      'spec = posenc.Rope(dim=128, layout="half", scaling=scaling)\n' +
      `length = ${factor} * 4096\nprint(spec.frequencies(length), spec.attention_factor(length))\n`
    );
  },
};

function axes(pen: Pen, factor: number): Chart {
  return new Chart(pen, [-0.8, 63.8], [-Math.log2(factor) - 0.2, 0.1], { top: BANDS });
}

/** Kept, mixed, slowed: named above the pairs of which it is true. */
function bands(pen: Pen, scene: Scene, ratio: Numbers, chart: Chart): void {
  const [kept, mixed, slowed] = split(ratio, Number(scene.state.text("factor")), 1e-6);
  const ends = [0, kept, kept + mixed, 64];
  for (const [i, count] of [kept, mixed, slowed].entries()) {
    if (count < 6) continue;
    const middle = (chart.x(ends[i]!) + chart.x(ends[i + 1]! - 1)) / 2;
    pen.label(scene.say(`rules.${["kept", "mixed", "slowed"][i]}`), middle, 16, "center");
  }
}

/** The same for a config, to copy. */
function snippet(scene: Scene): Panel {
  const text = h("pre", { tabindex: 0, role: "group", "aria-label": scene.say("rules.snippet") });
  const show = () => {
    const name = `${scene.state.text("rule")}-${scene.state.text("factor")}`;
    text.textContent = scene.data.extra<Given>("rules").settings[name] ?? "";
  };
  return { element: h("div", { class: "snippet" }, text), show };
}
