"""All figures, drawn once for every test that looks at the files."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from posenc import Rope, Yarn, figures
from posenc.figures import Saved

YARN = Rope(dim=128, layout="half", base=1e6, scaling=Yarn(factor=4.0, trained_length=32_768))
SLOW = sum(math.tau * 1e6 ** (2 * i / 128) > 32_768 for i in range(64))


@pytest.fixture(scope="package")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    folder = tmp_path_factory.mktemp("figures") / "made" / "on the way"
    return figures.save_all(folder, spec=YARN)


@pytest.fixture(scope="package")
def folder(saved: Saved) -> Path:
    return saved[0].parent


@pytest.fixture
def yarn() -> Rope:
    return YARN


@pytest.fixture
def slow() -> int:
    return SLOW
