"""The encoding of the how-to, installed as a package and used as the page says."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "add-an-encoding.md").read_text("utf-8")
NOISE = re.compile(r"\d(\\.\d+)?e\\-1\d")  # escaped


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages that holds the one of the page."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "triangles.py").write_text(blocks("python")[0], "utf-8")
    points = tomllib.loads(blocks("toml")[0])["project"]["entry-points"]
    lines = [
        f"[{group}]\n{name} = {at}\n" for group, of in points.items() for name, at in of.items()
    ]
    record = folder / "triangles-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: triangles\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("".join(lines))
    return folder


def run(site: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONUTF8": "1", "COLUMNS": "100"}
    python = [sys.executable, "-W", "error"]
    done = subprocess.run(
        [*python, *command], env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("shown", blocks("console"), ids=lambda shown: shown.split("\n")[0])
def test_commands_print_what_the_page_shows(shown: str, site: Path) -> None:
    command, _, due = shown.removeprefix("$ ").partition("\n")
    printed = run(site, "-m", *shlex.split(command), "--lang", "en")
    lines = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    left_out = "(?:.*\n)*"
    # What is nothing but rounding is another on each processor.
    parts = (NOISE.sub(r"\\d\\S*e-1\\d", re.escape(part)) for part in due.split("...\n"))
    assert re.fullmatch(left_out.join(parts), lines)


def test_it_joins_the_list(site: Path) -> None:
    listed = run(site, "-m", "posenc", "list", "--lang", "en")
    assert re.search(r"\ntriangles +2026 +a triangle.*\n +\(plug-in of triangles\)\n", listed)


@pytest.mark.parametrize("xp", ["numpy-readonly", "torch", "jax", "array-api-strict"])
def test_the_laws_hold_in_every_library(xp: str, site: Path) -> None:
    code = f"""
from posenc.testing import check_encoding
from triangles import Triangles
print(*check_encoding(Triangles(dim=6), xp={xp!r}))
"""
    names = run(site, "-c", code).split()
    assert {"dtype-kept", "finite", "pickles", "different-specs-differ"} <= set(names)
