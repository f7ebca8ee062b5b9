"""Encodings that write the position itself, its digits, or a row of its own."""

from collections.abc import Iterator

from oracle.answers import answers
from oracle.exact import Data


def case(
    name: str,
    spec: Data,
    positions: list[float],
    *,
    reference: str = "its definition",
    length: int | None = None,
    table: list[list[float]] | None = None,
) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": length, "reference": reference}
    inputs["positions"] = positions
    if table is not None:
        inputs["arrays"] = {"table": table}
    return inputs | answers(inputs, ["embed"])


def cases() -> Iterator[Data]:
    yield case("integer", {"kind": "integer", "dim": 3}, [-3, 0, 1, 8, 70001, 1000000])
    for length, positions in ((1, [0]), (5, [0, 1, 2, 3, 4]), (70002, [8, 70001])):
        spec: Data = {"kind": "normalized_integer", "dim": 2}
        yield case(f"normalized-length-{length}", spec, [*positions], length=length)
    for kind in ("binary", "gray"):
        yield case(f"{kind}-3", {"kind": kind, "bits": 3}, [*range(8)])
        spec = {"kind": kind, "bits": 20}
        yield case(f"{kind}-20", spec, [8, 17, 4095, 70001, 131072, 1000000, 2**20 - 1])
    yield case("one-hot", {"kind": "one_hot", "rows": 5}, [4, 0, 3, 3])

    bert = {"kind": "learned", "rows": 4, "dim": 3, "offset": 0}
    table = [[float(10 * row + channel) for channel in range(3)] for row in range(6)]
    yield case("learned", bert, [0, 1, 3, 1], reference="BERT, GPT-2", table=table[:4])
    bart = {"kind": "learned", "rows": 6, "dim": 3, "offset": 2}
    yield case("learned-offset", bart, [0, 1, 2, 3], reference="BART", table=table)
    # OPT counts attended tokens from 0, so that padding in front is at -1 and reads row 1.
    yield case("learned-padded", bart, [-1, -1, 0, 1, 2], reference="OPT", table=table)
