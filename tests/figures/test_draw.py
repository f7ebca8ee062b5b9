"""Each figure shows the numbers of the library, and these are the numbers that they have to be."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from posenc import EncodingError, Rope, Sinusoidal, figures
from posenc.figures import _animation, _style
from posenc.figures._registry import PICTURES
from posenc.text import LANGUAGES, load

PLAIN = [name for name, picture in PICTURES.items() if not picture.of_spec]

# Written by hand, from papers and arithmetic.
SHOWN = {
    "drowned": ["2174 times as large", "cat and dog alone: 99.76°", "0.0548°"],
    "bit-flips": ["7 → 8 flips 4 bits, 0 → 8 only 1"],
    "curves": ["channel 0: 10.03 turns", "channel 10: 2.38 turns", "channel 30: 0.13 turns"],
    "four-panels": ["√32 = 5.656854", "cos(PE(p), PE(p+1)) = 0.966151"],
    "distance": [
        "the first rise, k = 5 to 6:\n23.504 to 23.559",
        "least: −1.417 at k = 965",
        "far: 48.8 % of the steps rise",
    ],
    "gpt2-input": ["50257×768", "1024×768", "768→2304", "(n, 2304)", "(12, n, 64)"],
    "oblique-axes": ["1.422650", "1.154701", "2.0", "60°"],
    # (1, 2, 3) and (1, 2, 9): 32 / sqrt(14 * 86)
    "drop-height": ["with the height: cosine 0.9222", "without it: cosine 1.0000"],
}


def texts(figure: Any) -> list[str]:
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def code(count: int) -> np.ndarray:
    """The sinusoidal code of width 64, straight from the paper's formula."""
    angle = np.arange(count)[:, None] * 10_000.0 ** (-np.arange(0, 64, 2) / 64)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(count, 64)


def test_names() -> None:
    assert figures.names() == list(PICTURES)
    assert {"sinusoid", "heat-map", "heat-map-100", "four-panels", "steps"} <= set(figures.names())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PLAIN)
def test_every_figure_draws_under_its_title(name: str, language: Any) -> None:
    figure = figures.draw(name, language=language)
    titles = load("figures")[name]
    assert {titles[language], titles["en"]} & set(texts(figure))
    assert tuple(figure.get_size_inches()) == PICTURES[name].size


@pytest.mark.parametrize("name", SHOWN)
def test_the_numbers_shown(name: str) -> None:
    assert set(SHOWN[name]) <= set(texts(figures.draw(name)))


@pytest.mark.parametrize(("name", "count"), [("heat-map", 64), ("heat-map-100", 100)])
def test_the_heat_map_holds_the_code(name: str, count: int) -> None:
    (image,) = figures.draw(name).axes[0].images
    np.testing.assert_allclose(image.get_array(), code(count), atol=1e-12)
    assert (image.norm.vmin, image.norm.vmax) == (-1, 1)


@pytest.mark.parametrize("cell", [(0, 0), (1, 0), (5, 0), (11, 4), (63, 62), (40, 21)])
def test_pixels_have_the_color_of_their_value(cell: tuple[int, int]) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = figures.draw("heat-map")
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    row, column = cell
    x, y = figure.axes[0].transData.transform((column, row))
    pixels = np.asarray(canvas.buffer_rgba())
    seen = pixels[int(pixels.shape[0] - y), int(x), :3]
    value = code(64)[cell]
    # From white-gray to orange (D55E00) above zero, to blue (0072B2) below.
    end = np.array([0xD5, 0x5E, 0x00] if value > 0 else [0x00, 0x72, 0xB2])
    np.testing.assert_allclose(seen, 0xF7 + abs(value) * (end - 0xF7), atol=2.5)


def test_curves_are_columns_of_the_code() -> None:
    for axes, dim in zip(figures.draw("curves").axes, (0, 10, 30), strict=True):
        dots = axes.lines[-1].get_ydata()
        np.testing.assert_allclose(dots, code(64)[:, dim], atol=1e-12)


