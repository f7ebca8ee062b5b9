"""Keys, mouse, touch, the address, the player and the language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from posenc import explorer

from .conftest import Tab, until


def state(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("({...posenc.state()})")
    return found


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("ArrowRight", 13), ("ArrowLeft", 11), ("Shift+ArrowRight", 20), ("Shift+ArrowLeft", 4),
        ("PageUp", 76), ("PageDown", 0), ("Home", 0), ("End", 1023),
    ],
)  # fmt: skip
def test_keys_move_the_position(tab: Tab, key: str, place: int) -> None:
    page = tab()
    page.locator("#bar-p").focus()
    page.keyboard.press(key)
    assert state(page)["p"] == place


def test_a_number_is_typed(tab: Tab) -> None:
    page = tab()
    box = page.locator("header input[type=number]").first
    box.fill("5000")
    box.press("Enter")
    assert state(page)["p"] == 1023
    assert box.input_value() == "1023"


def test_steps_and_player(tab: Tab) -> None:
    page = tab("p=100&speed=120")
    page.get_by_role("button", name="position 64", exact=True).click()
    assert state(page)["p"] == 164
    page.locator("h1").click()
    page.keyboard.press("Space")
    until(page, "posenc.state().p > 170")
    page.keyboard.press("Space")
    stopped = state(page)["p"]
    page.wait_for_timeout(100)
    assert state(page)["p"] == stopped


def test_space_plays_where_a_slider_was_dragged(tab: Tab) -> None:
    page = tab("p=100&speed=120")
    page.locator("#bar-p").focus()
    page.keyboard.press("Space")
    until(page, "posenc.state().p > 102")
    page.locator("header input[type=number]").first.focus()
    page.keyboard.press("Space")
    until(page, "posenc.state().p > 120")  # a box takes what is typed


def test_the_list_of_views_closes_behind_a_choice(tab: Tab) -> None:
    page = tab("lang=en")
    page.get_by_text("All views").click()
    page.locator("nav a").nth(7).click()
    assert not page.locator("nav").is_visible()


def test_where_nothing_can_be_copied_the_text_is_shown(tab: Tab) -> None:
    page = tab("view=bars&embed=1&lang=en")
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(1))")
    for _ in range(2):
        page.get_by_role("button", name="Copy Python").click()
    assert "import numpy as np, posenc" in page.locator(".copies pre").inner_text()


def test_with_little_motion_the_player_leaps(tab: Tab) -> None:
    page = tab("p=0&speed=120", reduced_motion="reduce")
    page.evaluate("window.seen = new Set(); setInterval(() => seen.add(posenc.state().p), 5)")
    page.locator("button.play").click()
    until(page, "posenc.state().p >= 48")
    page.locator("button.play").click()
    assert all(p % 16 == 0 for p in page.evaluate("[...seen]"))


def test_the_mouse_picks_and_drags(tab: Tab) -> None:
    page = tab("view=bars&embed=1", viewport={"width": 1200, "height": 900})
    box = page.locator("#bars canvas").bounding_box()
    at = lambda pair: (box["x"] + (pair + 0.5) * box["width"] / 32, box["y"] + 50)  # noqa: E731
    page.mouse.move(*at(5))
    page.mouse.down()
    assert state(page)["pair"] == 5
    page.mouse.move(*at(20), steps=5)
    page.mouse.up()
    assert state(page)["pair"] == 20


def test_a_finger_picks(tab: Tab) -> None:
    page = tab("view=clocks&embed=1", has_touch=True, viewport={"width": 390, "height": 800})
    page.locator("#clocks canvas").tap(position={"x": 5, "y": 5})
    assert state(page)["pair"] == 0
    box = page.locator("#clocks canvas").bounding_box()
    page.locator("#clocks canvas").tap(position={"x": box["width"] * 0.6, "y": 5})
    assert state(page)["pair"] == 3


def test_back_and_forward(tab: Tab) -> None:
    page = tab("p=3")
    for place in (40, 41):
        page.evaluate("p => posenc.set({p})", place)
        until(page, f"location.hash.includes('p={place}')")
    page.go_back()
    until(page, "posenc.state().p === 40")
    page.go_back()
    until(page, "posenc.state().p === 3")
    page.go_forward()
    until(page, "posenc.state().p === 40")
    assert "p=40" in page.url


def test_the_address_holds_all_that_is_set(tab: Tab) -> None:
    page = tab()
    page.evaluate(
        "posenc.set({p: 333, k: 21, pair: 9, layout: 'half', base: '100', theme: 'dark'})"
    )
    until(page, "location.hash.includes('theme=dark')")
    before = state(page)
    again = tab(page.evaluate("location.hash.slice(1)"))
    assert state(again) == before


@pytest.mark.parametrize(
    "address",
    ["p=x&k=-5&pair=1e9&layout=no&view=nothing", "p=%00&%%%", "embed=1&view=none", "=&&p"],
)
def test_an_address_that_makes_no_sense_does_no_harm(tab: Tab, address: str) -> None:
    page = tab(address)
    assert all(each["ok"] for each in page.evaluate("posenc.ready().then(() => posenc.claims())"))


def test_the_language_changes_and_nothing_else(tab: Tab) -> None:
    page = tab("p=200&lang=en")
    before = state(page)
    page.evaluate("posenc.set({lang: 'zh'})")
    page.evaluate("posenc.ready()")
    assert state(page) == {**before, "lang": "zh"}
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    assert "位置" in page.locator("h1").inner_text()
    assert all(each["ok"] for each in page.evaluate("posenc.ready().then(() => posenc.claims())"))


def test_it_reads_without_a_script(tab: Tab) -> None:
    page = tab(java_script_enabled=False)
    assert page.locator("section").count() == len(explorer.NAMES)
    assert page.locator("section svg").count() == len(explorer.NAMES)


def test_what_was_asked_for_comes_first(tab: Tab, tmp_path: Path) -> None:
    path = tmp_path / "asked.html"
    path.write_text(explorer.build("rope-yarn", "alibi"), encoding="utf-8")
    page = tab(path=path)
    assert page.locator("section").first.get_attribute("id") == "given"
    assert all(each["ok"] for each in page.evaluate("posenc.ready().then(() => posenc.claims())"))
    page.evaluate("posenc.set({which: '1', scheme: 'given-0'})")
    assert state(page)["which"] == "1"
