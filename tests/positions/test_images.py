"""Where the cells of images are, and the text that goes with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError, EncodingTypeError
from posenc.positions import (
    Image,
    centres,
    grid,
    joint_flux,
    joint_flux2,
    joint_lumina2,
    joint_qwen_image,
    rescaled,
)


def test_centres_of_dinov3() -> None:
    """Patch (0, 2) of 2 x 3, whose angles are in the golden file."""
    there = centres(h=2, w=3, order="hw")
    np.testing.assert_allclose(there[2], [-0.5, 2 / 3])
    np.testing.assert_allclose(centres(h=2, w=3, order="wh")[2], [2 / 3, -0.5])


def test_centres_over_another_side() -> None:
    largest = centres(h=2, w=3, order="hw", over="largest")
    np.testing.assert_allclose(largest[0], [-2 / 3, -2 / 3])
    np.testing.assert_allclose(largest[-1], [0, 2 / 3])
    smallest = centres(h=2, w=3, order="hw", over="smallest")
    np.testing.assert_allclose(smallest[-1], [0.5, 1.5])


def test_centres_are_real_in_every_library() -> None:
    for xp, dtype in (("torch", torch.float64), ("numpy", np.float64)):
        assert centres(h=2, w=3, order="hw", xp=xp).dtype == dtype
    assert rescaled(h=2, w=3, order="hw", to=16, whole=True, xp="torch").dtype == torch.int64


def test_rescaled_to_its_own_size_is_the_grid() -> None:
    cells = grid(t=2, h=3, w=7, order="hwt")
    np.testing.assert_array_equal(
        rescaled(t=2, h=3, w=7, order="hwt", to={"t": 2, "h": 3, "w": 7}, whole=True), cells
    )
    np.testing.assert_allclose(
        rescaled(t=2, h=3, w=7, order="hwt", to={"t": 4, "h": 9, "w": 7}), cells * [3, 1, 2]
    )


def test_no_cells() -> None:
    assert centres(h=0, w=3, order="hw").shape == (0, 2)
    assert rescaled(h=0, w=3, order="hw", to=4).shape == (0, 2)
    text, image = joint_flux(0, Image(1, 1))
    assert text.shape == (0, 3)
    assert image.shape == (1, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: centres(h=2, w=3, order="h"),
            "centres(): order must be the letters 'hw' in some order; got 'h'. "
            "It says which coordinate comes first.",
        ),
        (
            lambda: rescaled(h=2, w=3, order="hw", to={"h": 4}),
            "rescaled(): to must be one number, or one for each of the letters 'hw'; got {'h': 4}.",
        ),
        (
            lambda: joint_qwen_image(3, []),
            "joint_qwen_image(): images must be at least one; got [].",
        ),
        (
            lambda: joint_flux(3, Image(0, 4)),
            "joint_flux(): image.height must be at least 1; got 0.",
        ),
        (
            lambda: joint_flux2(3, (4, 4)),  # type: ignore[arg-type]
            "joint_flux2(): image must be an Image(height, width); got (4, 4). "
            "In tokens, not in pixels.",
        ),
        (
            lambda: joint_flux2(3, Image(4, 4), references=Image(1, 1)),  # type: ignore[arg-type]
            "joint_flux2(): references must be a list of Image; got Image(height=1, width=1).",
        ),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises((EncodingError, EncodingTypeError)) as caught:
        call()
    assert str(caught.value) == message


def test_a_rule_that_is_none() -> None:
    with pytest.raises(EncodingError, match=r"centres\(\): over must be a known rule"):
        centres(h=2, w=3, order="hw", over="max")  # type: ignore[arg-type]


def test_flux_tells_no_text_tokens_apart() -> None:
    text, image = joint_flux(4, Image(2, 3))
    assert not text.any()
    np.testing.assert_array_equal(image[:, 1:], grid(h=2, w=3, order="hw"))
    assert not image[:, 0].any()


def test_flux2_counts_references_by_ten() -> None:
    text, image = joint_flux2(3, Image(2, 3), references=[Image(1, 2), Image(2, 1)], xp="torch")
    assert text.tolist() == [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2]]
    assert image[:, 0].tolist() == [0] * 6 + [10] * 2 + [20] * 2
    assert image[-1].tolist() == [20, 1, 0, 0]


@pytest.mark.parametrize("first", [0, 1])
def test_lumina2_puts_the_image_behind_the_text(first: int) -> None:
    text, image = joint_lumina2(9, Image(2, 3), first=first)
    assert text[[0, -1], 0].tolist() == [first, first + 8]
    assert image[-1].tolist() == [first + 9, 1, 2]


def test_rows_of_qwen_image() -> None:
    """Five rows are -3 .. 1: odd sides have their middle at -1."""
    image = joint_qwen_image(0, Image(5, 6)).image
    assert sorted({*image[:, 1].tolist()}) == [-3, -2, -1, 0, 1]
    assert sorted({*image[:, 2].tolist()}) == [-3, -2, -1, 0, 1, 2]


def test_no_cell_stands_where_another_does() -> None:
    for joint in (
        joint_flux2(7, Image(5, 4), references=[Image(3, 2)]),
        joint_lumina2(7, Image(5, 4)),
        joint_qwen_image(7, [Image(5, 4), Image(6, 3)]),
    ):
        everyone = np.concatenate(joint)
        # Flux.2 has its first text token on the first patch.
        lost = 1 if everyone.shape[-1] == 4 else 0
        assert len(np.unique(everyone, axis=0)) == len(everyone) - lost


def test_positions_go_straight_into_an_encoding() -> None:
    spec = posenc.encodings()["rope-flux"].make(dim=16)
    text, image = joint_qwen_image(3, Image(2, 3), xp="torch")
    x = torch.ones(1, 2, 9, 16)
    turned = posenc.bind(spec).query(x, torch.cat([text, image]))
    assert turned.shape == x.shape
