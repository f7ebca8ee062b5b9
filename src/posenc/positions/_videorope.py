"""Text with video as VideoRoPE counts them: frames along the diagonal, each about its middle."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import check, check_index
from posenc.positions._ranges import LIMIT
from posenc.positions._vision import Image, Run, Video, block_of, listed, positive


def mrope_videorope(
    runs: Iterable[Run], *, spacing: float = 2.0, merge: int = 2, xp: Namespace | str | None = None
) -> Array:
    """Positions as VideoRoPE counts them: (t, h, w), the middle of a frame being on the diagonal.

        text:   t = h = w = p, p + 1, ...
        patch:  t = p + spacing frame,  h = t + row - (H - 1) // 2,  w = t + column - (W - 1) // 2

    Text goes on at 1 past the last t, so that a video is as far from the text before it as from
    the text behind it.

    Args:
        runs: What follows what: a number of text tokens, an ``Image`` or a ``Video``.
        spacing: From one frame to the next: 2 in the paper, less for longer videos.
        merge: Patches merged into one token along each side.
        xp: The library; NumPy by default.

    Returns:
        ``(n, 3)``: integers where ``spacing`` is whole, else float64. The next token goes to 1
        past the last t.

    Raises:
        EncodingError: If a run has no meaning, or a side is no multiple of ``merge``.

    Example:
        >>> mrope_videorope([1, Video(2, 2, 6), 1]).tolist()
        [[0, 0, 0], [1, 1, 0], [1, 1, 1], [1, 1, 2], [3, 3, 2], [3, 3, 3], [3, 3, 4], [4, 4, 4]]

    References:
        Wei et al. 2025, arXiv:2502.05173, section 4.
    """
    where = "mrope_videorope()"
    spacing = positive(f"{where}: spacing", spacing)
    merge = check_index(f"{where}: merge", merge)
    check(merge >= 1, f"{where}: merge", "at least 1", merge)
    step = int(spacing) if spacing.is_integer() else spacing
    blocks, start, total = [np.zeros((0, 3), np.asarray(step).dtype)], 0 * step, 0
    for number, run in enumerate(listed(where, runs)):
        block = block_of(f"{where}: runs[{number}]", run, merge, None)
        if isinstance(run, Image | Video) and len(block):
            times = step * block[:, :1]
            block = np.concatenate([times, times + block[:, 1:] - block[:, 1:].max(0) // 2], axis=1)
        total += len(block)
        check(total <= LIMIT, f"{where}: runs", f"at most {LIMIT} tokens", total)
        blocks.append(start + block)
        start += block[:, 0].max(initial=-1).item() + 1
        check(start <= LIMIT, f"{where}: runs", f"at positions up to {LIMIT}", start)
    space: Namespace = library(xp or "numpy")
    return space.asarray(np.concatenate(blocks))
