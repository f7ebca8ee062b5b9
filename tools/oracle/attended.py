"""Attention itself, for an encoding that does nothing to it."""

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact


def attended(case: Data) -> list[list[list[Exact]]]:
    """`softmax(q . k / sqrt(d)) k` of each head: keys stand for values too."""
    heads = []
    for queries, keys in zip(case["q"], case["k"], strict=True):
        rows = []
        for q in queries:
            products = [mp.fdot(map(exact, q), map(exact, k)) for k in keys]
            weights = [mp.exp(product / mp.sqrt(len(q))) for product in products]
            shares = [weight / mp.fsum(weights) for weight in weights]
            columns = zip(*keys, strict=True)
            rows.append([mp.fdot(shares, map(exact, column)) for column in columns])
        heads.append(rows)
    return heads


KINDS: dict[str, dict[str, Answer]] = {"no_pe": {"attended": attended}}
