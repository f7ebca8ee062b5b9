"""The golden files: what the oracle writes today, from an oracle that knows nothing of posenc."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = sorted((ROOT / "golden").glob("*.json"))


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-B", str(root / "tools" / "golden.py"), "--check"]
    return subprocess.run(command, capture_output=True, text=True)


def numbers(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cases"]
    return cases


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("tools", "golden"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def test_files_are_what_the_oracle_writes() -> None:
    done = check(ROOT)
    assert done.returncode == 0, done.stderr


def test_a_changed_digit_is_found(copy: Path) -> None:
    path = copy / "golden" / "rope.json"
    text = path.read_text("utf-8")
    cosine = repr(numbers(path)[0]["cos"][0][0])
    path.write_text(text.replace(cosine, cosine[:-1] + str((int(cosine[-1]) + 1) % 10), 1), "utf-8")
    done = check(copy)
    assert done.returncode == 1
    assert done.stderr == "golden/rope.json is out of date: run `python tools/golden.py`.\n"


def test_an_oracle_that_disagrees_with_print_is_found(copy: Path) -> None:
    path = copy / "golden" / "printed.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace("-0.169559254", "-0.169559264"), "utf-8")
    done = check(copy)
    assert done.returncode == 1
    assert done.stderr.startswith("half-at-3: rotated is off by 2")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_case_names_are_unique(path: Path) -> None:
    names = [case["case"] for case in numbers(path)]
    assert len(names) == len(set(names)) > 0


def test_files_stay_small() -> None:
    assert 0 < sum(path.stat().st_size for path in GOLDEN) < 900_000


def test_oracle_imports_only_mpmath_and_itself() -> None:
    sources = [ROOT / "tools" / "golden.py", *(ROOT / "tools" / "oracle").rglob("*.py")]
    imported: set[str] = set()
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add("." * node.level + (node.module or ""))
    tops = {name.split(".")[0] for name in imported}
    assert "oracle" in tops
    assert tops - sys.stdlib_module_names == {"mpmath", "oracle"}
