"""The file itself: text that reads without a script, the script, and what it is given."""

from __future__ import annotations

import base64
import json
import lzma
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from os import PathLike
from typing import Any

from posenc.errors import check, check_known
from posenc.explorer._given import given
from posenc.explorer._payload import payload
from posenc.explorer._view import NAMES, view
from posenc.text import LANGUAGES, Language, load

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""What the browser is told to allow: nothing can be fetched or sent."""


FILTERS = [
    {
        "id": lzma.FILTER_LZMA1,
        "preset": 9 | lzma.PRESET_EXTREME,
        "nice_len": 128,
        "lc": 2,
        "lp": 0,
        "pb": 0,
    }
]
"""How the payload and the script are packed; ``web/src/lzma.ts`` expands just this."""

ENCODING = "gb18030"
"""All of Unicode, and two bytes for a Chinese character, which packs better than three."""


def build(
    *names: str,
    config: str | PathLike[str] | Mapping[str, Any] | None = None,
    language: Language | None = None,
    start: Mapping[str, int | str] | None = None,
) -> str:
    """The page as HTML.

    Args:
        names: Encodings to show in a view of their own, at most four with those of the config:
            names of ``posenc list`` or ``package.module:object``.
        config: A model's config.json, or what stands in it: its own frequencies stand beside the
            textbook's.
        language: What it opens in, unless its address says otherwise; None: the reader's own.
        start: What else is set when it opens, as in its address: ``{"p": 12, "view": "bars"}``.

    Returns:
        A whole document, in both languages, which loads nothing.

    Raises:
        EncodingError: For another language, an encoding that there is not, or a config with an
            error.
    """
    if language is not None:
        check_known(language, LANGUAGES, "build(): language", "a known one")
    shown = given(names, config)
    data = payload(shown) | {"start": dict(start or {}) | ({"lang": language} if language else {})}
    tongue: Language = language or "en"
    data["words"] = _by_language(data["words"], shown=tongue)
    static = files("posenc.explorer").joinpath("static")
    style, loader, script = (
        static.joinpath(name).read_text("utf-8")
        for name in ("style.css", "loader.js", "explorer.js")
    )
    title = load("explorer/page")["title"][tongue]
    text = (
        f"{json.dumps(data, ensure_ascii=False, separators=(',', ':'), allow_nan=False)}\0{script}"
    )
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if tongue == "zh" else "en"}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n<main>{_readable(tongue)}</main>\n{packed(text)}\n"
        f"<script>{loader}</script>\n</body>\n</html>\n"
    )


def packed(text: str) -> str:
    """An element that the loader expands; half the size of the text, and nothing HTML could end."""
    data = text.encode(ENCODING)
    small = lzma.compress(data, format=lzma.FORMAT_RAW, filters=FILTERS)
    encoded = base64.b64encode(small).decode("ascii")
    return f'<script type="text/plain" id="packed" data-size="{len(data)}">{encoded}</script>'


def unpacked(page: str) -> tuple[dict[str, Any], str]:
    """The payload and the script of a page."""
    found = page.partition('id="packed"')[2].partition(">")[2].partition("<")[0]
    check(bool(found), "The page", "one that build() made", page[:40])
    small = base64.b64decode(found)
    text = lzma.decompress(small, format=lzma.FORMAT_RAW, filters=FILTERS).decode(ENCODING)
    data, _, script = text.partition("\0")
    return json.loads(data), script


def _by_language(words: Mapping[str, Mapping[str, str]], *, shown: Language) -> dict[str, Any]:
    """Keys, and the sentences of each language in their order, which packs well.

    Those that the page shows anyway are None, and read there.
    """
    there = {f"{name}.{key}" for name in NAMES for key in ("title", "text")}
    return {"keys": [*words]} | {
        tongue: [
            None if tongue == shown and key in there else text[tongue]
            for key, text in words.items()
        ]
        for tongue in LANGUAGES
    }


def _readable(language: Language) -> str:
    """What stands there until the script has run, or where none may."""
    page = load("explorer/page")
    parts = [f"<h1>{escape(page['title'][language])}</h1>"]
    parts.append(f"<p>{escape(page['opening'][language])}</p>")
    parts.append(f"<noscript><p>{escape(page['no-script'][language])}</p></noscript>")
    for name in NAMES:
        said = load(f"explorer/{name}")
        title, text = (escape(said[key][language]) for key in ("title", "text"))
        parts.append(
            f'<section id="{name}"><h2>{title}</h2>{view(name).picture()}<p>{text}</p></section>'
        )
    return "".join(parts)
