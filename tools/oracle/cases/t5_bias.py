"""T5: every edge of the buckets, and which way the distance is taken."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

T5 = "arXiv:1910.10683, section 2.1, and the code of Mesh TensorFlow"


def cases() -> Iterator[Data]:
    relative = [-1000000, -70001, *range(-300, 301), 70001, 1000000]
    for buckets, max_distance in ((32, 128), (64, 256), (320, 800), (20, 100)):
        for bidirectional in (False, True):
            name = f"{buckets}-{max_distance}-{'both-ways' if bidirectional else 'causal'}"
            spec = specs.t5_bias(1, buckets, max_distance, bidirectional=bidirectional)
            inputs: Data = {"case": name, "spec": spec, "length": None, "reference": T5}
            inputs["relative"] = relative
            yield inputs | answers(inputs, ["buckets"])

    table = [[row / 8, -float(row), row + 0.1] for row in range(8)]
    for bidirectional in (False, True):
        name = f"bias-{'both-ways' if bidirectional else 'causal'}"
        spec = specs.t5_bias(3, 8, 16, bidirectional=bidirectional)
        inputs = {
            "case": name,
            "spec": spec,
            "length": None,
            "reference": T5,
            "arrays": {"table": table},
        }
        inputs |= {"q_positions": [8, 17], "k_positions": [0, 5, 7, 8, 9, 12, 17, 40]}
        yield inputs | answers(inputs, ["bias"])

    spec = specs.t5_bias(3, 8, 16, bidirectional=True, scale=0.125, coordinates=2, axis=1)
    inputs = {
        "case": "bias-down-a-page",
        "spec": spec,
        "length": None,
        "reference": "transformers, layoutlmv3: (rel_pos + rel_2d_pos) / sqrt(head_dim)",
        "arrays": {"table": table},
    }
    inputs |= {"q_positions": [[8, 40], [3, 70001]], "k_positions": [[90, 38], [3, 41], [8, 70009]]}
    yield inputs | answers(inputs, ["bias"])

    spec = specs.t5_bias(3, 8, 16, bidirectional=True, step=20, coordinates=3, axis=2)
    inputs = {
        "case": "bias-in-steps",
        "spec": spec,
        "length": None,
        "reference": "transformers, udop: a hundred times the difference of two shares, cut off",
        "arrays": {"table": table},
    }
    inputs |= {
        "q_positions": [[8, 0, 40], [3, 7, 1999]],
        "k_positions": [[1, 2, n] for n in (0, 20, 21, 40, 59, 60, 61, 79, 80, 150, 1980, 1999)],
    }
    yield inputs | answers(inputs, ["bias"])
