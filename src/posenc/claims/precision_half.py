"""Chapter 12: positions and frequencies in half precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from posenc._facade import rotate, tables
from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, Where, code, farthest
from posenc.claims._half import bfloat16, distinct, float16
from posenc.claims._pairs import TEXTBOOK
from posenc.errors import EncodingError
from posenc.specs._naive import Integer
from posenc.specs._rope import Rope

part = Part("precision")

_Rounding: TypeAlias = Callable[[Any], Any]

_HEAD32 = Rope(dim=32, layout="half")

_BF16 = """\
def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)
"""
_W32 = "w = 10000.0 ** (-np.arange(0, 32, 2) / 32)\n"


def _in_bfloat16(positions: Where) -> Matrix:
    """Positions written down as bfloat16 numbers: the integer code, cast."""
    return np.asarray(bfloat16(code(Integer(dim=1), positions)[:, 0]))


def _in_float16(positions: Where) -> Matrix:
    """The same in float16, by the library's own cast."""
    return np.asarray(code(Integer(dim=1), positions, dtype=np.float16)[:, 0])


def _first_moved(held: Callable[[Where], Matrix], precision: str) -> float:
    """The first position that is no longer itself; NaN if the library's refusal names another."""
    first = int(np.flatnonzero(held(4096) != np.arange(4096))[0])
    try:
        tables(_HEAD32, np.arange(2, dtype=np.float16))
    except EncodingError as refusal:
        return first if f"{precision} from {first}" in str(refusal) else math.nan
    return math.nan


def _table_error(rounding: _Rounding) -> float:
    """What cosines of 2048 positions are off by if every step of the way is rounded."""
    where = np.arange(2048)
    angle = rounding(rounding(where)[:, None] * rounding(_HEAD32.frequencies()))
    return farthest(rounding(np.cos(angle)), tables(_HEAD32, where, float64=True)[0])


@part.claim(
    "bf16-positions",
    equal=897,
    source="N6",
    plain=f"{_BF16}value = len(np.unique(bf16(np.arange(8192))))",
)
def _bf16_positions() -> float:
    return distinct(_in_bfloat16(8192))


@part.claim(
    "fp16-positions",
    equal=4097,
    source="NVIDIA/Megatron-LM#535",
    plain="value = len(np.unique(np.arange(8192).astype(np.float16)))",
)
def _fp16_positions() -> float:
    return distinct(_in_float16(8192))


@part.claim(
    "bf16-first",
    equal=257,
    source="Nerogar/OneTrainer#1177 keras-team/keras-hub#1494",
    plain=f"{_BF16}value = next(p for p in range(8192) if bf16(p) != p)",
)
def _bf16_first() -> float:
    return _first_moved(_in_bfloat16, "bfloat16")


@part.claim(
    "fp16-first",
    equal=2049,
    source="NVIDIA/Megatron-LM#535",
    plain="value = next(p for p in range(8192) if float(np.float16(p)) != p)",
)
def _fp16_first() -> float:
    return _first_moved(_in_float16, "float16")


@part.claim(
    "bf16-15962",
    equal=15936,
    source="huggingface/candle#3520",
    plain=f"{_BF16}value = bf16(15962)",
)
def _bf16_15962() -> float:
    return float(_in_bfloat16([15962])[0])


@part.claim(
    "bf16-cosine",
    at_most=1e-12,
    source="huggingface/candle#3520",
    plain="""
        true, read = np.cos(15962), np.cos(15936)
        value = max(abs(true + 0.908015901251), abs(read + 0.267950071128))
    """,
)
def _bf16_cosine() -> float:
    where = np.array([15962, int(_in_bfloat16([15962])[0])])
    return farthest(
        tables(TEXTBOOK, where, float64=True)[0][:, 0], [-0.908015901251, -0.267950071128]
    )


@part.claim(
    "bf16-neighbours",
    equal=1,
    source="keras-team/keras-hub#1494",
    plain=f"{_BF16}value = len(np.unique(bf16([8190, 8191, 8192])))",
)
def _bf16_neighbours() -> float:
    return distinct(_in_bfloat16([8190, 8191, 8192]))


@part.claim(
    "bf16-65536",
    equal=1,
    source="huggingface/diffusers#13922",
    plain=f"{_BF16}value = len(np.unique(bf16([65536, 65537, 65538, 65539])))",
)
def _bf16_65536() -> float:
    return distinct(_in_bfloat16([65536, 65537, 65538, 65539]))


@part.claim(
    "fp16-32767",
    equal=32768,
    source="NVIDIA/Megatron-LM#535",
    plain="value = float(np.float16(32767))",
)
def _fp16_32767() -> float:
    return float(_in_float16([32767])[0])


@part.claim(
    "fp16-angle",
    equal=1044.26784,
    within=5e-6,
    verdict="false",
    actual=1045,
    source="EleutherAI/gpt-neox#1003",
    plain="value = float(np.float16(1857) * np.float16(10000.0 ** (-2 / 32)))",
)
def _fp16_angle() -> float:
    return float(float16(float16(1857) * float16(_HEAD32.frequencies()[1])))


@part.claim(
    "true-angle",
    at_most=5e-13,
    source="EleutherAI/gpt-neox#1003",
    plain="""
        angle = 1857 * 10000.0 ** (-2 / 32)
        off = np.array([np.cos(angle) - 0.306692809819, np.sin(angle) - 0.951808552391])
        value = np.abs(off).max()
    """,
)
def _true_angle() -> float:
    cos, sin = tables(_HEAD32, np.array([1857]), float64=True)
    return farthest(np.array([cos[0, 1], sin[0, 1]]), [0.306692809819, 0.951808552391])


