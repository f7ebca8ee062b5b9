"""Chapter 11: the rules that change frequencies, one after another."""

from __future__ import annotations

import numpy as np

from posenc._facade import bind, rotate, tables
from posenc.claims._chapter import Part
from posenc.claims._codes import farthest
from posenc.claims._pairs import (
    FACTOR,
    LLAMA,
    TRAINED,
    changed,
    ratios,
    split,
    under,
    unseen,
)
from posenc.specs._rope import Rope
from posenc.specs._scaling import DynamicNtk, Linear, Llama3, Ntk, Proportional

part = Part("longer")

_W = "w = 10000.0 ** (-np.arange(0, 128, 2) / 128)\n"
_DYNAMIC = """\
def freqs(length):
    base = 10000 * max(2 * length / 2048 - 1, 1) ** (128 / 126)
    return base ** (-np.arange(0, 128, 2) / 128)
"""
_DYNAMIC_SPEC = under(DynamicNtk(factor=2, trained_length=2048))


@part.claim(
    "short-text",
    equal=0,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
i, turns = np.arange(64), 4096 * w / (2 * np.pi)
ntk = (10000 * 8 ** (128 / 126)) ** (-i / 64)
ramp = i > np.floor(64 * np.log(4096 / (2 * np.pi * 32)) / np.log(10000))  # of YaRN
counts = [(w != w / 8).sum(), (ntk < w * (1 - 1e-9)).sum(), ramp.sum(), (turns < 4).sum()]
value = np.abs(np.array(counts) - (64, 63, 43, 28)).max()
""",
)
def _short_text() -> float:
    rules = ("linear", "ntk", "yarn", "llama3")
    counts = [int(changed(under(rule), TRAINED).sum()) for rule in rules]
    return float(np.abs(np.subtract(counts, (64, 63, 43, 28))).max())


@part.claim(
    "short-text-safe",
    equal=0,
    verdict="false",
    actual=43,
    source="arXiv:2309.00071",
    plain="""
        low = np.floor(64 * np.log(4096 / (2 * np.pi * 32)) / np.log(10000))
        value = (np.arange(64) > low).sum()
    """,
)
def _short_text_safe() -> float:
    return float(changed(under("yarn"), 100).sum())


@part.claim(
    "linear",
    equal=0.125,
    within=1e-15,
    source="arXiv:2306.15595",
    plain="""
        p, w = 4096, 10000.0 ** (-np.arange(0, 128, 2) / 128)
        ratio = (p / 8 * w) / (p * w)
        value = ratio[np.abs(ratio - 0.125).argmax()]
    """,
)
def _linear() -> float:
    ratio = ratios(under("linear"))
    return float(ratio[np.abs(ratio - 0.125).argmax()])


@part.claim(
    "gemma3",
    at_most=5e-10,
    source="arXiv:2306.15595",
    plain="""
        angles = 100 / 8 * 1e6 ** (-np.arange(0, 8, 2) / 8)
        value = np.abs(angles - [12.5, 0.395284708, 0.0125, 0.000395285]).max()
    """,
)
def _gemma3() -> float:
    gemma = Rope(dim=8, layout="half", base=1e6, scaling=Linear(factor=8))
    return farthest(100 * gemma.frequencies(), [12.5, 0.395284708, 0.0125, 0.000395285])


@part.claim(
    "ntk-first",
    equal=1,
    within=1e-15,
    source="arXiv:2309.00071",
    plain="""
        i, base = np.arange(64), 10000 * 8 ** (128 / 126)
        value = (base ** (-i / 64) / 10000.0 ** (-i / 64))[0]
    """,
)
def _ntk_first() -> float:
    return float(ratios(under("ntk"))[0])


@part.claim(
    "ntk-last",
    equal=0.125,
    within=1e-14,
    source="arXiv:2309.00071",
    plain="""
        i, base = np.arange(64), 10000 * 8 ** (128 / 126)
        value = (base ** (-i / 64) / 10000.0 ** (-i / 64))[-1]
    """,
)
def _ntk_last() -> float:
    return float(ratios(under("ntk"))[-1])


@part.claim(
    "ntk-base",
    equal=11_158_839.925077,
    within=5e-6,
    source="arXiv:2309.00071",
    plain="value = 10000 * 1000 ** (128 / 126)",
)
def _ntk_base() -> float:
    return float(under(Ntk(factor=1000)).frequencies()[1] ** -64)


@part.claim(
    "ntk-enough",
    equal=0,
    verdict="false",
    actual=17,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
slowed = (10000 * 8 ** (128 / 126)) ** (-np.arange(64) / 64)
trained, longer = 4096 * w / (2 * np.pi), 32768 * slowed / (2 * np.pi)
value = ((trained < 1) & (longer > trained * (1 + 1e-9))).sum()
""",
)
def _ntk_enough() -> float:
    return float(unseen(under("ntk"), TRAINED, FACTOR * TRAINED).sum())


