"""The two scaling rules with an attention factor: YaRN and LongRoPE."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from posenc.errors import check
from posenc.specs._fields import Number, Numbers, field, flag, number, whole
from posenc.specs._scaling import Freqs, Scaling


@dataclass(frozen=True, kw_only=True)
class Yarn(Scaling):
    """Fast pairs kept, slow ones divided by ``factor``, a ramp over the pair index between.

    A pair that turns r times in the trained length sits at index
    c(r) = d ln(trained_length / (2 pi r)) / (2 ln base); the ramp runs from c(beta_fast) to
    c(beta_slow), widened to whole indices if ``truncate``. Its ends are cut
    off at the first pair and at the last channel, as implementations do it: where all of the ramp
    lies beyond, as with a small base and a long ``trained_length``, every pair is slowed, however
    often it turns.

    The attention factor is ``attention_factor`` if given; else g(mscale) / g(mscale_all_dim) if
    both are given and not zero; else g(1), with g(m) = 0.1 m ln(factor) + 1.

    Attributes:
        factor: The length to reach over the trained one, at least 1.
        trained_length: Tokens.
        beta_fast: Turns in the trained length from which a pair is kept.
        beta_slow: Turns in the trained length below which it slows by the whole factor.
        truncate: Whether the ends of the ramp are rounded outwards to whole indices.
        mscale: A weight of the attention factor; counts only with ``mscale_all_dim``.
        mscale_all_dim: The weight that it is divided by.
        attention_factor: The attention factor itself, in place of the formula.

    References:
        Peng et al. 2023, arXiv:2309.00071, sections 3.2 to 3.4; the ramp in index space and the
        two mscale numbers as in the authors' and DeepSeek's code.
    """

    factor: float = number(at_least=1, at_most=1e9)
    trained_length: int = whole(at_least=1)
    beta_fast: float = number(32.0, at_least=1e-6, at_most=1e9)
    beta_slow: float = number(1.0, at_least=1e-6, at_most=1e9)
    truncate: bool = flag(True)
    mscale: float | None = number(None, at_least=0, at_most=1e3, optional=True)
    mscale_all_dim: float | None = number(None, at_least=0, at_most=1e3, optional=True)
    attention_factor: float | None = number(None, at_least=1e-3, at_most=1e3, optional=True)

    def check(self) -> None:
        ordered = self.beta_fast >= self.beta_slow
        hint = "Pairs that turn more often than beta_fast are kept."
        where = "Yarn.beta_fast"
        check(ordered, where, f"at least beta_slow {self.beta_slow:g}", self.beta_fast, hint)

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        low, high = self.band(2 * len(freqs), base)
        kept = 1 - np.clip((np.arange(len(freqs)) - low) / (high - low), 0, 1)
        slowed: Freqs = freqs / self.factor * (1 - kept) + freqs * kept
        return slowed

    def band(self, dim: int, base: float) -> tuple[float, float]:
        """Indices where the ramp begins and ends."""

        def index(turns: float) -> float:
            return dim * math.log(self.trained_length / (math.tau * turns)) / (2 * math.log(base))

        low, high = index(self.beta_fast), index(self.beta_slow)
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, dim - 1)
        return low, high + 0.001 if low == high else high

    def magnitude(self, length: int | None) -> float:
        if self.attention_factor is not None:
            return self.attention_factor
        if self.mscale and self.mscale_all_dim:
            return self._g(self.mscale) / self._g(self.mscale_all_dim)
        return self._g(1.0)

    def _g(self, mscale: float) -> float:
        return 0.1 * mscale * math.log(self.factor) + 1.0


_FACTORS = Numbers(Number(at_least=0.5, at_most=1e9))


@dataclass(frozen=True, kw_only=True)
class LongRope(Scaling):
    """Each frequency divided by its own searched factor: ``long`` past the trained length.

    The attention factor is ``attention_factor`` if given; else ``short_mscale`` or
    ``long_mscale`` by the same test as the lists; else sqrt(1 + ln factor / ln trained_length).

    Attributes:
        short: Divisors for runs up to the trained length, one per pair.
        long: Divisors for longer runs.
        trained_length: Tokens.
        factor: The length to reach over the trained one; may be left out if a factor on
            attention is given.
        attention_factor: The attention factor itself, in place of the formula.
        short_mscale: The attention factor of short runs.
        long_mscale: The attention factor of long runs.

    References:
        Ding et al. 2024, arXiv:2402.13753; Phi-3's modeling file for the magnitude.
    """

    short: tuple[float, ...] = field(_FACTORS)
    long: tuple[float, ...] = field(_FACTORS)
    trained_length: int = whole(at_least=2)
    factor: float | None = number(None, at_least=1, at_most=1e9, optional=True)
    attention_factor: float | None = number(None, at_least=1e-3, at_most=1e3, optional=True)
    short_mscale: float | None = number(None, at_least=1e-3, at_most=1e3, optional=True)
    long_mscale: float | None = number(None, at_least=1e-3, at_most=1e3, optional=True)
    needs_length = True

    def check(self) -> None:
        same = len(self.short) == len(self.long)
        check(same, "LongRope.long", f"as long as short, {len(self.short)} factors", len(self.long))
        both = (self.short_mscale is None) == (self.long_mscale is None)
        where = "LongRope.long_mscale"
        check(both, where, "given together with short_mscale", self.long_mscale)
        sized = (self.factor, self.attention_factor, self.short_mscale) != (None, None, None)
        hint = "It is the target length over trained_length, or give attention_factor."
        check(sized, "LongRope.factor", "given", self.factor, hint)

    def check_dim(self, dim: int) -> None:
        hint = "One factor per rotated pair of channels."
        must = f"of {dim // 2} factors for {dim} rotated channels"
        check(len(self.short) == dim // 2, "LongRope.short", must, len(self.short), hint)

    def _is_long(self, length: int | None) -> bool:
        return length is not None and length > self.trained_length

    def rescale(self, freqs: Freqs, *, base: float, length: int | None) -> Freqs:
        factors: Freqs = np.array(self.long if self._is_long(length) else self.short)
        return freqs / factors

    def magnitude(self, length: int | None) -> float:
        if self.attention_factor is not None:
            return self.attention_factor
        if self.short_mscale is not None and self.long_mscale is not None:
            return self.long_mscale if self._is_long(length) else self.short_mscale
        return math.sqrt(1 + math.log(self.factor or 1.0) / math.log(self.trained_length))
