"""What a case is: data, from which its processes are told what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from posenc._typing import Layout

Unit: TypeAlias = Literal["s", "ms", "us", "graphs", "MiB"]

PER: dict[Unit, float] = {"s": 1.0, "ms": 1e3, "us": 1e6, "graphs": 1.0, "MiB": 1.0}
"""How many of a unit are one second, or one of what is counted."""


@dataclass(frozen=True, kw_only=True)
class Size:
    """What a piece of work is done on.

    Attributes:
        dtype: Of tokens or codes.
        batch: Texts.
        heads: Of queries.
        k_heads: Of keys.
        length: Tokens, or rows of a table.
        dim: Channels of a head, or columns of a table.
        offset: The first position.
        layout: How channels are paired.
        order: Positions in a row ("range") or in any order ("any").
        spec: The encoding, where the work is done for several.
        backward: Whether gradients are computed too.
        inference: Whether torch is told that no gradient will be wanted.
        token: Whether a text of one token is among the lengths that are tried.
        compile: Whether ``torch.compile`` is to compile; else what it is given runs as it is.
        threads: Processors that a process may run on.
    """

    dtype: str = "float32"
    batch: int = 1
    heads: int = 32
    k_heads: int = 8
    length: int = 4096
    dim: int = 128
    offset: int = 0
    layout: Layout = "half"
    order: Literal["range", "any"] = "range"
    spec: str = ""
    backward: bool = False
    inference: bool = False
    token: bool = False
    compile: bool = True
    threads: int = 2

    def to_dict(self) -> dict[str, Any]:
        """For the process that works on it."""
        return asdict(self)


class Bound(NamedTuple):
    """What ours may be at most.

    Attributes:
        at_most: A ratio to another side; or a number of ``unit``, where ``of`` is empty.
        of: "limit" or the name of a peer.
        unit: Of a number that stands for itself.
    """

    at_most: float
    of: str = ""
    unit: Unit | None = None


@dataclass(frozen=True, kw_only=True)
class Case:
    """One line of the registry.

    Attributes:
        name: As ``--case`` takes it; ``posenc.text`` says in words what is measured.
        work: The module below ``posenc.bench.works`` that knows how each side does it.
        ours: The way that users call this library.
        limit: What the machine can do at most.
        peers: Others that do the same work.
        unit: Of what is printed.
        size: What it is done on.
        small: What is smaller when the case is only tried.
        dtypes: A row each.
        points: Sizes along which cost grows, a row each; one empty point otherwise.
        bounds: What ours has to keep to.
        plain: Whether ours is to run as without Numba.
    """

    name: str
    work: str
    ours: str
    limit: str = ""
    peers: tuple[str, ...] = ()
    unit: Unit = "ms"
    size: Size = Size()
    small: Mapping[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ("float32", "bfloat16")
    points: tuple[Mapping[str, Any], ...] = ({},)
    bounds: tuple[Bound, ...] = ()
    plain: bool = False

    def sizes(self, *, smoke: bool = False) -> Iterator[tuple[Mapping[str, Any], Size]]:
        """Every point with what the work is done on there; to try it, one point of two dtypes."""
        for dtype in self.dtypes[:2] if smoke else self.dtypes:
            for point in self.points[:1] if smoke else self.points:
                size = replace(self.size, dtype=dtype, **point)
                yield point, replace(size, **self.small, compile=False) if smoke else size
