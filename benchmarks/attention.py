"""Memory and time of attention under ALiBi and T5, against a bias that is materialised.

    python benchmarks/attention.py            # every length, a process each
    python benchmarks/attention.py --smoke    # two short lengths

Peak memory is ``ru_maxrss`` of a child less that of the same child at 256 tokens; what the inputs
take is in it. Times are medians of runs in turn, of the same process.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

HEADS, DIM, BASE = 8, 64, 256
WAYS = ("ours", "materialised", "plain")
RUNS = 5


def work(spec_name: str, way: str, length: int, backward: bool) -> Callable[[], None]:
    """One run of attention: ours, with a bias of every query and key, or without any."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention as sdpa

    import posenc.torch

    torch.manual_seed(0)
    specs = {
        "alibi": posenc.Alibi(heads=HEADS),
        "t5": posenc.T5Bias(heads=HEADS, bidirectional=False),
    }
    enc = posenc.torch.Encoding(specs[spec_name])
    q, k, v = (torch.randn(1, HEADS, length, DIM, requires_grad=backward) for _ in range(3))
    at = torch.arange(length)
    grad = torch.ones(1, HEADS, length, DIM)

    def attended() -> torch.Tensor:
        if way == "plain":
            return sdpa(q, k, v, is_causal=True)
        if way == "materialised":
            bias = enc(at, at)
            ahead = torch.ones(length, length, dtype=torch.bool).triu_(1)
            return sdpa(q, k, v, attn_mask=bias.masked_fill(ahead, float("-inf")))
        # Short text is attended to in another way; here it is to be the same, with less to hold.
        backend = "flex" if length == BASE else None
        return posenc.torch.attend(q, k, v, enc, q_positions=at, causal=True, backend=backend)

    def run() -> None:
        if not backward:
            with torch.no_grad():
                attended()
            return
        attended().backward(grad)
        for leaf in (q, k, v, *enc.parameters()):
            leaf.grad = None

    return run


def child(spec_name: str, way: str, length: int, backward: bool) -> None:
    """Print seconds a run and the peak of this process in MiB, as JSON."""
    run = work(spec_name, way, length, backward)
    run()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([statistics.median(times), peak]))


def measured(spec_name: str, way: str, length: int, backward: bool) -> tuple[float, float]:
    """What a child of its own measures."""
    given = [spec_name, way, str(length), str(int(backward))]
    done = subprocess.run(
        [sys.executable, __file__, "--child", *given], capture_output=True, text=True, check=True
    )
    seconds, peak = json.loads(done.stdout)
    return seconds, peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--smoke", action="store_true", help="two short lengths, forward alone")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, way, length, backward = options.child
        child(name, way, int(length), bool(int(backward)))
        return
    lengths = (512, 1024) if options.smoke else (2048, 4096, 8192)
    print(f"{HEADS} heads of {DIM}, float32, causal; MiB above the same at 256 tokens; ms a run")
    print(f"{'':6} {'':9} {'n':>6}" + "".join(f" {way + ' MiB':>17} {'ms':>8}" for way in WAYS))
    for backward in (False,) if options.smoke else (False, True):
        for name in ("alibi", "t5"):
            base = {way: measured(name, way, BASE, backward)[1] for way in WAYS}
            for length in lengths:
                cells = ""
                for way in WAYS:
                    seconds, peak = measured(name, way, length, backward)
                    cells += f" {peak - base[way]:17.0f} {seconds * 1e3:8.1f}"
                told = "with grad" if backward else "forward"
                print(f"{name:6} {told:9} {length:6}{cells}", flush=True)


if __name__ == "__main__":
    main()
