"""Memory that is used again, and never while somebody can look at it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError
from posenc.kernels import Workspace, workspace

ROPE = posenc.Rope(dim=64, layout="half")
SHAPE = (2, 4, 1024, 64)  # two MiB
SCHEME = posenc.bind(ROPE)
PLACES = np.arange(1024)


def turned(value: float = 1.0) -> torch.Tensor:
    return SCHEME.query(torch.full(SHAPE, value), torch.from_numpy(PLACES))


def where(x: Any) -> int:
    return x.data_ptr() if isinstance(x, torch.Tensor) else x.ctypes.data


HELD: dict[str, Callable[[torch.Tensor], Any]] = {
    "itself": lambda x: x,
    "a view": lambda x: x[1, 2, 5:6],
    "a transposed view": lambda x: x.mT,
    "its array": lambda x: x.numpy(),
    "a view of its array": lambda x: x.numpy()[..., ::2],
    "its storage": lambda x: x.untyped_storage(),
    "a capsule": lambda x: torch.utils.dlpack.to_dlpack(x),
    "what came back from one": lambda x: torch.from_dlpack(x),
    "saved for a gradient": lambda x: (torch.ones((), requires_grad=True) * x).sum(),
}


@pytest.mark.parametrize("name", HELD)
def test_what_somebody_holds_is_not_written_to(name: str) -> None:
    with workspace() as memory:
        first = turned()
        place, due = where(first), first.clone()
        held = HELD[name](first)
        del first
        others = [turned(float("nan")) for _ in range(3)]
        assert place not in map(where, others)
        del others
        if isinstance(held, torch.Tensor) and held.shape == due.shape:
            assert torch.equal(held, due)
        del held
        gc.collect()
        assert place in {where(x) for x in [turned() for _ in range(4)]}
        assert memory.nbytes >= due.numel() * 4


def test_what_nobody_holds_is_used_again() -> None:
    with workspace() as memory:
        places = {where(turned()) for _ in range(5)}
        assert len(places) == 1
        assert 0 <= memory.nbytes - turned().nbytes <= 64  # it starts with a line of memory
        memory.clear()
        assert memory.nbytes == 0


def test_the_gradient_sees_what_was_saved() -> None:
    x = torch.ones(SHAPE, requires_grad=True)
    with workspace():
        y = SCHEME.query(x, torch.from_numpy(PLACES))
        loss = (y * y).sum()
        del y
        with torch.no_grad():
            [turned(float("nan")) for _ in range(3)]
        loss.backward()
    torch.testing.assert_close(x.grad, 2 * torch.ones(SHAPE), atol=1e-5, rtol=0)


def test_arrays_of_numpy() -> None:
    with workspace():
        first = SCHEME.query(np.ones(SHAPE, np.float32), PLACES)
        place, part = where(first), first[0, 0, :1]
        due = part.copy()
        del first
        SCHEME.query(np.full(SHAPE, np.nan, np.float32), PLACES)
        np.testing.assert_array_equal(part, due)
        del part
        assert where(SCHEME.query(np.ones(SHAPE, np.float32), PLACES)) == place


def test_no_more_is_kept_than_allowed() -> None:
    with workspace(limit=3 << 20) as memory:
        held = [turned(float(i)) for i in range(4)]
        assert memory.nbytes <= 3 << 20
        for i, x in enumerate(held):
            torch.testing.assert_close(x[0, 0, 0], torch.full((64,), float(i)))


def test_outside_of_it_nothing_is_kept() -> None:
    with workspace() as memory:
        pass
    turned()
    assert memory.nbytes == 0


def test_small_results_are_not_kept() -> None:
    with workspace() as memory:
        SCHEME.query(torch.ones(1, 2, 4, 64), torch.arange(4))
        assert memory.nbytes == 0


@pytest.mark.parametrize("limit", [-1, 1.5, None, True])
def test_a_limit_is_a_number_of_bytes(limit: Any) -> None:
    with pytest.raises(EncodingError, match=r"workspace\(\): limit must be a number of bytes"):
        Workspace(limit)


def test_nothing_is_cleared_while_a_block_is_looked_for() -> None:
    space = Workspace()
    with space._lock:
        clearing = threading.Thread(target=space.clear)
        clearing.start()
        clearing.join(0.05)
        assert clearing.is_alive()
    clearing.join()
    assert space.nbytes == 0
