"""The words of findings, in every language."""

from __future__ import annotations

from collections.abc import Mapping

from posenc.text import Language, sentence

_FILE = "findings"


class Phrase:
    """Words inside a sentence, which depend on its language; their slots may hold others."""

    def __init__(self, key: str, /, **slots: object) -> None:
        self.key, self.slots = key, slots


def said(key: str, language: Language, slots: Mapping[str, object]) -> str:
    """A sentence of ``text/findings`` with its slots filled."""
    told = {
        name: said(slot.key, language, slot.slots) if isinstance(slot, Phrase) else slot
        for name, slot in slots.items()
    }
    return sentence(_FILE, key, language, **told)
