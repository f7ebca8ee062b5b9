"""`import posenc` is nearly free, and reading a config needs no framework."""

import subprocess
import sys

import pytest

FRAMEWORKS = {"jax", "numba", "torch", "transformers"}
HEAVY = FRAMEWORKS | {
    "array_api_compat.numpy",
    "hypothesis",
    "importlib.metadata",
    "matplotlib",
    "PIL",
    "pydantic",
    "rich",
    "scipy",
    "typer",
}


def loaded(statement: str) -> set[str]:
    """Names of the modules that a fresh interpreter holds after ``statement``."""
    code = f"{statement}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        ("import posenc", HEAVY),
        ("import posenc.inspect", FRAMEWORKS),
        ("import posenc.bench", FRAMEWORKS | {"matplotlib", "rich", "typer"}),
        ("import posenc.cli", FRAMEWORKS | {"matplotlib", "scipy"}),
    ],
)
def test_import_loads_nothing_heavy(statement: str, forbidden: set[str]) -> None:
    assert loaded(statement) & forbidden == set()


def test_the_check_can_fail() -> None:
    assert loaded("import posenc, typer, array_api_compat.numpy") & HEAVY >= {
        "array_api_compat.numpy",
        "typer",
    }
