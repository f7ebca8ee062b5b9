"""Claims about the attention biases of a model at hand: ALiBi's slopes, T5's buckets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from posenc._facade import bind
from posenc.claims._claim import Claim
from posenc.claims._stated import Stated, worked_out
from posenc.specs._alibi import Alibi
from posenc.specs._t5 import T5Bias

_PLACE = 70_001


def alibi_claims(spec: Alibi, *, length: int, name: str) -> list[Claim]:
    """See ``posenc.claims.model.claims_for``."""
    stated = Stated(name, spec.kind)
    slopes, steepest, flattest = _slopes(spec)

    def bias(query: int, key: int) -> Any:
        return bind(spec).bias(np.array([query]), np.array([key]))[:, 0, 0]  # type: ignore[misc]

    if isinstance(spec.slopes, str):
        chosen = [0, spec.heads // 2, spec.heads - 1]
        ours = ", ".join(repr(float(spec.head_slopes()[i])) for i in chosen)

        def by_formula() -> float:
            want = worked_out("\n".join(slopes), "m")
            return float(np.abs(spec.head_slopes() / want - 1).max())

        stated.state(
            "slopes",
            by_formula,
            chapter=11,
            relation="at_most",
            expected=1e-12,
            plain=[
                *slopes,
                f"ours = [{ours}]",
                f"value = np.abs(ours / m[{chosen}] - 1).max()",
            ],
            heads=spec.heads,
        )
    far = [*flattest, f"value = m.min() * {length - 1}"]
    stated.state(
        "flattest",
        lambda: float(-bias(length - 1, 0).max()),
        chapter=11,
        plain=far,
        within=1e-6 * worked_out("\n".join(far)),
        reach=length - 1,
    )
    stated.state(
        "penalty-relative",
        lambda: float(-bias(_PLACE + 7, _PLACE).min()),
        chapter=11,
        plain=[*steepest, f"value = m.max() * ({_PLACE + 7} - {_PLACE})"],
        within=1e-5,
        place=_PLACE,
    )
    return list(stated)


def _slopes(spec: Alibi) -> tuple[list[str], list[str], list[str]]:
    """Lines that set ``m``: all slopes by their rule, or of given ones the two extremes."""
    scaled = f" / np.sqrt({spec.head_dim})" if spec.head_dim else ""
    if not isinstance(spec.slopes, str):
        high, low = (f"m = np.array([{f(spec.slopes)!r}]){scaled}" for f in (max, min))
        return [], [high], [low]
    heads, power = spec.heads, 1 << (spec.heads.bit_length() - 1)
    most = f"{spec.bias_max:.15g}"
    if spec.slopes == "geometric" or power == heads:
        lines = [f"m = 2.0 ** (-{most} * np.arange(1, {heads + 1}) / {heads}){scaled}"]
    else:
        lines = [
            f"whole = 2.0 ** (-{most} * np.arange(1, {power + 1}) / {power})",
            f"between = 2.0 ** (-{most} * np.arange(1, {2 * power}, 2) / {2 * power})",
            f"m = np.concatenate([whole, between])[:{heads}]{scaled}",
        ]
    return lines, lines, lines


def t5_claims(spec: T5Bias, *, length: int, name: str) -> list[Claim]:
    """See ``posenc.claims.model.claims_for``."""
    stated = Stated(name, spec.kind)
    side = spec.buckets // 2 if spec.bidirectional else spec.buckets
    # A table of bucket numbers makes the bias say which bucket it looked up; heads look up alike.
    numbers = np.arange(spec.buckets, dtype=np.float32)[:, None]

    def buckets(query: int, keys: Any) -> Any:
        scheme = bind(replace(spec, heads=1, scale=1.0), {"table": numbers})
        return scheme.bias(np.array([query]), np.asarray(keys))[0, 0]  # type: ignore[misc]

    exact = side // 2
    edges = [
        f"N, E, M = {side}, {exact}, {spec.max_distance}  # buckets of a side, exact ones, reach",
        "def bucket(n):  # by whole numbers, without the logarithm",
        "    far = [j for j in range(N - E) if n ** (N - E) * E**j >= M**j * E ** (N - E)]",
        "    return n if n < E else E + max(far)",
    ]
    reach = spec.max_distance

    def saturates() -> float:
        behind = buckets(reach, np.arange(reach, -1, -1))  # distances 0, 1, ..., reach
        return float(np.flatnonzero(behind == side - 1)[0])

    stated.state(
        "saturates",
        saturates,
        chapter=11,
        plain=[*edges, f"value = next(n for n in range({reach + 1}) if bucket(n) == N - 1)"],
        reach=reach,
    )
    far = max(length, reach + 2) - 1

    def one_bucket() -> float:
        shared = np.unique(buckets(far, np.arange(far - reach + 1)))
        return float(shared[0]) if len(shared) == 1 else np.nan

    stated.state(
        "one-bucket",
        one_bucket,
        chapter=11,
        plain=[*edges, f"value = min(bucket(n) for n in ({reach}, {(reach + far) // 2}, {far}))"],
        reach=reach,
        far=far,
    )
    at = min(exact + 1, reach)
    stated.state(
        "bucket-relative",
        lambda: float(buckets(_PLACE + at, [_PLACE])[0]),
        chapter=11,
        plain=[*edges, f"value = bucket({_PLACE + at} - {_PLACE})"],
        place=_PLACE,
        distance=at,
    )
    if spec.bidirectional:
        stated.state(
            "after",
            lambda: float(buckets(_PLACE, [_PLACE + at])[0]),
            chapter=11,
            plain=[*edges, f"value = bucket({at}) + N"],
            distance=at,
        )
    else:
        stated.state(
            "after-causal",
            lambda: float(buckets(_PLACE, [_PLACE + at])[0]),
            chapter=11,
            plain=[*edges, f"value = bucket(max(0, {_PLACE} - {_PLACE + at}))"],
            distance=at,
        )
    return list(stated)
