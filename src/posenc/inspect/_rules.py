"""From a scaling block to the rule it means, as transformers reads it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from posenc.inspect._families import Rotary
from posenc.inspect._findings import refuse, shown
from posenc.inspect._keys import Ledger, Reader, Section, T, flag, number, whole
from posenc.inspect._lists import factors
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._scaling import DynamicNtk, Linear, Llama3, Proportional, Scaling, Unscaled

ORIGINAL = "original_max_position_embeddings"
LENGTH = "max_position_embeddings"


@dataclass(frozen=True, kw_only=True)
class Block:
    """A scaling block and what its rule may depend on.

    Attributes:
        name: The rule.
        section: The block.
        config: The whole config.
        dim: Channels that turn.
        length: ``max_position_embeddings``.
    """

    name: str
    section: Section
    config: Section
    family: Rotary
    ledger: Ledger
    dim: int
    length: int

    def where(self, key: str) -> str:
        """The path of a key of the block."""
        return self.section.where(key)

    def required(self, key: str, read: Reader[T]) -> T:
        """A value that the rule cannot do without."""
        value = self.optional(key, read)
        if value is None:
            close = difflib.get_close_matches(key, [k for k in self.section.values if k != key], 1)
            hint = f"The file has {close[0]!r}." if close else ""
            refuse("PE110", self.where(key), f"given, as {self.name!r} needs it", None, hint)
        return value

    def optional(self, key: str, read: Reader[T]) -> T | None:
        """A value that the rule can do without; null is one way of leaving it out."""
        return self.ledger.optional(f"scaling.{key}", [(self.section, key)], read, null=True)

    def factor(self) -> float:
        """The required factor."""
        return self.at_least_one(self.required("factor", number()))

    def at_least_one(self, factor: float, hint: str = "") -> float:
        """The factor, unless it would shorten the context."""
        if factor < 1:
            hint = hint or "Below 1 it would shorten the context."
            refuse("PE108", self.where("factor"), "at least 1", factor, hint)
        return factor

    def trained_length(self) -> int:
        """Where the rule starts from; outside the block is looked at first."""
        field, read = "scaling.trained_length", whole()
        places = [(self.config, ORIGINAL), (self.section, ORIGINAL)]
        if self.family.trained is not None:  # the class default beats what the block says
            note = f"the default of {self.ledger.model_type}"
            default = self.family.trained
            value = self.ledger.value(field, places[:1], read, default=default, note=note)
            if ORIGINAL not in self.config and ORIGINAL in self.section:
                inner = read(self.where(ORIGINAL), self.section.values[ORIGINAL])
                if inner != value:
                    self.ledger.note(field, inner, "ignored", self.where(ORIGINAL), note)
                    self.ledger.disagree(
                        self.where(ORIGINAL), inner, f"the default {ORIGINAL}", value
                    )
            return value
        if not any(key in section for section, key in places):
            message = f"{ORIGINAL} is not given, so {LENGTH}, {self.length}, stands for it."
            hint = "The rule starts from the length before extension: state it."
            self.ledger.find("PE115", self.where(ORIGINAL), message, hint)
        note = f"{LENGTH} stands for it"
        return self.ledger.value(field, places, read, default=self.length, note=note)


def _default(block: Block) -> Scaling:
    return Unscaled()


def _linear(block: Block) -> Scaling:
    return Linear(factor=block.factor())


def _dynamic(block: Block) -> Scaling:
    note = f"{LENGTH}: this rule reads no other"
    block.ledger.note("scaling.trained_length", block.length, "derived", LENGTH, note)
    return DynamicNtk(factor=block.factor(), trained_length=block.length)


def _yarn(block: Block) -> Scaling:
    trained = block.trained_length()
    factor = _factor_or_ratio(block, trained)
    if "factor" not in block.section.values:
        message = f"{block.where('factor')} is missing; transformers 5.24 loads it only if null."
        hint = f"Write the factor, {block.length / trained:g}."
        block.ledger.find("PE114", block.where("factor"), message, hint)
    fast = block.optional("beta_fast", number(above=0))
    slow = block.optional("beta_slow", number(above=0))
    fast, slow = 32.0 if fast is None else fast, 1.0 if slow is None else slow
    if fast < slow:
        hint = "Pairs that turn more often than beta_fast are kept."
        refuse("PE111", block.where("beta_fast"), f"at least beta_slow {slow:g}", fast, hint)
    truncate = True
    if "truncate" in block.section.values:  # null would be false to transformers
        truncate = flag(block.where("truncate"), block.section.values["truncate"])
        block.ledger.note("scaling.truncate", truncate, "given", block.where("truncate"))
    return Yarn(
        factor=block.at_least_one(factor, f"It is {LENGTH} / {ORIGINAL}."),
        trained_length=trained,
        beta_fast=fast,
        beta_slow=slow,
        truncate=truncate,
        mscale=block.optional("mscale", number(at_least=0)),
        mscale_all_dim=block.optional("mscale_all_dim", number(at_least=0)),
        attention_factor=block.optional("attention_factor", number(above=0)),
    )


def _longrope(block: Block) -> Scaling:
    trained = block.trained_length()
    if trained < 2:
        refuse("PE111", block.where(ORIGINAL), "at least 2", trained)
    factor = _factor_or_ratio(block, trained)
    if factor < 1 and "factor" not in block.section:
        message = f"{LENGTH} {block.length} is shorter than {ORIGINAL} {trained}."
        block.ledger.find("PE107", LENGTH, message, "The attention factor is 1.")
        factor = 1.0
    return LongRope(
        short=block.required("short_factor", factors(block.dim)),
        long=block.required("long_factor", factors(block.dim)),
        trained_length=trained,
        factor=block.at_least_one(factor),
        attention_factor=block.optional("attention_factor", number(above=0)),
    )


def _llama3(block: Block) -> Scaling:
    trained = block.trained_length()
    low = block.required("low_freq_factor", number(above=0))
    high = block.required("high_freq_factor", number(above=0))
    if high <= low:
        refuse("PE111", block.where("high_freq_factor"), f"above low_freq_factor {low:g}", high)
    if trained >= block.length and block.ledger.evidence[-1].how != "defaulted":
        message = f"{ORIGINAL} is {trained}, and {LENGTH}, {block.length}, is no longer than that."
        block.ledger.find("PE107", block.where(ORIGINAL), message, "One of the two is wrong.")
    return Llama3(
        factor=block.factor(), low_freq_factor=low, high_freq_factor=high, trained_length=trained
    )


def _proportional(block: Block) -> Scaling:
    places = [
        (block.section, "partial_rotary_factor"),
        (block.config, block.family.share_key),
    ]
    read = number(above=0, at_most=1)
    note = "without it every pair turns"
    share = block.ledger.value("scaling.share", places, read, default=1.0, note=note, null=True)
    factor = block.optional("factor", number())
    return Proportional(share=share, factor=block.at_least_one(1.0 if factor is None else factor))


def _factor_or_ratio(block: Block, trained: int) -> float:
    """The factor as given, compared with the ratio of the lengths; else that ratio."""
    ratio = block.length / trained
    factor = block.optional("factor", number())
    if factor is None:
        note = f"{LENGTH} / {ORIGINAL}"
        block.ledger.note("scaling.factor", ratio, "derived", LENGTH, note)
        return ratio
    reach = int(min(trained * factor, 2.0**62))
    if ratio == 1 and factor > 1:
        message = f"{LENGTH} is still {block.length}, while the rule reaches {reach}."
        hint = f"Engines that stop at {LENGTH} need it raised."
        block.ledger.find("PE107", LENGTH, message, hint, severity="note")
    elif factor != ratio:
        message = f"The factor is {factor:g}, but {LENGTH} / {ORIGINAL} is {ratio:g}."
        hint = f"The factor is used; transformers before 4.56 took the ratio. The rule reaches {reach}."
        block.ledger.find("PE107", block.where("factor"), message, hint)
    return factor


_BOTH = frozenset({ORIGINAL, "factor"})
RULES: dict[str, tuple[Callable[[Block], Scaling], frozenset[str]]] = {
    "default": (_default, frozenset()),
    "linear": (_linear, frozenset({"factor"})),
    "dynamic": (_dynamic, frozenset({"factor"})),
    "yarn": (
        _yarn,
        _BOTH
        | {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"},
    ),
    "longrope": (_longrope, _BOTH | {"attention_factor", "long_factor", "short_factor"}),
    "llama3": (_llama3, _BOTH | {"high_freq_factor", "low_freq_factor"}),
    "proportional": (_proportional, frozenset({"factor"})),
}
"""Each rule with the keys that it reads, besides its name, the base and the rotated share."""


def scaling(block: Block) -> Scaling:
    """The rule that a block means; what it never reads is found."""
    return RULES[block.name][0](block)
