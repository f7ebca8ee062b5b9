"""Biases that are a curve of the distance: KERPLE, Sandwich, and small networks."""

from collections.abc import Callable

from mpmath import mp

from oracle.bias import grid
from oracle.exact import Answer, Data, Exact, exact

Entry = Callable[[int, int], Exact]
Row = list[Exact]


def kerple(case: Data) -> list[list[Row]]:
    """arXiv:2205.09921, section 4; numbers below 0.01, and powers above 2, are brought back."""
    power = case["spec"]["form"] == "power"

    def entry(head: int) -> Entry:
        p, a = (max(exact(case["arrays"][n][head]), exact("0.01")) for n in ("p", "a"))
        if power:
            return lambda q, k: -a * mp.power(abs(q - k), min(p, exact(2)))
        return lambda q, k: -p * mp.log(1 + a * abs(q - k))

    return [grid(case, entry(head)) for head in range(case["spec"]["heads"])]


def sandwich(case: Data) -> list[list[Row]]:
    """arXiv:2212.10356, section 5: the sum starts at 1, and head h of H is divided by 8h/H."""
    spec = case["spec"]
    half, heads = spec["dim"] // 2, spec["heads"]
    freqs = [mp.power(spec["base"], -exact(2 * j) / spec["dim"]) for j in range(1, half + 1)]

    def entry(head: int) -> Entry:
        scale = exact(8 * head) / heads
        return lambda q, k: (sum(mp.cos((q - k) * w) for w in freqs) - half) / scale

    return [grid(case, entry(head)) for head in range(1, heads + 1)]


def layer(x: Row, weight: list[list[float]], bias: list[float] | None) -> Row:
    """`weight x + bias`."""
    rows = [sum(exact(w) * v for w, v in zip(row, x, strict=True)) for row in weight]
    return rows if bias is None else [r + exact(b) for r, b in zip(rows, bias, strict=True)]


def network(x: Row, arrays: Data, activation: Callable[[Exact], Exact]) -> Row:
    """Layers `weight1`, `bias1`, ..., with an activation between them."""
    depth = sum(name.startswith("weight") for name in arrays)
    for i in range(1, depth + 1):
        x = layer(x, arrays[f"weight{i}"], arrays.get(f"bias{i}"))
        x = [activation(v) for v in x] if i < depth else x
    return x


def relu(x: Exact) -> Exact:
    return max(x, exact(0))


def silu(x: Exact) -> Exact:
    return x / (1 + mp.exp(-x))


def by_network(case: Data, given: Entry, activation: Callable[[Exact], Exact]) -> list[list[Row]]:
    """The output of each head for what a pair of positions gives the network."""

    def entry(head: int) -> Entry:
        return lambda q, k: network([given(q, k)], case["arrays"], activation)[head]

    return [grid(case, entry(head)) for head in range(case["spec"]["heads"])]


def fire(case: Data) -> list[list[Row]]:
    """arXiv:2310.04418, the code of appendix E."""
    arrays = case["arrays"]
    c = exact(arrays["c"])
    threshold = abs(exact(arrays["multiplier"]) * exact(case["spec"]["threshold"]))

    def share(q: int, k: int) -> Exact:
        whole = mp.log(abs(c * max(exact(q), threshold)) + 1) + exact("1e-6")
        return mp.log(abs(c * (q - k)) + 1) / whole

    return by_network(case, share, relu)


def dynamic_bias(case: Data) -> list[list[Row]]:
    """x_transformers, DynamicPositionBias."""

    def given(q: int, k: int) -> Exact:
        r = exact(q - k)
        return mp.sign(r) * mp.log(abs(r) + 1) if case["spec"]["log_distance"] else r

    return by_network(case, given, silu)


KINDS: dict[str, dict[str, Answer]] = {
    "kerple": {"bias": kerple},
    "sandwich": {"bias": sandwich},
    "fire": {"bias": fire},
    "dynamic_bias": {"bias": dynamic_bias},
}
