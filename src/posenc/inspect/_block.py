"""A scaling block: the dictionary that names a rule for longer text, and its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from posenc.inspect._families import Rotary
from posenc.inspect._findings import closest, refuse
from posenc.inspect._keys import Ledger, Reader, Section, T, number, whole
from posenc.inspect._phrases import Phrase

ORIGINAL = "original_max_position_embeddings"
LENGTH = "max_position_embeddings"


@dataclass(frozen=True, kw_only=True)
class Block:
    """A scaling block and all that its rule may depend on.

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

    def optional(self, key: str, read: Reader[T], *, field: str = "") -> T | None:
        """A value that the rule can do without; null is one way of leaving it out."""
        field = f"scaling.{field or key}"
        return self.ledger.optional(field, [(self.section, key)], read, null=True)

    def defaulted(self, key: str, read: Reader[T], default: T) -> T:
        """A value with a default in transformers."""
        field, places, note = f"scaling.{key}", [(self.section, key)], "the default of the rule"
        return self.ledger.value(field, places, read, default=default, note=note, null=True)

    def required(self, key: str, read: Reader[T], *, field: str = "") -> T:
        """A value that the rule cannot do without."""
        value = self.optional(key, read, field=field)
        if value is None:
            words = [k for k in self.section.values if isinstance(k, str) and k != key]
            close = closest(key, words, at_least=0.75)
            hint = f"The block has {close!r}." if close else ""
            refuse("PE110", self.where(key), f"given, as {self.name!r} needs it", None, hint)
        return value

    def factor(self, given: float | None = None, hint: str = "") -> float:
        """The factor, which is required unless ``given`` and never shortens the context."""
        value = self.required("factor", number()) if given is None else given
        if value < 1:
            refuse("PE108", self.where("factor"), "at least 1", value, hint)
        return value

    def factor_or_ratio(self, trained: int) -> float:
        """The factor as stated, compared with the ratio of the lengths; else that ratio."""
        ratio = self.length / trained
        factor = self.optional("factor", number())
        if factor is None:
            note = f"{LENGTH} / {ORIGINAL}"
            self.ledger.note("scaling.factor", ratio, "derived", LENGTH, note)
            return ratio
        yarn, reach = self.name == "yarn", reached(trained, factor)
        if yarn and ratio == 1 and factor > 1:
            words = "length not raised"
            self.ledger.find(
                "PE107", LENGTH, words, severity="note", length=self.length, reach=reach
            )
        elif not math.isclose(factor, ratio, rel_tol=1e-3):
            words = "factor and ratio" if yarn else "factor and ratio, longrope"
            where = self.where("factor")
            self.ledger.find("PE107", where, words, factor=factor, ratio=ratio, reach=reach)
        return factor

    @property
    def states_original(self) -> bool:
        """Whether the file says where the rule starts from."""
        return ORIGINAL in self.config or ORIGINAL in self.section

    def trained_length(self) -> int:
        """Where the rule starts from; transformers looks outside the block first."""
        field, read, ledger = "scaling.trained_length", whole(), self.ledger
        places = [(self.config, ORIGINAL), (self.section, ORIGINAL)]
        if self.family.trained is None:
            if not self.states_original:
                where = self.where(ORIGINAL)
                ledger.find("PE115", where, "no original length", length=self.length)
            note = f"{LENGTH} stands for it"
            return ledger.value(field, places, read, default=self.length, note=note)
        note = f"the default of {ledger.model_type}"
        if ORIGINAL in self.config:
            return ledger.value(field, places, read, default=self.family.trained, note=note)
        # The class has a default of its own, and that beats what the block says.
        ledger.note(field, self.family.trained, "defaulted", note=note)
        inner = ledger.optional(f"{field}, in the block", places[1:], read, null=True)
        if inner not in (None, self.family.trained):
            default = Phrase("default of", key=ORIGINAL)
            ledger.disagree(self.where(ORIGINAL), inner, default, self.family.trained)
        return self.family.trained


def reached(length: int, factor: float) -> int:
    """``factor`` times ``length``, within what an integer of 64 bits holds."""
    return int(min(length * factor, 2.0**62))
