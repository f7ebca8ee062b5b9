"""The file itself: text that reads without a script, the script, and what it is given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from os import PathLike
from typing import Any

from posenc.errors import check_known
from posenc.explorer._given import given
from posenc.explorer._payload import payload
from posenc.explorer._view import NAMES, view
from posenc.text import LANGUAGES, Language, load

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""What the browser is told to allow: nothing can be fetched or sent."""


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
    static = files("posenc.explorer").joinpath("static")
    style = static.joinpath("style.css").read_text("utf-8")
    script = static.joinpath("explorer.js").read_text("utf-8")
    title = load("explorer/page")["title"][tongue]
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if tongue == "zh" else "en"}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n<main>{_readable(tongue)}</main>\n"
        f'<script type="application/json" id="payload">{_inside_html(data)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _readable(language: Language) -> str:
    """What stands there until the script has run, or where none may."""
    page = load("explorer/page")
    parts = [f"<h1>{escape(page['title'][language])}</h1>"]
    parts.append(f"<p>{escape(page['opening'][language])}</p>")
    parts.append(f"<noscript><p>{escape(page['no-script'][language])}</p></noscript>")
    for name in NAMES:
        said = load(f"explorer/{name}")
        title, *rest = (escape(said[key][language]) for key in ("title", "question", "text"))
        told = "".join(f"<p>{each}</p>" for each in rest)
        parts.append(f"<section><h2>{title}</h2>{view(name).picture()}{told}</section>")
    return "".join(parts)


def _inside_html(data: Any) -> str:
    """JSON that no HTML parser takes for the end of a script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
