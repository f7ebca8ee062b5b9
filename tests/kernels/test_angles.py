"""Tables by the compiled loop: any positions, to the last bit of float32."""

from __future__ import annotations

import math
from typing import Any

import array_api_compat.torch
import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import Axial, Rope, Sections, kernels
from posenc.functional import _angles
from posenc.functional._turns import turns_per_position
from posenc.kernels import _arrangement, _waves
from posenc.kernels._memory import address
from posenc.kernels._waves import waves

BITS = 256
with mpmath.workprec(2 * BITS):
    TURN = int(2 * mpmath.pi * 2**BITS)
"""One turn in units of 2^-256 radian."""

ROPE = Rope(dim=10, layout="half", base=500_000.0)
RATES = ROPE.constants()["rates"]
SPACES = {"numpy": np, "torch": array_api_compat.torch}


def truth(positions: np.ndarray, freqs: np.ndarray) -> np.ndarray:
    """cos and sin of p w, the product and the whole turns exact, in Python's integers."""
    pairs = [w.as_integer_ratio() for w in freqs.tolist()]
    angles = [
        [(p * n << BITS) // d % TURN / 2**BITS for n, d in pairs]
        for p in positions.ravel().tolist()
    ]
    shape = *positions.shape, len(pairs)
    return np.array([[f(a) for row in angles for a in row] for f in (math.cos, math.sin)]).reshape(
        2, *shape
    )


def placed(where: str, positions: np.ndarray) -> Any:
    return positions if where == "numpy" else torch.from_numpy(positions)


def held(got: Any, due: np.ndarray) -> None:
    assert [str(t.dtype).removeprefix("torch.") for t in got] == ["float32"] * 2
    assert np.abs(np.array([np.asarray(t) for t in got]) - due).max(initial=0) <= 4e-8


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize("pairs", [16, 48, 24])
@pytest.mark.parametrize("first", [0, -300, 2**31 - 2000])
def test_large_tables_go_past_the_caches(
    first: int, pairs: int, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where rows are whole lines: the same numbers, and none past the last row."""
    taken = []
    monkeypatch.setattr(_arrangement, "STREAMED", 4096)
    monkeypatch.setattr(_waves, "waves", lambda *kind: taken.append(kind[-1]) or waves(*kind))
    rope = Rope(dim=2 * pairs, layout="half")
    rates, freqs = rope.constants()["rates"], rope.frequencies()
    positions = first + np.arange(1021)
    room = np.full((2, 1024 * pairs + 16), 7, np.float32)
    lines = [
        table[-address(table) % 64 // 4 :][: 1023 * pairs].reshape(-1, pairs) for table in room
    ]
    out = tuple(placed(where, table[:1021]) for table in lines)
    got = kernels.angles(placed(where, positions), rates, xp=SPACES[where], out=out)
    held(got, truth(positions, freqs))
    assert all((table[1021:] == 7).all() for table in lines)
    beside = tuple(placed(where, np.empty(1021 * pairs + 17, np.float32)[1:-16]) for _ in "cs")
    beside = tuple(t.reshape(1021, pairs) for t in beside)
    moved = kernels.angles(placed(where, positions), rates, xp=SPACES[where], out=beside)
    assert all(np.array_equal(*map(np.asarray, pair)) for pair in zip(got, moved, strict=True))
    assert taken[0] == (pairs % 16 == 0)


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    plain, loop = _angles.angles, kernels._angles._filled
    monkeypatch.setattr(_angles, "angles", lambda *a, **k: seen.append("plain") or plain(*a, **k))
    monkeypatch.setattr(
        kernels._angles, "_filled", lambda *a, **k: seen.append("loop") or loop(*a, **k)
    )
    return seen


ENDS = [-(2**31) + 1, -(2**24) - 1, -1, 0, 8, 70_001, 2**24 + 1, 2**31 - 1]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("where", SPACES)
def test_any_whole_position(where: str, dtype: str, bodies: list[str]) -> None:
    drawn = np.random.default_rng(0).integers(-(2**31) + 1, 2**31, 1000)
    at = np.concatenate([ENDS, drawn]).astype(dtype)
    got = kernels.angles(placed(where, at), RATES, xp=SPACES[where])
    assert bodies == ["loop"]
    held(got, truth(at, ROPE.frequencies()))


@given(st.integers(-(2**31) + 1, 2**31 - 1), st.floats(-3.1, 3.1))
def test_any_position_of_any_frequency(p: int, w: float) -> None:
    at, freqs = np.array([p]), np.array([w])
    held(kernels.angles(at, turns_per_position(freqs), xp=np), truth(at, freqs))


@pytest.mark.parametrize("where", SPACES)
def test_near_every_eighth_of_a_turn(where: str) -> None:
    """Where the polynomials change places, and cos or sin is 0, 1 or -1."""
    eighths = np.arange(-4, 4)[:, None] * 2**61
    rates = (eighths + np.arange(-3, 4) * 2**29).ravel()  # wrapping, at half a turn
    got = kernels.angles(placed(where, np.array([1, -1, 3])), rates, xp=SPACES[where])
    turns = (np.array([[1], [-1], [3]], dtype=object) * rates.tolist()) % 2**64
    angle = np.array([[t * math.tau / 2**64 for t in row] for row in turns])
    held(got, np.array([np.cos(angle), np.sin(angle)]))


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 4), (2, 1, 5), (2, 0)])
def test_positions_of_any_shape(where: str, shape: tuple[int, ...], bodies: list[str]) -> None:
    at = np.arange(70_001, 70_001 + math.prod(shape)).reshape(shape)
    got = kernels.angles(placed(where, at), RATES, xp=SPACES[where])
    assert bodies == ["loop"]
    assert tuple(got[0].shape) == (*shape, 5)
    held(got, truth(at, ROPE.frequencies()))


MEMORY = {
    "backwards": lambda a: a[::-1],
    "every other": lambda a: np.repeat(a, 2)[::2],
    "one for all": lambda a: np.broadcast_to(a[:1], (3, 12)),
    "transposed": lambda a: a.reshape(3, 4).T,
    "of the other byte order": lambda a: a.astype(">i8"),
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype),
    "int16": lambda a: (a - 70_000).astype(np.int16),
    "uint8": lambda a: (a - 70_000).astype(np.uint8),
    "uint32": lambda a: a.astype(np.uint32),
}


@pytest.mark.parametrize("how", MEMORY)
def test_positions_in_any_memory(how: str) -> None:
    at = MEMORY[how](np.arange(70_001, 70_013))
    held(kernels.angles(at, RATES, xp=np), truth(at, ROPE.frequencies()))


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize(
    "axes", [Sections(sizes=(2, 2, 1)), Axial(dims=(4, 6))], ids=["sections", "axial"]
)
def test_positions_of_several_coordinates(axes: Any, where: str, bodies: list[str]) -> None:
    rope = Rope(dim=10, layout="half", axes=axes)
    at = np.random.default_rng(1).integers(-(10**6), 10**6, (4, 7, axes.count))
    got = kernels.angles(placed(where, at), **rope.constants(), xp=SPACES[where])
    assert bodies == ["loop"]
    each = [truth(at[..., c], rope.frequencies()) for c in range(axes.count)]
    due = np.stack([each[c][..., j] for j, c in enumerate(rope.axis())], -1)
    held(got, due)


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize("how", ["float64", "real positions", "float32 rates"])
def test_what_no_loop_does_is_done_by_operations(where: str, how: str, bodies: list[str]) -> None:
    at = placed(where, np.arange(9))
    options: dict[str, Any] = {"rates": RATES, "xp": SPACES[where]}
    if how == "float64":
        options["float64"] = True
    elif how == "real positions":
        at = placed(where, np.arange(9) / 4)
    else:
        options["rates"] = ROPE.frequencies().astype(np.float32)
        at = placed(where, np.arange(9, dtype=np.float32))
    kernels.angles(at, **options)
    assert bodies == ["plain"]


BUFFERS = {
    "in order": lambda: np.full((9, 5), 7, np.float32),
    "rows of wider ones": lambda: np.full((9, 15), 7, np.float32)[:, 5:10],
    "every other column": lambda: np.full((9, 10), 7, np.float32)[:, ::2],
    "transposed": lambda: np.full((5, 9), 7, np.float32).T,
    "float64": lambda: np.full((9, 5), 7, np.float64),
}


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize("how", BUFFERS)
def test_into_buffers(how: str, where: str) -> None:
    at = np.arange(70_001, 70_010)
    rooms = [BUFFERS[how]() for _ in range(2)]
    out = tuple(placed(where, room) for room in rooms)
    got = kernels.angles(placed(where, at), RATES, xp=SPACES[where], out=out)
    assert got[0] is out[0]
    assert got[1] is out[1]
    off = np.abs(np.array(rooms) - truth(at, ROPE.frequencies())).max()
    assert off <= (4e-8 if where == "numpy" or how == "in order" else 5e-7)  # of torch's own cos
    for room in rooms:
        if room.base is not None and room.base.size > room.size:
            assert (room.base == 7).sum() == room.base.size - room.size


@pytest.mark.parametrize("first", [0, 3])
def test_a_buffer_over_the_positions(first: int) -> None:
    room = np.arange(70_001, 70_041)
    at = room[first : first + 8]
    due = truth(at, ROPE.frequencies())
    out = room.view(np.float32)[:40].reshape(8, 5), np.empty((8, 5), np.float32)
    held(kernels.angles(at, RATES, xp=np, out=out), due)


def test_a_buffer_of_another_shape_is_not_written_past(fresh_process: Any) -> None:
    code = """
import numpy as np, posenc
from posenc import kernels
rates = posenc.Rope(dim=10, layout="half").constants()["rates"]
room = np.full((3, 5), 7, np.float32)
try:
    kernels.angles(np.arange(9), rates, xp=np, out=(room[:2], np.empty((2, 5), np.float32)))
except ValueError:
    print((room[2] == 7).all())
"""
    assert fresh_process(code).split() == ["True"]
