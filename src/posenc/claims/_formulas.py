"""The textbook formula of every rotary rule as lines of NumPy, with the numbers of one spec.

They are written apart from ``posenc.specs``, in the form in which each rule was published, so that
a slip in either shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from posenc.specs._longer import LongRope, Yarn
from posenc.specs._rope import Rope
from posenc.specs._scaling import (
    DynamicNtk,
    HighPass,
    Linear,
    Llama3,
    MixedNtk,
    Ntk,
    Proportional,
    Scaling,
)

_Lines = list[str]


def ladder(spec: Rope, pairs: Sequence[int] | None = None) -> _Lines:
    """Lines that set ``i`` and the frequencies ``w`` before any rule.

    Args:
        spec: The encoding.
        pairs: The pairs to work out; None: all.
    """
    return [
        f"i = {_which(range(spec.dim // 2) if pairs is None else pairs)}",
        f"w = {spec.base!r} ** (-2 * i / {spec.dim})",
    ]


def rule(spec: Rope, length: int | None, pairs: Sequence[int] | None = None) -> _Lines:
    """Lines that turn the ``w`` of ``ladder`` into the frequencies of a run of ``length``."""
    lines = _RULES.get(type(spec.scaling))
    return lines(spec.scaling, spec, length, pairs) if lines else []


def magnitude(scaling: Scaling, length: int | None) -> str:
    """The attention factor as an expression."""
    if isinstance(scaling, Yarn):
        f = scaling.factor
        if scaling.attention_factor is not None:
            return repr(scaling.attention_factor)
        if scaling.mscale and scaling.mscale_all_dim:
            above, below = (f"(0.1 * {m!r} * np.log({f!r}) + 1)" for m in _both(scaling))
            return f"{above} / {below}"
        return f"0.1 * np.log({f!r}) + 1"
    if isinstance(scaling, LongRope):
        if scaling.attention_factor is not None:
            return repr(scaling.attention_factor)
        if scaling.short_mscale is not None and scaling.long_mscale is not None:
            return repr(scaling.long_mscale if _is_long(scaling, length) else scaling.short_mscale)
        return f"np.sqrt(1 + np.log({scaling.factor or 1.0!r}) / np.log({scaling.trained_length}))"
    return "1.0"


def listed(name: str, values: Sequence[float]) -> _Lines:
    """Lines that set a list of numbers, as many to a line as a page is wide."""
    rows: list[str] = []
    for value in values:
        if rows and len(rows[-1]) + len(repr(value)) < 84:
            rows[-1] += f", {value!r}"
        else:
            rows.append(repr(value))
    return [f"{name} {'+=' if number else '='} [{row}]" for number, row in enumerate(rows)]


def _linear(s: Linear, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    return [f"w = w / {s.factor!r}"]


def _ntk(s: Ntk, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    d = spec.dim
    return [f"w = ({spec.base!r} * {s.factor!r} ** ({d} / ({d} - 2))) ** (-2 * i / {d})"]


def _mixed_ntk(s: MixedNtk, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    a = f"np.log({s.factor!r}) / ({spec.dim} / 2) ** {s.beta!r}"
    return [f"w = w / np.exp({a} * (i + 1) ** {s.beta!r})"]


def _dynamic(s: DynamicNtk, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    d, f, ratio = spec.dim, s.factor, f"{max(length or 0, s.trained_length)} / {s.trained_length}"
    if s.doubling:
        ratio = f"2 ** np.ceil(np.log2({ratio}))"
    return [
        f"stretch = {f!r} * {ratio} - ({f!r} - 1)",
        f"w = ({spec.base!r} * stretch ** ({d} / ({d} - 2))) ** (-2 * i / {d})",
    ]


def _yarn(s: Yarn, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    d, turns = spec.dim, f"[{s.beta_fast!r}, {s.beta_slow!r}]"
    where = f"np.log({s.trained_length} / (2 * np.pi * np.array({turns})))"
    low, high = ("np.floor(low)", "np.ceil(high)") if s.truncate else ("low", "high")
    return [
        f"low, high = {d} * {where} / (2 * np.log({spec.base!r}))",
        f"low, high = max({low}, 0), min({high}, {d - 1})",
        "slow = np.clip((i - low) / (high - low + 0.001 * (low == high)), 0, 1)",
        f"w = w * (1 - slow) + w / {s.factor!r} * slow",
    ]


def _llama3(s: Llama3, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    n, low, high = s.trained_length, s.low_freq_factor, s.high_freq_factor
    return [
        "wave = 2 * np.pi / w",
        f"mix = ({n} / wave - {low!r}) / ({high!r} - {low!r})",
        f"mixed = (1 - mix) * w / {s.factor!r} + mix * w",
        f"w = np.where(wave > {n} / {low!r}, w / {s.factor!r}, "
        f"np.where(wave < {n} / {high!r}, w, mixed))",
    ]


def _longrope(s: LongRope, spec: Rope, length: int | None, pairs: Sequence[int] | None) -> _Lines:
    factors = s.long if _is_long(s, length) else s.short
    chosen = [factors[i] for i in (range(len(factors)) if pairs is None else pairs)]
    return [*listed("by", chosen), "w = w / by"]


def _proportional(s: Proportional, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    turning = f"i < int({s.share!r} * {spec.dim} // 2)"
    return [f"w = np.where({turning}, w / {s.factor!r}, 0)"]


def _high_pass(s: HighPass, spec: Rope, length: int | None, pairs: Any) -> _Lines:
    return [f"w = np.where({s.trained_length} * w >= {s.turns!r} * 2 * np.pi, w, 0)"]


_RULES: dict[type[Scaling], Callable[..., _Lines]] = {
    Linear: _linear,
    Ntk: _ntk,
    MixedNtk: _mixed_ntk,
    DynamicNtk: _dynamic,
    Yarn: _yarn,
    Llama3: _llama3,
    LongRope: _longrope,
    Proportional: _proportional,
    HighPass: _high_pass,
}


def _which(pairs: Sequence[int]) -> str:
    first, after = pairs[0], pairs[-1] + 1
    if list(pairs) != list(range(first, after)):
        return f"np.array({list(pairs)})"
    return f"np.arange({first}, {after})" if first else f"np.arange({after})"


def _is_long(scaling: LongRope, length: int | None) -> bool:
    return length is not None and length > scaling.trained_length


def _both(scaling: Yarn) -> tuple[float | None, float | None]:
    return scaling.mscale, scaling.mscale_all_dim
