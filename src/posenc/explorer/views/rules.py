"""What each rule for longer text does to each pair."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from posenc.claims._pairs import LLAMA, RULES, TRAINED, ratios, under
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._rope import Rope
from posenc.specs._scaling import DynamicNtk, Scaling

FACTORS = (2, 8, 32)
PARTS = 2**14
"""Ratios are given in so many parts of 1: a picture shows no more."""

PYTHON = {
    "linear": "Linear(factor={factor})",
    "ntk": "Ntk(factor={factor})",
    "dynamic": "DynamicNtk(factor=1, trained_length=4096)",
    "yarn": "Yarn(factor={factor}, trained_length=4096)",
    "llama3": "Llama3(factor={factor}, low_freq_factor=1, high_freq_factor=4, trained_length=4096)",
    "longrope": "LongRope(short=(1,) * 64, trained_length=4096, factor={factor},\n"
    "    long=tuple(1 + ({factor} - 1) * i / 63 for i in range(64)))",
}
"""The rules as they are written in Python."""

NAMES = ("linear", "ntk", "dynamic", "yarn", "llama3", "longrope")
BAND = Yarn(factor=32, trained_length=TRAINED)
GPT_OSS = Rope(dim=64, layout="half", base=150_000, scaling=BAND)


def ruled(name: str, factor: int) -> Scaling:
    """A rule of the textbook's head, for so many times the length."""
    rule = RULES[name]
    if isinstance(rule, DynamicNtk):
        return rule
    if isinstance(rule, LongRope):
        # Models search their lists; this one is a ramp.
        ramp = tuple(1 + (factor - 1) * i / 63 for i in range(64))
        return replace(rule, long=ramp, factor=factor)
    changed: Scaling = replace(rule, factor=factor)  # type: ignore[type-var]
    return changed


def snippet(name: str, factor: int) -> str:
    """How a config of Hugging Face states it, and the flags of llama.cpp."""
    spec = under(ruled(name, factor))
    fields: dict[str, object] = {"rope_theta": 10000.0, "rope_type": name, "factor": float(factor)}
    flags = f"--rope-scaling {name} --rope-scale {factor}"
    if name == "ntk":  # a larger base, and nothing else
        fields = {"rope_theta": float(spec.frequencies()[1] ** -64), "rope_type": "default"}
        flags = f"--rope-freq-base {fields['rope_theta']:.6g}"
    if name == "dynamic":
        fields["factor"] = 1.0  # the length of the run is all that counts then
    if name in ("dynamic", "yarn", "llama3", "longrope"):
        fields["original_max_position_embeddings"] = TRAINED
    if name == "yarn":
        flags += f" --yarn-orig-ctx {TRAINED}"
    if name == "llama3":
        fields |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    if name == "longrope":
        fields |= {"short_factor": "SHORT", "long_factor": "LONG"}
    if name in ("dynamic", "llama3", "longrope"):
        flags = ""  # llama.cpp reads these from the model's file, or does not know them
    stated = json.dumps({"rope_parameters": fields}, indent=1)
    # The lists of LongRoPE would fill the page; this much is Python, not JSON.
    stated = stated.replace('"SHORT"', "[1.0] * 64")
    stated = stated.replace('"LONG"', f"[1 + {factor - 1} * i / 63 for i in range(64)]")
    opening = "# Python\n" if name == "longrope" else ""
    return opening + stated + (f"\n# llama.cpp\n{flags}" if flags else "")


def _factor(name: str, factor: int) -> float:
    return float(under(ruled(name, factor)).attention_factor(factor * TRAINED))


view = View(
    chapter="longer",
    claims=(
        "longer.linear",
        "longer.ntk-first",
        "longer.ntk-last",
        "longer.ntk-enough",
        "longer.yarn-split",
        "longer.yarn-rounding",
        "longer.factor-once",
        "longer.llama3-split",
    ),
    ladders={
        "yarn-8": of(
            under("yarn"),
            attention=_factor("yarn", 8),
            yarn=1,
            beta_fast=32,
            beta_slow=1,
            factor=8,
            original_max_position_embeddings=TRAINED,
        ),
        "ntk-8": of(under("ntk"), ntk=1, factor=8),
        "linear-8": of(under("linear"), linear=1, factor=8),
        "llama-8b": of(
            LLAMA,
            llama3=1,
            factor=8,
            low_freq_factor=1,
            high_freq_factor=4,
            original_max_position_embeddings=8192,
        ),
        "yarn-rounded": of(GPT_OSS),
        "yarn-exact": of(replace(GPT_OSS, scaling=replace(BAND, truncate=False))),
    },
    numbers=lambda: {
        "rules.ratios": np.rint(
            PARTS
            * np.array(
                [
                    [ratios(under(ruled(name, factor)), factor * TRAINED) for factor in FACTORS]
                    for name in NAMES
                ]
            )
        ).astype(np.int16),
        "rules.parts": [PARTS],
        "rules.factors": np.array([[_factor(n, f) for f in FACTORS] for n in NAMES]),
    },
    extra=lambda: {
        "settings": {
            f"{name}-{factor}": snippet(name, factor) for name in NAMES for factor in FACTORS
        },
        "python": PYTHON,
    },
    picture=lambda: _svg.lines(
        *(ratios(under(name)) for name in ("ntk", "yarn")), low=0, high=1.05
    ),
)
