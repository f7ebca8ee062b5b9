"""From a scaling block to the rule it means, as transformers 5.24 reads it."""

from __future__ import annotations

from collections.abc import Callable

from posenc.inspect._block import LENGTH, ORIGINAL, Block
from posenc.inspect._findings import refuse
from posenc.inspect._keys import factors, flag, number
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._scaling import DynamicNtk, Linear, Llama3, Proportional, Scaling, Unscaled


def _default(block: Block) -> Scaling:
    return Unscaled()


def _linear(block: Block) -> Scaling:
    return Linear(factor=block.factor())


def _dynamic(block: Block) -> Scaling:
    note = f"this rule reads no length but {LENGTH}"
    block.ledger.note("scaling.trained_length", block.length, "derived", LENGTH, note)
    return DynamicNtk(factor=block.factor(), trained_length=block.length)


def _yarn(block: Block) -> Scaling:
    trained = block.trained_length()
    hint = "" if "factor" in block.section else f"It is {LENGTH} / {ORIGINAL}."
    factor = block.factor(block.factor_or_ratio(trained), hint)
    if "factor" not in block.section.values:
        block.ledger.find("PE114", block.where("factor"), "factor missing", factor=factor)
    fast = block.defaulted("beta_fast", number(above=0), 32.0)
    slow = block.defaulted("beta_slow", number(above=0), 1.0)
    if fast < slow:
        hint = "Pairs that turn more often than beta_fast are kept."
        refuse("PE111", block.where("beta_fast"), f"at least beta_slow {slow:g}", fast, hint)
    if "truncate" in block.section.values and "truncate" not in block.section:
        hint = "Null means false to transformers."
        refuse("PE110", block.where("truncate"), "true or false", None, hint)
    mscales = [block.optional(key, number(at_least=0)) for key in ("mscale", "mscale_all_dim")]
    if mscales.count(None) == 1:
        one, other = ("mscale", "mscale_all_dim")[:: 1 if mscales[1] is None else -1]
        block.ledger.find("PE102", block.where(one), "mscale alone", other=other)
    return Yarn(
        factor=factor,
        trained_length=trained,
        beta_fast=fast,
        beta_slow=slow,
        truncate=block.defaulted("truncate", flag, True),
        mscale=mscales[0],
        mscale_all_dim=mscales[1],
        attention_factor=block.optional("attention_factor", number(above=0)),
    )


def _longrope(block: Block) -> Scaling:
    trained = block.trained_length()
    if trained < 2:
        refuse("PE111", block.where(ORIGINAL), "at least 2", trained)
    factor = block.factor_or_ratio(trained)
    if factor < 1 and "factor" not in block.section:
        words = "shorter than original"
        block.ledger.find("PE107", LENGTH, words, length=block.length, trained=trained)
        factor = 1.0
    return LongRope(
        short=block.required("short_factor", factors(block.dim // 2), field="short"),
        long=block.required("long_factor", factors(block.dim // 2), field="long"),
        trained_length=trained,
        factor=block.factor(factor),
        attention_factor=block.optional("attention_factor", number(above=0)),
    )


def _llama3(block: Block) -> Scaling:
    trained = block.trained_length()
    factor = block.factor()
    low = block.required("low_freq_factor", number(above=0))
    high = block.required("high_freq_factor", number(above=0))
    if high <= low:
        refuse("PE111", block.where("high_freq_factor"), f"above low_freq_factor {low:g}", high)
    if block.states_original and trained >= block.length:
        where, words = block.where(ORIGINAL), "nothing to extend"
        block.ledger.find("PE107", where, words, length=block.length, trained=trained)
    return Llama3(factor=factor, low_freq_factor=low, high_freq_factor=high, trained_length=trained)


def _proportional(block: Block) -> Scaling:
    places = [(block.section, "partial_rotary_factor"), (block.config, block.family.share_key)]
    read = number(above=0, at_most=1)
    usual = block.family.share or 1.0
    note = "without it every pair turns" if usual == 1 else "the default of the class"
    share = block.ledger.value("scaling.share", places, read, default=usual, note=note, null=True)
    factor = block.factor(block.defaulted("factor", number(), 1.0))
    return Proportional(share=share, factor=factor)


_LENGTHS = frozenset({"factor", ORIGINAL})
_YARN = {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"}

RULES: dict[str, tuple[Callable[[Block], Scaling], frozenset[str]]] = {
    "default": (_default, frozenset()),
    "linear": (_linear, frozenset({"factor"})),
    "dynamic": (_dynamic, frozenset({"factor"})),
    "yarn": (_yarn, _LENGTHS | _YARN),
    "longrope": (_longrope, _LENGTHS | {"attention_factor", "long_factor", "short_factor"}),
    "llama3": (_llama3, _LENGTHS | {"high_freq_factor", "low_freq_factor"}),
    "proportional": (_proportional, frozenset({"factor"})),
}
"""By name: how a rule is read, and the keys it reads besides its name, the base and the share."""
