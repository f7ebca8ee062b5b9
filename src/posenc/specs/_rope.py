"""Rotary encoding: any scaling, either layout, all of the head or a part of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from posenc._arrays import is_float64
from posenc._hooks import scheme_of
from posenc._tokens import over_heads
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._ladder import geometric, rounded
from posenc.functional._layouts import check_layout
from posenc.functional._turns import steps
from posenc.kernels import Counted, angles, counted, direct, rotate, rotate_at
from posenc.scheme import Scheme
from posenc.specs._axes import Axes, OneAxis, spans_of
from posenc.specs._fields import Part, Rule, checked_length, choice, field, number, width
from posenc.specs._record import Spec
from posenc.specs._scaling import Linear, Scaling, Unscaled


@dataclass(frozen=True)
class LayoutRule(Rule):
    """The pairing of channels, refused with the names that other libraries give it."""

    options: tuple[str, ...] = ("half", "interleaved")

    def value(self, where: str, value: Any) -> str:
        check_layout(where, value)
        return str(value)


@dataclass(frozen=True, kw_only=True)
class Rope(Spec):
    """Rotary encoding: each pair of channels of q and k turns by its own rate per position.

        (a, b) -> (a cos p w_i - b sin p w_i, a sin p w_i + b cos p w_i),  w_i = base^(-2i / dim)

    so that q.k depends on the distance of their positions alone.

    Attributes:
        dim: Channels that turn; the exponents run over these.
        head_dim: Channels of the head; None when all of them turn.
        at: Whether the turning channels are at the "front" or the "back" of the head.
        layout: "half" pairs channels (i, i + dim/2), as Hugging Face's Llama; "interleaved" pairs
            (2i, 2i + 1), as Meta's original. It belongs to the weights and has no default.
        base: The ratio that the ladder of frequencies spans (``rope_theta`` elsewhere).
        scaling: The rule for longer text.
        axes: Which coordinate each pair reads.

    References:
        Su et al. 2021, arXiv:2104.09864, eqs. 15 and 34.
    """

    dim: int = width(at_least=2, even=True)
    layout: Layout = field(LayoutRule())
    head_dim: int | None = width(None, at_least=2, optional=True)
    at: str = choice("front", "back", default="front")
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)
    scaling: Scaling = field(Part(Scaling), Unscaled())
    axes: Axes = field(Part(Axes), OneAxis())

    def check(self) -> None:
        settle_share(self)
        self.scaling.check_dim(self.dim)
        self.axes.check_dim(self.dim)
        one = not self.axes.several_ladders or isinstance(self.scaling, Unscaled | Linear)
        hint = "The rule is made for one ladder; state the base of each axis instead."
        must = "Unscaled or Linear with a ladder for each axis"
        check(one, "Rope.scaling", must, type(self.scaling).__name__, hint)
        apart = self.axes.spans is None or self.layout == "half"
        check(apart, "Rope.layout", "'half' where each axis has its own halves", self.layout)

    @property
    def needs_length(self) -> bool:  # type: ignore[override]
        """Whether the scaling rule depends on the length of the run."""
        return self.scaling.needs_length

    def frequencies(self, length: int | None = None) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per position of each pair; float64, shape (dim / 2,).

        Of one axis or ``Sections``, fastest first. Of ``Axial``, in the order of ``axis()``.

        Args:
            length: Tokens in the run, for rules that depend on it; None reads as the trained
                length.
        """
        length = checked_length("Rope.frequencies(): length", length)
        plain = self.axes.frequencies(self.dim, self.base, geometric)
        return self.scaling.rescale(plain, base=self.base, length=length)

    def axis(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The coordinate of the position that each pair reads."""
        return self.axes.axis(self.dim // 2)

    def attention_factor(self, length: int | None = None) -> float:
        """What Hugging Face multiplies cos and sin by; rotated logits grow by its square."""
        return self.scaling.magnitude(checked_length("Rope.attention_factor(): length", length))

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        reads = {} if self.axes.count == 1 else {"axis": self.axis().astype(np.int32)}
        if arithmetic == "exact":
            return {**steps(self.frequencies(length)), **reads}
        plain = self.axes.frequencies(self.dim, self.base, rounded)
        freqs = self.scaling.rescale(plain, base=self.base, length=length)
        return {"rates": freqs.astype(np.float32), **reads}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        factor = self.attention_factor(length)
        in_part = self.head_dim is not None
        channels = self.head_dim or self.dim
        start = channels - self.dim if self.at == "back" else 0
        spans = spans_of(self.axes, self.dim)

        def place(positions: Array, *, xp: Namespace, float64: bool) -> Any:
            told = counted(positions, **arrays, xp=xp)
            if told is not None:
                return told
            cos, sin = angles(positions, **arrays, xp=xp, float64=float64)
            # On part of a head the factor belongs to the channels that turn, on each side once.
            return (cos * factor, sin * factor) if in_part and factor != 1 else (cos, sin)

        def together(ready: Any) -> Callable[..., Any] | None:
            """By a kernel that makes the angles itself, where that is what it was told."""
            return partial(by_kernel, ready) if isinstance(ready, Counted) else None

        def by_kernel(
            ready: Counted, q: Array, k: Array | None, *, xp: Namespace, head_axis: int | None
        ) -> Any:
            for x in (q,) if k is None else (q, k):
                check_channels("Rope: x", int(x.shape[-1]), channels)
            if k is not None and _without_heads(q, head_axis) != _without_heads(k, head_axis):
                return None
            for own, pairs in spans:
                q, k = rotate_at(
                    q,
                    k,
                    ready.positions,
                    ready.steps[pairs],
                    layout=self.layout,
                    start=start + own.start,
                    axis=None if ready.axis is None else ready.axis[pairs],
                    factor=factor if in_part else 1.0,
                    head_axis=head_axis,
                )
            return q, k

        def turn(x: Array, ready: Any, *, xp: Namespace, head_axis: int | None) -> Array:
            if isinstance(ready, Counted):
                return by_kernel(ready, x, None, xp=xp, head_axis=head_axis)[0]
            check_channels("Rope: x", int(x.shape[-1]), channels)
            cos, sin = (over_heads(t, head_axis=head_axis, xp=xp) for t in ready)
            for own, pairs in spans:
                waves = cos[..., pairs], sin[..., pairs]
                x = rotate(x, *waves, layout=self.layout, xp=xp, start=start + own.start)
            return x

        def at_once(x: Array, ready: Any, *, xp: Namespace, head_axis: int | None) -> Any:
            if isinstance(ready, Counted):
                return None
            cos, sin = (over_heads(t, head_axis=head_axis, xp=xp) for t in ready)
            return direct(x, cos, sin, layout=self.layout, start=start)

        whole_factor = None if in_part or factor == 1 else factor**2
        return scheme_of(
            place=place,
            query=turn,
            key=turn,
            logit_scale=whole_factor,
            together=together,
            direct=at_once if len(spans) == 1 else None,
            coordinates=self.axes.count,
            plain=self.axes.plain,
            xp=xp,
        )


def settle_share(spec: Any) -> None:
    """One spelling for a head that turns whole; a head narrower than what turns is refused."""
    if spec.head_dim == spec.dim:
        object.__setattr__(spec, "head_dim", None)
    if spec.head_dim is None:
        object.__setattr__(spec, "at", "front")
    room = spec.head_dim is None or spec.head_dim > spec.dim
    check(room, f"{type(spec).__name__}.head_dim", f"at least dim {spec.dim}", spec.head_dim)


def _without_heads(x: Array, head_axis: int | None) -> tuple[Any, ...]:
    """What q and k have to have in common to be turned together."""
    heads = () if head_axis is None else (x.ndim + head_axis,)
    return is_float64(x), *(n for i, n in enumerate(x.shape) if i not in heads)


def check_channels(where: str, given: int, channels: int) -> None:
    """Refuse tokens of another width than that of a head, with a word if heads are not split."""
    if given != channels:
        count, rest = divmod(given, channels)
        split = f"Split the heads: (..., {count}, {channels}), head_axis=-2."
        hint = split if count > 1 and not rest else ""
        check(False, where, f"of {channels} channels, its head_dim", given, hint)
