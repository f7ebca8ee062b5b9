"""How wide a head is, and how much of it turns."""

from __future__ import annotations

from posenc.inspect._families import Rotary
from posenc.inspect._findings import refuse
from posenc.inspect._keys import Ledger, Section, number, whole
from posenc.inspect._phrases import Phrase

_PARTIAL = "partial_rotary_factor"
_SHARES = (_PARTIAL, "rotary_pct", "rotary_percentage", "rope_pct")
_COUNTS = ("rotary_dim", "rotary_ndims")
_WIDEST = 2**16
_NEED_HEAD_DIM = ("dynamic", "longrope", "yarn")


def head_dim(config: Section, family: Rotary, ledger: Ledger, *, hidden: int, rule: str) -> int:
    """Channels of a head: stated, the class default, or hidden size / heads."""
    note = f"the default of {ledger.model_type}"
    places = [(config, "num_attention_heads")]
    heads = ledger.value("heads", places, whole(), default=family.heads, note=note)
    stated = ledger.optional("head_dim", [(config, "head_dim")], whole(at_most=_WIDEST), null=True)
    if stated is None and "head_dim" in config.values:
        _null(family, ledger, rule)
    if hidden % heads and family.divides:
        ledger.find("PE114", "hidden_size", "hidden_size and heads", hidden=hidden, heads=heads)
    shared = hidden // heads
    if stated is not None:
        if stated != shared and not family.free_head_dim:
            must = f"hidden_size / num_attention_heads, {shared}, for {ledger.model_type}"
            refuse("PE112", "head_dim", must, stated, "Attention there reads no other.")
        return stated
    if family.head_dim is not None:
        ledger.note("head_dim", family.head_dim, "defaulted", note=note)
        return family.head_dim
    if not 1 <= shared <= _WIDEST:
        must = f"such that hidden_size / num_attention_heads, {heads}, is from 1 to {_WIDEST}"
        refuse("PE112", "hidden_size", must, hidden)
    ledger.note("head_dim", shared, "derived", "hidden_size", "hidden_size / num_attention_heads")
    return shared


def rotated(
    config: Section, block: Section, family: Rotary, ledger: Ledger, *, width: int, rule: str
) -> int:
    """Channels that turn, of a head of ``width``."""
    if rule == "proportional":  # the share is the rule's own: pairs reach across the whole head
        dim, note = width, "the whole head"
    elif family.share is None:
        dim, note = width, f"{ledger.model_type} turns the whole head"
        for section in (block, config):
            _share_unread(section, ledger, rule)
    else:
        default = f"the default of {ledger.model_type}"
        places = [(block, _PARTIAL), (config, family.share_key)]
        read = number(above=0, at_most=1)
        share = ledger.value("share", places, read, default=family.share, note=default)
        dim, note = int(width * share), f"{share:g} of head_dim {width}"
        if dim < 2 or dim % 2:
            hint = f"Of head_dim {width} it turns {dim}, and channels turn in pairs."
            refuse(
                "PE112", family.share_key, "a share with an even number of channels", share, hint
            )
        _other_words(config, family, ledger, share=share, dim=dim)
    if dim % 2:
        refuse("PE112", "head_dim", "even", dim, "Channels turn in pairs.")
    ledger.note("dim", dim, "derived", "", note)
    return dim


def _null(family: Rotary, ledger: Ledger, rule: str) -> None:
    """Null means absent, which not every class of transformers knows."""
    if family.head_dim is not None:
        ledger.find("PE114", "head_dim", "head_dim null")
    elif rule in _NEED_HEAD_DIM and not family.fills_head_dim:
        ledger.find("PE114", "head_dim", "head_dim null, rule", rule=rule)


def _share_unread(section: Section, ledger: Ledger, rule: str) -> None:
    stated = section.unread(_PARTIAL)
    if stated is None or stated == 1:
        return
    where = section.where(_PARTIAL)
    ledger.note("share", stated, "ignored", where, "the whole head turns")
    words = "share unread" if rule == "default" else "share unread, rule"
    ledger.find("PE113", where, words, share=stated, rule=rule)


def _other_words(
    config: Section, family: Rotary, ledger: Ledger, *, share: float, dim: int
) -> None:
    """The same fact in the words of other libraries, where it differs."""
    own = ledger.decider("share", family.share_key)
    for key in _SHARES:
        stated = config.unread(key)
        if key != family.share_key and stated not in (None, share):
            ledger.disagree(key, stated, own, share)
    for key in _COUNTS:
        stated = config.unread(key)
        if stated not in (None, dim):
            ledger.disagree(key, stated, Phrase("times head_dim", taken=own), dim)
