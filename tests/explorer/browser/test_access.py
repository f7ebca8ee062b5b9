"""For readers of every kind: no rule of axe is broken, nothing runs off the screen."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from posenc.text import LANGUAGES

from .conftest import Tab, lacking

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = (390, 1200)
OTHERS = "details:not(:has(table))"


def size(width: int) -> Any:
    return {"width": width, "height": 900}


@pytest.mark.parametrize(
    ("language", "theme", "width"), [*itertools.product(LANGUAGES, ("light", "dark"), WIDTHS)]
)
def test_no_rule_is_broken(tab: Tab, language: str, theme: str, width: int) -> None:
    if not AXE.exists():
        lacking("axe-core is not installed: make web")
    page = tab(f"lang={language}&theme={theme}", wait=True, bypass_csp=True, viewport=size(width))
    # Tables are alike in every language and theme, and a hundred times as much to look at.
    which = "details" if (language, theme, width) == ("en", "light", 390) else OTHERS
    page.evaluate(f"document.querySelectorAll('{which}').forEach(each => each.open = true)")
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    broken = {
        each["id"]: [node["html"][:200] for node in each["nodes"]][:3]
        for each in found["violations"]
    }
    assert broken == {}


@pytest.mark.parametrize(("language", "width"), [*itertools.product(LANGUAGES, (320, *WIDTHS))])
def test_nothing_runs_off_the_side(tab: Tab, language: str, width: int) -> None:
    page = tab(f"lang={language}", viewport=size(width))
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_forced_colours_are_the_systems(tab: Tab) -> None:
    page = tab(forced_colors="active")
    assert all(each["ok"] for each in page.evaluate("posenc.ready().then(() => posenc.claims())"))
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--sin').trim()"
    assert page.evaluate(ink) == "CanvasText"


def test_every_picture_is_told_in_words(tab: Tab) -> None:
    page = tab(wait=True)
    for canvas in page.locator("canvas").all():
        told = page.evaluate(
            """canvas => ['aria-labelledby', 'aria-describedby'].map(
                 name => document.getElementById(canvas.getAttribute(name))?.textContent)""",
            canvas.element_handle(),
        )
        assert all(told), told


def test_on_paper_the_bar_stands_still(tab: Tab) -> None:
    page = tab()
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('header')).position") == "static"
