"""Chapter 11 about a model at hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc._facade import bind
from posenc.claims._pairs import logit_gain, trained_under_rule, unfinished, unseen
from posenc.figures.text import strip
from posenc.specs._alibi import Alibi
from posenc.specs._rope import Rope
from posenc.specs._t5 import T5Bias
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say
from posenc.tour._groups import Layers, groups
from posenc.tour._pairs import fates, pair_table, rule_name

_FAR = 131_072  # for encodings that end nowhere


def model_page(context: Context) -> Iterator[Block]:
    """What each group of layers does with a text longer than its training."""
    spoken = False
    for layers in groups(context.reading):
        spoken = True
        for spec in layers.specs:
            if isinstance(spec, Rope):
                yield from _rotary(context, layers, spec)
            elif isinstance(spec, Alibi):
                yield from _alibi(context, layers, spec)
            elif isinstance(spec, T5Bias):
                yield from _t5(context, layers, spec)
        yield Prove(layers.of(11))
    if not spoken:
        yield Say("model-none")


def _rotary(context: Context, layers: Layers, spec: Rope) -> Iterator[Block]:
    rule = spec.scaling
    length = layers.length or _FAR
    trained = layers.trained or length
    kind = rule.kind.replace("_", "-")
    yield Say(
        "model-rotary",
        {
            **layers.slots(context.language),
            "dim": spec.dim,
            "head": spec.head_dim or spec.dim,
            "base": f"{spec.base:.12g}",
            "rule": sentence("tour/longer", f"rule-{kind}", context.language),
            "trained": trained,
            "length": length,
        },
    )
    yield pair_table("model-pairs", spec, trained, length)
    ruled = trained_under_rule(spec, trained, length)
    moving = spec.frequencies(length) > 0
    never = np.flatnonzero(unfinished(spec, trained, ruled=ruled) & moving).tolist()
    slots = {"trained": trained, "length": length, "count": len(never), "pairs": spec.dim // 2}
    if never:
        new = int(unseen(spec, trained, length).sum())
        kept = "model-kept" if length > trained else "model-not-past"
        plain = "model-never-plain" if kind == "unscaled" else "model-never"
        told = "model-never-ruled" if ruled else plain
        yield Say(told, {**slots, "first": never[0], "last": never[-1]})
        yield Say("model-new" if new else kept, {**slots, "unseen": new})
    else:
        yield Say("model-all-turn", slots)
    if kind != "unscaled":
        factor = getattr(rule, "factor", None) or length / trained
        named = {rule_name(spec, context.language): spec}
        yield Drawing("model-fates", fates(named, factor, length))
    factor = spec.attention_factor(length)
    if factor != 1:
        gain = logit_gain(spec, length)
        shown = {"factor": f"{factor:.9f}", "square": f"{factor**2:.9f}", "gain": f"{gain:.9f}"}
        yield Say("model-factor" if spec.head_dim is None else "model-factor-part", shown)


def _alibi(context: Context, layers: Layers, spec: Alibi) -> Iterator[Block]:
    yield Say("model-alibi", {**layers.slots(context.language), "heads": spec.heads})
    length = layers.length or _FAR
    reach = [1, 10, 100, 1000, length - 1]
    biases = bind(spec).bias(np.array([length - 1]), length - 1 - np.array(reach))[:, 0]  # type: ignore[misc]
    heads = sorted({0, spec.heads // 4, spec.heads // 2, spec.heads - 1})
    rows = [(head, *(float(b) for b in biases[head])) for head in heads]
    yield Grid("model-penalties", ("h", *map(str, reach)), rows, digits=4)


def _t5(context: Context, layers: Layers, spec: T5Bias) -> Iterator[Block]:
    sizes = {"buckets": spec.buckets, "reach": spec.max_distance}
    yield Say("model-t5", {**layers.slots(context.language), **sizes})
    numbers = np.repeat(np.arange(spec.buckets, dtype=np.float32)[:, None], spec.heads, axis=1)
    behind = np.unique(np.geomspace(1, 2 * spec.max_distance, 14).astype(int))
    query = int(behind[-1])
    found = bind(spec, {"table": numbers}).bias(np.array([query]), query - behind)[0, 0]  # type: ignore[misc]
    yield Drawing("model-buckets", strip(behind.tolist(), found.astype(int).tolist()))
