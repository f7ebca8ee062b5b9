"""Files: all of them, the same bytes each time, and nothing but them."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from PIL import Image

from posenc import EncodingError, figures
from posenc.figures import Saved, _fonts
from posenc.figures._registry import PICTURES
from posenc.text import LANGUAGES, load


def run(code: str, *arguments: str, seed: str = "0") -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def test_every_file_is_there_and_no_other(saved: Saved, folder: Path) -> None:
    expected = {
        f"{name}.{language}.{kind}"
        for name, picture in PICTURES.items()
        for language in LANGUAGES
        for kind in ("png", "svg", "gif")[: 3 if picture.moves else 2]
    }
    assert {path.name for path in folder.iterdir()} == {path.name for path in saved} == expected
    assert len(saved) == len(expected)


def test_sizes(saved: Saved) -> None:
    for path in saved:
        weight = path.stat().st_size
        name = path.name.partition(".")[0]
        if path.suffix == ".png":
            with Image.open(path) as image:
                assert image.size == tuple(round(160 * side) for side in PICTURES[name].size)
                darkest, lightest = image.convert("L").getextrema()
            assert 5_000 < weight < 250_000
            assert lightest == 255 > 80 > darkest, f"{path.name} is blank"
        elif path.suffix == ".svg":
            assert 10_000 < weight < 250_000
        else:
            assert 500_000 < weight < 3_000_000


def test_titles_are_in_the_files(folder: Path) -> None:
    title = load("figures")["sinusoid"]["en"]
    with Image.open(folder / "sinusoid.en.png") as image:
        assert image.text == {"Title": title}  # no version, no date
    svg = ET.parse(folder / "sinusoid.en.svg")
    assert title in [element.text for element in svg.iter() if element.tag.endswith("}title")]
    assert not [element for element in svg.iter() if element.tag.endswith("}date")]


def test_svg_needs_no_font(folder: Path) -> None:
    assert "<text" not in (folder / "five-places.zh.svg").read_text("utf-8")


def test_the_same_bytes_in_another_process(folder: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from posenc import figures\n"
        "figures.save_all(sys.argv[1], languages=['en'], names=['sinusoid', 'steps', 'distance'])\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    assert run(code, str(tmp_path), seed="1").strip() == "False"
    files = sorted(tmp_path.iterdir())
    assert len(files) == 7
    for path in files:
        assert path.read_bytes() == (folder / path.name).read_bytes(), path.name


def test_the_reader_s_own_style_changes_nothing(folder: Path, tmp_path: Path) -> None:
    with matplotlib.rc_context({"axes.grid": True, "font.size": 20, "savefig.bbox": "tight"}):
        figures.save_all(tmp_path, languages=["en"], names=["curves"])
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()


def test_importing_draws_nothing() -> None:
    code = "import sys, posenc.figures as f; f.names(); f.available(); print(*sys.modules)"
    assert {"matplotlib", "PIL", "rich", "torch"} & set(run(code).split()) == set()


@pytest.mark.parametrize("position", [1, 37, 700])
def test_frames_of_the_animation_show_the_code(folder: Path, position: int) -> None:
    with Image.open(folder / "steps.zh.gif") as image:
        assert (image.n_frames, image.size) == (1024, (640, 300))
        assert image.info["loop"] == 0
        image.seek(position)
        pixels = np.asarray(image.convert("RGB")).astype(int)
    blue, orange = [0x00, 0x72, 0xB2], [0xD5, 0x5E, 0x00]
    pair = 10_000.0 ** (-np.arange(0, 64, 2) / 64)
    for dim in range(64):
        angle = position * pair[dim // 2]
        value = np.cos(angle) if dim % 2 else np.sin(angle)
        column = pixels[53:254, 46 + 9 * dim + 4]  # 1 is at row 53, -1 at row 253
        painted = np.flatnonzero((column == (orange if dim % 2 else blue)).all(-1))
        inside = 100 - painted[painted != 100]  # rows above the zero line
        reach = 0 if inside.size == 0 else inside[np.abs(inside).argmax()]
        assert abs(reach - 100 * value) <= 1.6, (dim, reach, value)


def test_chinese_without_a_font(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_fonts, "chinese_font", lambda: None)
    saved = figures.save_all(tmp_path, names=["curves"], formats=["png"])
    assert [path.name for path in saved] == ["curves.en.png", "curves.zh.png"]
    assert (tmp_path / "curves.zh.png").read_bytes() == (folder / "curves.en.png").read_bytes()
    assert saved.notes == [load("figures")["no-chinese-font"]]


def test_notes_only_where_there_is_one(saved: Saved) -> None:
    assert bool(saved.notes) == (_fonts.chinese_font() is None)
    assert figures.Saved().notes == []


def test_fonts_are_judged_by_their_characters() -> None:
    from matplotlib.font_manager import fontManager

    assert not _fonts._complete(fontManager, "DejaVu Sans")
    found = _fonts.chinese_font()
    assert found is None or _fonts._complete(fontManager, found)


def test_english_needs_no_font_but_matplotlib_s() -> None:
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    font = get_font(fontManager.findfont(FontProperties(family="DejaVu Sans")))
    used = {c for text in load("figures").values() for c in text["en"]}
    assert [c for c in used if not font.get_char_index(ord(c))] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"directory": 3}, r"^save_all\(\): directory must be a path; got 3\.$"),
        ({"languages": ["fr"]}, r"^save_all\(\): language must be 'en' or 'zh'; got 'fr'\.$"),
        ({"languages": "en"}, r"^save_all\(\): languages must be a list; got 'en'\.$"),
        (
            {"formats": ["pdf"]},
            r"^save_all\(\): formats must be of 'png', 'svg' and 'gif'; got 'pdf'\.$",
        ),
        (
            {"names": ["curve"]},
            r"^save_all\(\): name must be a figure; got 'curve'\. Did you mean 'curves'\?$",
        ),
        ({"names": ["wavelengths"]}, r"^save_all\(\): spec must be a rotary spec; got None\. "),
    ],
)
def test_refusals_write_nothing(arguments: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match=message):
        figures.save_all(**{"directory": tmp_path / "out", **arguments})
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(
        EncodingError, match=r"^save_all\(\): directory must be a folder that can be"
    ):
        figures.save_all(tmp_path / "out" / "figures")


def test_pictures_of_the_readme() -> None:
    folder = Path(__file__).parents[2] / "docs" / "_static"
    for language in LANGUAGES:
        path = folder / f"sinusoid.{language}.png"
        assert path.stat().st_size < 150_000
        with Image.open(path) as image:
            assert image.size == tuple(round(160 * side) for side in PICTURES["sinusoid"].size)
