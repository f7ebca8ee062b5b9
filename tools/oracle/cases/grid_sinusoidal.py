"""Sinusoids of several coordinates, in every width, order and scale that models have."""

import math
from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

MAE = "arXiv:2111.06377 and its util/pos_embed.py"
DETR = "arXiv:2005.12872 and its models/position_encoding.py"
MULTIDIM = "positional_encodings, 2-D and 3-D"
CELLS = [[2, 1], [8, 13], [70001, 9], [-3, 1000000]]
VOXELS = [[2, 1, 5], [8, 13, 0], [70001, 9, 1000000]]
SHARES = [[0.5, 0.25], [0.125, 1.0], [0.0, 0.75], [0.9375, 0.3]]
TURN = 2 * math.pi


def case(name: str, spec: Data, positions: list[list[float]], reference: str) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": reference}
    inputs["positions"] = positions
    return inputs | answers(inputs, ["embed"])


def cases() -> Iterator[Data]:
    made = specs.grid_sinusoidal
    yield case("mae", made((4, 4)), CELLS, MAE)
    yield case("mae-cos-first", made((4, 4), first="cos"), CELLS, "its opposite")
    timm = made((4, 6), halves="all", bases=(10.0, 100.0), base=10.0)
    yield case("halves-of-all", timm, CELLS, "timm, build_sincos2d_pos_embed")
    third = (1 / 3, 1 / 3)
    yield case("sd3", made((6, 4), scales=third), CELLS, "diffusers, PatchEmbed of 192 by 192")
    video = made((4, 6, 6), scales=(1.0, 1 / 1.875, 1 / 1.875))
    yield case("cogvideox", video, VOXELS, "diffusers, get_3d_sincos_pos_embed")
    flat = made((4, 4), dim=10, rest="zero", ladder="tensor2tensor")
    yield case("tensor2tensor", flat, CELLS, "tensor2tensor, add_timing_signal_nd")
    lone = made((2, 2), ladder="tensor2tensor")
    yield case("tensor2tensor-one-each", lone, CELLS, "tensor2tensor, with its guard of 1-D")
    cut = made((4, 4), dim=6, rest="cut", layout="interleaved")
    yield case("multidim-2d", cut, CELLS, MULTIDIM)
    cut = made((4, 4, 4), dim=9, rest="cut", layout="interleaved")
    yield case("multidim-3d-between-a-pair", cut, VOXELS, MULTIDIM)
    cut = made((4, 4), dim=5, rest="cut", first="cos", ladder="tensor2tensor")
    yield case("half-cut-cos-first", cut, CELLS, "the definition")
    whole = made((4, 4), scales=(TURN, TURN), layout="interleaved")
    yield case("detr-between", whole, SHARES, DETR)
    apart = made((4, 4), bases=(20.0, 100.0), base=20.0, scales=(TURN, TURN), layout="interleaved")
    yield case("dab-detr-two-temperatures", apart, SHARES, "arXiv:2201.12329")
    boxes = made((4, 2, 2, 2), scales=(TURN,) * 4, layout="interleaved")
    yield case("boxes-between", boxes, [[*p, 0.1, 0.2] for p in SHARES], "arXiv:2201.12329")
