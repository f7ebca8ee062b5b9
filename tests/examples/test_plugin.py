"""The example plug-in, built and installed as a package, is an encoding like any other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"


def run(site: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "100"}
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(site), os.environ.get("PYTHONPATH")])
    )
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages: what pip builds and puts there, with no network."""
    folder = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(PLUGIN, folder / "source")  # a build must leave nothing in ours
    install = ["pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    run(folder, "-m", *install, "--no-compile", "--target", str(folder / "site"), str(source))
    return folder / "site"


def posenc(site: Path, *words: str) -> str:
    return run(site, "-W", "error", "-m", "posenc", *words, "--lang", "en")


def test_it_is_in_the_list_with_its_package(site: Path) -> None:
    words = posenc(site, "list").split("\ntriangle-waves ")[1].split()
    assert words[0] == "2026"
    assert "(plug-in of posenc-triangles)" in " ".join(words)


def test_show_takes_its_name(site: Path) -> None:
    shown = posenc(site, "show", "triangle-waves", "--dim", "6")
    assert "TriangleWaves(dim=6)" in shown
    assert "4 |frac(p / period + phase) - 1/2| - 1" in shown


def test_compare_takes_its_name(site: Path) -> None:
    compared = posenc(site, "compare", "triangle-waves", "sinusoidal")
    assert compared.split()[:2] == ["triangle-waves", "sinusoidal"]
    assert "any length yes 1 yes 1" in " ".join(compared.split())


def test_prove_holds_it_to_the_laws(site: Path) -> None:
    claims = json.loads(posenc(site, "prove", "--spec", "triangle-waves", "--json"))["claims"]
    assert len(claims) >= 14
    assert all(claim["ok"] for claim in claims)


def test_its_own_tests_pass(site: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(site)]
    printed = run(site, "-m", "pytest", *options, str(PLUGIN / "tests"))
    assert " passed" in printed


@pytest.mark.parametrize("xp", ["numpy-readonly", "torch", "jax", "array-api-strict"])
def test_the_laws_hold_in_every_library(site: Path, xp: str) -> None:
    code = f"""
from posenc.testing import check_encoding
from posenc_triangles import TriangleWaves
print(*check_encoding(TriangleWaves(dim=6), xp={xp!r}))
"""
    assert {"dtype-kept", "finite", "pickles"} <= set(run(site, "-c", code).split())
