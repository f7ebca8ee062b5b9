"""A reader's own sentence as tokens."""

from __future__ import annotations

import re
import unicodedata

from posenc.errors import check

_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")
_LIMIT = 64  # a sentence; the tables of chapter 1 are meant to be read


def words_of(text: str | None) -> tuple[str, ...]:
    """Words of a text; Chinese, Japanese and Korean are split by character.

    A word is letters with their marks, digits, and what stands inside: don't, GPT-2.

    Example:
        >>> words_of("猫咬狗 don't")
        ('猫', '咬', '狗', "don't")
    """
    if text is None:
        return ()
    found: list[str] = []
    word = ""
    for sign in unicodedata.normalize("NFC", text) + " ":
        inside = unicodedata.category(sign)[0] in "LMN" or sign == "_" or (word and sign in "'’-")
        if inside and not _CJK.match(sign):
            word += sign
            continue
        found += [word.rstrip("'’-")] if word else []
        word = ""
        found += [sign] if _CJK.match(sign) else []
    check(len(found) >= 2, "--text", "at least two words", text)
    check(len(found) <= _LIMIT, "--text", f"at most {_LIMIT} words", len(found))
    return tuple(found)
