"""What Triton's compiler makes of the program for a GPU, which takes none to find out.

The interpreter runs code that no compiler would take, and says nothing about how it reads memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.triton,
]

COMPILE = """
import json, sys
import triton
from triton.backends.compiler import GPUTarget
from posenc.kernels import _triton

STRIDES = [a + b for a in "qrkl" for b in "bthc"] + ["pb", "pt", "pa"]
assert not _triton.INTERPRETED

def compiled(dtype, **chosen):
    constants = {"OTHERS": 0, "START": 0, "SEVERAL": False, "TOKENS": 16, "HEADS": 4,
                 "BY_BITS": False, "REST": 64, **chosen}
    constants |= {name: 1 for name in STRIDES if name[1] in "ca"}
    kinds = dict.fromkeys(("q", "q_out", "k", "k_out"), dtype)
    kinds |= {"positions": "*i64", "steps": "*i64", "axis": "*i32", "factor": "fp32"}
    kinds["sense"] = "fp32"
    signature, known = {}, {}
    for i, name in enumerate(_triton.turn.arg_names):
        signature[name] = "constexpr" if name in constants else kinds.get(name, "i32")
        if signature[name].startswith("*") or (name in STRIDES and name not in constants):
            known[(i,)] = [["tt.divisibility", 16]]
    source = triton.compiler.ASTSource(_triton.turn, signature, constants, known)
    made = triton.compile(source, target=GPUTarget("cuda", int(sys.argv[1]), 32))
    ptx = made.asm["ptx"]
    moved = {word for word in ptx.split() if word.startswith(("ld.", "st."))}
    return {"kinds": sorted(moved), "size": len(made.asm["cubin"])}

print(json.dumps([compiled(*given, **chosen) for *given, chosen in json.loads(sys.argv[2])]))
"""


def compiled(tmp_path: Path, target: int, *programs: Any) -> list[dict[str, Any]]:
    environment = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"}
    environment |= {"TRITON_CACHE_DIR": str(tmp_path), "TRITON_DEFAULT_FP_FUSION": "1"}
    command = [sys.executable, "-c", COMPILE, str(target), json.dumps(programs)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


WHOLE = {"PAIRS": 64, "WIDTH": 64}
PART = {"PAIRS": 32, "WIDTH": 32, "OTHERS": 64, "START": 64, "SEVERAL": True}


@pytest.mark.parametrize("target", [80, 90])
def test_it_compiles_and_moves_sixteen_bytes_at_a_time(tmp_path: Path, target: int) -> None:
    made = compiled(
        tmp_path,
        target,
        ["*bf16", {**WHOLE, "INTERLEAVED": False}],
        ["*bf16", {**WHOLE, "INTERLEAVED": True}],
        ["*fp32", {**PART, "INTERLEAVED": False}],
        ["*fp16", {**PART, "INTERLEAVED": True}],
    )
    for program in made:
        assert program["size"] > 0
        assert {"ld.global.v4.b32", "st.global.v4.b32"} <= {*program["kinds"]}
        assert not any("local" in kind for kind in program["kinds"])  # nothing left registers
