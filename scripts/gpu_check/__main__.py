"""Whether the GPU kernels give the right answers, and at what share of a plain copy's speed."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

NEEDED = ("numpy", "array-api-compat", "torch", "triton")
PEERS = ("liger-kernel", "flash-attn", "transformers")
EQUALITY_S, TOTAL_S = 270, 440


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/gpu-check", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="tiny, on the CPU: no times are meant")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this in their names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found")
    options = parser.parse_args()
    began = time.monotonic()
    versions = {name: installed(name) for name in NEEDED + PEERS}
    lacking = [name for name in NEEDED if versions[name] is None]
    if lacking:
        print(f"Not installed, and needed: {', '.join(lacking)}. Nothing was checked.")
        print(f"This is {sys.executable}; PYTHON=... names another, which has them.")
        return 2
    if options.json and not options.json.parent.is_dir():
        print(f"--json must be a file in a folder that exists; got {options.json}.")
        return 2
    if options.smoke:  # before triton is imported
        os.environ["TRITON_INTERPRET"] = "1"
    import torch

    if not (options.smoke or torch.cuda.is_available()):
        print("No CUDA device is to be seen. --smoke runs the same in Triton's interpreter.")
        return 2
    from posenc.kernels import _gpu

    if options.smoke:
        _gpu.DEVICES.add("cpu")
    device = torch.device("cpu" if options.smoke else "cuda")
    found: dict[str, Any] = {
        "machine": {
            "device": "interpreter" if options.smoke else torch.cuda.get_device_name(),
            "cuda": torch.version.cuda,
            "python": platform.python_version(),
            "system": platform.platform(),
        },
        "versions": versions,
    }
    print(*(f"{name}: {value}" for name, value in found["machine"].items()), sep="\n")
    print(*(f"{name}: {value or 'not installed'}" for name, value in versions.items()), sep="\n")

    import bandwidth
    import equality

    def kept() -> None:
        found["seconds"] = round(time.monotonic() - began, 1)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")

    chosen = {"smoke": options.smoke, "only": options.only}
    found["equality"] = equality.checked(device, **chosen, until=began + EQUALITY_S)
    wrong = [row for row in found["equality"] if not row["ok"]]
    print(f"\n{len(found['equality'])} cases, {len(wrong)} wrong or not run")
    if not found["equality"]:
        print(f"--only must be part of a case's name; got {options.only!r}.")
        return 2
    kept()  # whatever becomes of the rest
    found["bandwidth"] = bandwidth.measured(device, **chosen, until=began + TOTAL_S)
    kept()
    print(f"\n{found['seconds']} s")
    for row in wrong:
        print(f"WRONG: {row['case']}: {row['why']}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
