"""Questions are answered by keys and mouse, kept where the reader wants it, and forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .conftest import Tab

ASKED = "#recall legend"


def answer(page: Any) -> bool:
    """Give the first answer that there is; whether it was right."""
    options = page.locator("#recall [data-option]")
    if options.count():
        options.first.click()
    else:
        page.locator("#recall .ask input").fill("1")
        page.locator("#recall .ask button").click()
    said: str = page.locator("#recall [role=status] b").first.inner_text()
    return said.strip() == "✓"


def test_it_comes_to_an_end_and_begins_again(tab: Tab) -> None:
    page = tab("view=recall&lang=en")
    seen: list[str] = []
    for _ in range(14):
        seen.append(page.locator(ASKED).inner_text())
        missed = not answer(page)
        if missed and len(seen) == 1:
            again = seen[0]
        page.locator("#recall").get_by_role("button", name="Next", exact=True).click()
    assert seen.count(again) > 1
    assert seen[3] == again


def test_the_link_leads_to_the_view(tab: Tab) -> None:
    page = tab("view=recall&lang=en")
    answer(page)
    link = page.locator("#recall [role=status] a")
    view = link.get_attribute("href").partition("=")[2]
    link.click()
    assert page.evaluate("posenc.state().view") == view


def test_keys_are_enough(tab: Tab) -> None:
    page = tab("view=recall&embed=1&lang=en")
    before = page.locator(ASKED).inner_text()
    page.locator("#recall [data-option]").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Next"
    page.keyboard.press("Enter")
    assert page.locator(ASKED).inner_text() != before


def test_nothing_is_kept_unasked_and_what_is_kept_can_be_forgotten(tab: Tab) -> None:
    page = tab("view=recall&embed=1&lang=en")
    answer(page)
    page.locator("#recall").get_by_role("button", name="Next", exact=True).click()
    stored = "Object.keys(localStorage).length"
    assert page.evaluate(stored) == 0
    page.get_by_label("Remember").check()
    assert page.evaluate(stored) == 1
    now = page.locator(ASKED).inner_text()
    page.reload()
    assert page.locator(ASKED).inner_text() == now
    page.get_by_role("button", name="Forget everything").click()
    assert page.evaluate(stored) == 0
    assert not page.get_by_label("Remember").is_checked()


def test_another_language_keeps_the_question_and_the_guess(tab: Tab) -> None:
    page = tab("view=recall&embed=1&lang=en")
    answer(page)
    page.evaluate("posenc.set({lang: 'zh'})")
    assert page.get_by_role("button", name="下一题").is_visible()


def test_a_frame_without_an_origin_offers_no_memory(tab: Tab, file: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer.html"
    frame = f'<iframe sandbox="allow-scripts" src="{file.as_uri()}#view=recall&embed=1"></iframe>'
    outer.write_text(frame, "utf-8")
    page = tab(path=outer)
    inner = page.frame_locator("iframe")
    inner.locator("#recall legend").wait_for()
    assert inner.locator("#recall [data-option], #recall .ask input").count()
    assert not inner.locator("#recall input[type=checkbox]").count()
