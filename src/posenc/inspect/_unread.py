"""Keys that nobody reads: misspelt, of another rule, or of another library."""

from __future__ import annotations

from itertools import islice

from posenc.inspect._block import LENGTH, ORIGINAL
from posenc.inspect._findings import Severity, closest, spelled
from posenc.inspect._keys import Ledger, Section
from posenc.inspect._rules import RULES

_SHARED = frozenset({"partial_rotary_factor", "rope_theta", "rope_type", "type"})
# What other rules, models or engines write into such a block, and this rule passes over.
_ELSEWHERE = frozenset().union(*(keys for _, keys in RULES.values())) | {
    *("alpha", "attn_factor", "extrapolation_factor", "finetuned", "long_mscale", LENGTH),
    *("mrope_interleaved", "mrope_section", "short_mscale"),
}
# Top-level keys that the rotary families read.
_KNOWN = frozenset(
    {
        *("head_dim", "hidden_size", "num_attention_heads", "num_hidden_layers", "model_type"),
        *("partial_rotary_factor", "rope_parameters", "rope_scaling", "rope_theta"),
        *("rotary_emb_base", "rotary_pct", LENGTH, ORIGINAL),
    }
)


def in_block(section: Section, rule: str, ledger: Ledger) -> None:
    """Find the keys of a scaling block that its rule never reads."""
    read = _SHARED | RULES[rule][1]
    for key in section.values:
        if key in read:
            continue
        where = section.where(spelled(key))
        # Without its rule's name a factor does nothing, however well it is spelt.
        passed_over = key in _ELSEWHERE and key != "factor"
        foreign = key in _ELSEWHERE or not isinstance(key, str)
        close = None if foreign else closest(key, read, at_least=0.75)
        if close:
            _misspelt(where, close, ledger)
        else:
            keys = ", ".join(sorted(RULES[rule][1]))
            words = "unread by the rule" if keys else "unread by default"
            severity: Severity = "note" if passed_over else "warning"
            ledger.find("PE102", where, words, severity=severity, rule=rule, keys=keys)


def at_top(config: Section, ledger: Ledger) -> None:
    """Find top-level keys that are close to a word of positions, and are none."""
    for key in islice(config.values, 1000):  # a real config has two hundred at most
        if not isinstance(key, str) or key in _KNOWN:
            continue
        close = closest(key, _KNOWN, at_least=0.9)
        if close and close not in config.values:
            _misspelt(spelled(key), close, ledger)


def _misspelt(where: str, meant: str, ledger: Ledger) -> None:
    ledger.find("PE101", where, "misspelt", meant=meant)
