"""Models that add a bias by distance to their logits: ALiBi and T5."""

from __future__ import annotations

from posenc.inspect._families import Biased
from posenc.inspect._findings import shown
from posenc.inspect._keys import Ledger, Section, whole
from posenc.inspect.reading import Group, Part
from posenc.specs._alibi import Alibi
from posenc.specs._record import Spec
from posenc.specs._t5 import T5Bias


def biased_parts(config: Section, family: Biased, ledger: Ledger) -> tuple[Part, ...]:
    """What the config of such a family says."""
    note = f"the default of {ledger.model_type}"
    places = [(config, key) for key in family.heads_keys]
    heads = ledger.value("heads", places, whole(at_most=2**14), default=family.heads, note=note)
    places = [(config, key) for key in family.layers_keys]
    read = whole(at_most=10_000)
    layers = ledger.value("layers", places, read, default=family.layers, note=note)
    if family.bias == "alibi":
        return (_alibi(config, family, ledger, heads=heads, layers=layers),)
    return _t5(config, family, ledger, heads=heads, layers=layers)


def _alibi(config: Section, family: Biased, ledger: Ledger, *, heads: int, layers: int) -> Part:
    ledger.note("slopes", "reference", "derived", "model_type", "the authors' rule")
    if ledger.model_type == "mpt":
        _unread_by_mpt(config, ledger)
    places = [(config, family.length_key)]
    trained = ledger.optional("trained_length", places, whole(), null=True)
    usable = None
    note = "no limit: a penalty by distance has no last position"
    if family.length is not None:
        if trained is None:
            trained = family.length
            ledger.note("trained_length", trained, "defaulted", note="the default of the class")
        usable = trained
        note = f"{family.length_key}: transformers prepares so many; raise it to read further"
    ledger.note("usable_length", usable, "derived", note=note)
    return Part(name="text", groups=(_group(Alibi(heads=heads), layers, ledger, trained, usable),))


def _unread_by_mpt(config: Section, ledger: Ledger) -> None:
    """transformers' port always adds ALiBi, with 8 as its steepest exponent."""
    attention = config.section("attn_config")
    for key, expected in (("alibi", True), ("alibi_bias_max", 8), ("rope", False)):
        stated = attention.values.get(key)
        if stated is None or stated == expected:
            continue
        where = attention.where(key)
        ledger.find(
            "PE113",
            where,
            "unread by mpt",
            severity="error",
            stated=shown(stated),
            expected=expected,
        )
    if config.values.get("learned_pos_emb") is True:
        note = "ALiBi takes its place"
        ledger.note("learned table", True, "ignored", "learned_pos_emb", note)


def _t5(
    config: Section, family: Biased, ledger: Ledger, *, heads: int, layers: int
) -> tuple[Part, ...]:
    prefix, note = "relative_attention", f"the default of {ledger.model_type}"
    places = [(config, f"{prefix}_num_buckets")]
    buckets = ledger.value("buckets", places, whole(at_most=1024), default=32, note=note)
    places = [(config, f"{prefix}_max_distance")]
    farthest = ledger.value("max_distance", places, whole(at_most=2**20), default=128, note=note)
    stated = config.unread("n_positions")
    if stated is not None:
        ledger.note(
            "trained_length", stated, "ignored", "n_positions", "a bias by distance has none"
        )
    tables = "every layer has its own table" if family.every_layer else "all read the first's table"
    ledger.note("tables", layers if family.every_layer else 1, "derived", "model_type", tables)
    ledger.note("scale", 1.0, "derived", "model_type", "logits are not divided by sqrt(head_dim)")
    reason = f"no limit: beyond max_distance, {farthest}, all share a bucket"
    ledger.note("usable_length", None, "derived", note=reason)

    def part(name: str, count: int, bidirectional: bool) -> Part:
        spec = T5Bias(
            heads=heads, bidirectional=bidirectional, buckets=buckets, max_distance=farthest
        )
        return Part(name=name, groups=(_group(spec, count, ledger, None, None),))

    encoder = part("encoder", layers, True)
    names = config.values.get("architectures")
    if isinstance(names, list) and names and str(names[0]).endswith("EncoderModel"):
        return (encoder,)
    places = [(config, "num_decoder_layers")]
    read = whole(at_most=10_000)
    note = "as many as the encoder's"
    count = ledger.value("decoder layers", places, read, default=layers, note=note, null=True)
    return encoder, part("decoder", count, False)


def _group(
    spec: Spec, layers: int, ledger: Ledger, trained: int | None, usable: int | None
) -> Group:
    return Group(
        layers=tuple(range(layers)),
        spec=spec,
        layout=None,
        trained_length=trained,
        usable_length=usable,
        evidence=tuple(ledger.evidence),
    )
