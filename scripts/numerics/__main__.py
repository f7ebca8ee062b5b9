"""How far cosines of positions are from the truth, here and elsewhere.

    python scripts/numerics                    print the table of docs/explanation/numerics.md
    python scripts/numerics --write            write it into the page
    python scripts/numerics --check            exit 1 if the page says something else
    python scripts/numerics --random 100000    so many positions below 2^31: exit 1 if this
                                               library is anywhere off by more than it promises

The truth is in exact.py, and is held to mpmath in every run. ``--only`` takes the first words of
rows and may be said again (the page keeps its other rows), ``--window`` how many positions up to
each length are looked at.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import exact
import numpy as np
import ours
import page
import peers
import torch

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "numerics.md"
LENGTHS = {
    "4k": 4096,
    "32k": 32_768,
    "128k": 131_072,
    "1M": 1_000_000,
    "10M": 10_000_000,
    "1G": 1_000_000_000,
}
MOST = 10_000_000
FREQS = ours.ROPE.frequencies()


def largest(cos: np.ndarray | None, due: np.ndarray) -> float | None:
    return None if cos is None else float(np.abs(cos - due).max())


def measured(window: int, only: tuple[str, ...]) -> Iterator[page.Row]:
    """For each library its largest errors in float32 and in bfloat16 use, by length."""
    ats = [np.arange(last - window + 1, last + 1) for last in LENGTHS.values()]
    dues = [exact.cosines(at, FREQS) for at in ats]
    pairs = list(zip(ats, dues, strict=True))
    for name, (_, cosines) in ours.WAYS.items():
        if name.startswith(only):
            yield page.Row(name, "float32", tuple(largest(cosines(a), d) for a, d in pairs))
        if name.startswith(only) and name in ours.CAST:
            cast = ours.CAST[name]
            yield page.Row(name, "bfloat16", tuple(largest(cast(a), d) for a, d in pairs))
    for name, theirs in peers.PEERS.items():
        for dtype in (torch.float32, torch.bfloat16) if name.startswith(only) else ():
            errors = tuple(largest(theirs(a, dtype), d) for a, d in pairs)
            yield page.Row(name, str(dtype).removeprefix("torch."), errors)


def drawn(count: int, only: tuple[str, ...]) -> Iterator[tuple[str, float, float]]:
    """For each way of ours its largest error at random positions, and its bound."""
    at = np.random.default_rng(2024).integers(-(2**31) + 1, 2**31, count)
    for name, (bound, cosines) in ours.WAYS.items():
        if name.startswith(only):
            parts = np.array_split(at, -(-count // 10_000))
            yield name, max(_off(cosines(p), p) for p in parts), bound


def _off(cos: np.ndarray, at: np.ndarray) -> float:
    return float(np.abs(cos - exact.cosines(at, FREQS)).max())


def proved() -> float:
    """How far the truth is from mpmath's, at the lengths and at random."""
    some = np.random.default_rng(7).integers(-(2**31) + 1, 2**31, 40)
    return exact.error(
        np.concatenate([[*LENGTHS.values()], [-(2**31) + 1, 2**31 - 1], some]), FREQS
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/numerics",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    task = parser.add_mutually_exclusive_group()
    task.add_argument("--write", action="store_true")
    task.add_argument("--check", action="store_true")
    task.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--only", action="append", default=[], metavar="ROW")
    parser.add_argument("--window", type=int, default=1024, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, help=argparse.SUPPRESS)
    given = parser.parse_args()
    only = tuple(given.only) or ("",)
    if not 1 <= given.window <= min(LENGTHS.values()):
        parser.error(f"--window must be 1 to {min(LENGTHS.values())}; got {given.window}.")
    if given.random is not None and not 1 <= given.random <= MOST:
        parser.error(f"--random must be 1 to {MOST}; got {given.random}.")
    if (given.check or given.write) and not given.page.is_file():
        parser.error(f"--page must be a file; got {given.page}.")
    rows = [*ours.WAYS, *peers.PEERS]
    if unknown := [words for words in only if not any(row.startswith(words) for row in rows)]:
        parser.error(f"--only must be the first words of a row; got {unknown[0]!r}.")
    off = proved()
    if off > 1e-14:
        print(f"The truth is {off:.1e} from mpmath's.", file=sys.stderr)
        return 1
    if given.random:
        failed = False
        for name, error, bound in drawn(given.random, only):
            failed |= not error <= bound
            print(f"{name:32}{error:.2e}  {'within' if error <= bound else 'OVER'} {bound:.0e}")
        return int(failed)
    rows = list(measured(given.window, only))
    if given.check:
        faults = page.differences(given.page.read_text("utf-8"), rows)
        print(*faults, sep="\n", file=sys.stderr, end="\n" if faults else "")
        return int(bool(faults))
    if given.write:
        text = given.page.read_text("utf-8")
        others = page.others(text, rows) if given.only else []
        given.page.write_text(page.written(text, [*rows, *others], [*LENGTHS]), "utf-8")
    else:
        print(page.table(rows, [*LENGTHS]))
    return 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