def test_the_same_distances_from_three_positions() -> None:
    near = figures.draw("distance").axes[0]
    # The ledger's numbers for k = 0, 1, 2, 4, 8, 16, 32, 64.
    expected = [32, 30.916832, 28.303862, 23.934362, 22.413912, 19.372820, 19.553972, 13.906089]
    series = [line for line in near.lines if str(line.get_label()).startswith("p = ")]
    assert [line.get_label() for line in series] == ["p = 0", "p = 20", "p = 100"]
    for line in series:
        np.testing.assert_allclose(line.get_ydata(), expected, atol=5e-7)


def test_layer_norm_comes_before_the_projection() -> None:
    figure = figures.draw("gpt2-input")
    at = {text.get_text(): text.get_position()[0] for text in figure.axes[0].texts}
    assert at["wte"] == at["wpe"] < at["+"] < at["ln_1"] < at["c_attn"] < at["q"]


def test_wavelengths(yarn: Rope, slow: int) -> None:
    figure = figures.draw("wavelengths", spec=yarn)
    shown = texts(figure)
    assert f"{slow} of 64 pairs never finish a turn in training" in shown
    assert {"trained: 32\N{THIN SPACE}768", "extended to 131\N{THIN SPACE}072"} <= set(shown)
    plain, scaled = (line.get_ydata() for line in figure.axes[0].lines[:2])
    np.testing.assert_allclose(plain, math.tau * 1e6 ** (np.arange(64) / 64), rtol=1e-12)
    np.testing.assert_allclose([scaled[0], scaled[-1]], [plain[0], 4 * plain[-1]], rtol=1e-12)


def test_wavelengths_of_what_does_not_say_its_length() -> None:
    rope = Rope(dim=64, layout="interleaved")
    assert not any("training" in text for text in texts(figures.draw("wavelengths", spec=rope)))
    told = texts(figures.draw("wavelengths", spec=rope, trained_length=1024))
    assert "14 of 32 pairs never finish a turn in training" in told


def test_every_text_is_used(monkeypatch: pytest.MonkeyPatch, yarn: Rope) -> None:
    used = set()

    def recorded(file: str, key: str, language: Any, **slots: object) -> str:
        used.add(key)
        return str(load(file)[key][language]).format(**slots)

    monkeypatch.setattr(_style, "sentence", recorded)
    for name, picture in PICTURES.items():
        figures.draw(name, spec=yarn if picture.of_spec else None)
    _animation._still(_style.Words("en"))
    assert used == set(load("figures")) - {"no-chinese-font"}


def test_nothing_is_written_and_no_setting_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = dict(matplotlib.rcParams)
    figures.draw("curves", language="zh")
    assert dict(matplotlib.rcParams) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"name": "sinusoids"},
            r"^draw\(\): name must be a figure; got 'sinusoids'\. Did you mean 'sinusoid'\?$",
        ),
        ({"name": 3}, r"^draw\(\): name must be a figure; got 3\. Known: "),
        (
            {"name": "curves", "language": "fr"},
            r"^draw\(\): language must be 'en' or 'zh'; got 'fr'\.$",
        ),
        ({"name": "wavelengths"}, r"^draw\(\): spec must be a rotary spec; got None\. "),
        ({"name": "wavelengths", "spec": Sinusoidal(dim=8)}, r"^draw\(\): spec must be a rotary"),
        (
            {"name": "wavelengths", "spec": Rope(dim=8, layout="half"), "trained_length": 0},
            r"^draw\(\): trained_length must be an integer of at least 1; got 0\.$",
        ),
    ],
)
def test_refusals(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        figures.draw(arguments.pop("name"), **arguments)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not figures.available()
    sentence = r"^matplotlib must be installed; got None\. Run pip install 'posenc\[plot\]'\.$"
    with pytest.raises(EncodingError, match=sentence):
        figures.draw("curves")
    with pytest.raises(EncodingError, match=sentence):
        figures.save_all(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
