"""Every sentence that is shown, in English and Chinese side by side, as TOML files.

A file is a set of keys; each key has the same text in every language, with the same ``{slots}``.
"""

from __future__ import annotations

import locale
import os
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@cache
def load(name: str) -> dict[str, dict[str, str]]:
    """The texts of one file: key to language to sentence.

    Args:
        name: The path below this package without its ending, such as ``"claims/sinusoid"``.
    """
    raw: dict[str, Any] = tomllib.loads((files(__name__) / f"{name}.toml").read_text("utf-8"))
    return {key: {lang: " ".join(t[lang].split()) for lang in LANGUAGES} for key, t in raw.items()}


def sentence(file: str, key: str, language: Language, /, **slots: object) -> str:
    """One sentence, with its slots filled."""
    text = load(file)[key][language]
    return text.format(**slots) if slots else text


def preferred_language() -> Language:
    """Chinese in a Chinese locale, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    try:
        return "zh" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
    except ValueError:  # a locale that Python cannot name
        return "en"
