"""When loops are chosen, what is imported for them, and where their machine code is kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import posenc

TURNED = """
import torch, posenc
rope = posenc.Rope(dim=6, layout="half")
at, x = torch.arange(70_001, 70_009), torch.arange(96.0).reshape(2, 8, 6)
scheme = posenc.bind(rope)
placed = scheme.prepare(at)
for _ in range(2):
    y = scheme.query(x, placed)
print(*y.flatten().tolist())
"""

REFUSED = """
import numpy, posenc
try:
    posenc.rotate(numpy.ones((2, 6)), numpy.ones((2, 3)), numpy.ones((2, 3)), layout="half")
except posenc.errors.EncodingError as error:
    print(error)
"""


def values(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def test_plain_bodies_on_request(fresh_process: Callable[..., str]) -> None:
    loops = "\nimport sys; assert ('numba' in sys.modules) == {}, 'numba'"
    fast = values(fresh_process(TURNED + loops.format(True), POSENC_KERNELS="fast"))
    plain = values(fresh_process(TURNED + loops.format(False), POSENC_KERNELS="plain"))
    assert max(abs(a - b) for a, b in zip(fast, plain, strict=True)) < 3e-5  # of numbers up to 96


def test_plain_bodies_where_numba_may_not_compile(fresh_process: Callable[..., str]) -> None:
    assert values(fresh_process(TURNED, NUMBA_DISABLE_JIT="1")) == values(
        fresh_process(TURNED, POSENC_KERNELS="plain")
    )


def test_halves_on_another_processor(fresh_process: Callable[..., str]) -> None:
    """Told to compile for a processor that converts no float16, the loops do not."""
    halves = """
import numpy as np, posenc
x = np.arange(48, dtype=np.float16).reshape(1, 6, 8)
cos, sin = posenc.tables(posenc.Rope(dim=8, layout="half"), np.arange(6))
print(*posenc.rotate(x, cos, sin, layout="half").ravel())
"""
    assert values(fresh_process(halves, NUMBA_CPU_NAME="generic")) == values(
        fresh_process(halves, POSENC_KERNELS="plain")
    )


def test_without_numba(fresh_process: Callable[..., str]) -> None:
    """As where it is not installed: nothing can find it."""
    hidden = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(name)
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "numba" else find(name)
sys.meta_path.insert(0, Hidden())
"""
    assert values(fresh_process(hidden + TURNED)) == values(
        fresh_process(TURNED, POSENC_KERNELS="plain")
    )


def test_where_numba_does_not_load(fresh_process: Callable[..., str], tmp_path: Path) -> None:
    """One made for an earlier NumPy refuses to be imported."""
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs NumPy 1.26 or less')")
    assert values(fresh_process(TURNED, PYTHONPATH=str(tmp_path))) == values(
        fresh_process(TURNED, POSENC_KERNELS="plain")
    )


def test_settings_that_numba_refuses_are_told(fresh_process: Callable[..., str]) -> None:
    told = fresh_process(REFUSED, NUMBA_NUM_THREADS="0")
    assert told.startswith("Numba must load; it raised ")
    assert "POSENC_KERNELS=plain" in told
    assert values(fresh_process(TURNED, NUMBA_NUM_THREADS="0", POSENC_KERNELS="plain"))


def test_numba_is_not_imported_before_it_turns_something(
    fresh_process: Callable[..., str],
) -> None:
    code = """
import sys
import posenc, posenc.kernels
rope = posenc.Rope(dim=6, layout="half")
scheme = posenc.bind(rope)
print("numba" in sys.modules)
import torch
scheme = posenc.bind(rope, xp="torch")
print("numba" in sys.modules)
posenc.rotate(torch.ones(2, 6), torch.ones(2, 3), torch.ones(2, 3), layout="half")
print("numba" in sys.modules)
"""
    assert fresh_process(code).split() == ["False", "False", "True"]


COUNTED = """
from numba.core.caching import Cache
seen = {"found": 0, "made": 0}
load, save = Cache.load_overload, Cache.save_overload
def loading(self, *given):
    found = load(self, *given)
    seen["found"] += found is not None
    return found
def saving(self, *given):
    seen["made"] += 1
    return save(self, *given)
Cache.load_overload, Cache.save_overload = loading, saving
"""


def test_machine_code_is_kept_on_disk(fresh_process: Callable[..., str], tmp_path: Path) -> None:
    """The second process compiles nothing."""
    code = COUNTED + TURNED + 'print(seen["found"], seen["made"])'
    runs = [
        fresh_process(code, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()[-1].split()
        for _ in range(2)
    ]
    assert runs == [["0", "2"], ["2", "0"]]


def test_what_was_cut_off_on_disk_is_compiled_again(
    fresh_process: Callable[..., str], tmp_path: Path
) -> None:
    kept = fresh_process(TURNED, NUMBA_CACHE_DIR=str(tmp_path))
    files = list(tmp_path.rglob("*.nb?"))
    assert len(files) >= 4  # an index and the code of two loops
    for path in files:
        path.write_bytes(path.read_bytes()[:40])
    assert fresh_process(TURNED, NUMBA_CACHE_DIR=str(tmp_path)) == kept


def test_a_full_disk_is_no_hindrance(fresh_process: Callable[..., str], tmp_path: Path) -> None:
    full = """
from numba.core.caching import Cache
def save(self, *given):
    raise OSError(28, "No space left on device")
Cache.save_overload = save
"""
    with_room = fresh_process(TURNED, NUMBA_CACHE_DIR=str(tmp_path / "a"))
    assert fresh_process(full + TURNED, NUMBA_CACHE_DIR=str(tmp_path / "b")) == with_room


def test_two_processes_may_compile_at_once(
    fresh_process: Callable[..., str], tmp_path: Path
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        each = [pool.submit(fresh_process, TURNED, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
        assert each[0].result() == each[1].result()


def test_where_machine_code_cannot_be_kept(
    fresh_process: Callable[..., str], tmp_path: Path
) -> None:
    """A library that may not be written to, and no home: compiled each time, and it runs."""
    copied = tmp_path / "posenc"
    shutil.copytree(
        Path(posenc.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__")
    )
    (copied / "kernels" / "__pycache__").write_text("")  # a file, so that it can be no folder
    homeless = dict.fromkeys(("HOME", "XDG_CACHE_HOME"), "/dev/null/nowhere")
    got = fresh_process(TURNED, NUMBA_CACHE_DIR="", PYTHONPATH=str(tmp_path), **homeless)
    assert values(got) == values(fresh_process(TURNED))
