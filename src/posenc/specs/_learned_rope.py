"""Rotary encoding whose frequencies are trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._arrays import adopt, has_float64
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._ladder import geometric
from posenc.functional._mixed import beside_tokens, mixed_angles
from posenc.kernels import rotate
from posenc.scheme import Scheme
from posenc.specs._axes import Freqs
from posenc.specs._fields import Part, choice, field, number, whole, width
from posenc.specs._record import Spec
from posenc.specs._rope import LayoutRule, check_channels, settle_share
from posenc.specs._scaling import Scaling, Unscaled


@dataclass(frozen=True, kw_only=True)
class LearnedRope(Spec):
    """Rotary encoding by trained frequencies, of each head its own or of all together.

        form "freqs":      angle of pair i = sum over coordinates a of p_a freqs_hia
        form "exponents":  angle of pair i = p w_i exp(alpha_hi),  w_i those of ``Rope``

    Of several coordinates a pair turns by a mix, so that it can look along a diagonal, where
    ``Axial`` has rows and columns alone. Scores depend on differences of positions, as with any
    rotation.

    A trained frequency is no whole number of steps: the angle is the product itself, in float64
    and so right to 1e-7 up to positions of 10^8, or off by up to 2e-7 times itself where there
    is float32 alone (JAX as it comes, Apple's GPUs). A cast of the module rounds what it learned.

    Attributes:
        dim: Channels that turn.
        layout: "half" or "interleaved"; see ``Rope``.
        form: What is learned: "freqs", ``(heads, dim / 2, coordinates)``, in radians per unit of
            a coordinate; or "exponents", ``alpha``, ``(heads, dim / 2)``.
        heads: How many sets of frequencies; 1 is shared by all heads.
        coordinates: How many numbers a position has; of several, "freqs" alone.
        head_dim: Channels of the head; None when all of them turn.
        at: Whether the turning channels are at the "front" or the "back" of the head.
        base: The ratio that the first frequencies span.
        scaling: The rule for longer text, on the first frequencies; of one coordinate.

    Frequencies start as the ladder of ``Rope``, of several coordinates as one along each direction
    of a frame that is turned at random for each head. Mochi's start at zero.

    References:
        ``learned_freq`` of rotary-embedding-torch; Heo et al. 2024, arXiv:2403.13298, section 3.2,
        and ``RotaryEmbeddingMixed`` of timm, whose freqs are ``(coordinates, depth, heads,
        dim / 2)``; ``pos_frequencies`` of Mochi; LeRoPE, "exponents", in mistral_large4 of
        transformers.
    """

    exact = False

    dim: int = width(at_least=2, even=True)
    layout: Layout = field(LayoutRule())
    form: str = choice("freqs", "exponents", default="freqs")
    heads: int = whole(1, at_least=1, at_most=2**16)
    coordinates: int = whole(1, at_least=1, at_most=8)
    head_dim: int | None = width(None, at_least=2, optional=True)
    at: str = choice("front", "back", default="front")
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)
    scaling: Scaling = field(Part(Scaling), Unscaled())

    def check(self) -> None:
        settle_share(self)
        self.scaling.check_dim(self.dim)
        plain = self.form == "freqs" and self.scaling == Unscaled()
        must = "1 with form 'exponents' or a scaling rule"
        check(plain or self.coordinates == 1, "LearnedRope.coordinates", must, self.coordinates)
        most = 2**26 // (self.dim * self.coordinates)
        must = f"at most {most} for {self.coordinates} frequencies of each of {self.dim // 2} pairs"
        check(self.heads <= most, "LearnedRope.heads", must, self.heads)

    @property
    def needs_length(self) -> bool:  # type: ignore[override]
        """Whether the scaling rule depends on the length of the run."""
        return self.scaling.needs_length

    def ladder(self, length: int | None = None) -> Freqs:
        """The first frequencies of a direction, those of ``Rope``; float64, fastest first."""
        rungs = -(-(self.dim // 2) // self.coordinates)
        return self.scaling.rescale(geometric(2 * rungs, self.base), base=self.base, length=length)

    def attention_factor(self, length: int | None = None) -> float:
        """What turned channels are multiplied by, on each side."""
        return self.scaling.magnitude(length)

    def learned(self) -> dict[str, tuple[int, ...]]:
        pairs = self.dim // 2
        if self.form == "exponents":
            return {"alpha": (self.heads, pairs)}
        return {"freqs": (self.heads, pairs, self.coordinates)}

    def init(self, rng: np.random.Generator) -> Arrays:
        """A ladder along each direction of a frame turned at random; or exponents of 0."""
        shapes = self.learned()
        if self.form == "exponents":
            return {"alpha": np.zeros(shapes["alpha"], np.float32)}
        ways = np.eye(self.coordinates)
        plain = np.concatenate([np.outer(self.ladder(), way) for way in ways])[: self.dim // 2]
        frames = [_frame(rng, self.coordinates) for _ in range(self.heads)]
        return {"freqs": np.stack([plain @ frame for frame in frames]).astype(np.float32)}

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        if self.form == "freqs":
            return {}
        # As two of float32, which every device has: 48 bits of each frequency.
        high = (exact := self.ladder(length)).astype(np.float32)
        return {"ladder": np.stack([high, (exact - high).astype(np.float32)])}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        factor = self.attention_factor(length)
        channels = self.head_dim or self.dim
        start = channels - self.dim if self.at == "back" else 0

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            if self.form == "exponents":
                wide = xp.float64 if has_float64(positions) else xp.float32
                ladder, alpha = (
                    xp.astype(adopt(arrays[n], like=positions, xp=xp), wide, copy=False)
                    for n in ("ladder", "alpha")
                )
                freqs = ((ladder[0, :] + ladder[1, :]) * xp.exp(alpha))[..., None]
            else:
                freqs = arrays["freqs"]
            places = positions[..., None] if self.coordinates == 1 else positions
            cos, sin = mixed_angles(places, freqs, xp=xp, float64=float64)
            return (cos, sin) if factor == 1 else (cos * factor, sin * factor)

        def turn(
            x: Array, ready: tuple[Array, Array], *, xp: Namespace, head_axis: int | None
        ) -> Array:
            check_channels("LearnedRope: x", int(x.shape[-1]), channels)
            if self.heads > 1:
                got = 0 if head_axis is None else x.shape[head_axis]
                hint = "Each head turns by frequencies of its own."
                check(got == self.heads, "LearnedRope: x", f"of {self.heads} heads", got, hint)
            cos, sin = (beside_tokens(t, head_axis=head_axis, xp=xp) for t in ready)
            return rotate(x, cos, sin, layout=self.layout, xp=xp, start=start)

        return scheme_of(place=place, query=turn, key=turn, coordinates=self.coordinates, xp=xp)


def _frame(rng: np.random.Generator, count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Orthogonal unit vectors, turned evenly at random."""
    q, r = np.linalg.qr(rng.normal(size=(count, count)))
    q = q * np.sign(np.diag(r))
    q[-1] *= np.sign(np.linalg.det(q))
    return np.asarray(q)