@part.claim(
    "fp16-table",
    equal=0.782,
    within=5e-4,
    source="EleutherAI/gpt-neox#1003",
    plain=f"""{_W32}\
p = np.arange(2048)[:, None]
angle = p.astype(np.float16) * w.astype(np.float16)
value = np.abs(np.cos(angle.astype(float)).astype(np.float16) - np.cos(p * w)).max()
""",
)
def _fp16_table() -> float:
    return _table_error(float16)


@part.claim(
    "bf16-table",
    equal=1.997,
    within=5e-4,
    source="EleutherAI/gpt-neox#1003",
    plain=f"""{_BF16}{_W32}\
p = np.arange(2048)[:, None]
value = np.abs(bf16(np.cos(bf16(bf16(p) * bf16(w)))) - np.cos(p * w)).max()
""",
)
def _bf16_table() -> float:
    return _table_error(bfloat16)


@part.claim(
    "bf16-frequencies",
    equal=0.365,
    within=5e-4,
    source="Modalities/modalities#462",
    plain=f"{_BF16}{_W32}value = np.abs(2047 * bf16(w) - 2047 * w).max()",
)
def _bf16_frequencies() -> float:
    freqs = _HEAD32.frequencies()
    return farthest(2047 * bfloat16(freqs).astype(float), 2047 * freqs)


@part.claim(
    "fp16-frequencies",
    equal=0.325,
    within=5e-4,
    source="Modalities/modalities#462",
    plain=f"{_W32}value = np.abs(2047 * w.astype(np.float16).astype(float) - 2047 * w).max()",
)
def _fp16_frequencies() -> float:
    freqs = _HEAD32.frequencies()
    return farthest(2047 * float16(freqs).astype(float), 2047 * freqs)


@part.claim(
    "cast-last",
    at_most=2**-9,
    within=1e-7,
    verdict="only if",
    source="ml-explore/mlx-lm#1076",
    plain=f"""{_BF16}\
w = 10000.0 ** (-np.arange(0, 128, 2) / 128)
cos = np.cos(np.arange(130_944, 131_072)[:, None] * w)
value = np.abs(bf16(cos) - cos).max()
""",
)
def _cast_last() -> float:
    where = np.arange(130_944, 131_072)
    cast = bfloat16(tables(TEXTBOOK, where)[0]).astype(float)
    return farthest(cast, np.cos(where[:, None] * 10_000.0 ** (-np.arange(64) / 64)))


@part.claim(
    "bf16-keys",
    equal=2.756,
    within=5e-4,
    source="ml-explore/mlx-lm#1076",
    plain=f"""{_BF16}\
angle = np.arange(261_120, 262_144)[:, None] * 10000.0 ** (-np.arange(0, 128, 2) / 128)
cos, sin = np.cos(angle), np.sin(angle)
keys = bf16(np.concatenate([cos - sin, sin + cos], axis=-1))
value = np.linalg.norm(keys[1:] - keys[:-1], axis=-1).min()
""",
)
def _bf16_keys() -> float:
    x, where = np.ones((1024, 128), np.float32), np.arange(261_120, 262_144)
    keys = bfloat16(rotate(x, *tables(TEXTBOOK, where), layout="half"))
    return float(np.linalg.norm(np.diff(keys, axis=0), axis=-1).min())


@part.claim(
    "shift",
    at_most=1e-12,
    source="tloen/alpaca-lora#315 W10",
    plain="""
        w = 10000.0 ** (-np.arange(0, 128, 2) / 128)
        q, k = (v[:64] + 1j * v[64:] for v in np.random.default_rng(0).normal(size=(2, 128)))
        def score(m, n):
            return (q * np.exp(1j * m * w) * (k * np.exp(1j * n * w)).conj()).real.sum()
        moved = [score(3 + s, 11 + s) - score(3, 11) for s in (1, 50, 1000)]
        value = np.abs(moved).max()
    """,
)
def _shift() -> float:
    return _moved(lambda x: x, (1, 50, 1000, 100_000))


@part.claim(
    "shift-bf16",
    equal=0.0955,
    within=5e-5,
    source="tloen/alpaca-lora#315",
    plain=f"""{_BF16}\
def turned(v, p):
    z = (v[:64] + 1j * v[64:]) * np.exp(1j * p * 10000.0 ** (-np.arange(64) / 64))
    return bf16(np.concatenate([z.real, z.imag])).astype(float)
q, k = np.random.default_rng(0).normal(size=(2, 128))
value = abs(turned(q, 100_003) @ turned(k, 100_011) - turned(q, 3) @ turned(k, 11))
""",
)
def _shift_bf16() -> float:
    return _moved(lambda x: bfloat16(x).astype(np.float64), (100_000,))


def _moved(rounding: _Rounding, shifts: tuple[int, ...]) -> float:
    """How far the score of a query at 3 and a key at 11 moves when both are shifted alike."""
    q, k = np.random.default_rng(0).normal(size=(2, 128))

    def turned(x: Matrix, position: int) -> Any:
        cos, sin = tables(TEXTBOOK, np.array([position]), float64=True)
        return rounding(rotate(x[None], cos, sin, layout="half"))[0]

    scores = [turned(q, 3 + shift) @ turned(k, 11 + shift) for shift in (0, *shifts)]
    return float(np.abs(np.subtract(scores[1:], scores[0])).max())