@part.claim(
    "ntk-needed",
    equal=18,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
slow = np.flatnonzero(4096 * w < 2 * np.pi)
value = np.ceil((8 ** (63 / slow)).max())  # factor ** (i / 63) must reach 8 in each of them
""",
)
def _ntk_needed() -> float:
    def leaves(factor: int) -> bool:
        return bool(unseen(under(Ntk(factor=factor)), TRAINED, FACTOR * TRAINED).any())

    return float(next((factor for factor in range(1, 100) if not leaves(factor)), 100))


@part.claim(
    "divided-enough",
    equal=0,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
i, trained = np.arange(64), 4096 * w / (2 * np.pi)
yarn = np.clip((i - 20) / (46 - 20), 0, 1)
llama3 = 1 - np.clip((trained - 1) / 3, 0, 1)
longer = [8 * trained * (1 - s + s / 8) for s in (1, yarn, llama3)]
value = sum(((trained < 1) & (each > trained * (1 + 1e-9))).sum() for each in longer)
""",
)
def _divided_enough() -> float:
    rules = ("linear", "yarn", "llama3")
    return float(sum(unseen(under(r), TRAINED, FACTOR * TRAINED).sum() for r in rules))


@part.claim(
    "dynamic-short",
    at_most=1e-15,
    source="vllm-project/vllm#52665",
    plain=f"""{_DYNAMIC}\
w = 10000.0 ** (-np.arange(0, 128, 2) / 128)
value = max(np.abs(freqs(length) - w).max() for length in (1, 512, 2048))
""",
)
def _dynamic_short() -> float:
    plain = 10_000.0 ** (-np.arange(64) / 64)
    return max(farthest(_DYNAMIC_SPEC.frequencies(n), plain) for n in (1, 512, 2048))


@part.claim(
    "dynamic-base",
    at_most=5e-8,
    source="vllm-project/vllm#41236",
    plain="""
        lengths = np.array([2048, 2049, 4096, 8192])
        base = 1000 * (2 * lengths / 2048 - 1) ** (64 / 62)
        value = np.abs(base - [1000, 1001.0080804, 3108.2236667, 7453.4830318]).max()
    """,
)
def _dynamic_base() -> float:
    rule = DynamicNtk(factor=2, trained_length=2048)
    spec = Rope(dim=64, layout="half", base=1000, scaling=rule)
    bases = [spec.frequencies(n)[1] ** -32 for n in (2048, 2049, 4096, 8192)]
    return farthest(np.array(bases), [1000, 1001.0080804, 3108.2236667, 7453.4830318])


@part.claim(
    "dynamic-list",
    at_most=5e-9,
    source="transformers-5.24",
    plain="""
        base = 10000 * (2 * 16384 / 4096 - 1) ** (8 / 6)
        w = base ** (-np.arange(0, 8, 2) / 8)
        value = np.abs(w / [1, 0.0522757959, 0.00273275883, 0.000142857143] - 1).max()
    """,
)
def _dynamic_list() -> float:
    rule = DynamicNtk(factor=2, trained_length=4096)
    freqs = Rope(dim=8, layout="half", scaling=rule).frequencies(16384)
    return farthest(freqs / [1, 0.0522757959, 0.00273275883, 0.000142857143], 1)


@part.claim(
    "dynamic-long",
    equal=0.8396257426,
    within=5e-11,
    source="huggingface/transformers#46624",
    plain=f"{_DYNAMIC}value = freqs(8192)[1]",
)
def _dynamic_long() -> float:
    return _angle(_DYNAMIC_SPEC, 8192)


@part.claim(
    "dynamic-history",
    equal=0.8659643234,
    within=5e-11,
    source="huggingface/transformers#46624",
    plain=f"""{_DYNAMIC}\
freqs(8192)
value = freqs(512)[1]
""",
)
def _dynamic_history() -> float:
    _angle(_DYNAMIC_SPEC, 8192)
    return _angle(_DYNAMIC_SPEC, 512)


@part.claim(
    "dynamic-cache",
    equal=0,
    within=5e-7,
    verdict="false",
    actual=19.459854,
    source="huggingface/transformers#25104 W10",
    plain=f"""{_DYNAMIC}\
before, now = freqs(2048), freqs(8192)
right = 2 * np.cos((8191 - 2047) * now).sum()
stale = 2 * np.cos(8191 * now - 2047 * before).sum()
value = stale - right
""",
)
def _dynamic_cache() -> float:
    return _late_score(key_length=2048) - _late_score(key_length=8192)


