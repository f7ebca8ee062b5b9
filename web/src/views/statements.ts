// Statements that are often made: guess, and then the number decides.

import { due, prove, type Measure } from "../claims";
import { h } from "../dom";
import type { Panel, Scene, View } from "../view";
import { shown } from "../words";
import { MEASURES } from "./statements/measures";

const VERDICTS = ["holds", "false", "only if"] as const;
type Verdict = (typeof VERDICTS)[number];
/** What decides a statement, where it is shown, and what is true instead. */
type Row = readonly [claim: string, view: string, truth: string];

/** `measure` finds how another view measures a claim. */
export function statements(measure: (claim: string) => Measure | undefined): View {
  const guesses = new Map<number, Verdict>();

  const rows = ({ data }: Scene) => data.extra<{ rows: readonly Row[] }>("statements").rows;
  const at = ({ state }: Scene) => state.number("statement") - 1;
  const claimed = (scene: Scene, index = at(scene)) => scene.data.claim(rows(scene)[index]![0]);

  function panel(scene: Scene): Panel {
    const { say } = scene;
    const said = h("blockquote");
    const named = (verdict: Verdict) => say(`statements.${verdict.replace(" ", "-")}`);
    const buttons = VERDICTS.map((verdict) =>
      h("button", { type: "button", onclick: () => guess(verdict) }, named(verdict)),
    );
    const answer = h("div", { role: "status" });
    const step = (by: number, key: string) =>
      h("button", {
        type: "button",
        onclick: () => {
          const { length } = rows(scene);
          scene.state.set({ statement: 1 + ((at(scene) + by + length) % length) });
          show();
          buttons[0]?.focus({ preventScroll: true });
        },
      }, say(key));
    const [back, next] = [step(-1, "statements.back"), step(1, "statements.next")];
    const marks = h("p", { class: "cards", "aria-hidden": "true" });

    function guess(verdict: Verdict): void {
      if (!guesses.has(at(scene))) guesses.set(at(scene), verdict);
      show();
      scene.redraw();
      next.focus({ preventScroll: true });
    }

    function show(): void {
      const [claim, given] = [claimed(scene), guesses.get(at(scene))];
      // A claim that names its condition would give the answer.
      const loose = claim.verdict === "only if";
      const text = say(loose ? `statements.loose-${at(scene) + 1}` : `claim:${claim.id}`);
      if (said.textContent !== text) said.textContent = text;
      buttons.forEach((button, i) => {
        const verdict = VERDICTS[i]!;
        const sign = !given ? "" : verdict === claim.verdict ? "✓ " : verdict === given ? "✗ " : "";
        button.textContent = sign + named(verdict);
        button.disabled = given !== undefined;
        button.setAttribute("aria-pressed", String(verdict === given));
      });
      const key = `${claim.id} ${given ?? ""}`;
      if (answer.dataset["shown"] !== key) {
        answer.dataset["shown"] = key;
        answer.replaceChildren(...(given ? revealed(scene, given) : []));
      }
      marks.replaceChildren(...rows(scene).map((_, i) => {
        const guessed = guesses.get(i);
        const sign = guessed === undefined ? "·" : guessed === claimed(scene, i).verdict ? "✓" : "↻";
        return h("b", { class: i === at(scene) ? "now" : guessed ? "ok" : "" }, sign);
      }));
    }

    function revealed(now: Scene, given: Verdict): Node[] {
      const [id, view, truth] = rows(now)[at(now)]!;
      const proved = (name: string) => prove(now.data.claim(name), MEASURES[name] ?? measure(name), now.data);
      const { claim, value, ok } = proved(id);
      return [
        h(
          "p", {}, say(`statements.${given === claim.verdict ? "right" : "wrong"}`), " ",
          h("b", {}, named(claim.verdict)), h("br"),
          `${say("frame.measured", { value: shown(value) })}${due(claim, say)}`,
          ok ? "" : " ✗",
        ),
        ...(truth ? [h("p", {}, proved(truth).ok ? "✓ " : "✗ ", say(`claim:${truth}`))] : []),
        ...(now.go ? [h("p", {}, link(now, view))] : []),
      ];
    }

    function link({ go }: Scene, view: string): HTMLElement {
      return h("a", {
        href: `#view=${view}`,
        onclick: (event: MouseEvent) => {
          event.preventDefault();
          go?.(view);
        },
      }, say("statements.see", { view: say(`${view}.title`) }));
    }

    show();
    return {
      element: h(
        "div", {}, marks, said, h("div", { class: "tokens" }, ...buttons), answer,
        h("div", { class: "tokens" }, back, next),
      ),
      show,
    };
  }

  return {
    id: "statements",
    controls: [{ kind: "range", name: "statement", words: "statements", min: 1, max: 24, start: 1 }],
    hidden: true,
    measures: MEASURES,
    panel,

    numbers(scene) {
      const right = [...guesses].filter(([index, guess]) => guess === claimed(scene, index).verdict);
      return [
        [scene.say("statements.guessed"), `${guesses.size} / ${rows(scene).length}`],
        [scene.say("statements.rightly"), shown(right.length)],
      ];
    },

    python: (scene) =>
      `from posenc import claims\n\nprint(claims.prove(claims.find("${rows(scene)[at(scene)]![0]}")))\n`,
  };
}
