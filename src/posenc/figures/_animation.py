"""The step plot of every position from 0 to 1023 as a GIF.

Matplotlib draws what stands still, once; Pillow draws the frames, far faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import sinusoid
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, ORANGE, PAPER, Words

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

FRAMES, DIM = 1024, 64
SIZE, DPI = (6.4, 3.0), 100
LEFT, STEP, MIDDLE, REACH = 46, 9, 153, 100
"""In pixels: where bars begin, how wide each is, where 0 is, and how far up 1 is."""

GRAYS, SAME = 13, 15
"""The palette: grays from black to white, sine, cosine, and what no frame paints over."""


def animate(path: Path, words: Words) -> None:
    """Write the animation; 25 positions a second, again and again."""
    frames = _frames(words)
    next(frames).save(
        path,
        save_all=True,
        append_images=frames,
        duration=40,
        loop=0,
        transparency=SAME,
        disposal=1,  # each frame is laid over the one before
        optimize=False,  # the palette is as small as it can be
    )


def _frames(words: Words) -> Iterator[Image.Image]:
    """The first position whole, and of every other what differs from the one before."""
    from matplotlib import get_data_path
    from PIL import Image, ImageDraw, ImageFont

    still = _still(words)
    font = ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans-Bold.ttf", 15)
    heights = np.rint(MIDDLE - REACH * sinusoid(FRAMES, dim=DIM)).astype(int).tolist()
    before = None
    for p, tops in enumerate(heights):
        picture = still.copy()
        pen = ImageDraw.Draw(picture)
        pen.fontmode = "L"  # smooth letters: between two grays of the palette lie grays
        pen.text((LEFT + STEP * DIM, 16), f"p = {p}", fill=1, font=font, anchor="ra")
        _bars(pen, tops)
        now = np.asarray(picture)
        if before is not None:
            picture = Image.fromarray(np.where(now == before, np.uint8(SAME), now))
            picture.putpalette(_palette())
        before = now
        yield picture


def _bars(pen: ImageDraw.ImageDraw, tops: list[int]) -> None:
    outline = []
    for i, top in enumerate(tops):
        x = LEFT + STEP * i
        pen.rectangle((x, min(top, MIDDLE), x + STEP - 1, max(top, MIDDLE)), fill=GRAYS + i % 2)
        outline += [(x, top), (x + STEP, top)]
    pen.line(outline, fill=1)


def _still(words: Words) -> Image.Image:
    """Title, axes and legend, in the palette of the frames."""
    from matplotlib.figure import Figure
    from PIL import Image

    figure = Figure(figsize=SIZE, dpi=DPI)
    box = (LEFT, round(DPI * SIZE[1]) - MIDDLE - REACH, STEP * DIM, 2 * REACH)
    axes = axes_at(figure, *(side / DPI for side in box))
    axes.axhline(0, color=FAINT, linewidth=0.7)
    for color, label in ((BLUE, "sine"), (ORANGE, "cosine")):
        axes.bar([0], [0], color=color, label=words(label))
    axes.set(xlim=(0, DIM), ylim=(-1, 1), yticks=[-1, 0, 1], xlabel=words("dimension"))
    axes.set_xticks([i + 0.5 for i in (0, 16, 32, 48, 63)], ["0", "16", "32", "48", "63"])
    axes.legend(ncols=2, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1)
    figure.text(0.02, 0.95, words("steps-moving"), va="top", fontsize=10.5, fontweight="bold")
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI)
    pixels = np.asarray(Image.open(drawn).convert("RGB"))
    indices = np.rint(pixels.mean(-1) * (GRAYS - 1) / 255).astype(np.uint8)
    for place, color in enumerate((BLUE, ORANGE)):
        indices[(pixels == _rgb(color)).all(-1)] = GRAYS + place
    still = Image.fromarray(indices)
    still.putpalette(_palette())
    return still


def _palette() -> list[int]:
    grays = [level for i in range(GRAYS) for level in [round(i * 255 / (GRAYS - 1))] * 3]
    return [*grays, *_rgb(BLUE), *_rgb(ORANGE), *_rgb(PAPER)]


def _rgb(color: str) -> list[int]:
    return list(bytes.fromhex(color[1:]))
