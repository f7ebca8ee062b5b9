"""A text and the image that is painted from it, as diffusion transformers place them together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.positions._grid import grid
from posenc.positions._ranges import checked_length
from posenc.positions._vision import Image


class Joint(NamedTuple):
    """Where the tokens of a text and of images are; models differ in which of them come first.

    Attributes:
        text: ``(text tokens, axes)``.
        image: ``(cells, axes)``, row by row, image after image.
    """

    text: Array
    image: Array


def joint_flux(text: int, image: Image, *, xp: Namespace | str | None = None) -> Joint:
    """Positions as Flux.1 counts them: no text token is told from another.

        text: (0, 0, 0);  image: (0, row, column)

    Args:
        text: How many text tokens.
        image: Its rows and columns of tokens.
        xp: The library; NumPy by default.

    Returns:
        Positions of three coordinates.

    Raises:
        EncodingError: If a count has no meaning.

    Example:
        >>> joint_flux(2, Image(5, 7)).image[-1].tolist()
        [0, 4, 6]

    References:
        ``_prepare_latent_image_ids`` of Flux in diffusers.
    """
    (cells,) = _pictures("joint_flux()", [image])
    counted = checked_length("joint_flux(): text", text)
    return _joint(np.zeros((counted, 3), np.int64), [_before(0, cells)], xp)


def joint_flux2(
    text: int,
    image: Image,
    *,
    references: Iterable[Image] = (),
    xp: Namespace | str | None = None,
) -> Joint:
    """Positions as Flux.2 counts them: a coordinate for the picture and one for the text.

        text: (0, 0, 0, place);  image: (0, row, column, 0);  reference i: (10 i, row, column, 0)

    Args:
        text: How many text tokens.
        image: Its rows and columns of tokens.
        references: Images to go by, the first counted as 1; their tokens follow the image's.
        xp: The library; NumPy by default.

    Returns:
        Positions of four coordinates.

    Raises:
        EncodingError: If a count has no meaning.

    Example:
        >>> joint_flux2(3, Image(1, 1), references=[Image(1, 2)]).image.tolist()
        [[0, 0, 0, 0], [10, 0, 0, 0], [10, 0, 1, 0]]

    References:
        ``_prepare_text_ids`` and ``_prepare_image_ids`` of Flux.2 in diffusers.
    """
    places = np.arange(checked_length("joint_flux2(): text", text))
    pictures = _pictures(
        "joint_flux2()", [image, *_listed("joint_flux2(): references", references)]
    )
    cells = [np.pad(_before(10 * i, cell), ((0, 0), (0, 1))) for i, cell in enumerate(pictures)]
    return _joint(np.pad(places[:, None], ((0, 0), (3, 0))), cells, xp)


def joint_lumina2(
    text: int, image: Image, *, first: int = 0, xp: Namespace | str | None = None
) -> Joint:
    """Positions as Lumina 2, Z-Image and ERNIE-Image count them: the image is behind the text.

        text: (first + place, 0, 0);  image: (first + text, row, column)

    Args:
        text: How many text tokens; of Z-Image, with those that fill up to a multiple of 32.
        image: Its rows and columns of tokens.
        first: Where the text starts: 0, and 1 for Z-Image.
        xp: The library; NumPy by default.

    Returns:
        Positions of three coordinates.

    Raises:
        EncodingError: If a count has no meaning.

    Example:
        >>> joint_lumina2(9, Image(2, 3)).image[-1].tolist()
        [9, 1, 2]

    References:
        ``Lumina2RotaryPosEmbed`` and ``transformer_z_image`` of diffusers.
    """
    first = checked_length("joint_lumina2(): first", first)
    end = first + checked_length("joint_lumina2(): text", text)
    (cells,) = _pictures("joint_lumina2()", [image])
    return _joint(
        np.pad(np.arange(first, end)[:, None], ((0, 0), (0, 2))), [_before(end, cells)], xp
    )


def joint_qwen_image(
    text: int, images: Image | Iterable[Image], *, xp: Namespace | str | None = None
) -> Joint:
    """Positions as Qwen-Image counts them: images around the middle, text on the diagonal behind.

        image i: (i, row - (rows - rows // 2), column - (columns - columns // 2))
        text: p, p + 1, ... on all three, from half of the largest side on, rounded down

    Args:
        text: How many text tokens.
        images: Rows and columns of tokens of the image, or of several: the one that is painted,
            then those to go by.
        xp: The library; NumPy by default.

    Returns:
        Positions of three coordinates.

    Raises:
        EncodingError: If a count has no meaning.

    Example:
        >>> there = joint_qwen_image(2, Image(5, 4))
        >>> sorted({*there.image[:, 1].tolist()}), there.text.tolist()
        ([-3, -2, -1, 0, 1], [[2, 2, 2], [3, 3, 3]])

    References:
        Wu et al. 2025, arXiv:2508.02324; ``QwenEmbedRope`` of diffusers with ``scale_rope``.
    """
    listed = (
        [images] if isinstance(images, Image) else _listed("joint_qwen_image(): images", images)
    )
    cells = []
    for i, cell in enumerate(_pictures("joint_qwen_image()", listed)):
        sides = cell.max(axis=0) + 1
        cells.append(_before(i, cell - (sides - sides // 2)))
    start = max(max(image.height, image.width) // 2 for image in listed)
    end = start + checked_length("joint_qwen_image(): text", text)
    return _joint(np.repeat(np.arange(start, end)[:, None], 3, axis=1), cells, xp)


def _joint(text: Array, cells: list[Array], xp: Namespace | str | None) -> Joint:
    space: Namespace = library(xp or "numpy")
    return Joint(space.asarray(text), space.asarray(np.concatenate(cells)))


def _before(number: int, cells: Array) -> Array:
    """Cells with one more coordinate in front, the same for all."""
    return np.pad(cells, ((0, 0), (1, 0)), constant_values=number)


def _pictures(where: str, images: list[Image]) -> list[Array]:
    """Rows and columns of each image, cell after cell."""
    check(bool(images), f"{where}: images", "at least one", images)
    for image in images:
        known = isinstance(image, Image)
        must, hint = "an Image(height, width)", "In tokens, not in pixels."
        check(known, f"{where}: image", must, image, hint, error=EncodingTypeError)
        for name, side in image._asdict().items():
            counted = checked_length(f"{where}: image.{name}", side)
            check(counted >= 1, f"{where}: image.{name}", "at least 1", counted)
    return [grid(h=image.height, w=image.width, order="hw") for image in images]


def _listed(where: str, images: Any) -> list[Image]:
    several = isinstance(images, Iterable) and not isinstance(images, str | Image)
    check(several, where, "a list of Image", images, error=EncodingTypeError)
    return list(images)
