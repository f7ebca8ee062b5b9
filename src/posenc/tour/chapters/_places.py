"""The five places at which a position can enter an attention layer, and who uses which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc._facade import bind
from posenc.attention import attend
from posenc.claims._distance import shaw
from posenc.scheme import Scheme
from posenc.specs import Spec
from posenc.specs._alibi import Alibi
from posenc.specs._learned import Learned
from posenc.specs._longer import Yarn
from posenc.specs._rope import Rope
from posenc.specs._sinusoidal import Sinusoidal
from posenc.specs._t5 import T5Bias
from posenc.text import Language, sentence

PLACES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("+ embed", ("embed",)),
    ("query, key", ("query", "key")),
    ("adjust", ("adjust",)),
    ("× logit_scale", ("logit_scale",)),
    ("+ bias", ("bias",)),
)
"""What is written at each place, and the hooks of a scheme that are called there, in order."""

_SPECS: dict[str, Spec] = {
    "Sinusoidal": Sinusoidal(dim=64),
    "Learned": Learned(rows=1024, dim=64),
    "Rope": Rope(dim=64, layout="half"),
    "Rope + Yarn": Rope(dim=64, layout="half", scaling=Yarn(factor=4, trained_length=4096)),
    "Alibi": Alibi(heads=8),
    "T5Bias": T5Bias(heads=8, bidirectional=True),
}
_SHAW = np.zeros((5, 64))


def schemes() -> dict[str, tuple[Scheme, int]]:
    """An encoding for every place: its scheme, and how many numbers it has to learn."""
    found = {name: (bind(spec), spec.parameters()) for name, spec in _SPECS.items()}
    return {**found, "Shaw": (shaw(_SHAW, clip=2), _SHAW.size)}


def used(scheme: Scheme) -> list[bool]:
    """For each place, whether the scheme acts there."""
    return [any(getattr(scheme, hook) for hook in hooks) for _, hooks in PLACES]


def turns_values(scheme: Scheme) -> bool:
    """Whether the output is anything but the weighted mean of the values as they came."""
    q, k, v = np.random.default_rng(7).normal(size=(3, 8, 4, 64))
    at, units = np.arange(4), np.broadcast_to(np.eye(4), (8, 4, 4))
    weights = attend(q, k, units, scheme, q_positions=at)
    return not np.allclose(attend(q, k, v, scheme, q_positions=at), weights @ v, atol=1e-9)


def map_of_places(language: Language) -> str:
    """One attention layer from top to bottom; beside each place those who use it."""
    found = {name: used(scheme) for name, (scheme, _) in schemes().items()}
    before = {"+ embed": _word("words", language), "query, key": "W_q  W_k  W_v", "adjust": "q . k"}
    lines = []
    for place, (label, _) in enumerate(PLACES):
        if label in before:
            lines += [f"    {before[label]}", "        |"]
        users = ", ".join(name for name, places in found.items() if places[place])
        lines += [f" {place + 1}  {label:<16}{users}", "        |"]
    return "\n".join([*lines, "    softmax", "        |", "     . v"])


def table_of_places(language: Language) -> tuple[Sequence[str], list[list[Any]]]:
    """Headings and rows: who acts where, on v or not, how often, with how many learned numbers."""
    headings = ["", *(label for label, _ in PLACES), "v"]
    headings += [_word(key, language) for key in ("how-often", "numbers")]
    rows: list[list[Any]] = []
    for name, (scheme, numbers) in schemes().items():
        once = scheme.embed is not None
        often = _word("once" if once else "every-layer", language)
        marks = ["●" if acts else "" for acts in used(scheme)]
        rows.append([name, *marks, "●" if turns_values(scheme) else "", often, numbers])
    return headings, rows


def _word(key: str, language: Language) -> str:
    return sentence("tour/input", key, language)
