"""What each pair of a rotary encoding saw in training, and what a rule for longer text does to it.

Training on n positions takes a pair through the angles from 0 up to n w. Once that is a whole turn,
no angle is new to it any more; until then, every position past n brings one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from posenc._facade import bind
from posenc.claims._codes import Matrix
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._rope import Rope
from posenc.specs._scaling import (
    DynamicNtk,
    Linear,
    Llama3,
    Ntk,
    Proportional,
    Scaling,
    Unscaled,
)

Flags = np.ndarray[Any, np.dtype[np.bool_]]

TEXTBOOK = Rope(dim=128, layout="half")
"""A head of 128 channels at base 10000."""

TRAINED, FACTOR = 4096, 8
"""The positions it was trained on, and how many times as long a text is wanted."""

LLAMA = Rope(
    dim=128,
    layout="half",
    base=500_000,
    scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, trained_length=8192),
)
"""Llama 3.1 8B: trained on 8192 positions first, used up to 131072."""

RULES: dict[str, Scaling] = {
    "linear": Linear(factor=FACTOR),
    "ntk": Ntk(factor=FACTOR),
    "dynamic": DynamicNtk(factor=1, trained_length=TRAINED),
    "yarn": Yarn(factor=FACTOR, trained_length=TRAINED),
    "llama3": Llama3(factor=FACTOR, low_freq_factor=1, high_freq_factor=4, trained_length=TRAINED),
    "longrope": LongRope(
        short=(1,) * 64,
        long=tuple(1 + 7 * i / 63 for i in range(64)),  # models search theirs; this one is a ramp
        trained_length=TRAINED,
        factor=FACTOR,
    ),
    "proportional": Proportional(share=0.25),
}
"""Every rule, set to make the textbook model eight times as long; dynamic takes it from the run."""


def under(rule: str | Scaling, spec: Rope = TEXTBOOK) -> Rope:
    """``spec`` with another rule."""
    return replace(spec, scaling=RULES[rule] if isinstance(rule, str) else rule)


def turns(spec: Rope, length: int) -> Matrix:
    """How often each pair turns within ``length`` positions, by the frequencies of that run."""
    return np.asarray(length * spec.frequencies(length) / (2 * np.pi))


def trained_under_rule(spec: Rope, trained_length: int, length: int) -> bool:
    """Whether the rule for longer text was in force in training: no longer text is to be read."""
    return length <= trained_length and not isinstance(spec.scaling, Unscaled)


def unfinished(spec: Rope, trained_length: int, *, ruled: bool = False) -> Flags:
    """The pairs that did not finish a turn in training, without any rule or ``ruled``."""
    return np.asarray(turns(spec if ruled else under(Unscaled(), spec), trained_length) < 1)


def unseen(spec: Rope, trained_length: int, length: int) -> Flags:
    """The pairs that come to angles in ``length`` positions which training never showed them."""
    seen = turns(under(Unscaled(), spec), trained_length)
    return unfinished(spec, trained_length) & (turns(spec, length) > seen * (1 + 1e-9))


def ratios(spec: Rope, length: int | None = None) -> Matrix:
    """What the rule multiplies each frequency by; length as in ``Rope.frequencies``."""
    return np.asarray(spec.frequencies(length) / under(Unscaled(), spec).frequencies())


def changed(spec: Rope, length: int | None = None) -> Flags:
    """The pairs whose frequency the rule changes in a text of this length."""
    return np.asarray(np.abs(ratios(spec, length) - 1) > 1e-12)


def split(spec: Rope, factor: float) -> tuple[int, int, int]:
    """How many pairs a rule keeps, mixes, and slows by the whole ``factor``."""
    ratio = ratios(spec)
    kept = int((np.abs(ratio - 1) < 1e-12).sum())
    slowed = int((np.abs(ratio * factor - 1) < 1e-12).sum())
    return kept, len(ratio) - kept - slowed, slowed


def logit_gain(spec: Rope, length: int | None = None) -> float:
    """The logit of a query and a key of ones at one place, over what it is without ``spec``."""
    scheme = bind(spec, length=length)
    channels = spec.head_dim or spec.dim
    x, at = np.ones((1, 1, channels)), np.array([50])
    q, k = scheme.query(x, at), scheme.key(x, at)  # type: ignore[misc]
    scale = scheme.logit_scale(at) if scheme.logit_scale else 1.0
    return float((q * k).sum() * scale / channels)
