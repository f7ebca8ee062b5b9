"""A reader's own sentence as tokens."""

from __future__ import annotations

import re

from posenc.errors import check

_CJK = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]"
_LIMIT = 64  # a sentence; the tables of chapter 1 are meant to be read


def words_of(text: str | None) -> tuple[str, ...]:
    """Words of a text; Chinese, Japanese and Korean are split by character.

    Example:
        >>> words_of("猫咬狗 again")
        ('猫', '咬', '狗', 'again')
    """
    if text is None:
        return ()
    inside = rf"(?:(?!{_CJK})\w)"
    found = tuple(re.findall(rf"{_CJK}|{inside}+(?:['’-]{inside}+)*", text))
    check(len(found) >= 2, "--text", "at least two words", text)
    check(len(found) <= _LIMIT, "--text", f"at most {_LIMIT} words", len(found))
    return found
