"""Arrays that would be read otherwise than meant, and what plug-ins answer: one sentence each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

import posenc
from posenc import EncodingError, GridSinusoidal, Rope
from posenc.positions import augmented, digits, timestamps
from posenc.specs import Spec
from posenc.testing import LawError, check_encoding

ROPE = Rope(dim=8, layout="half")
GRID = GridSinusoidal(dims=(8, 8))
X = np.ones((1, 2, 3, 8), np.float32)
MASKED = np.ma.masked_array([5, 6, 7], [False, True, False])

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "tables of a grid": (
        lambda: posenc.tables(GRID, np.array([5, 7, 9])),
        "tables(): positions must be of shape (n, 2) or (*batch, n, 2); got (3,).",
    ),
    "a third coordinate": (
        lambda: posenc.tables(GRID, np.array([[9, 1, 2], [9, 4, 5]])),
        "tables(): positions must be of shape (n, 2) or (*batch, n, 2); got (2, 3).",
    ),
    "masked positions": (
        lambda: posenc.bind(posenc.Integer(dim=1)).embed(MASKED),
        "embed(): positions must be an array without a mask; got",
    ),
    "masked tokens": (
        lambda: posenc.attend(np.ma.masked_array(X), X, X, ROPE, q_positions=np.arange(3)),
        "must be an array without a mask; got",
    ),
    "extended tokens": (
        lambda: posenc.bind(ROPE).query(X.astype(np.longdouble), np.arange(3)),
        "query(): x must be floating-point numbers; got 'float128'. Cast it to float64",
    ),
    "bytes for sizes": (
        lambda: posenc.resize.grid(np.ones((4, 3)), old=(2, 2), new=b"ab", method="linear"),
        "grid(): new must be a size for each axis; got b'ab'.",
    ),
    "an array for a word": (
        lambda: posenc.bind(ROPE, arithmetic=np.array([1, 2])),  # type: ignore[arg-type]
        "bind(): arithmetic must be 'exact' or 'float32'; got array([1, 2]).",
    ),
    "a list of times": (
        lambda: timestamps([1, 2]),
        "timestamps(): times must be of NumPy, PyTorch, JAX",
    ),
    "an origin for each": (
        lambda: timestamps(np.arange(3.0), origin=np.arange(3)),
        "timestamps(): origin must be a finite number, as times are; got array([0, 1, 2]).",
    ),
    "one digit": (
        lambda: digits(np.array([[1, 2]]), ids=5),  # type: ignore[arg-type]
        "digits(): ids must be the ids of the digits; got 5.",
    ),
    "half a place": (
        lambda: digits(np.array([[1, 2]]), ids=[1], offset=1.5),  # type: ignore[arg-type]
        "digits(): offset must be an integer; got 1.5.",
    ),
    "an array for a flag": (
        lambda: augmented(np.arange(3), rng=None, centered=np.ones((2, 2))),  # type: ignore[arg-type]
        "augmented(): centered must be True or False; got array([[1., 1.], [1., 1.]]).",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, sentence = REFUSED[name]
    with pytest.raises(EncodingError, match=re.escape(sentence)) as caught:
        call()
    assert "\n" not in str(caught.value)


@dataclass(frozen=True, kw_only=True)
class Foreign(Spec):
    """What a plug-in does wrong, by its class attributes."""

    def learned(self) -> Any:
        return {}

    def bind(self, arrays: Any, *, length: Any = None, xp: Any = None) -> Any:
        raise RuntimeError("no such\nthing")


class OfRealSizes(Foreign):
    def learned(self) -> Any:
        return {"t": (3.0, 2)}


class OfNoNames(Foreign):
    def learned(self) -> Any:
        return [3]


class DrawsNothing(Foreign):
    def learned(self) -> Any:
        return {"t": (3,)}

    def init(self, rng: Any) -> Any:
        return None


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        (Foreign, "Foreign.bind() must give its answer; it raised RuntimeError: no such thing."),
        (
            OfRealSizes,
            "OfRealSizes.learned()['t'] must be a shape, a tuple of whole numbers; got (3.0, 2).",
        ),
        (OfNoNames, "OfNoNames.learned() must be a mapping from names to shapes; got [3]."),
        (DrawsNothing, "DrawsNothing.init() must be arrays by name; got None."),
    ],
)
def test_a_plugins_fault_is_told_as_its_own(cls: type[Spec], sentence: str) -> None:
    with pytest.raises(EncodingError, match=re.escape(sentence)):
        posenc.bind(cls())
    with pytest.raises(LawError, match=cls.__name__):
        check_encoding(cls())


def test_tiles_from_numpy_at_positions_of_torch() -> None:
    scheme = posenc.bind(posenc.encodings()["gated-tiles"].make())
    zeros = scheme.embed(torch.zeros((2, scheme.coordinates), dtype=torch.int64))
    assert zeros.shape[0] == 2


def test_vmap_over_tokens_and_positions() -> None:
    at = torch.arange(6).reshape(2, 3) + 8
    for name, axis in (("tupe", -3), ("rope-mixed", -2), ("rope-music-flamingo", -2)):
        spec = posenc.encodings()[name].make(dim=8, heads=2)
        scheme = posenc.bind(spec, xp="torch")
        if scheme.query is None:
            continue
        places = at[..., None].expand(2, 3, scheme.coordinates) if scheme.coordinates > 1 else at
        width = getattr(spec, "head_dim", None) or spec.dim
        x = torch.randn(2, *((2, 3) if axis == -3 else (3, 2)), width)

        def turn(x: Any, p: Any, scheme: Any = scheme, axis: int = axis) -> Any:
            return scheme.query(x, p, head_axis=axis)

        torch.testing.assert_close(torch.func.vmap(turn)(x, places), turn(x, places))
