"""Chapter 11: YaRN and LongRoPE, and the factor that they put on attention."""

from __future__ import annotations

import math

import numpy as np

from posenc._facade import rotate, tables
from posenc.claims._chapter import Part
from posenc.claims._codes import farthest
from posenc.claims._pairs import FACTOR, TEXTBOOK, TRAINED, logit_gain, ratios, split, under
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._rope import Rope

part = Part("longer")

_YARN = """\
def yarn(w, d, low, high):
    ramp = np.clip((np.arange(d / 2) - low) / (high - low), 0, 1)
    return w * (1 - ramp) + w / 8 * ramp
"""
_PHI = LongRope(short=(1,) * 4, long=(1, 2, 4, 8), trained_length=4096, factor=32)
"""LongRoPE on a head of 8, with the lengths of Phi-3: 4096, then 131072."""

_MAGNITUDES = {
    4: 1.1386294361,
    8: 1.2079441542,
    16: 1.2772588722,
    32: 1.3465735903,
    40: 1.3688879454,
    64: 1.4158883083,
    128: 1.4852030264,
}


@part.claim(
    "yarn-split",
    equal=0,
    source="arXiv:2309.00071",
    plain="""
        def index(turns):
            return 64 * np.log(4096 / (2 * np.pi * turns)) / np.log(10000)
        low, high = np.floor(index(32)), np.ceil(index(1))
        i = np.arange(64)
        counts = [(i <= low).sum(), ((i > low) & (i < high)).sum(), (i >= high).sum()]
        value = np.abs(np.array(counts) - (21, 25, 18)).max()
    """,
)
def _yarn_split() -> float:
    return float(np.abs(np.subtract(split(under("yarn"), FACTOR), (21, 25, 18))).max())


@part.claim(
    "yarn-kept",
    at_most=0,
    source="paiml/aprender#2161",
    plain=f"""{_YARN}\
w = 10000.0 ** (-np.arange(0, 128, 2) / 128)
value = np.abs(yarn(w, 128, 20, 46) - w)[:21].max()
""",
)
def _yarn_kept() -> float:
    plain = 10_000.0 ** (-np.arange(64) / 64)
    return farthest(under("yarn").frequencies()[:21], plain[:21])


@part.claim(
    "yarn-list",
    at_most=5e-9,
    source="arXiv:2309.00071",
    plain=f"""{_YARN}\
w = 10000.0 ** (-np.arange(0, 16, 2) / 16)
want = [1, 0.316227766, 0.1, 0.0247052942, 0.005625, 0.00108703295, 0.000125, 3.95284708e-05]
value = np.abs(yarn(w, 16, 2, 6) / want - 1).max()
""",
)
def _yarn_list() -> float:
    want = [1, 0.316227766, 0.1, 0.0247052942, 0.005625, 0.00108703295, 0.000125, 3.95284708e-05]
    spec = Rope(dim=16, layout="half", scaling=Yarn(factor=8, trained_length=4096))
    return farthest(spec.frequencies() / want, 1)


@part.claim(
    "yarn-exact-list",
    at_most=5e-9,
    source="arXiv:2309.00071",
    plain=f"""{_YARN}\
w = 10000.0 ** (-np.arange(0, 16, 2) / 16)
want = [1, 0.316227766, 0.1, 0.0281120808, 0.00598313344]
want += [0.000972857759, 0.000125, 3.95284708e-05]
low, high = 8 * np.log(4096 / (2 * np.pi * np.array([32, 1]))) / np.log(10000)
value = np.abs(yarn(w, 16, low, high) / want - 1).max()
""",
)
def _yarn_exact_list() -> float:
    want = [1, 0.316227766, 0.1, 0.0281120808, 0.00598313344]
    want += [0.000972857759, 0.000125, 3.95284708e-05]
    rule = Yarn(factor=8, trained_length=4096, truncate=False)
    return farthest(Rope(dim=16, layout="half", scaling=rule).frequencies() / want, 1)


@part.claim(
    "yarn-band",
    at_most=5e-12,
    source="vllm-project/vllm#28244",
    plain="""
        turns = np.array([32, 1])
        low, high = 64 * np.log(4096 / (2 * np.pi * turns)) / (2 * np.log(150000))
        value = max(abs(low - 8.092779115512), abs(high - 17.398024501589))
    """,
)
def _yarn_band() -> float:
    # The ramp is a straight line over the index, so any two pairs on it tell where it ends.
    rule = Yarn(factor=32, trained_length=4096, truncate=False)
    ratio = ratios(Rope(dim=64, layout="half", base=150_000, scaling=rule))
    ramp = (1 - ratio) / (1 - 1 / 32)
    low = 9 - ramp[9] * (17 - 9) / (ramp[17] - ramp[9])
    high = low + (17 - 9) / (ramp[17] - ramp[9])
    return farthest(np.array([low, high]), [8.092779115512, 17.398024501589])


