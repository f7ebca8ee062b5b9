"""Digits of numbers among other tokens, as Abacus counts them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import jax
import numpy as np
import pytest
import torch

import posenc
from posenc import EncodingError
from posenc.positions import digits

IDS = [4, 5, 6, 7, 900]


def counted(row: list[int], offset: int = 0) -> list[int]:
    """By going through the text."""
    found: list[int] = []
    for is_digit, run in groupby(row, lambda token: token in IDS):
        places = [1 + offset + i for i, _ in enumerate(run)]
        found += places if is_digit else [0] * len(places)
    return found


def texts() -> np.ndarray:
    """Half of the tokens are digits; one row is all digits and one has none."""
    drawn = np.random.default_rng(2).choice([1, 2, 3, 8, *IDS], (40, 23))
    drawn[0], drawn[1] = 5, 1
    return drawn


def test_every_number_is_counted_from_one() -> None:
    assert digits(texts(), ids=IDS).tolist() == [counted(row) for row in texts().tolist()]


def test_a_draw_in_training_moves_digits_alone() -> None:
    offset = np.arange(40)
    due = [counted(row, k) for k, row in enumerate(texts().tolist())]
    assert digits(texts(), ids=IDS, offset=offset).tolist() == due
    one = digits(texts(), ids=IDS, offset=np.random.default_rng(0).integers(100))
    assert one.tolist() == [counted(row, 85) for row in texts().tolist()]


def test_the_weight_of_a_digit_is_its_place_when_numbers_are_written_backwards() -> None:
    """321 + 54 = 573 for 123 + 45 = 375: units, tens and hundreds read one row each."""
    text = [*"321+54=573"]
    tokens = np.array([ord(c) for c in text])
    at = digits(tokens, ids=[ord(c) for c in "0123456789"], offset=7)
    assert at.tolist() == [8, 9, 10, 0, 8, 9, 0, 8, 9, 10]
    spec = posenc.encodings()["abacus"].make(dim=2, length=11)
    table = np.arange(22.0).reshape(11, 2)
    code = posenc.bind(spec, {"table": table}).embed(at)
    np.testing.assert_array_equal(code, table[at])


@pytest.mark.parametrize("made", [torch.asarray, jax.numpy.asarray], ids=["torch", "jax"])
@pytest.mark.parametrize("dtype", ["int32", "int16"])
def test_other_libraries(made: Any, dtype: str) -> None:
    tokens = made(texts().astype(dtype))
    got = digits(tokens, ids=[*IDS, 70_000], offset=made(np.arange(40, dtype=dtype)))
    due = [counted(row, k) for k, row in enumerate(texts().tolist())]
    assert np.asarray(got).tolist() == due
    assert isinstance(got, type(tokens))


def test_compiled() -> None:
    traced = jax.jit(lambda tokens, k: digits(tokens, ids=IDS, offset=k))
    due = [counted(row, k) for k, row in enumerate(texts().tolist())]
    assert traced(texts(), np.arange(40)).tolist() == due
    whole = torch.compile(
        lambda tokens, k: digits(tokens, ids=IDS, offset=k), fullgraph=True, backend="eager"
    )
    assert whole(torch.asarray(texts()), torch.arange(40)).tolist() == due


def test_no_tokens() -> None:
    assert digits(np.zeros((2, 0), np.int64), ids=IDS).shape == (2, 0)


@pytest.mark.parametrize(
    ("tokens", "options", "message"),
    [
        ([0.5], {}, "digits(): tokens must be integers; got 'float64'."),
        (3, {}, "digits(): tokens must be of shape (n,) or (*batch, n); got ()."),
        ([3], {"ids": []}, "digits(): ids must be at least one; got []."),
        ([3], {"ids": [1.5]}, "digits(): ids[0] must be an integer; got 1.5."),
        ([3], {"offset": -1}, "digits(): offset must be at least 0; got -1."),
        (
            [[3]],
            {"offset": np.array([3, 4])},
            "digits(): offset must be a number, or of shape (1,); got (2,).",
        ),
        ([[3]], {"offset": np.array([-2])}, "digits(): offset must be at least 0; got -2."),
        ([[3]], {"offset": np.array([0.5])}, "digits(): offset must be integers; got 'float64'."),
    ],
)
def test_refusals(tokens: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        digits(np.asarray(tokens), **{"ids": IDS, **options})
    assert str(caught.value) == message
