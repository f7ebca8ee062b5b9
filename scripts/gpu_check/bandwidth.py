"""How fast q and k turn, as a share of a plain copy of the same bytes, beside others."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from equality import SPECS, told
from torch import Tensor
from ways import Case, ways

from posenc.kernels import _gpu

DTYPES = (torch.bfloat16, torch.float32)
Timed = Callable[[], object]


def measured(device: torch.device, *, smoke: bool, only: str, until: float) -> list[dict[str, Any]]:
    """A row for every size and dtype, of all ways that ran."""
    sizes = {"prefill": (1, 4096), "decode": (1, 1), "decode, batch 64": (64, 1)}
    if smoke:
        sizes, spec, heads = {"prefill": (1, 3), "decode": (1, 1)}, SPECS["10 channels"], (2, 1)
        print("\nIn the interpreter no time means anything, and none is printed.")
    else:
        spec, heads = SPECS["half"], (32, 8)
    clock = Clock(device, rounds=1 if smoke else 60)
    rows = []
    for name, (batch, tokens) in sizes.items():
        if only not in name:
            continue
        for dtype in DTYPES:
            case = drawn(device, spec, dtype, batch, tokens, heads)
            short = str(dtype).removeprefix("torch.")
            row: dict[str, Any] = {"case": name, "dtype": short, "bytes": case.bytes, "ways": {}}
            rows.append(row)
            if time.monotonic() > until:
                row["why"] = "not run: out of time"
                print(f"\n{name}, {short}: {row['why']}")
                continue
            usable, row["failed"] = working(ways(case, smoke))
            row["ways"] = figures(clock.medians(usable), case.bytes)
            if name == "prefill":
                cuts = {f"{cut}": launched(case, cut) for cut in PLANS[: 1 if smoke else None]}
                row["plans"] = figures(clock.medians({"copy": usable["copy"], **cuts}), case.bytes)
            if smoke:
                print(f"{name}, {short}: {len(usable)} ways ran; not: {', '.join(row['failed'])}")
            else:
                report(row)
    return rows


def drawn(
    device: torch.device,
    spec: Any,
    dtype: torch.dtype,
    batch: int,
    tokens: int,
    heads: tuple[int, int],
) -> Case:
    """q and k as projections make them: heads of a token side by side, seen as (b, h, n, d)."""
    made = torch.Generator(device).manual_seed(6)
    options: Any = {"dtype": dtype, "device": device, "generator": made}
    q, k = (torch.randn(batch, tokens, h, spec.dim, **options).transpose(1, 2) for h in heads)
    # A decoding step is somewhere in the text; a prompt starts at its beginning.
    at = torch.arange(tokens, device=device) + (70_001 if tokens == 1 else 0)
    return Case(spec, q, k, at, told(spec, device))


def working(given: dict[str, Timed]) -> tuple[dict[str, Timed], dict[str, str]]:
    """What runs here, and why the rest does not."""
    usable, failed = {}, {}
    for name, way in given.items():
        try:
            for _ in range(3):
                way()
            usable[name] = way
        except Exception as problem:  # a peer that is not installed, or does not take this
            failed[name] = f"{type(problem).__name__}: {str(problem).splitlines()[0][:160]}"
    return usable, failed


class Clock:
    """Medians of ways in turn, A B A B, so that what slows the machine slows all of them.

    Device time with a cold cache, which is what a layer meets; and of a call from Python as often
    as it comes, which is what a decoding step waits for.
    """

    def __init__(self, device: torch.device, rounds: int) -> None:
        self.device, self.rounds = device, rounds
        size = 2**28 if device.type == "cuda" else 8  # more than any cache holds
        self.cold = torch.empty(size, dtype=torch.int8, device=device)

    def medians(self, ways: dict[str, Timed]) -> dict[str, tuple[float, float, float]]:
        """Seconds on the device, their quartile range, and seconds per call from Python."""
        runs: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(self.rounds):
            for name, way in ways.items():
                runs[name].append(self.once(way))
        calls = {
            name: statistics.median(self.per_call(w) for _ in range(3)) for name, w in ways.items()
        }
        found = {}
        for name, seconds in runs.items():
            spread = 0.0
            if len(seconds) > 3:
                low, _, high = statistics.quantiles(seconds, n=4)
                spread = high - low
            found[name] = statistics.median(seconds), spread, calls[name]
        return found

    def once(self, way: Timed) -> float:
        self.cold.zero_()
        if self.device.type != "cuda":
            began = time.perf_counter()
            way()
            return time.perf_counter() - began
        # The host runs ahead while the cache is being filled, so that no launch is waited for.
        torch.cuda._sleep(400_000)
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        way()
        after.record()
        torch.cuda.synchronize()
        return float(before.elapsed_time(after)) / 1e3

    def per_call(self, way: Timed) -> float:
        count = 200 if self.device.type == "cuda" else 1
        self.wait()
        began = time.perf_counter()
        for _ in range(count):
            way()
        self.wait()
        return (time.perf_counter() - began) / count

    def wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def figures(
    medians: dict[str, tuple[float, float, float]], size: int
) -> dict[str, dict[str, float]]:
    copy = medians["copy"][0]
    return {
        name: {
            "us": seconds * 1e6,
            "spread_us": spread * 1e6,
            "call_us": call * 1e6,
            "gb_per_s": size / seconds / 1e9,
            "share_of_copy": copy / seconds,
        }
        for name, (seconds, spread, call) in medians.items()
    }


# Tokens, heads, warps: what the guess in ``_gpu.planned`` is to be chosen from.
PLANS = [
    _gpu.Plan(*cut)
    for cut in [(16, 4, 4), (16, 1, 4), (16, 8, 4), (8, 4, 4), (32, 4, 4), (32, 4, 8), (8, 8, 2)]
]


def launched(case: Case, cut: _gpu.Plan) -> Timed:
    rows = [x.movedim(-3, -2) for x in (case.q, case.k)]
    out: list[Tensor] = [torch.empty_like(x) for x in rows]
    at, steps = case.at[None, :, None], case.told["steps"]
    cut = cut._replace(tokens=min(cut.tokens, 4)) if case.q.is_cpu else cut
    return lambda: _gpu.launch(rows, out, at, steps, None, False, 0, 1.0, False, cut)


def report(row: dict[str, Any]) -> None:
    print(f"\n{row['case']}, {row['dtype']}, {row['bytes'] / 2**20:.1f} MiB read and written")
    head = "us on device", "quartiles", "GB/s", "of copy", "us a call"
    print(f"{'':34}" + "".join(f"{h:>14}" for h in head))
    for part in ("ways", "plans"):
        for name, f in row.get(part, {}).items():
            print(
                f"{name:34}{f['us']:14.1f}{f['spread_us']:14.1f}{f['gb_per_s']:14.0f}"
                f"{f['share_of_copy']:14.2f}{f['call_us']:14.1f}"
            )
    for name, why in row["failed"].items():
        print(f"{name:34}{why}")