@part.claim(
    "yarn-rounding",
    at_most=5e-6,
    source="vllm-project/vllm#28244",
    plain="""
        def kept(low, high):
            return 1 - np.clip((np.array([12, 16, 17]) - low) / (high - low), 0, 1)
        bounds = (8, 18), (8.092779115512, 17.398024501589)
        rounded, exact = ((1 - k) / 32 + k for k in (kept(*b) for b in bounds))
        value = np.abs(rounded / exact - [1.03249, 1.27266, 1.76268]).max()
    """,
)
def _yarn_rounding() -> float:
    rounded, exact = (
        Rope(
            dim=64,
            layout="half",
            base=150_000,
            scaling=Yarn(factor=32, trained_length=4096, truncate=truncate),
        ).frequencies()
        for truncate in (True, False)
    )
    return farthest((rounded / exact)[[12, 16, 17]], [1.03249, 1.27266, 1.76268])


@part.claim(
    "yarn-magnitudes",
    at_most=5e-11,
    source="arXiv:2309.00071",
    plain="""
        factors = np.array([4, 8, 16, 32, 40, 64, 128])
        want = [1.1386294361, 1.2079441542, 1.2772588722, 1.3465735903]
        want += [1.3688879454, 1.4158883083, 1.4852030264]
        value = np.abs(0.1 * np.log(factors) + 1 - want).max()
    """,
)
def _yarn_magnitudes() -> float:
    return max(
        abs(under(Yarn(factor=f, trained_length=TRAINED)).attention_factor() - want)
        for f, want in _MAGNITUDES.items()
    )


@part.claim(
    "factor-once",
    equal=1.207944154,
    within=5e-10,
    verdict="false",
    actual=1.459129080,
    source="arXiv:2309.00071",
    plain="""
        g, angle = 0.1 * np.log(8) + 1, 50 * 10000.0 ** (-np.arange(64) / 64)
        cos, sin = g * np.cos(angle), g * np.sin(angle)  # as Hugging Face scales its tables
        a, b = cos - sin, sin + cos  # a query and a key of ones, both turned
        value = (a * a + b * b).sum() / 128
    """,
)
def _factor_once() -> float:
    return logit_gain(under("yarn"))


@part.claim(
    "factor-in-part",
    equal=1.229564540,
    within=5e-10,
    source="arXiv:2309.00071",
    plain="""
        g = 0.1 * np.log(8) + 1
        turned, rest = np.full(64, g), np.ones(64)
        value = (turned @ turned + rest @ rest) / 128
    """,
)
def _factor_in_part() -> float:
    yarn = Yarn(factor=8, trained_length=TRAINED)
    return logit_gain(Rope(dim=64, head_dim=128, layout="half", scaling=yarn))


@part.claim(
    "factor-again",
    equal=1.5888513933,
    within=5e-11,
    verdict="false",
    actual=1.4158883083,
    source="NVIDIA/TensorRT-LLM#16379 sgl-project/sglang#33558",
    plain="""
        config = {"factor": 64, "attention_factor": 1.4158883083}
        g = config.get("attention_factor", 0.1 * np.log(config["factor"]) + 1)
        angle = 50 * 10000.0 ** (-np.arange(64) / 64)
        cos, sin = g * np.cos(angle), g * np.sin(angle)
        a, b = cos - sin, sin + cos  # a vector of ones, turned
        value = np.sqrt((a * a + b * b).sum() / 128)
    """,
)
def _factor_again() -> float:
    rule = Yarn(factor=64, trained_length=TRAINED, attention_factor=1.4158883083)
    return math.sqrt(logit_gain(under(rule)))


@part.claim(
    "mscale-ratio",
    equal=1.121751,
    within=5e-7,
    source="turboderp-org/exllamav3#259",
    plain="""
        def magnitude(mscale):
            return 0.1 * mscale * np.log(16) + 1
        value = magnitude(1) / magnitude(0.5)
    """,
)
def _mscale_ratio() -> float:
    def factor(mscale: float, mscale_all_dim: float) -> float:
        rule = Yarn(factor=16, trained_length=TRAINED, mscale=mscale, mscale_all_dim=mscale_all_dim)
        return under(rule).attention_factor()

    return factor(1, 0.5) if factor(0.7, 0.7) == 1 else math.nan


