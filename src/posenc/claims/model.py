"""Claims about a model at hand: what is true of the encoding that its config describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posenc.claims._claim import Claim
from posenc.claims.model_biases import alibi_claims, t5_claims
from posenc.claims.model_rotary import rotary_claims
from posenc.specs import Spec
from posenc.specs._alibi import Alibi
from posenc.specs._fields import Whole
from posenc.specs._rope import Rope
from posenc.specs._stack import Stack
from posenc.specs._t5 import T5Bias

if TYPE_CHECKING:
    from posenc.inspect import Reading

_LENGTH = 131_072  # where nothing says how long a text may be
_FARTHEST = 2**31 - 1
_ROOM = Whole(at_least=1, at_most=_FARTHEST, optional=True)


def claims_for(
    spec: Spec, *, length: int | None = None, trained_length: int | None = None, name: str = "model"
) -> list[Claim]:
    """Claims about one encoding, expected values by formulas of NumPy alone.

    Args:
        spec: Rotary of one ladder, ALiBi, T5 of a text, or a stack of such; others have none.
        length: Tokens in the longest run to speak of; None: the trained length, or as far as the
            scaling rule was made for.
        trained_length: Positions seen in training; None: what the scaling rule says, or
            ``length``.
        name: What the ids begin with.

    Returns:
        Claims of the chapters 11 and 12, each with the numbers of this encoding in its plain code.

    Example:
        >>> from posenc.specs import Rope
        >>> [c.id for c in claims_for(Rope(dim=8, layout="half"))][:2]
        ['model.frequencies', 'model.longest-wavelength']
    """
    length = _ROOM.read("claims_for(): length", length)
    trained_length = _ROOM.read("claims_for(): trained_length", trained_length)
    if isinstance(spec, Stack):
        stacked = enumerate(spec.parts)
        sized = {"length": length, "trained_length": trained_length}
        return [c for i, part in stacked for c in claims_for(part, **sized, name=f"{name}.{i}")]
    rule = spec.scaling if isinstance(spec, Rope) else None
    trained = trained_length or getattr(rule, "trained_length", None) or length or _LENGTH
    run = length or int(trained * max(getattr(rule, "factor", None) or 1, 1))
    if isinstance(spec, Rope) and not spec.axes.several_ladders:
        return rotary_claims(spec, length=run, trained_length=trained, name=name)
    if isinstance(spec, Alibi):
        return alibi_claims(spec, length=run, name=name)
    if isinstance(spec, T5Bias) and spec.coordinates == spec.step == 1:
        return t5_claims(spec, length=run, name=name)
    return []


def claims_of(reading: Reading) -> list[list[Claim]]:
    """The claims about a model, a list for each of its groups of layers, in order."""
    return [
        claims_for(
            group.spec,
            length=group.usable_length and min(group.usable_length, _FARTHEST),
            trained_length=group.trained_length and min(group.trained_length, _FARTHEST),
            name=part.name if len(part.groups) == 1 else f"{part.name}.{number}",
        )
        for part in reading.parts
        for number, group in enumerate(part.groups)
    ]
