"""Temperatures: at every step and just before it, far out, and learned."""

from collections.abc import Iterator

from oracle.answers import answers
from oracle.exact import Data

SOURCES = {
    "llama4": "Llama 4, attn_temperature_tuning",
    "ministral": "Ministral 3, llama_4_scaling_beta",
    "log": "Su 2021, kexue.fm 8823",
    "power": "model beam of transformers",
    "inkling": "model inkling2 of transformers",
}
STEPS = [0, 8, 2047, 2048, 8190, 8191, 8192, 16382, 16383, 16384, 70001, 131071]
FAR = [1000000, 8192 * 262143 - 1, 8192 * 262143, 2**31 - 1]


def _spec(rule: str, trained_length: int, strength: float = 0.1) -> Data:
    return {
        "kind": "temperature",
        "rule": rule,
        "trained_length": trained_length,
        "strength": strength,
    }


def cases() -> Iterator[Data]:
    for rule, reference in SOURCES.items():
        for length, strength in ((8192, 0.1), (1000, 0.1 if rule == "log" else 0.75)):
            inputs: Data = {
                "case": f"{rule}-{length}",
                "spec": _spec(rule, length, strength),
                "length": None,
                "reference": reference,
                "positions": STEPS + FAR,
            }
            yield inputs | answers(inputs, ["logit_scale"])
    learned = {"scale": [0.43, 0.0, -0.25], "bias": [0.5, 1.0, 2.0]}
    for bias in (False, True):
        inputs = {
            "case": f"scalable-softmax{'-bias' if bias else ''}",
            "spec": {"kind": "scalable_softmax", "heads": 3, "bias": bias},
            "length": None,
            "reference": "arXiv:2501.19399, section 3; model mistral_large4 of transformers",
            "arrays": learned if bias else {"scale": learned["scale"]},
            "positions": [0, 1, 8, 511, 70001, 1000000],
        }
        yield inputs | answers(inputs, ["logit_scale"])
