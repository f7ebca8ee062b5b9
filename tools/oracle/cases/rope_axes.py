"""Positions of several coordinates: M-RoPE in each order, and a ladder for each axis."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

QWEN2 = "transformers, qwen2_vl: mrope_section, chunk i reads axis i % 3"
QWEN3 = "transformers, qwen3_vl: apply_interleaved_mrope"
ERNIE = "transformers, ernie4_5_vl_moe: height and width in turn, then time"
DIFFUSERS = "diffusers, get_1d_rotary_pos_embed for each axis of Flux and Wan"
X = [(i + 1) / 10 for i in range(16)]
PLACES = [[5, 2, 7], [8, 8, 8], [70001, 9, 70002], [-8, 40, 1000000]]
CELLS = [[2, 3], [8, 13], [70001, 9], [-40, 1000000]]


def case(name: str, spec: Data, positions: list[list[float]], reference: str, *more: str) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": reference}
    inputs |= {"positions": positions, "x": X[: spec["head_dim"] or spec["dim"]]}
    return inputs | answers(inputs, ["frequencies", "cos", "sin", "rotated", *more])


def cases() -> Iterator[Data]:
    for name, sizes, order, reference in (
        ("qwen2-vl", (2, 3, 3), "chunked", QWEN2),
        ("qwen3-vl", (4, 2, 2), "interleaved", QWEN3),
        ("ernie-vl", (4, 2, 2), "first-last", ERNIE),
    ):
        spec = specs.rope(16, base=500000.0, axes=specs.sections(sizes, order))
        yield case(name, spec, PLACES, reference)
    four = specs.rope(16, layout="interleaved", axes=specs.sections((2, 2, 2, 2)))
    yield case("xd-rope", four, [[*p, 3] for p in PLACES], "HunyuanOCR: xdrope_section")
    yarn = specs.yarn(8.0)
    part = specs.rope(
        10, head_dim=16, at="back", scaling=yarn, axes=specs.sections((1, 2, 2), "chunked")
    )
    yield case("part-with-yarn", part, PLACES, QWEN2, "scaled")

    flux = specs.axial((4, 6, 6))
    yield case("flux", specs.rope(16, layout="interleaved", axes=flux), PLACES, DIFFUSERS)
    apart = specs.axial((4, 6, 6), bases=(5.0, 256.0, 10000.0), halves="axis")
    yield case("halves-of-each", specs.rope(16, axes=apart), PLACES, "diffusers, Allegro")
    for order, reference in (
        ("blocks", "transformers, qwen2_vl: the image tower"),
        ("alternate", "transformers, kimi_vl"),
        ("strided", "transformers, pixtral"),
    ):
        axes = specs.axial((8, 8), order=order)
        yield case(f"cells-{order}", specs.rope(16, axes=axes), CELLS, reference)
    inside = [[-0.5, 0.25], [0.625, -0.875], [1.0, -1.0], [0.0, 0.0]]
    for ladder, base, reference in (
        ("turns", 100.0, "transformers, dinov3_vit: periods"),
        ("linear", 10.0, "rotary-embedding-torch, freqs_for='pixel'"),
        ("rising", 10000.0, "diffusers, LTXVideoRotaryPosEmbed"),
    ):
        axes = specs.axial((8, 8), ladder=ladder)
        spec = specs.rope(16, layout="interleaved", base=base, axes=axes)
        yield case(f"ladder-{ladder}", spec, inside, reference)
