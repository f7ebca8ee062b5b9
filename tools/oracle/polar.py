"""PoPE: logits of arrows whose lengths are contents and whose angles are positions."""

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact


def frequencies(case: Data) -> list[Exact]:
    """`base^(-c / d)` of every channel: arXiv:2509.10534, section 3."""
    spec = case["spec"]
    return [exact(spec["base"]) ** (-exact(c) / spec["dim"]) for c in range(spec["dim"])]


def _softplus(x: float) -> Exact:
    return mp.log(1 + mp.exp(exact(x)))


def adjusted(case: Data) -> list[list[list[Exact]]]:
    """`sum softplus(q) softplus(k) cos((m - n) w - delta)`, delta between -2 pi and 0."""
    freqs = frequencies(case)
    groups = len(case["q"]) // len(case["k"])

    def logit(q: list[float], k: list[float], phase: list[float], apart: Exact) -> Exact:
        kept = [min(max(exact(d), -2 * mp.pi), exact(0)) for d in phase]
        return mp.fsum(
            _softplus(a) * _softplus(b) * mp.cos(apart * w - d)
            for a, b, w, d in zip(q, k, freqs, kept, strict=True)
        )

    def head(h: int) -> list[list[Exact]]:
        keys, phase = case["k"][h // groups], case["arrays"]["phase"][h // groups]
        return [
            [
                logit(q, k, phase, exact(m) - exact(n))
                for k, n in zip(keys, case["k_positions"], strict=True)
            ]
            for q, m in zip(case["q"][h], case["q_positions"], strict=True)
        ]

    return [head(h) for h in range(len(case["q"]))]


KINDS: dict[str, dict[str, Answer]] = {"polar": {"frequencies": frequencies, "adjusted": adjusted}}