@part.claim(
    "dynamic-raw",
    equal=25.664009,
    within=5e-7,
    verdict="only if",
    source="huggingface/transformers#25104 W10",
    plain=f"{_DYNAMIC}value = 2 * np.cos((8191 - 2047) * freqs(8192)).sum()",
)
def _dynamic_raw() -> float:
    return _late_score(key_length=8192)


def _late_score(key_length: int) -> float:
    """A query at 8191 in a run of 8192, a key at 2047 turned in a run of ``key_length``: ones."""
    now, then = (bind(_DYNAMIC_SPEC, length=length) for length in (8192, key_length))
    x = np.ones((1, 1, 128))
    q = now.query(x, np.array([8191]))  # type: ignore[misc]
    k = then.key(x, np.array([2047]))  # type: ignore[misc]
    return float((q * k).sum())


@part.claim(
    "llama3-split",
    equal=0,
    source="arXiv:2407.21783",
    plain="""
        wavelength = 2 * np.pi * 500000.0 ** (np.arange(0, 128, 2) / 128)
        kept, slowed = (wavelength < 8192 / 4).sum(), (wavelength > 8192 / 1).sum()
        value = np.abs(np.array([kept, 64 - kept - slowed, slowed]) - (29, 6, 29)).max()
    """,
)
def _llama3_split() -> float:
    return float(np.abs(np.subtract(split(LLAMA, 8), (29, 6, 29))).max())


@part.claim(
    "llama3-list",
    at_most=5e-9,
    source="arXiv:2407.21783",
    plain="""
        w = 500000.0 ** (-np.arange(0, 16, 2) / 16)
        kept = np.clip((8192 * w / (2 * np.pi) - 1) / 3, 0, 1)
        want = [1, 0.193922745, 0.0376060309, 0.00729266474]
        want += [0.000524846161, 3.4281022e-05, 6.64786987e-06, 1.28917317e-06]
        value = np.abs(((1 - kept) * w / 8 + kept * w) / want - 1).max()
    """,
)
def _llama3_list() -> float:
    rule = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, trained_length=8192)
    freqs = Rope(dim=16, layout="half", base=500_000, scaling=rule).frequencies()
    want = [1, 0.193922745, 0.0376060309, 0.00729266474]
    want += [0.000524846161, 3.4281022e-05, 6.64786987e-06, 1.28917317e-06]
    return farthest(freqs / want, 1)


@part.claim(
    "proportional-list",
    at_most=5e-10,
    source="transformers-5.24",
    plain="""
        w = 1e6 ** (-np.arange(0, 16, 2) / 16) * (np.arange(8) < 2)
        value = np.abs(w - [1, 0.177827941, 0, 0, 0, 0, 0, 0]).max()
    """,
)
def _proportional_list() -> float:
    spec = Rope(dim=16, layout="half", base=1e6, scaling=Proportional(share=0.25))
    return farthest(spec.frequencies(), [1, 0.177827941, 0, 0, 0, 0, 0, 0])


@part.claim(
    "proportional-turned",
    at_most=5e-10,
    source="transformers-5.24",
    plain="""
        x = np.arange(1, 17) / 10
        z = (x[:8] + 1j * x[8:]) * np.exp(3j * np.array([1, 1e6**-0.125, 0, 0, 0, 0, 0, 0]))
        y = np.concatenate([z.real, z.imag])
        want = [-0.226007257, -0.336328005, -0.876881246, 0.962747876]
        value = np.abs(y[[0, 1, 8, 9]] - want).max() + np.abs((y - x)[[2, 7, 10, 15]]).max()
    """,
)
def _proportional_turned() -> float:
    x = np.arange(1, 17) / 10
    spec = Rope(dim=16, layout="half", base=1e6, scaling=Proportional(share=0.25))
    y = rotate(x[None], *tables(spec, np.array([3]), float64=True), layout="half")[0]
    want = x.copy()
    want[[0, 1, 8, 9]] = [-0.226007257, -0.336328005, -0.876881246, 0.962747876]
    return farthest(y, want)


@part.claim(
    "proportional-is-partial",
    equal=0,
    within=5e-10,
    verdict="false",
    actual=0.176827941,
    source="transformers-5.24",
    plain="value = 1e6 ** (-2 / 16) - 1e6 ** (-2 / 4)",
)
def _proportional_is_partial() -> float:
    share = Rope(dim=16, layout="half", base=1e6, scaling=Proportional(share=0.25))
    part = Rope(dim=4, head_dim=16, layout="half", base=1e6)
    return farthest(share.frequencies()[:2], part.frequencies())


def _angle(spec: Rope, length: int) -> float:
    """What pair 1 turns by in one position, in a run of this length."""
    cos, sin = tables(spec, np.array([1]), length=length, float64=True)
    return float(np.arctan2(sin[0, 1], cos[0, 1]))
