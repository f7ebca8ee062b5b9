"""Decoders that turn queries and keys: from a config to one part with one group."""

from __future__ import annotations

from posenc.inspect import _unread
from posenc.inspect._block import LENGTH, Block
from posenc.inspect._families import Rotary
from posenc.inspect._head import head_dim, rotated
from posenc.inspect._keys import Ledger, Section, number, whole
from posenc.inspect._named import rule_name, scaling_section
from posenc.inspect._reach import reach
from posenc.inspect._rules import RULES
from posenc.inspect.reading import Group, Part
from posenc.specs._rope import Rope

_BASES = ("rope_theta", "rotary_emb_base", "rotary_base", "rope_base", "theta", "base")
_LENGTHS = ("n_positions", "n_ctx", "seq_length", "max_sequence_length")


def dialect(config: Section) -> str:
    """Which generation of transformers wrote the scaling block."""
    if config.values.get("rope_scaling") or "rope_theta" in config or "rotary_emb_base" in config:
        return "huggingface-legacy"
    return "huggingface-v5" if "rope_parameters" in config else "huggingface"


def rotary_part(config: Section, family: Rotary, ledger: Ledger) -> Part:
    """What a rotary family's config says."""
    note = f"the default of {ledger.model_type}"
    section = scaling_section(config, ledger)
    rule = rule_name(section, family, ledger)
    hidden = ledger.value(
        "hidden_size", [(config, "hidden_size")], whole(), default=family.hidden, note=note
    )
    width = head_dim(config, family, ledger, hidden=hidden, rule=rule)
    dim = rotated(config, section, family, ledger, width=width, rule=rule)
    base = _base(config, section, family, ledger)
    length = _length(config, family, ledger)
    block = Block(
        name=rule,
        section=section,
        config=config,
        family=family,
        ledger=ledger,
        dim=dim,
        length=length,
    )
    scaling = RULES[rule][0](block)
    _unread.in_block(section, rule, ledger)
    _unread.at_top(config, ledger)
    how = f"transformers' modeling_{ledger.model_type}.py pairs channel i with i + dim / 2"
    ledger.note("layout", family.layout, "derived", "model_type", how)
    spec = Rope(dim=dim, head_dim=width, layout=family.layout, base=base, scaling=scaling)
    trained, usable = reach(scaling, block)
    count = ledger.value(
        "layers",
        [(config, "num_hidden_layers")],
        whole(at_most=10_000),
        default=family.layers,
        note=note,
    )
    scale = 1.0
    if family.scales_tokens:
        scale = hidden**0.5
        ledger.note("token_scale", scale, "derived", "hidden_size", "the square root")
    group = Group(
        layers=tuple(range(count)),
        spec=spec,
        layout=family.layout,
        trained_length=trained,
        usable_length=usable,
        evidence=tuple(ledger.evidence),
    )
    return Part(name="text", groups=(group,), token_scale=scale)


def _base(config: Section, section: Section, family: Rotary, ledger: Ledger) -> float:
    places = [(section, "rope_theta"), (config, family.base_key)]
    base = ledger.optional("base", places, number(above=1), null=False)
    if base is None:
        base = 10_000.0
        ledger.note("base", base, "defaulted", note="10000 in every class")
        ledger.find("PE103", family.base_key, "no base")
    for key in _BASES:
        stated = config.unread(key)
        if key != family.base_key and stated not in (None, base):
            ledger.disagree(key, stated, ledger.decider("base", family.base_key), base)
    return base


def _length(config: Section, family: Rotary, ledger: Ledger) -> int:
    note = f"the default of {ledger.model_type}"
    if LENGTH not in config:
        for key in _LENGTHS:
            if key in config:
                ledger.find("PE113", key, "other length", length=family.length)
    places = [(config, key) for key in (LENGTH, *_LENGTHS)]
    return ledger.value(LENGTH, places, whole(), default=family.length, note=note)
