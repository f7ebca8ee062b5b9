"""Factors on logits alone: constant, by the position of the query, learned for each head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posenc._arrays import adopt, is_narrow
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._temperature import RULES, seen_log, temperature
from posenc.scheme import Scheme
from posenc.specs._fields import choice, flag, number, whole
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class LogitScale(Spec):
    """One number that every logit is multiplied by, beside the usual 1 / sqrt(head_dim).

    DeepSeek multiplies by the square of 0.1 m ln(factor) + 1, with m its ``mscale_all_dim``, over
    the whole head, though only a part of it turns, at tables that are not scaled:

        Stack(Rope(dim=64, head_dim=192, at="back", ..., scaling=Yarn(factor=40, ...,
                   mscale=1, mscale_all_dim=1)), LogitScale(factor=1.368887945 ** 2))

    Attributes:
        factor: Above 0.

    References:
        ``softmax_scale`` in DeepSeek-V3's model.py; ``yarn_apply_mscale`` in transformers.
    """

    factor: float = number(above=0, at_most=1e6)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return scheme_of(logit_scale=self.factor, xp=xp)


@dataclass(frozen=True, kw_only=True)
class Temperature(Spec):
    """Logits times a factor that grows with the position p of the query, counted from 0.

        rule "llama4"     1 + strength ln(1 + floor((p + 1) / trained_length))
             "ministral"  1 + strength ln(1 + floor(p / trained_length))
             "log"        max(1, ln(p + 1) / ln(trained_length))
             "power"      (1 + (p + 1) / trained_length)^strength
             "inkling"    1 + strength ln(max(1, (p + 1) / trained_length))

    Softmax over more keys is flatter; this sharpens it again. Alone it is the whole encoding of
    a layer that does not rotate (Llama 4, Beam); ``Stack(Rope(...), Temperature(...))`` is that
    of one which does (Ministral 3). Positions below 0, of padding, count as 0.

    Attributes:
        rule: The formula, by the model that ships it.
        trained_length: Tokens: ``floor_scale`` of Llama 4, ``original_max_position_embeddings``
            of Ministral 3, ``log_scaling_n_floor`` of Inkling.
        strength: s above; "log" takes none and keeps the default.

    References:
        Models llama4, ministral3, beam and inkling2 in transformers; "log" is Su's log-n scaling
        (kexue.fm 8823), also in Qwen-1 and ReRoPE.
    """

    rule: str = choice(*RULES)
    trained_length: int = whole(at_least=2, at_most=2**30)
    strength: float = number(0.1, at_least=0, at_most=1e3)
    relative = False

    def check(self) -> None:
        if self.rule == "log":  # one spelling for one thing
            object.__setattr__(self, "strength", 0.1)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
            factor = temperature(
                positions,
                rule=self.rule,
                trained_length=self.trained_length,
                strength=self.strength,
                xp=xp,
            )
            return xp.astype(factor, xp.float64 if float64 else xp.float32, copy=False)

        def logit_scale(factor: Array, *, xp: Namespace) -> Array:
            return xp.asarray(factor, copy=True)[..., None, :]  # the caller's to write into

        return scheme_of(place=place, logit_scale=logit_scale, xp=xp)


@dataclass(frozen=True, kw_only=True)
class ScalableSoftmax(Spec):
    """Logits of head h times ``scale_h ln(p + 1) + bias_h``, learned.

    p + 1 is how many keys a causal query at position p sees. Positions below 0 count as 0.

    Attributes:
        heads: Attention heads.
        bias: Whether there is ``bias_h``; without it the first query sees all keys alike.

    References:
        Nakanishi 2025, arXiv:2501.19399, section 3; with the bias, ``softmax_scaling`` of
        mistral_large4 in transformers.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    bias: bool = flag(False)
    relative = False

    def learned(self) -> dict[str, tuple[int, ...]]:
        names = ("scale", "bias") if self.bias else ("scale",)
        return dict.fromkeys(names, (self.heads,))

    def init(self, rng: np.random.Generator) -> Arrays:
        """Scales of 0.43, as in figure 1 of the paper; with a bias 0 and 1: plain softmax."""
        if not self.bias:
            return {"scale": np.full(self.heads, 0.43, np.float32)}
        return {"scale": np.zeros(self.heads, np.float32), "bias": np.ones(self.heads, np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
            log = seen_log(positions, xp=xp)
            return xp.astype(log, xp.float64 if float64 else xp.float32, copy=False)

        def column(name: str, log: Array, xp: Namespace) -> Array:
            one = adopt(arrays[name], like=log, xp=xp)
            one = xp.astype(one, log.dtype, copy=False) if is_narrow(one) else one
            return one[:, None]

        def logit_scale(log: Array, *, xp: Namespace) -> Array:
            factor = column("scale", log, xp) * log[..., None, :]
            return factor + column("bias", log, xp) if self.bias else factor

        return scheme_of(place=place, logit_scale=logit_scale, xp=xp)
