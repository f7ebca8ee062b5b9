"""How rotary frequencies are changed for longer text: one class, one formula each.

A rule sees the frequencies of a plain rotary encoding, fastest first, and returns the ones to
use. ``magnitude`` is the attention factor g: what Hugging Face multiplies cos and sin by, so
that logits of rotated channels grow by its square.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posenc.errors import check
from posenc.specs._fields import flag, number, whole
from posenc.specs._record import Record

Freqs = np.ndarray[Any, np.dtype[np.float64]]


class Scaling(Record):
    """A rule for longer context."""

    needs_length: ClassVar[bool] = False

    def check_dim(self, dim: int) -> None:
        """Refuse a number of rotated channels for which the rule has no meaning."""

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        """The frequencies to use, given the plain ones and the length of the run."""
        return freqs

    def magnitude(self, length: int | None) -> float:
        """The attention factor."""
        return 1.0


@dataclass(frozen=True, kw_only=True)
class Unscaled(Scaling):
    """Frequencies as they are."""


@dataclass(frozen=True, kw_only=True)
class Linear(Scaling):
    """Position interpolation: every frequency, or every position, divided by ``factor``.

    Attributes:
        factor: The length to reach over the trained one, at least 1.

    References:
        Chen et al. 2023, arXiv:2306.15595, eq. 4.
    """

    factor: float = number(at_least=1, at_most=1e9)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        return freqs / self.factor


@dataclass(frozen=True, kw_only=True)
class Ntk(Scaling):
    """NTK-aware: a larger base, so that the slowest pair slows by ``factor``, the fastest not.

        base' = base * factor^(d / (d - 2))

    Attributes:
        factor: By how much the slowest pair slows, at least 1.

    References:
        bloc97, 2023, LocalLLaMA; Peng et al. 2023, arXiv:2309.00071, section 3.1.
    """

    factor: float = number(at_least=1, at_most=1e9)

    def check_dim(self, dim: int) -> None:
        _check_wide(self, dim)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        return _slowed(freqs, self.factor)


@dataclass(frozen=True, kw_only=True)
class MixedNtk(Scaling):
    """A number of d / 2 digits whose places grow unevenly: every pair slows, fast ones least.

        w_i / exp(a m^beta),  m = i + 1,  a = ln factor / (d / 2)^beta

    The slowest pair slows by ``factor``. Beta 1 is the "fixed" form, which is the same as the
    ladder of base * factor divided by factor^(2 / d); a smaller one is the "mixed" form.

    Attributes:
        factor: By how much the slowest pair slows, at least 1.
        beta: How early the others follow; 0 slows all alike, as ``Linear``.

    References:
        Su 2023, kexue.fm/archives/9706; ``NTKScalingRotaryEmbedding`` of vLLM, ``mixed_b``.
    """

    factor: float = number(at_least=1, at_most=1e9)
    beta: float = number(1.0, at_least=0, at_most=1e3)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        place = np.arange(1, len(freqs) + 1) / len(freqs)
        return freqs / self.factor**place**self.beta


@dataclass(frozen=True, kw_only=True)
class DynamicNtk(Scaling):
    """NTK-aware by the length L of the run; below the trained length nothing changes.

        base' = base * (factor * L / trained_length - (factor - 1))^(d / (d - 2))

    Attributes:
        factor: At least 1.
        trained_length: Tokens.
        doubling: Whether L / trained_length is rounded up to a power of 2, so that the base
            moves at every doubling of the text alone (Qwen-1, with factor 2).

    References:
        emozilla, 2023, LocalLLaMA; ``_compute_dynamic_ntk_parameters`` in transformers;
        ``get_ntk_alpha`` of Qwen-1, 2^(ceil(log2(L / trained_length)) + 1) - 1.
    """

    factor: float = number(at_least=1, at_most=1e9)
    trained_length: int = whole(at_least=1)
    doubling: bool = flag(False)
    needs_length = True

    def check_dim(self, dim: int) -> None:
        _check_wide(self, dim)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        run = max(length or self.trained_length, self.trained_length)
        if self.doubling:
            run = self.trained_length << (-(-run // self.trained_length) - 1).bit_length()
        return _slowed(freqs, self.factor * run / self.trained_length - (self.factor - 1))


@dataclass(frozen=True, kw_only=True)
class Llama3(Scaling):
    """Slow pairs divided by ``factor``, fast ones kept, a smooth band between.

    A pair is slow when its wavelength exceeds trained_length / low_freq_factor, fast when it is
    below trained_length / high_freq_factor.

    Attributes:
        factor: By how much slow pairs slow, at least 1.
        low_freq_factor: Turns in the trained length below which a pair is slow.
        high_freq_factor: Turns in the trained length above which it is fast.
        trained_length: Tokens.

    References:
        Llama 3.1; ``apply_scaling`` in Meta's models/llama3/reference_impl/model.py.
    """

    factor: float = number(at_least=1, at_most=1e9)
    low_freq_factor: float = number(above=0, at_most=1e9)
    high_freq_factor: float = number(above=0, at_most=1e9)
    trained_length: int = whole(at_least=1)

    def check(self) -> None:
        ordered = self.high_freq_factor > self.low_freq_factor
        where = "Llama3.high_freq_factor"
        check(
            ordered, where, f"above low_freq_factor {self.low_freq_factor:g}", self.high_freq_factor
        )

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        turns = self.trained_length * freqs / math.tau  # within the trained length
        band = self.high_freq_factor - self.low_freq_factor
        kept = np.clip((turns - self.low_freq_factor) / band, 0, 1)
        return (1 - kept) * freqs / self.factor + kept * freqs


@dataclass(frozen=True, kw_only=True)
class Proportional(Scaling):
    """The first ``share`` of the pairs turn, at the rates of the full head; the rest stand still.

    Unlike a partial rotation, the exponents run over the whole head and pairs reach across it.
    p-RoPE is the same, with ``share`` for p.

    Attributes:
        share: Of the pairs, above 0 and at most 1.
        factor: What the rates of those that turn are divided by.

    References:
        Barbero et al. 2024, arXiv:2410.06205, section 6; Gemma 4, ``proportional`` in
        transformers' modeling_rope_utils.
    """

    share: float = number(above=0, at_most=1)
    factor: float = number(1.0, at_least=1, at_most=1e9)

    def check_dim(self, dim: int) -> None:
        turning = int(self.share * dim // 2)
        hint = f"share {self.share:g} of dim {dim} turns none."
        check(turning >= 1, "Proportional.share", "large enough for one pair", self.share, hint)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        turning = int(self.share * 2 * len(freqs) // 2)
        return np.where(np.arange(len(freqs)) < turning, freqs / self.factor, 0.0)


@dataclass(frozen=True, kw_only=True)
class HighPass(Scaling):
    """Pairs that turn at least ``turns`` times within the trained length; the rest stand still.

    What a slow pair does past the trained length was never seen in training: without it there is
    nothing to extrapolate. Pairs that stand still compare contents wherever they are.

    Attributes:
        trained_length: Tokens.
        turns: Within the trained length, for a pair to be kept.

    References:
        HoPE: Chen et al. 2024, arXiv:2410.21216, section 4.
    """

    trained_length: int = whole(at_least=1)
    turns: float = number(1.0, above=0, at_most=1e9)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        return np.where(self.trained_length * freqs / math.tau >= self.turns, freqs, 0.0)


def _check_wide(rule: Scaling, dim: int) -> None:
    must = f"at least 4 with {type(rule).__name__}"
    check(dim >= 4, "Rope.dim", must, dim, "A single pair is both the fastest and the slowest.")


def _slowed(freqs: Freqs, factor: float) -> Freqs:
    """Frequencies as if the base had grown by factor^(d / (d - 2))."""
    pairs = len(freqs)
    return freqs * factor ** (-np.arange(pairs) / (pairs - 1))
