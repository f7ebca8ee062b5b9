"""``scripts/instructions`` without valgrind: what would be counted runs, and what is said of it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "scripts" / "instructions" / "__main__.py"


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("instructions", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("side", ["ours/fresh", "transformers"])
def test_every_step_that_is_counted_runs(script: ModuleType, side: str, dtype: str) -> None:
    names: dict[str, object] = {}
    exec(script.STEPS.format(side=side, dtype=dtype, steps=2), names)
    assert [len(x.shape) for x in names["run"]()] == [4, 4]


def test_differences_are_what_is_said(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def counted(code: str) -> int:
        steps = {f"range({n})": n * 7 for n in (script.FEW, script.MANY)}
        return 1000 + 30 * ("import" in code) + sum(n for key, n in steps.items() if key in code)

    monkeypatch.setattr(script, "instructions", counted)
    monkeypatch.setattr(sys, "argv", ["instructions"])
    script.main()
    found = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[-1] for line in found] == ["30", "30", "7", "7", "7", "7"]
    assert found[0][:2] == ["import", "numpy"]
