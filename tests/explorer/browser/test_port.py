"""A list or a config that is pasted is told what it is; what cannot be read, what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posenc
from posenc import explorer

from .conftest import Tab

PAPER = posenc.Sinusoidal(dim=64).frequencies()
LLAMA = {
    "head_dim": 128,
    "rope_theta": 500000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}


def listed(values: Any) -> str:
    return json.dumps(np.asarray(values, float).tolist())


def changed(**scaling: Any) -> str:
    return json.dumps(LLAMA | {"rope_scaling": LLAMA["rope_scaling"] | scaling})  # type: ignore[operator]


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        (listed(PAPER), "These are the frequencies of posenc.Sinusoidal(dim=64)."),
        (listed(PAPER.astype(np.float32)), "single precision"),
        (str(PAPER), "all digits that were pasted"),
        (listed(np.tile(PAPER, 2)), "Two copies"),
        (listed(np.repeat(PAPER, 2)), "stands there twice"),
        (listed(PAPER[::-1]), "Back to front"),
        (listed(PAPER * 7), "the angles of position 7"),
        (listed(PAPER / 8), "divided by 8"),
        (listed(1 / PAPER), "One over"),
        (listed(PAPER.astype(np.float16)), "rounded to float16"),
        (listed(PAPER**1.1), "25 118.8643"),
        (listed(posenc.Sinusoidal(dim=80).frequencies()), "the base is 10 000 at width 80"),
        (json.dumps(LLAMA), "Llama 3.1 8B"),
        (changed(factor=32.0), "posenc explore --config config.json"),
        (changed(beta=1.0), "posenc explore --config config.json"),
        (json.dumps(LLAMA | {"rope_scaling": {"rope_type": "llama3"}}), "not on this page"),
        (json.dumps(LLAMA | {"rope_scaling": None}), "rule default"),
        ("", "Paste numbers"),
        ("1, two, 3, 4", "“two” is not a number"),
        ("{", "no JSON"),
    ],
)
def test_what_is_pasted_is_told(tab: Tab, pasted: str, said: str) -> None:
    page = tab("view=port&embed=1&lang=en")
    page.locator("#port textarea").fill(pasted)
    told = page.locator("#port [role=status]").inner_text().replace("\u2009", " ")
    assert said in told


def test_a_page_of_a_config_knows_that_config_again(tab: Tab, tmp_path: Path) -> None:
    config = Path(__file__).parents[3] / "examples" / "qwen3-32b-yarn" / "config.json"
    path = tmp_path / "page.html"
    path.write_text(explorer.build(config=config), encoding="utf-8")
    page = tab("view=port&embed=1&lang=en", path=path)
    stated = json.loads(config.read_text("utf-8"))
    for rule, name in ((stated["rope_scaling"], "Rope (text 0–63),"), (None, "Sinusoidal")):
        whole = {**stated, "rope_scaling": rule}
        page.locator("#port textarea").fill(json.dumps(whole))
        told = page.locator("#port [role=status]").inner_text()
        assert name in told
        assert "not on this page" not in told


def test_every_example_finds_something_and_can_be_run(tab: Tab) -> None:
    page = tab("view=port&embed=1&lang=en")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    before = set()
    for button in page.locator("#port [role=group] button").all():
        button.click()
        before.add(page.locator("#port [role=status]").inner_text())
        page.locator("#port .copies button").first.click()
        exec(
            page.evaluate("copied"), {"print": lambda ratio: np.testing.assert_array_less(0, ratio)}
        )
    assert len(before) == 9


def test_the_first_difference_is_told_with_both_numbers(tab: Tab) -> None:
    page = tab("view=port&embed=1&lang=en")
    values = PAPER.copy()
    values[7] = 0.2
    page.locator("#port textarea").fill(listed(values))
    told = page.locator("#port [role=status]").inner_text()
    assert f"pair 7, 0.200000000 in place of {PAPER[7]:.9f}" in told


def test_another_language_keeps_what_was_pasted(tab: Tab) -> None:
    page = tab("view=port&embed=1&lang=en")
    page.locator("#port textarea").fill("1 2 3 x")
    page.evaluate("posenc.set({lang: 'zh'})")
    assert page.locator("#port textarea").input_value() == "1 2 3 x"
    assert "不是数字" in page.locator("#port [role=status]").inner_text()


def test_thousands_of_numbers_are_taken_at_once(tab: Tab) -> None:
    page = tab("view=port&embed=1&lang=en")
    text = " ".join(str(1 / (i + 1)) for i in range(5000))
    took = page.evaluate(
        """text => {
          const box = document.querySelector("#port textarea");
          box.value = text;
          const began = performance.now();
          box.dispatchEvent(new Event("input"));
          return performance.now() - began;
        }""",
        text,
    )
    assert took < 500
    assert "5000 pairs" in page.locator("#port [role=status]").inner_text()
