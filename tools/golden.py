"""Golden numbers: what every encoding should give, from its formula alone.

    python tools/golden.py           writes the files of golden/
    python tools/golden.py --check   exits 1 if they are not what it would write

`golden/printed.json` is written by hand: numbers that others printed. `--check` holds the oracle to
them. The formulas are under `tools/oracle`, in mpmath with 60 digits, and each number is rounded
once, to float64. Tables come from the exact frequency, not from its float64: at position 1 000 000
that moves an angle by at most 2e-10.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from oracle.answers import disagreements
from oracle.cases import FILES
from oracle.page import page

FOLDER = Path(__file__).resolve().parent.parent / "golden"


def pages() -> Iterator[tuple[Path, str]]:
    """Each generated file and the text it should have."""
    for name, cases in FILES.items():
        yield FOLDER / name, page(list(cases()))


def faults() -> Iterator[str]:
    """What is wrong with the files, one sentence each."""
    for path, text in pages():
        if not path.exists() or path.read_text("utf-8") != text:
            yield f"golden/{path.name} is out of date: run `python tools/golden.py`."
    for case in json.loads((FOLDER / "printed.json").read_text("utf-8"))["cases"]:
        yield from disagreements(case)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the golden numbers, or check them.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if they differ")
    if not parser.parse_args().check:
        FOLDER.mkdir(exist_ok=True)
        for path, text in pages():
            path.write_text(text, "utf-8")
        return 0
    found = list(faults())
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
