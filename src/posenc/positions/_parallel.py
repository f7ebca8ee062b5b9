"""One text over several devices: which tokens a rank holds, and where those are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import check, check_index, check_known
from posenc.positions._packing import packed
from posenc.positions._ranges import checked_length

Split: TypeAlias = Literal["contiguous", "striped", "zigzag"]


class Rank(NamedTuple):
    """The tokens of one rank.

    Attributes:
        indices: ``(m,)``: their places in the whole row, rising: ``x[..., indices, :]``.
        positions: ``(m,)``: where they are, each document counting from 0.
        mask: ``(m, n)``, for ``attend`` with the keys of the whole row in their order: True for
            keys of the same document; with ``causal``, none that come later. Causality by index,
            as ``attend(causal=True)`` has it, would be wrong here.
    """

    indices: Array
    positions: Array
    mask: Array


def rank(
    lengths: int | Sequence[int],
    *,
    rank: int,
    ranks: int,
    split: Split,
    causal: bool = True,
    xp: Namespace | str | None = None,
) -> Rank:
    """What one of several ranks holds of a row that is split along its tokens.

    Args:
        lengths: Tokens in the row; a list of them for packed documents, each of which is split
            over all ranks by itself.
        rank: Which one, from 0.
        ranks: How many there are.
        split: "contiguous": one piece after another. "striped": token i on rank i mod ranks.
            "zigzag": of 2 * ranks pieces, piece r and piece 2 * ranks - 1 - r, so that under a
            causal mask all ranks have equal work.
        causal: Whether the mask leaves out later keys.
        xp: The library; NumPy by default.

    Returns:
        Indices, positions and the mask against the keys of the whole row.

    Raises:
        EncodingError: If the tokens do not divide evenly, or an argument has no meaning.

    Example:
        >>> mine = rank([4, 4], rank=0, ranks=2, split="zigzag")
        >>> mine.indices, mine.positions
        (array([0, 3, 4, 7]), array([0, 3, 0, 3]))

    References:
        Brandon et al. 2023, arXiv:2311.09431 (striped); the zigzag split of Llama 3, section 3.3.2
        of arXiv:2407.21783.
    """
    ranks = check_index("rank(): ranks", ranks)
    check(ranks >= 1, "rank(): ranks", "at least 1", ranks)
    mine = check_index("rank(): rank", rank)
    check(0 <= mine < ranks, "rank(): rank", f"from 0 to {ranks - 1}", mine)
    check_known(split, ("contiguous", "striped", "zigzag"), "rank(): split", "a known split")
    counts: list[Any] = list(lengths) if isinstance(lengths, list | tuple) else [lengths]
    pieces = 2 * ranks if split == "zigzag" else ranks
    indices, start = [], 0
    for number, given in enumerate(counts):
        count = checked_length(f"rank(): lengths[{number}]", given)
        hint = "Pad the document to a multiple."
        check(
            count % pieces == 0,
            f"rank(): lengths[{number}]",
            f"a multiple of {pieces}",
            count,
            hint,
        )
        indices.append(start + _held(np.arange(count), mine, ranks, split))
        start += count
    held = np.concatenate([np.zeros(0, np.int64), *indices])
    row = packed(counts)
    seen = row.documents[held, None] == row.documents
    if causal:
        seen &= held[:, None] >= np.arange(start)
    space: Namespace = library(xp or "numpy")
    return Rank(*(space.asarray(a) for a in (held, row.positions[held], seen)))


def _held(tokens: Array, mine: int, ranks: int, split: Split) -> Array:
    if split == "striped":
        return tokens[mine::ranks]
    if split == "contiguous":
        return np.split(tokens, ranks)[mine]
    pieces = np.split(tokens, 2 * ranks)
    return np.concatenate([pieces[mine], pieces[2 * ranks - 1 - mine]])
