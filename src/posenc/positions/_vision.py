"""Text with images and video: coordinates (t, h, w) as vision-language models count them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check, check_index, check_known
from posenc.positions._ranges import LIMIT, checked_length

TextAfter: TypeAlias = Literal["largest side", "maximum"]


class Image(NamedTuple):
    """A run of image tokens: rows and columns of patches, before they are merged."""

    height: int
    width: int


class Video(NamedTuple):
    """A run of video tokens: frames (temporal patches) of rows and columns of patches.

    ``seconds`` is what one frame of the run lasts; only Qwen2.5-VL counts by it.
    """

    frames: int
    height: int
    width: int
    seconds: float = 1.0


Run: TypeAlias = int | Image | Video


class Mrope(NamedTuple):
    """Positions of one row of text, images and video.

    Attributes:
        positions: ``(n, 3)``: t, h and w of each token.
        following: Where the next token goes, on all three axes: 1 more than the largest so far,
            which is the cache length plus transformers' ``rope_deltas``.
    """

    positions: Array
    following: int


def mrope_qwen2_vl(
    runs: Iterable[Run],
    *,
    text_after: TextAfter,
    merge: int = 2,
    xp: Namespace | str | None = None,
) -> Mrope:
    """Positions as Qwen2-VL counts them: a block of patches is a box, text a diagonal.

        text: t = h = w = p, p + 1, ...;  patch: t = p + frame, h = p + row, w = p + column

    Args:
        runs: What follows what: a number of text tokens, an ``Image`` or a ``Video``.
        text_after: Where text goes on after a block that starts at p. "maximum": 1 past the
            largest coordinate of the block, as the authors' code, transformers 4 and most ports.
            "largest side": p + max(height, width) / merge, as transformers 5.24, which lets text
            fall back into the times of a long video.
        merge: Patches merged into one token along each side.
        xp: The library; NumPy by default.

    Returns:
        Positions and where generation goes on.

    Raises:
        EncodingError: If a run has no meaning, or a side is no multiple of ``merge``.

    Example:
        >>> row = mrope_qwen2_vl([2, Video(8, 4, 4), 3], text_after="maximum")
        >>> row.positions[-3:].tolist(), row.following
        ([[10, 10, 10], [11, 11, 11], [12, 12, 12]], 13)
        >>> mrope_qwen2_vl([2, Video(8, 4, 4), 3], text_after="largest side").positions[-1].tolist()
        [6, 6, 6]

    References:
        Wang et al. 2024, arXiv:2409.12191, section 2.1; transformers' ``get_rope_index``.
    """
    return _mrope("mrope_qwen2_vl()", runs, text_after, merge, xp)


def mrope_qwen2_5_vl(
    runs: Iterable[Run],
    *,
    text_after: TextAfter,
    tokens_per_second: float = 2.0,
    merge: int = 2,
    xp: Namespace | str | None = None,
) -> Mrope:
    """Positions as Qwen2.5-VL counts them: as Qwen2-VL, but video time in seconds.

        t = p + floor(frame * (seconds * tokens_per_second)), multiplied in float32

    Args:
        runs: As for ``mrope_qwen2_vl``; a ``Video`` says how long a frame lasts.
        text_after: As for ``mrope_qwen2_vl``.
        tokens_per_second: From the vision config; 2 in the released models, 4 by default in the
            class.
        merge: Patches merged into one token along each side.
        xp: The library; NumPy by default.

    Returns:
        Positions and where generation goes on.

    Raises:
        EncodingError: As ``mrope_qwen2_vl``.

    Example:
        >>> row = mrope_qwen2_5_vl([Video(3, 2, 2, seconds=0.75)], text_after="maximum")
        >>> row.positions[:, 0].tolist()
        [0, 1, 3]

    References:
        Bai et al. 2025, arXiv:2502.13923, section 2.1.3; transformers' ``get_rope_index``.
    """
    where = "mrope_qwen2_5_vl(): tokens_per_second"
    return _mrope(
        "mrope_qwen2_5_vl()", runs, text_after, merge, xp, positive(where, tokens_per_second)
    )


def mrope_qwen3_vl(
    runs: Iterable[Run], *, merge: int = 2, xp: Namespace | str | None = None
) -> Mrope:
    """Positions as Qwen3-VL counts them: every frame is a block, told apart by its timestamp.

    Args:
        runs: As for ``mrope_qwen2_vl``. Each frame of a video is a ``Video`` of one frame, after
            the text tokens of its timestamp; time itself is not counted.
        merge: Patches merged into one token along each side.
        xp: The library; NumPy by default.

    Returns:
        Positions and where generation goes on. Both rules for text after a block agree.

    Raises:
        EncodingError: If a video has several frames, or a run has no meaning.

    Example:
        >>> mrope_qwen3_vl([4, Video(1, 4, 6), 4, Video(1, 4, 6), 2]).following
        16

    References:
        Qwen3-VL 2025, arXiv:2511.21631; transformers' ``get_rope_index``.
    """
    return _framed("mrope_qwen3_vl()", runs, merge, xp)


def mrope_glm4v(runs: Iterable[Run], *, merge: int = 2, xp: Namespace | str | None = None) -> Mrope:
    """Positions as GLM-4.1V and GLM-4.5V count them: the same frames and timestamps as Qwen3-VL.

    Args:
        runs: As for ``mrope_qwen3_vl``.
        merge: Patches merged into one token along each side.
        xp: The library; NumPy by default.

    Returns:
        Positions and where generation goes on.

    Raises:
        EncodingError: As ``mrope_qwen3_vl``.

    Example:
        >>> mrope_glm4v([3, Image(4, 6), 2]).following
        8

    References:
        GLM-V Team 2025, arXiv:2507.01006; transformers' ``get_rope_index``.
    """
    return _framed("mrope_glm4v()", runs, merge, xp)


def _framed(where: str, runs: Iterable[Run], merge: int, xp: Namespace | str | None) -> Mrope:
    given = listed(where, runs)
    for number, run in enumerate(given):
        one = not isinstance(run, Video) or run.frames == 1
        hint = "Give each frame as a run of its own, after the tokens of its timestamp."
        check(one, f"{where}: runs[{number}]", "a video of one frame", run, hint)
    return _mrope(where, given, "largest side", merge, xp)


def _mrope(
    where: str,
    runs: Iterable[Run],
    text_after: str,
    merge: int,
    xp: Namespace | str | None,
    rate: float | None = None,
) -> Mrope:
    check_known(text_after, ("largest side", "maximum"), f"{where}: text_after", "a known rule")
    merge = check_index(f"{where}: merge", merge)
    check(merge >= 1, f"{where}: merge", "at least 1", merge)
    blocks, start, total, following = [np.zeros((0, 3), np.int64)], 0, 0, 0
    for number, run in enumerate(listed(where, runs)):
        block = block_of(f"{where}: runs[{number}]", run, merge, rate)
        total += len(block)
        check(total <= LIMIT, f"{where}: runs", f"at most {LIMIT} tokens", total)
        if len(block):
            following = max(following, start + int(block.max()) + 1)
        blocks.append(start + block)
        if text_after == "largest side" and isinstance(run, Image | Video):
            start += max(int(run.height), int(run.width)) // merge
        else:
            start += int(block.max()) + 1 if len(block) else 0
        check(start <= LIMIT, f"{where}: runs", f"at positions up to {LIMIT}", start)
    space: Namespace = library(xp or "numpy")
    return Mrope(space.asarray(np.concatenate(blocks)), following)


def listed(where: str, runs: Any) -> list[Run]:
    """What follows what, refused where it is no list."""
    several = isinstance(runs, Iterable) and not isinstance(runs, str | Image | Video)
    must = "a list of numbers of text tokens, Image and Video"
    check(several, f"{where}: runs", must, runs, error=EncodingTypeError)
    return list(runs)


def block_of(where: str, run: Any, merge: int, rate: float | None) -> Array:
    """The coordinates of one run from 0, ``(tokens, 3)``."""
    if not isinstance(run, Image | Video):
        hint = "Or an Image(height, width), a Video(frames, height, width)."
        whole = isinstance(run, int | np.integer) and not isinstance(run, bool)
        check(whole, where, "a number of text tokens", run, hint, error=EncodingTypeError)
        return np.repeat(np.arange(checked_length(where, run))[:, None], 3, axis=1)
    frames = run.frames if isinstance(run, Video) else 1
    sides = [*sides_of(where, run.height, run.width, merge)]
    count = checked_length(f"{where}.frames", frames)
    check(math.prod([count, *sides]) <= LIMIT, where, f"at most {LIMIT} tokens", run)
    block = np.indices((count, *sides)).reshape(3, -1).T.copy()
    if rate is not None and isinstance(run, Video):
        # In float32, as the model's own code multiplies: a whole product stays whole there.
        interval = np.float32(positive(f"{where}.seconds", run.seconds) * rate)
        times = np.floor(block[:, 0].astype(np.float32) * interval)
        fits = times.size == 0 or float(times.max()) < LIMIT
        check(fits, f"{where}.seconds", f"such that times stay below {LIMIT}", run.seconds)
        block[:, 0] = times
    return block


def sides_of(where: str, height: object, width: object, merge: int) -> Iterator[int]:
    """Rows and columns of tokens."""
    for name, side in (("height", height), ("width", width)):
        count = checked_length(f"{where}.{name}", side)
        check(count >= merge, f"{where}.{name}", f"at least merge {merge}", count)
        check(count % merge == 0, f"{where}.{name}", f"a multiple of merge {merge}", count)
        yield count // merge


def positive(where: str, value: Any) -> float:
    """A number above 0, as a float."""
    real = isinstance(value, int | float) and not isinstance(value, bool)
    check(real, where, "a number", value, error=EncodingTypeError)
    check(0 < value <= 1e9, where, "above 0 and at most 1e9", value)
    return float(value)
