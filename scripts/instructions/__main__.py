"""Instructions of imports and of a step of decoding, counted by valgrind.

    python scripts/instructions [--json FILE]

What a machine does besides has no part in them. Each figure is the difference of two fresh
processes: with and without the import, with many steps and with more. The first run of a compiled
loop may compile it for the processor that valgrind plays, which has no AVX-512.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FEW, MANY = 200, 1200
STEPS = """
import torch
from posenc.bench import Size
from posenc.bench.works import side
with torch.inference_mode():
    size = Size(length=1, offset=4096, inference=True, dtype="{dtype}")
    run = side("rotation", "{side}", size).run
    for _ in range({steps}):
        run()
"""


def instructions(code: str) -> int:
    """How many a fresh interpreter takes for this code, of all its threads."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        sys.exit("valgrind must be installed: apt-get install valgrind.")
    told = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-c"]
    alone = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    source = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, **alone, "PYTHONPATH": source}
    done = subprocess.run([*told, code], capture_output=True, text=True, env=environment)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or found is None:
        sys.exit(f"valgrind ended with {done.returncode}: {done.stderr[-600:]}")
    return int(found[1])


def imports() -> Iterator[tuple[str, int]]:
    """Of each import, the start of the interpreter taken off."""
    start = instructions("pass")
    for name in ("numpy", "posenc"):
        yield f"import {name}", instructions(f"import {name}") - start


def decoding(side: str, dtype: str) -> int:
    """Of one step: q and k of one token, 32 + 8 heads of 128 channels."""
    few, many = (
        instructions(STEPS.format(side=side, dtype=dtype, steps=steps)) for steps in (FEW, MANY)
    )
    return (many - few) // (MANY - FEW)


def decoded() -> Iterator[tuple[str, int]]:
    """Of each side and dtype."""
    for dtype in ("float32", "bfloat16"):
        instructions(STEPS.format(side="ours/fresh", dtype=dtype, steps=1))  # compiles
        for side, name in (("ours/fresh", "posenc"), ("transformers", "transformers")):
            yield f"decode {dtype}, {name}", decoding(side, dtype)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, help="where to write the numbers, too")
    options = parser.parse_args()
    found = {}
    for name, count in itertools.chain(imports(), decoded()):
        found[name] = count
        print(f"{name:32}{count:>13,}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