@part.claim(
    "mscale-alone",
    equal=1.3688879454,
    within=5e-11,
    source="turboderp-org/exllamav3#259",
    plain="value = 0.1 * np.log(40) + 1",
)
def _mscale_alone() -> float:
    rule = Yarn(factor=40, trained_length=TRAINED, mscale=0.707)
    return under(rule).attention_factor()


@part.claim(
    "factor-squared",
    equal=1.873854207,
    within=5e-10,
    source="turboderp-org/exllamav3#259",
    plain="value = (0.1 * np.log(40) + 1) ** 2",
)
def _factor_squared() -> float:
    return logit_gain(under(Yarn(factor=40, trained_length=TRAINED)))


@part.claim(
    "longrope-factor",
    equal=1.190238071,
    within=5e-10,
    source="arXiv:2402.13753",
    plain="value = np.sqrt(1 + np.log(131072 / 4096) / np.log(4096))",
)
def _longrope_factor() -> float:
    return Rope(dim=8, layout="half", scaling=_PHI).attention_factor(131_072)


@part.claim(
    "longrope-list",
    at_most=1e-15,
    source="arXiv:2402.13753",
    plain="""
        w = 10000.0 ** (-np.arange(0, 8, 2) / 8) / [1, 2, 4, 8]
        value = np.abs(w - [1, 0.05, 0.0025, 0.000125]).max()
    """,
)
def _longrope_list() -> float:
    freqs = Rope(dim=8, layout="half", scaling=_PHI).frequencies(131_072)
    return farthest(freqs, [1, 0.05, 0.0025, 0.000125])


@part.claim(
    "longrope-turned",
    at_most=5e-10,
    source="arXiv:2402.13753",
    plain="""
        x = np.arange(1, 9) / 10
        z = (x[:4] + 1j * x[4:]) * np.exp(3j * np.array([1, 0.05, 0.0025, 0.000125]))
        y = np.concatenate([z.real, z.imag]) * np.sqrt(1 + np.log(32) / np.log(4096))
        want = [-0.201815879, 0.128654423, 0.350812688, 0.475738124]
        want += [-0.572366739, 0.741697179, 0.835821228, 0.952368926]
        value = np.abs(y - want).max()
    """,
)
def _longrope_turned() -> float:
    want = [-0.201815879, 0.128654423, 0.350812688, 0.475738124]
    want += [-0.572366739, 0.741697179, 0.835821228, 0.952368926]
    spec = Rope(dim=8, layout="half", scaling=_PHI)
    turns = tables(spec, np.array([3]), length=131_072, float64=True)
    y = rotate(np.arange(1, 9)[None] / 10, *turns, layout="half")
    return farthest(spec.attention_factor(131_072) * y[0], want)


@part.claim(
    "longrope-switch",
    equal=0.125,
    within=1e-15,
    source="huggingface/transformers#33129",
    plain="""
        def freqs(length):
            return 10000.0 ** (-np.arange(4) / 4) / ([1, 2, 4, 8] if length > 4096 else [1] * 4)
        value = freqs(4097)[3] / freqs(4096)[3]
    """,
)
def _longrope_switch() -> float:
    spec = Rope(dim=8, layout="half", scaling=_PHI)
    return float(spec.frequencies(4097)[3] / spec.frequencies(4096)[3])


@part.claim(
    "longrope-short",
    equal=1,
    within=5e-10,
    verdict="false",
    actual=1.416666667,
    source="arXiv:2402.13753",
    plain="value = 1 + np.log(32) / np.log(4096)  # the square of the factor, at any length",
)
def _longrope_short() -> float:
    return logit_gain(Rope(dim=8, layout="half", scaling=_PHI), length=100)


@part.claim(
    "unscaled",
    equal=3,
    within=1e-15,
    source="ml-explore/mlx-lm#1553",
    plain="value = np.angle(np.exp(1j * 3 * 10000.0 ** (-0 / 128)))",
)
def _unscaled() -> float:
    cos, sin = tables(TEXTBOOK, np.array([3]), float64=True)
    return float(np.arctan2(sin[0, 0], cos[0, 0]))
