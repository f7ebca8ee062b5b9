"""What the page works out is what Python works out, and a wrong number is seen."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc import Sinusoidal, bind, explorer
from posenc.explorer._page import packed, unpacked

from .conftest import Tab

PLACES = random.Random(0).sample(range(1024), 20)


def test_every_claim_passes(tab: Tab) -> None:
    page = tab(wait=True)
    claims = page.evaluate("posenc.ready().then(() => posenc.claims())")
    assert [each for each in claims if not each["ok"]] == []
    assert len(claims) == page.locator("[data-claim]").count()
    said = page.locator(".strip").inner_text()
    assert said.count(str(len(claims))) >= 2, said


@pytest.mark.parametrize(("dim", "base"), [(64, 10_000), (16, 100), (128, 500_000)])
def test_codes_are_those_of_a_fresh_computation(tab: Tab, dim: int, base: int) -> None:
    page = tab(f"dim={dim}&base={base}")
    made = page.evaluate("places => places.map(p => posenc.code(p))", PLACES)
    due = bind(Sinusoidal(dim=dim, base=base)).embed(np.array(PLACES), dtype=np.float64)  # type: ignore[misc]
    np.testing.assert_allclose(made, due, atol=1e-12, rtol=0)


def test_the_map_is_drawn_in_the_colours_of_its_numbers(tab: Tab) -> None:
    """Each cell's middle, read back from the canvas, is the colour that its number demands."""
    page = tab("view=map&embed=1&theme=light&p=500", viewport={"width": 1200, "height": 900})
    canvas = page.locator("#map canvas")
    read = canvas.evaluate(
        """canvas => {
          const scale = devicePixelRatio, wide = (canvas.width / scale - 68) * scale;
          const context = canvas.getContext("2d"), found = [];
          for (let y = 0; y < 64; y++) for (let x = 0; x < 64; x++) {
            const at = [(x + 0.5) * wide / 64, (y + 0.5) * canvas.height / 64].map(Math.floor);
            found.push([...context.getImageData(...at, 1, 1).data.slice(0, 3)]);
          }
          return found;
        }"""
    )
    paper, sine, cosine = (np.array(_colour(page, name)) for name in ("paper", "sin", "cos"))
    rows = bind(Sinusoidal(dim=64)).embed(np.arange(468, 532), dtype=np.float64)  # type: ignore[misc]
    value = np.asarray(rows)[..., None]
    due = paper + np.abs(value) * (np.where(value < 0, sine, cosine) - paper)
    off = np.abs(np.reshape(read, (64, 64, 3)) - due).max(-1)
    off[32] = off[:, :2] = 0  # under the frames of what is chosen
    assert (off <= 1).all(), np.argwhere(off > 1)[:5]


def test_a_bar_is_as_tall_as_its_number(tab: Tab) -> None:
    page = tab("view=bars&embed=1&theme=light&p=12", viewport={"width": 1200, "height": 900})
    tall = page.locator("#bars canvas").evaluate(
        """canvas => {
          const x = Math.floor((40 + 0.5) * canvas.width / 64), scale = devicePixelRatio;
          const column = canvas.getContext("2d").getImageData(x, 0, 1, 214 * scale).data;
          let count = 0;
          for (let y = 0; y < 214 * scale; y++)
            count += column[4 * y] < 20 && column[4 * y + 2] > 150;
          return count / scale;
        }"""
    )
    angle = 12 * 10_000 ** (-40 / 64)
    assert abs(tall - abs(np.sin(angle)) * 105) <= 1.5


@pytest.mark.parametrize("ladder", ["paper-64-10000", "rotary-8"])
def test_one_corrupted_number_turns_the_strip_red(
    tab: Tab, file: Path, tmp_path: Path, ladder: str
) -> None:
    page = file.read_text("utf-8")
    data, script = unpacked(page)
    stored = data["ladders"][ladder]
    if "frequencies" in stored:
        numbers = np.frombuffer(base64.b64decode(stored["frequencies"]), "<f8").copy()
        numbers[1] *= 1 + 1e-6
        stored["frequencies"] = base64.b64encode(numbers.tobytes()).decode()
    else:
        stored["ratio"] *= 1 + 1e-6
    start = page.index('<script type="text/plain"')
    end = page.index("</script>", start) + len("</script>")
    path = tmp_path / "broken.html"
    broken = packed(f"{json.dumps(data)}\0{script}")
    path.write_text(page[:start] + broken + page[end:], encoding="utf-8")
    shown = tab(path=path, wait=True)
    assert "bad" in shown.locator(".strip").get_attribute("class")
    assert shown.locator("li.bad").count() >= 1
    assert shown.locator("section.broken .therefore").count() >= 1


def test_the_notebook_frame_works_alone(browser: Any) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_content(
        f"<body>{explorer.show('bars', position=77, language='zh')._repr_html_()}</body>"
    )
    frame = page.frame_locator("iframe")
    frame.locator(".strip b").wait_for()
    assert frame.locator("section").count() == 1
    assert frame.locator("header input[type=number]").first.input_value() == "77"
    assert "✓" in frame.locator(".strip").inner_text()
    context.close()


def _colour(page: Any, name: str) -> list[int]:
    text = page.evaluate(
        f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()"
    )
    return [int(text[i : i + 2], 16) for i in (1, 3, 5)]
