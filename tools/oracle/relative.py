"""Vectors that stand for distances and meet queries and keys, as the papers write them."""

from collections.abc import Callable

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact

Vector = list[Exact]
Term = Callable[[int, int, int], Exact]


def dot(a: Vector, b: Vector) -> Exact:
    return mp.fsum(exact(x) * exact(y) for x, y in zip(a, b, strict=True))


def plus(a: Vector, b: Vector) -> Vector:
    return [exact(x) + exact(y) for x, y in zip(a, b, strict=True)]


def key_of(case: Data, head: int, j: int) -> Vector:
    """Key j as the given query head sees it: fewer heads of keys are shared evenly."""
    share = len(case["q"]) // len(case["k"])
    return case["k"][head // share][j]


def summed(case: Data, term: Term) -> list[list[list[Exact]]]:
    """`q_i . k_j` and a term, by head, query and key."""

    def entry(h: int, i: int, j: int) -> Exact:
        return dot(case["q"][h][i], key_of(case, h, j)) + term(h, i, j)

    queries, keys = range(len(case["q_positions"])), range(len(case["k_positions"]))
    return [[[entry(h, i, j) for j in keys] for i in queries] for h in range(len(case["q"]))]


def apart(case: Data, i: int, j: int) -> int:
    """Query position minus key position."""
    return int(case["q_positions"][i]) - int(case["k_positions"][j])


def shaw(case: Data) -> list[list[list[Exact]]]:
    """`a[clip(key - query, -left, right) + left]`: arXiv:1803.02155, eqs. 3 and 4."""
    spec, table = case["spec"], case["arrays"]["table"]

    def term(h: int, i: int, j: int) -> Exact:
        each = table[h] if spec["heads"] else table
        each = each if spec["order"] == "key-query" else each[::-1]
        vector = each[min(max(-apart(case, i, j), -spec["left"]), spec["right"]) + spec["left"]]
        found = dot(case["q"][h][i], vector)
        return found + dot(key_of(case, h, j), vector) if spec["keys"] else found

    return summed(case, term)


def transformer_xl(case: Data) -> list[list[list[Exact]]]:
    """`q.k + u.k + q.R + v.R`, four terms: arXiv:1901.02860, section 3.3."""
    spec, arrays = case["spec"], case["arrays"]

    def term(h: int, i: int, j: int) -> Exact:
        distance = min(max(apart(case, i, j), -spec["right"]), spec["left"])
        row = arrays["table"][h][spec["left"] - distance]  # distances descend
        content = dot(arrays["u"][h], key_of(case, h, j))
        return content + dot(plus(case["q"][h][i], arrays["v"][h]), row)

    return summed(case, term)


def deberta_bucket(relative: int, span: int, most: int | None) -> int:
    """v2's buckets with an exact logarithm; v1's distance: arXiv:2006.03654, eq. 3."""
    near = span // 2
    if most is None or abs(relative) <= near:
        return relative
    share = mp.log(exact(abs(relative)) / near) / mp.log(exact(most - 1) / near)
    steps = share * (near - 1)
    whole = mp.nint(steps)
    # The logarithm of the largest distance itself is whole: no digit of 60 may push it over.
    up = whole if abs(steps - whole) < mp.mpf(10) ** -50 else mp.ceil(steps)
    return int(up + near) * (1 if relative > 0 else -1)


def deberta(case: Data) -> list[list[list[Exact]]]:
    """Both terms at the row of query - key, as the authors' code reads them."""
    spec, arrays = case["spec"], case["arrays"]

    def term(h: int, i: int, j: int) -> Exact:
        span = spec["span"]
        bucket = deberta_bucket(apart(case, i, j), span, spec["max_distance"])
        row = min(max(bucket + span, 0), 2 * span - 1)
        c2p = dot(case["q"][h][i], arrays["keys"][h][row]) if spec["c2p"] else 0
        p2c = dot(key_of(case, h, j), arrays["queries"][h][row]) if spec["p2c"] else 0
        return c2p + p2c

    return summed(case, term)


def deberta_scale(case: Data) -> Exact:
    return 1 / mp.sqrt(1 + case["spec"]["c2p"] + case["spec"]["p2c"])


def tupe(case: Data) -> list[list[list[Exact]]]:
    """arXiv:2006.15595, eqs. 7 and 9; theta stands on the scaled logits, so it is scaled back."""
    spec, arrays = case["spec"], case["arrays"]

    def term(h: int, i: int, j: int) -> Exact:
        m, n = case["q_positions"][i], case["k_positions"][j]
        if spec["untied"] and 0 in (m, n):
            theta = exact(arrays["cls"][0 if m == 0 else 1][h])
            return theta * mp.sqrt(2 * spec["head_dim"])
        return dot(arrays["queries"][h][m], arrays["keys"][h][n])

    return summed(case, term)


def decomposed(case: Data) -> list[list[list[Exact]]]:
    """arXiv:2112.01526, eq. 4, by axis; the query of the term is not scaled by 1 / sqrt(d)."""
    spec, arrays = case["spec"], case["arrays"]

    def term(h: int, i: int, j: int) -> Exact:
        places = zip(case["q_positions"][i], case["k_positions"][j], spec["sizes"], strict=True)
        rows = [arrays[f"axis{a}"][y - x + size - 1] for a, (y, x, size) in enumerate(places)]
        return mp.fsum(dot(case["q"][h][i], row) for row in rows) * mp.sqrt(spec["head_dim"])

    return summed(case, term)


KINDS: dict[str, dict[str, Answer]] = {
    "shaw": {"adjusted": shaw},
    "transformer_xl": {"adjusted": transformer_xl},
    "deberta": {"adjusted": deberta, "logit_scale": deberta_scale},
    "tupe": {"adjusted": tupe, "logit_scale": lambda case: 1 / mp.sqrt(2)},
    "decomposed": {"adjusted": decomposed},
}
