"""How far an encoding can be read, and why."""

from __future__ import annotations

from collections.abc import Mapping

from posenc.inspect._block import LENGTH, ORIGINAL, Block, reached
from posenc.inspect._keys import Section, whole
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._scaling import DynamicNtk, Linear, Llama3, Scaling

_CHUNKED = "dual_chunk_attention_config"


def reach(scaling: Scaling, block: Block) -> tuple[int, int]:
    """The trained and the usable length of a rotary group, with evidence and findings."""
    _side_effects(scaling, block)
    length, source = block.length, LENGTH
    if isinstance(scaling, Yarn | DynamicNtk):
        trained, source = scaling.trained_length, "scaling.trained_length"
        usable, why = reached(trained, scaling.factor), "the trained length times the factor"
    elif isinstance(scaling, LongRope | Llama3):
        trained, source = scaling.trained_length, "scaling.trained_length"
        usable, why = (
            max(length, trained),
            f"{LENGTH}: such models are trained further with their rule",
        )
    elif isinstance(scaling, Linear):
        trained = usable = length
        why = f"{LENGTH}; if that is the length before scaling, the factor times as far"
    else:
        trained = usable = _before_chunks(block) or length
        why = "the trained length: past it slow pairs reach angles that training never showed"
    block.ledger.note("trained_length", trained, "derived", note=source)
    block.ledger.note("usable_length", usable, "derived", note=why)
    return trained, usable


def _before_chunks(block: Block) -> int | None:
    """The trained length of a model that is read further by dual chunk attention alone."""
    chunked = block.config.values.get(_CHUNKED)
    if not isinstance(chunked, Mapping) or ORIGINAL not in chunked:
        return None
    section = Section(chunked, _CHUNKED)
    trained = block.ledger.optional("trained_length", [(section, ORIGINAL)], whole(), null=True)
    if trained is None or trained >= block.length:
        return None
    block.ledger.find("PE113", _CHUNKED, "chunked", trained=trained)
    return trained


def _side_effects(scaling: Scaling, block: Block) -> None:
    """What a rule does besides lengthening."""
    where = block.section.path
    if isinstance(scaling, Yarn | LongRope) and scaling.attention_factor is None:
        magnitude, how = scaling.magnitude(None), "the rule's own formula"
        block.ledger.note("scaling.attention_factor", magnitude, "derived", note=how)
    if isinstance(scaling, DynamicNtk) or (
        isinstance(scaling, LongRope) and scaling.short != scaling.long
    ):
        trained = scaling.trained_length
        block.ledger.find("PE116", where, "moving frequencies", rule=block.name, trained=trained)
    if isinstance(scaling, Yarn) and scaling.factor > 1:
        gain = scaling.magnitude(None) ** 2
        words = "acts on short text" if gain != 1 else "acts on short text, same logits"
        block.ledger.find("PE117", where, words, gain=gain, trained=scaling.trained_length)
