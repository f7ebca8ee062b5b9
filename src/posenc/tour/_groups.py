"""The groups of layers of a model's reading, and the claims about each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from posenc.claims import Claim
from posenc.claims.model import claims_of
from posenc.specs import Spec
from posenc.specs._stack import Stack
from posenc.text import Language, load


@dataclass(frozen=True)
class Layers:
    """One group of layers, with what the chapters say of it.

    Attributes:
        part: The part of the model, such as "text".
        numbers: Its layers, as "0-5, 7".
        specs: Its encodings, those of a stack one by one.
        trained: Positions seen in training, if the config says.
        length: Tokens in the longest text to speak of.
        claims: What is claimed of it.
    """

    part: str
    numbers: str
    specs: tuple[Spec, ...]
    trained: int | None
    length: int | None
    claims: tuple[Claim, ...]

    def slots(self, language: Language) -> dict[str, object]:
        """Its part and layers, for a sentence."""
        names = load("tour/longer")
        named = names.get(f"part-{self.part}")
        return {"part": named[language] if named else self.part, "layers": self.numbers}

    def of(self, chapter: int) -> list[str | Claim]:
        """Its claims in one chapter."""
        return [claim for claim in self.claims if claim.chapter == chapter]


def groups(reading: Any) -> Iterator[Layers]:
    """The groups of a ``posenc.inspect`` reading about which something is claimed."""
    known = [(part, group) for part in reading.parts for group in part.groups]
    for (part, group), claims in zip(known, claims_of(reading), strict=True):
        if not claims:
            continue
        spec = group.spec
        yield Layers(
            part=part.name,
            numbers=ranges(group.layers),
            specs=spec.parts if isinstance(spec, Stack) else (spec,),
            trained=group.trained_length,
            length=group.usable_length or group.trained_length,
            claims=tuple(claims),
        )


def ranges(numbers: Sequence[int]) -> str:
    """Layer numbers as a reader wants them.

    Example:
        >>> ranges([0, 1, 2, 5, 7, 8])
        '0-2, 5, 7-8'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)
