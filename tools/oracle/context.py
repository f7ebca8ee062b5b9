"""Logits made anew: rotary scores at remapped distances, and positions that queries count."""

from collections.abc import Callable
from typing import Any

from mpmath import mp

from oracle import rope
from oracle.exact import Answer, Data, Exact, exact


def self_extend(spec: Data, q: int, k: int) -> Exact:
    """`q // G + W - W // G - k // G` past the window: arXiv:2401.01325, section 3.2."""
    group, window = spec["group"], spec["window"]
    if q - k < window:
        return exact(q - k)
    return exact(q // group + window - window // group - k // group)


def re_rope(spec: Data, q: int, k: int) -> Exact:
    """`min(r, W)`, or `W + (r - W) / k` past W: kexue.fm/archives/9708."""
    window, factor = spec["window"], spec["factor"]
    if q - k < window:
        return exact(q - k)
    return exact(window) + (exact(q - k - window) / factor if factor else 0)


def dual_chunk(spec: Data, q: int, k: int) -> Exact:
    """Own chunk, the one before, older ones: arXiv:2402.17463, eqs. 3 to 5."""
    size = spec["chunk"] - spec["local"]
    apart = q // size - k // size
    if apart <= 0:
        place = q % size
    elif apart == 1:
        place = min(q % size + size, spec["chunk"])
    else:
        place = min(size - 1 + size, spec["chunk"])
    return exact(place - k % size)


DISTANCES: dict[str, Callable[[Data, int, int], Exact]] = {
    "self_extend": self_extend,
    "re_rope": re_rope,
    "dual_chunk": dual_chunk,
}


def distances(case: Data) -> list[list[Exact]]:
    """One row per query, one column per key."""
    of, spec = DISTANCES[case["spec"]["kind"]], case["spec"]
    return [[of(spec, q, k) for k in case["k_positions"]] for q in case["q_positions"]]


def remapped(case: Data) -> list[list[list[Exact]]]:
    """`R(distance) q . k` for each pair of one head: the query turned by all of the distance."""
    inner = case["spec"]["rope"]
    gain = rope.attention_factor({**case, "spec": inner}) if inner["head_dim"] else exact(1)
    freqs = rope.frequencies({**case, "spec": inner})
    turning = {channel for pair in rope.pairs(inner) for channel in pair}
    answer = []
    for q, row in zip(case["q"][0], distances(case), strict=True):
        scores = []
        for k, apart in zip(case["k"][0], row, strict=True):
            turned = rope.turned(inner, q, [apart * w for w in freqs], gain)
            other = [gain * exact(c) if i in turning else exact(c) for i, c in enumerate(k)]
            scores.append(mp.fdot(turned, other))
        answer.append(scores)
    return [answer]


def gate(case: Data, m: int, n: int) -> Exact:
    """`sigmoid(scale q_m . k_n)`, 0 for keys after the query: arXiv:2405.18719, eq. 3."""
    if case["k_positions"][n] > case["q_positions"][m]:
        return exact(0)
    product = mp.fdot(map(exact, case["q"][0][m]), map(exact, case["k"][0][n]))
    return 1 / (1 + mp.exp(-exact(case["spec"]["scale"]) * product))


def counted(case: Data) -> list[list[list[Exact]]]:
    """`p[m, n]` of one head, the sum of the gates from n on, at most the last row: eqs. 4, 5."""
    last = case["spec"]["rows"] - 1
    keys = range(len(case["k"][0]))
    rows = [
        [min(mp.fsum(gate(case, m, j) for j in keys[n:]), exact(last)) for n in keys]
        for m in range(len(case["q"][0]))
    ]
    return [rows]


def contextual(case: Data) -> list[list[list[Exact]]]:
    """`q_m . e[p]` between two rows: eq. 6."""
    table = [[exact(c) for c in row] for row in case["arrays"]["table"]]
    answer = []
    for q, row in zip(case["q"][0], counted(case)[0], strict=True):
        scores = [mp.fdot(map(exact, q), e) for e in table]
        answer.append(
            [
                (1 - (p - mp.floor(p))) * scores[int(mp.floor(p))]
                + (p - mp.floor(p)) * scores[int(mp.ceil(p))]
                for p in row
            ]
        )
    return [answer]


def cope(case: Data) -> list[list[list[Exact]]]:
    """`q_m . (k_n + e[p])`."""
    extra = contextual(case)[0]
    rows = [
        [mp.fdot(map(exact, q), map(exact, k)) + extra[m][n] for n, k in enumerate(case["k"][0])]
        for m, q in enumerate(case["q"][0])
    ]
    return [rows]


def _each_head(of_one: Answer) -> Answer:
    """The answer for heads that have nothing to do with each other, from that for one."""

    def answer(case: Data) -> list[Any]:
        heads = zip(case["q"], case["k"], strict=True)
        return [of_one({**case, "q": [q], "k": [k]})[0] for q, k in heads]

    return answer


REMAPPED: dict[str, Answer] = {"distances": distances, "adjusted": _each_head(remapped)}
COUNTED: dict[str, Answer] = {"counted": counted, "contextual": contextual, "adjusted": cope}
KINDS: dict[str, dict[str, Answer]] = {
    **dict.fromkeys(DISTANCES, REMAPPED),
    "cope": {name: _each_head(answer) for name, answer in COUNTED.items()},
}
