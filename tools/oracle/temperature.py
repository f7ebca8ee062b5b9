"""What logits are multiplied by, by the position of the query."""

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact


def _of_rule(spec: Data, p: float) -> Exact:
    """Llama 4, Ministral 3, log-n, Beam and Inkling, as their models define them."""
    length, strength = spec["trained_length"], exact(spec["strength"])
    seen = exact(p) + 1
    if spec["rule"] == "llama4":
        return 1 + strength * mp.log(1 + mp.floor(seen / length))
    if spec["rule"] == "ministral":
        return 1 + strength * mp.log(1 + mp.floor(exact(p) / length))
    if spec["rule"] == "log":
        return max(exact(1), mp.log(seen) / mp.log(length))
    if spec["rule"] == "power":
        return (1 + seen / length) ** strength
    return 1 + strength * mp.log(max(seen / length, exact(1)))


def temperature(case: Data) -> list[list[Exact]]:
    """One row, for all heads."""
    return [[_of_rule(case["spec"], p) for p in case["positions"]]]


def scalable_softmax(case: Data) -> list[list[Exact]]:
    """arXiv:2501.19399: `s_h ln(n)`, of a causal query at p with n = p + 1; and a bias."""
    scale = case["arrays"]["scale"]
    bias = case["arrays"].get("bias", [0] * len(scale))
    return [
        [exact(s) * mp.log(exact(p) + 1) + exact(b) for p in case["positions"]]
        for s, b in zip(scale, bias, strict=True)
    ]


KINDS: dict[str, dict[str, Answer]] = {
    "logit_scale": {"logit_scale": lambda case: exact(case["spec"]["factor"])},
    "temperature": {"logit_scale": temperature},
    "scalable_softmax": {"logit_scale": scalable_softmax},
}
