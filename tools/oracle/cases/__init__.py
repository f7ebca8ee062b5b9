"""Which specs at which inputs: one module for each file that holds their numbers."""

from collections.abc import Callable, Iterator

from oracle.cases import alibi, positions, rope, scaling, sinusoidal, t5_bias
from oracle.exact import Data

FILES: dict[str, Callable[[], Iterator[Data]]] = {
    "rope.json": rope.cases,
    "rope_scaling.json": scaling.cases,
    "sinusoidal.json": sinusoidal.cases,
    "positions.json": positions.cases,
    "alibi.json": alibi.cases,
    "t5_bias.json": t5_bias.cases,
}
