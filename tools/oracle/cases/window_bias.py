"""Swin, BEiT, LeViT and Swin v2 in windows that are no squares, near and far."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.cases.bias_curves import layers
from oracle.exact import Data

SWIN = "arXiv:2103.14030, section 3.2, and its code"
BEIT = "transformers, BeitRelativePositionBias; timm, gen_relative_position_index"
LEVIT = "transformers, LevitAttention: offsets in the order in which they are met"
V2 = "arXiv:2111.09883, section 3.3, and its code"
CELLS = [[8, 9], [9, 11], [9, 9], [8, 12]]


def case(name: str, spec: Data, reference: str, *, rows: int = 0, **more: object) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": reference}
    if rows:
        table = [[row + 0.5, -row / 8] for row in range(rows)]
        inputs["arrays"] = {"table": table}
    inputs |= {"q_positions": CELLS[:3], "k_positions": CELLS[1:]} | more
    return inputs


def cases() -> Iterator[Data]:
    made = [
        case("swin", specs.swin_bias(2, (2, 4)), SWIN, rows=21),
        case("levit", specs.swin_bias(2, (2, 4), offsets="absolute"), LEVIT, rows=8),
        case(
            "beit",
            specs.swin_bias(2, (2, 3), class_token=True),
            BEIT,
            rows=18,
            q_positions=[[-1, -1], [1, 2], [0, 0]],
            k_positions=[[0, 2], [-1, -1], [1, 0]],
        ),
        case(
            "video",
            specs.swin_bias(2, (2, 1, 3)),
            "arXiv:2106.13230, section 3.2",
            rows=15,
            q_positions=[[70001, 9, 40], [70002, 9, 42]],
            k_positions=[[70002, 9, 40], [70001, 9, 41]],
        ),
        case(
            "swin-far",
            specs.swin_bias(2, (2, 4)),
            SWIN,
            rows=21,
            q_positions=[[70001, 1000000]],
            k_positions=[[70000, 999998], [70002, 1000003]],
        ),
    ]
    for name, pretrained, form in (
        ("v2", None, "v2"),
        ("v2-8-8", (8, 8), "v2"),
        ("cr", None, "cr"),
    ):
        spec = specs.swin_v2_bias(2, (2, 4), pretrained=pretrained, hidden=5, form=form)
        arrays = layers(2, 5, 2, last_bias=form == "cr")
        made.append(
            case(f"swin-{name}", spec, V2 if form == "v2" else "timm, RelPosMlp", arrays=arrays)
        )
    for inputs in made:
        named = ["log_offsets"] if inputs["spec"]["kind"] == "swin_v2_bias" else []
        yield inputs | answers(inputs, ["bias", *named])
