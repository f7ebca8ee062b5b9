"""The font for Chinese labels: one that is installed and has every character they use."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from posenc.text import load

_FAMILIES = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN"),
    *("PingFang SC", "Hiragino Sans GB", "Heiti SC", "STHeiti", "Microsoft YaHei", "DengXian"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei", "Noto Sans CJK JP", "Heiti TC"),
    *("Noto Serif CJK SC", "Songti SC", "SimSun", "AR PL UMing CN", "Droid Sans Fallback"),
    "Arial Unicode MS",
)
_FILES = (
    *("notosanscjk", "notosanssc", "sourcehansans", "pingfang", "hiragino", "heiti", "msyh"),
    *("deng", "wqy", "simhei", "notoserifcjk", "songti", "simsun", "uming", "droidsansfallback"),
    "arialuni",
)


@cache
def chinese_font() -> str | None:
    """The family that Chinese labels are set in; None if no installed font has them all.

    Then Chinese figures carry English labels, for there is nothing to draw the others with.
    Needs matplotlib.
    """
    from matplotlib import font_manager

    manager = font_manager.fontManager
    if font := _first(manager):
        return font
    # Matplotlib remembers the fonts of its first run; one installed since is found by its file.
    for path in sorted(font_manager.findSystemFonts()):
        if Path(path).stem.lower().replace(" ", "").startswith(_FILES):
            with suppress(OSError, RuntimeError):  # a broken file is no font
                manager.addfont(path)
    return _first(manager)


def _first(manager: Any) -> str | None:
    installed = {entry.name for entry in manager.ttflist if Path(entry.fname).is_file()}
    return next((f for f in _FAMILIES if f in installed and _complete(manager, f)), None)


def _complete(manager: Any, family: str) -> bool:
    """Whether the family, or the font that stands in for its gaps, has every character."""
    from matplotlib.font_manager import get_font

    fonts = [get_font(manager.findfont(name)) for name in (family, "DejaVu Sans")]
    used = {c for text in load("figures").values() for c in text["zh"]}
    return all(any(font.get_char_index(ord(c)) for font in fonts) for c in used)
