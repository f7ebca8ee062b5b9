"""Text with images as Hunyuan's models count them, in four coordinates."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from posenc._arrays import library
from posenc._typing import Namespace
from posenc.errors import check, check_index
from posenc.positions._ranges import LIMIT
from posenc.positions._vision import Image, Mrope, Run, Video, block_of, listed, sides_of


def mrope_hunyuan_vl(
    runs: Iterable[Run], *, merge: int = 2, xp: Namespace | str | None = None
) -> Mrope:
    """Positions as HunyuanOCR and Hunyuan-VL count them: (token, column, row, image).

        text: all four are p, the index of the token
        patch of image i: (p, column, row, i), rows having one more column for their line break

    Args:
        runs: What follows what: a number of text tokens or an ``Image``. The tokens that open and
            close an image are text; frames of a video are images.
        merge: Patches merged into one token along each side.
        xp: The library; NumPy by default.

    Returns:
        Positions, ``(n, 4)``, and where generation goes on. A model of three sections reads the
        last three.

    Raises:
        EncodingError: If a run has no meaning, or a side is no multiple of ``merge``.

    Example:
        >>> mrope_hunyuan_vl([1, Image(2, 4), 1]).positions.tolist()
        [[0, 0, 0, 0], [1, 0, 0, 0], [2, 1, 0, 0], [3, 2, 0, 0], [4, 4, 4, 4]]

    References:
        HunyuanOCR: ``xdrope_section``; ``get_rope_index`` of hunyuan_vl in transformers.
    """
    where, pictures, total = "mrope_hunyuan_vl()", 0, 0
    merge = check_index(f"{where}: merge", merge)
    check(merge >= 1, f"{where}: merge", "at least 1", merge)
    blocks = [np.zeros((0, 4), np.int64)]
    for number, run in enumerate(listed(where, runs)):
        named = f"{where}: runs[{number}]"
        hint = "Give each frame as an Image of its own."
        check(not isinstance(run, Video), named, "text or an Image", run, hint)
        if isinstance(run, Image):
            high, wide = sides_of(named, run.height, run.width, merge)
            check(high * (wide + 1) <= LIMIT, named, f"at most {LIMIT} tokens", run)
            row, column = np.indices((high, wide + 1)).reshape(2, -1)
            places = np.arange(total, total + row.size)
            block = np.stack([places, column, row, np.full_like(row, pictures)], axis=-1)
            pictures += 1
        else:
            block = total + np.repeat(block_of(named, run, merge, None)[:, :1], 4, axis=1)
        blocks.append(block)
        total += len(block)
        check(total <= LIMIT, f"{where}: runs", f"at most {LIMIT} tokens", total)
    positions = np.concatenate(blocks)
    space: Namespace = library(xp or "numpy")
    return Mrope(space.asarray(positions), int(positions.max(initial=-1)) + 1)
