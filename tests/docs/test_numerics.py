"""The table of the page on numerics is what its script measures, and the script can say no."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "numerics"
PAGE = ROOT / "docs" / "explanation" / "numerics.md"

# All rows but that of generated code, which takes a C++ compiler.
ROWS = ("posenc, NumPy", "posenc, torch eager", "posenc, JAX", "tr", "ro", "x-", "positional")
MOST = [word for row in ROWS for word in ("--only", row)]
TINY = ["--window", "16"]

pytestmark = pytest.mark.upstream


def run(*arguments: str, first: str = "") -> subprocess.CompletedProcess[str]:
    code = f"""
import runpy, sys
sys.path.insert(0, {str(SCRIPT)!r})
{first}
sys.argv[0] = "numerics"
runpy.run_path({str(SCRIPT)!r}, run_name="__main__")
"""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=ROOT)


def test_the_page_says_what_is_measured() -> None:
    done = run("--check", *TINY, *MOST)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_page_says_what_is_measured_of_generated_code_too() -> None:
    done = run("--check", *TINY)
    assert done.returncode == 0, done.stderr
    done = run("--random", "2000")
    assert done.returncode == 0, done.stdout


def test_a_page_that_says_otherwise_is_found_and_written_anew(tmp_path: Path) -> None:
    page, only = tmp_path / "page.md", ["--only", "posenc, NumPy"]
    text = PAGE.read_text("utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| posenc, NumPy |"))
    page.write_text(text.replace(row, row.replace("3.0e-08", "3.0e-09", 1)), "utf-8")
    done = run("--check", "--page", str(page), *TINY, *only)
    assert done.returncode == 1
    assert "posenc, NumPy in float32: the page says 3.0e-09, measured 3.0e-08" in done.stderr
    assert run("--write", "--page", str(page), *TINY, *only).returncode == 0
    assert run("--check", "--page", str(page), *TINY, *only).returncode == 0
    assert page.read_text("utf-8").count("\n| ") == text.count("\n| ")
    before, after = (t.partition("<!-- scripts/numerics -->")[0] for t in (text, page.read_text()))
    assert before == after
    assert page.read_text("utf-8").endswith(text[-2000:])


def test_random_positions() -> None:
    done = run("--random", "500", *MOST[:6])
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("within") == 5


def test_an_error_over_the_bound_is_said() -> None:
    """Half a bit of float32 less than a float32 table can keep."""
    tight = "import ours; ours.WAYS = {n: (1e-8, c) for n, (_, c) in ours.WAYS.items()}"
    done = run("--random", "50", "--only", "posenc, NumPy", first=tight)
    assert done.returncode == 1
    assert "OVER 1e-08" in done.stdout


def test_a_wrong_truth_stops_it() -> None:
    wrong = "import exact; f = exact.cosines; exact.cosines = lambda *g: f(*g) + 1e-13"
    done = run("--random", "50", "--only", "posenc, NumPy", first=wrong)
    assert done.returncode == 1
    assert "from mpmath's" in done.stderr
