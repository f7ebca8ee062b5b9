"""Chapter 11 on the screen: the textbook's model, or the reader's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc.claims._pairs import (
    FACTOR,
    LLAMA,
    RULES,
    TEXTBOOK,
    TRAINED,
    changed,
    logit_gain,
    ratios,
    turns,
    under,
    unfinished,
    unseen,
)
from posenc.specs._longer import Yarn
from posenc.specs._scaling import DynamicNtk, Unscaled
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say
from posenc.tour._pairs import fates, news, pair_table, rule_name, shown_pairs
from posenc.tour.chapters._longer_model import model_page


def page(context: Context) -> Iterator[Block]:
    """Which pairs meet new angles past the training, and what each rule does about it."""
    if context.reading is not None:
        yield from model_page(context)
        yield Say("textbook")
        return
    yield from _angles()
    yield from _limits()
    yield from _rules(context)
    yield from _factors()
    yield from _llama()


def _angles() -> Iterator[Block]:
    yield Say("idea")
    lengths = [TRAINED, 2 * TRAINED, 4 * TRAINED]
    pairs = shown_pairs(TEXTBOOK, TRAINED)
    columns = [turns(TEXTBOOK, n) for n in lengths]
    wavelengths = 2 * np.pi / TEXTBOOK.frequencies()
    rows = [(i, float(wavelengths[i]), *(float(c[i]) for c in columns)) for i in pairs]
    yield Grid("turns", ("i", "2π/w", *map(str, lengths)), rows, digits=3)
    yield _prove("never-turn", "trained-more", "fastest-turns", "slowest-turns")
    yield Say("slow-pairs")
    yield Drawing("new-angles", news(TEXTBOOK, TRAINED, lengths[1:]))
    yield _prove("fast-pairs-first", "nothing-but-new", "by-itself")


def _limits() -> Iterator[Block]:
    yield Say("limits")
    yield Prove(["learned.formula-goes-on", "longer.sinusoid-too"])
    yield Say("coarse")
    yield Prove(["sinusoid.restless-left", "longer.slow-for-regions"])
    yield Prove(["sinusoid.slow-turn", "sinusoid.unfinished"])


def _rules(context: Context) -> Iterator[Block]:
    yield Say("rules", {"factor": FACTOR, "trained": TRAINED, "length": FACTOR * TRAINED})
    length, pairs = FACTOR * TRAINED, (0, 16, 32, 45, 46, 55, 63)
    specs = [TEXTBOOK, *map(under, RULES)]
    each = {rule_name(spec, context.language): spec for spec in specs}
    rows = [
        (name, *(float(r) for r in ratios(spec, length)[list(pairs)]))
        for name, spec in each.items()
    ]
    yield Grid("ratios", ("", *(f"w{i}" for i in pairs)), rows, digits=4)
    yield Drawing("fates", fates(each, FACTOR, length))
    effects = [
        (
            name,
            int(unseen(spec, TRAINED, length).sum()),
            int(changed(spec, TRAINED).sum()),
            spec.attention_factor(length),
            logit_gain(spec, length),
        )
        for name, spec in each.items()
    ]
    yield Grid("effects", ("", f"x @ {length}", f"≠ @ {TRAINED}", "g", "g²"), effects)
    yield _prove("short-text", "short-text-safe", "divided-enough")
    yield Say("linear")
    yield _prove("unscaled", "linear", "gemma3")
    yield Say("ntk")
    yield _prove("ntk-first", "ntk-last", "ntk-base", "ntk-enough", "ntk-needed")
    yield Say("dynamic")
    spec = under(DynamicNtk(factor=2, trained_length=2048))
    run = [(n, float(spec.frequencies(n)[1])) for n in (512, 2048, 2049, 4096, 8192, 512)]
    yield Grid("dynamic-runs", ("n", "w1"), run, digits=10)
    yield _prove("dynamic-short", "dynamic-long", "dynamic-history", "dynamic-cache")
    yield _prove("dynamic-raw", "dynamic-base", "dynamic-list")
    yield Say("proportional")
    yield _prove("proportional-list", "proportional-turned", "proportional-is-partial")


def _factors() -> Iterator[Block]:
    yield Say("yarn")
    yield _prove("yarn-split", "yarn-kept", "yarn-list", "yarn-exact-list", "yarn-band")
    yield _prove("yarn-rounding")
    yield Say("factor")
    rows = []
    for factor in (4, 8, 16, 32, 40, 64, 128):
        spec = under(Yarn(factor=factor, trained_length=TRAINED))
        rows.append((factor, spec.attention_factor(), logit_gain(spec)))
    yield Grid("magnitudes", ("s", "g", "g²"), rows, digits=10)
    yield _prove("factor-once", "factor-in-part", "factor-squared", "yarn-magnitudes")
    yield _prove("factor-again", "mscale-ratio", "mscale-alone")
    yield Say("longrope")
    yield _prove("longrope-list", "longrope-switch", "longrope-factor", "longrope-short")
    yield _prove("longrope-turned")


def _llama() -> Iterator[Block]:
    trained, length = 8192, 131_072
    yield Say(
        "llama",
        {
            "trained": trained,
            "length": length,
            "unfinished": int(unfinished(LLAMA, trained).sum()),
            "plain": int(unseen(under(Unscaled(), LLAMA), trained, length).sum()),
            "unseen": int(unseen(LLAMA, trained, 8 * trained).sum()),
            "beyond": int(unseen(LLAMA, trained, length).sum()),
        },
    )
    yield pair_table("llama-pairs", LLAMA, trained, length)
    yield _prove("llama3-split", "llama3-list")


def _prove(*names: str) -> Prove:
    return Prove([f"longer.{name}" for name in names])
