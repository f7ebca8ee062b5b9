"""Chinese is broken between characters, and never before a full stop."""

from __future__ import annotations

import itertools

from rich.cells import cell_len

from posenc.tour._wrap import breaks


def lines(text: str, width: int) -> list[str]:
    cuts = [0, *breaks(text, width), len(text)]
    return [text[a:b] for a, b in itertools.pairwise(cuts)]


def test_between_characters_and_at_spaces() -> None:
    assert lines("把 64 个词颠倒", 8) == ["把 64 个", "词颠倒"]
    assert lines("一二三四五六", 7) == ["一二三", "四五六"]


def test_closing_signs_stay_with_their_word() -> None:
    assert lines("一二三四，五六", 8) == ["一二三", "四，五六"]


def test_numbers_and_ids_are_kept_whole() -> None:
    found = lines("误差是 0.989503 而已 blind.outputs", 12)
    assert any("0.989503" in line for line in found)
    assert "".join(found) == "误差是 0.989503 而已 blind.outputs"
    assert all(cell_len(line.rstrip()) <= 13 for line in found)


def test_a_word_longer_than_the_line_is_cut() -> None:
    assert lines("汉abcdefghij", 4) == ["汉", "abcd", "efgh", "ij"]
