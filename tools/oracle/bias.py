"""Numbers that an encoding adds to the logits of each head."""

from collections.abc import Callable
from typing import Any

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact


def geometric(heads: int, bias_max: float) -> list[Exact]:
    """`2^(-8h / heads)` for h from 1: ALiBi, arXiv:2108.12409, section 3; MPT's maximum for 8."""
    return [mp.power(2, -exact(bias_max) * h / heads) for h in range(1, heads + 1)]


def alibi_slopes(case: Data) -> list[Exact]:
    """One slope per head; the reference code fills up from every other slope of twice the heads.

    Falcon adds the bias before logits are scaled by the root of its head's width.
    """
    spec = case["spec"]
    heads, slopes, top = spec["heads"], spec["slopes"], spec.get("bias_max", 8.0)
    power = 1 << heads.bit_length() - 1
    if isinstance(slopes, list):
        found = [exact(slope) for slope in slopes]
    elif slopes == "geometric":
        found = geometric(heads, top)
    else:
        found = geometric(power, top) + geometric(2 * power, top)[0::2][: heads - power]
    scale = mp.sqrt(spec.get("head_dim") or 1)
    return [slope / scale for slope in found]


def t5_bucket(relative: int, buckets: int, max_distance: int, bidirectional: bool) -> int:
    """Bucket of `key - query` in whole numbers, so that no rounded logarithm moves an edge.

    The logarithmic bucket `start + j` begins where `(n / start)^steps` reaches
    `(max_distance / start)^j`: arXiv:1910.10683, section 2.1, and the code of Mesh TensorFlow.
    """
    count = buckets // 2 if bidirectional else buckets
    side = count if bidirectional and relative > 0 else 0
    n = abs(relative) if bidirectional else max(-relative, 0)
    start = count // 2
    steps = count - start
    if n < start:
        return side + n

    def reached(j: int) -> bool:
        return bool(n**steps * start**j >= max_distance**j * start**steps)

    return side + start + max(j for j in range(steps) if reached(j))


def t5_buckets(case: Data) -> list[int]:
    return [bucket(case["spec"], relative) for relative in case["relative"]]


def bucket(spec: Data, relative: int) -> int:
    return t5_bucket(relative, spec["buckets"], spec["max_distance"], spec["bidirectional"])


def grid(case: Data, entry: Callable[[Any, Any], Exact]) -> list[list[Exact]]:
    """One row per query, one column per key."""
    return [[entry(q, k) for k in case["k_positions"]] for q in case["q_positions"]]


def alibi_bias(case: Data) -> list[list[list[Exact]]]:
    """`-slope (q - k)`, or `-slope |q - k|` for attention in both directions."""

    def entry(slope: Exact) -> Callable[[int, int], Exact]:
        symmetric = case["spec"]["symmetric"]
        return lambda q, k: -slope * (abs(q - k) if symmetric else q - k)

    return [grid(case, entry(slope)) for slope in alibi_slopes(case)]


def t5_bias(case: Data) -> list[list[list[Exact]]]:
    """The row of the learned table for each bucket, one column per head."""
    spec = case["spec"]
    scale = exact(spec.get("scale", 1))

    def counted(position: Any) -> int:
        return int(position[spec["axis"]] if isinstance(position, list) else position)

    def entry(head: int) -> Callable[[Any, Any], Exact]:
        def number(q: Any, k: Any) -> Exact:
            apart = counted(k) - counted(q)
            steps = abs(apart) // spec["step"]
            row = bucket(spec, steps if apart > 0 else -steps)
            return scale * exact(case["arrays"]["table"][row][head])

        return number

    return [grid(case, entry(head)) for head in range(case["spec"]["heads"])]


KINDS: dict[str, dict[str, Answer]] = {
    "alibi": {"slopes": alibi_slopes, "bias": alibi_bias},
    "t5_bias": {"buckets": t5_buckets, "bias": t5_bias},
}
