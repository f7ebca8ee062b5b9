"""The prepared run for a GPU runs without one, in Triton's interpreter, and can say no."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [ROOT / "scripts" / "gpu-check", *arguments]
    given = {**os.environ, "PYTHON": sys.executable, **environment}
    return subprocess.run(command, capture_output=True, text=True, env=given, check=False)


@pytest.mark.triton
def test_a_smoke_run_checks_everything_and_promises_nothing(tmp_path: Path) -> None:
    done = run("--smoke", "--json", str(tmp_path / "found.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    names = [row["case"] for row in found["equality"]]
    for part in ("interleaved", "back", "sections", "head_axis", "input", "gradient", "in place"):
        assert any(part in name for name in names), part
    assert all(row["ok"] and row["share"] <= 1 for row in found["equality"])
    assert {(row["case"], row["dtype"]) for row in found["bandwidth"]} == {
        (case, dtype) for case in ("prefill", "decode") for dtype in ("bfloat16", "float32")
    }
    assert all("posenc, fresh" in row["ways"] for row in found["bandwidth"])
    assert "GB/s" not in done.stdout


@pytest.mark.triton
def test_a_wrong_kernel_is_told(tmp_path: Path) -> None:
    """Turned the other way, by a kernel that was tampered with before anything ran."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nos.environ['TRITON_INTERPRET'] = '1'\n"
        "from posenc.kernels import _gpu\nlaunch = _gpu.launch\n"
        "def wrong(*given):\n    launch(*given[:8], not given[8], *given[9:])\n"
        "_gpu.launch = wrong\n"
    )
    done = run("--smoke", "--only", "10 channels", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "WRONG: 10 channels, bfloat16: off by" in done.stdout


def test_without_a_gpu_it_says_so() -> None:
    done = run(CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 2
    assert "--smoke" in done.stdout or "Not installed, and needed: triton" in done.stdout
