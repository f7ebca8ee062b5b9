"""Every figure: its name, its size, and the file under ``pictures`` that paints it.

The function that paints ``"some-name"`` is ``some_name(figure, words)``; its title is the text
of that key in ``text/figures.toml``.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from posenc.errors import check, nearest

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Picture:
    """One figure.

    Attributes:
        name: What it is called, and its files.
        home: The module under ``pictures``.
        size: Width and height in inches.
        of_spec: Whether it shows a spec that the caller gives.
        moves: Whether there is an animation of it.
    """

    name: str
    home: str
    size: tuple[float, float]
    of_spec: bool = False
    moves: bool = False

    @property
    def paint(self) -> Callable[..., None]:
        """Puts everything but the title on an empty figure of this size."""
        module = importlib.import_module(f"posenc.figures.pictures.{self.home}")
        painter: Any = getattr(module, self.name.replace("-", "_"))
        return painter  # type: ignore[no-any-return]


PICTURES: dict[str, Picture] = {
    picture.name: picture
    for picture in (
        Picture("drowned", "drowned", (7.6, 3.5)),
        Picture("bit-flips", "bit_flips", (7.6, 3.4)),
        Picture("heat-map", "sinusoid", (5.2, 4.7)),
        Picture("heat-map-100", "sinusoid", (4.6, 5.6)),
        Picture("curves", "sinusoid", (6.4, 4.2)),
        Picture("sinusoid", "sinusoid", (8.6, 4.2)),
        Picture("four-panels", "four_panels", (8.6, 6.6)),
        Picture("steps", "steps", (8.6, 4.6), moves=True),
        Picture("distance", "distance", (8.6, 3.7)),
        Picture("five-places", "five_places", (6.9, 5.2)),
        Picture("gpt2-input", "gpt2_input", (8.7, 3.15)),
        Picture("projection", "projections", (7.6, 3.2)),
        Picture("oblique-axes", "projections", (6.0, 3.4)),
        Picture("drop-height", "projections", (7.6, 3.7)),
        Picture("wavelengths", "wavelengths", (7.6, 4.1), of_spec=True),
    )
}


def find(where: str, name: object) -> Picture:
    """The figure of this name, or a sentence with the nearest one."""
    known = isinstance(name, str) and name in PICTURES
    check(known, f"{where}: name", "a figure", name, nearest(str(name), PICTURES))
    return PICTURES[str(name)]
