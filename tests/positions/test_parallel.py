"""Context parallel: every token on one rank, where it was, seeing what it saw."""

from __future__ import annotations

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError
from posenc.positions import packed, rank

SPLITS = ("contiguous", "striped", "zigzag")


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("lengths", [24, [8, 16], [24, 0]])
def test_the_ranks_hold_every_token_once_and_attend_as_one(split: str, lengths) -> None:
    row = packed([lengths] if isinstance(lengths, int) else lengths)
    n = row.positions.shape[0]
    q, k, v = np.random.default_rng(0).normal(size=(3, 2, n, 6))
    rope = posenc.Rope(dim=6, layout="interleaved")
    due = posenc.attend(q, k, v, rope, q_positions=row.positions, mask=row.mask, causal=True)
    found = np.zeros(n, int)
    for number in range(4):
        mine = rank(lengths, rank=number, ranks=4, split=split)
        found[mine.indices] += 1
        np.testing.assert_array_equal(mine.positions, row.positions[mine.indices])
        assert (np.diff(mine.indices) > 0).all() or (split == "zigzag" and len(mine.indices) == 0)
        y = posenc.attend(
            q[:, mine.indices],
            k,
            v,
            rope,
            q_positions=mine.positions,
            k_positions=row.positions,
            mask=mine.mask,
        )
        np.testing.assert_allclose(y, due[:, mine.indices], atol=1e-12)
    assert (found == 1).all()


def test_packed_documents_are_split_one_by_one() -> None:
    """B71."""
    held = [rank([4, 4], rank=r, ranks=2, split="zigzag") for r in (0, 1)]
    assert [h.indices.tolist() for h in held] == [[0, 3, 4, 7], [1, 2, 5, 6]]
    assert [h.positions.tolist() for h in held] == [[0, 3, 0, 3], [1, 2, 1, 2]]


def test_the_zigzag_gives_all_ranks_equal_work() -> None:
    work = {
        s: [int(rank(32, rank=r, ranks=4, split=s).mask.sum()) for r in range(4)] for s in SPLITS
    }
    assert len(set(work["zigzag"])) == 1
    assert len(set(work["contiguous"])) == 4


def test_ranks_are_refused_in_a_sentence() -> None:
    with pytest.raises(EncodingError, match=r"lengths\[1\] must be a multiple of 4; got 6\. Pad"):
        rank([8, 6], rank=0, ranks=2, split="zigzag")
    with pytest.raises(EncodingError, match="rank must be from 0 to 1; got 2"):
        rank(8, rank=2, ranks=2, split="striped")
    with pytest.raises(EncodingError, match="Did you mean 'zigzag'"):
        rank(8, rank=0, ranks=2, split="zig-zag")
