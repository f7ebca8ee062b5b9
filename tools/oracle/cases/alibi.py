"""ALiBi: head counts that are no power of two, cached keys, both directions."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

ALIBI = "arXiv:2108.12409, section 3, and its code"


def case(name: str, spec: Data, q_positions: list[int], k_positions: list[int]) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": ALIBI}
    inputs |= {"q_positions": q_positions, "k_positions": k_positions}
    return inputs | answers(inputs, ["slopes", "bias"])


def cases() -> Iterator[Data]:
    keys = [0, 1, 6, 8]
    for heads in (1, 3, 6, 8, 12, 20):
        yield case(f"reference-{heads}", specs.alibi(heads), [8, 17], keys)
    for heads in (3, 12):
        yield case(f"geometric-{heads}", specs.alibi(heads, "geometric"), [8, 17], keys)
    yield case("slopes-given", specs.alibi(3, [0.6, 0.25, 0.0]), [8, 17], keys)
    # Keys after the query: the straight line goes on upwards, the symmetric one comes down.
    for symmetric in (False, True):
        name = "symmetric" if symmetric else "straight"
        spec = specs.alibi(6, symmetric=symmetric)
        yield case(f"{name}-later-keys", spec, [-3, 8], [-5, 0, 8, 11, 17])
    for heads, top in ((8, 4.0), (6, 10.0)):
        name = f"mpt-{heads}-{top:g}"
        yield case(name, specs.alibi(heads, bias_max=top), [8, 17], keys)
    yield case("falcon", specs.alibi(6, head_dim=10), [8, 17], keys)
    far = [1000000, 999992, 70001, 0]
    yield case("far", specs.alibi(3), [70001, 1000000], far)
