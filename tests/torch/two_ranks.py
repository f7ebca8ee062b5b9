"""One of two processes that train one step of a tiny model together; see test_loaders.py.

    python two_ranks.py RANK WORKDIR WAY

Exits with an error unless the step is that of one process over the whole batch.
"""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

import posenc.torch

RANKS, PLACES = 2, torch.arange(70_001, 70_006)
SPEC = posenc.Stack(
    posenc.Rope(dim=10, layout="half"),
    posenc.T5Bias(heads=3, bidirectional=True),
    posenc.Alibi(heads=3),
)
BOUND = {"ddp": 1e-5, "fsdp": 1e-5, "fsdp-bfloat16": 2e-2}


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.enc = posenc.torch.Encoding(SPEC)
        self.proj = nn.Linear(10, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = self.proj(x)
        y = posenc.torch.attend(x, x, x, self.enc, q_positions=PLACES, causal=True)
        # Attention sees distances alone; a mean of what is turned sees the positions themselves.
        return y.float().square().mean() + self.enc(x, x, PLACES)[0].float().mean()


def sharded(one: Layer, way: str) -> Layer:
    """Built on no device, sharded, given memory and values: what a large model goes through."""
    half = {"mp_policy": MixedPrecisionPolicy(torch.bfloat16, reduce_dtype=torch.float32)}
    with torch.device("meta"):
        model = Layer()
    mesh = init_device_mesh("cpu", (RANKS,))
    fully_shard(model, mesh=mesh, **(half if way == "fsdp-bfloat16" else {}))
    model.to_empty(device="cpu")
    for module in model.modules():
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()
    (table,) = (t.full_tensor() for t in model.enc.learned.parameters())
    assert 0.01 < table.std() < 2, table.std()
    set_model_state_dict(model, one.state_dict(), options=StateDictOptions(full_state_dict=True))
    return model


def step(model: nn.Module, x: Tensor) -> dict[str, Tensor]:
    model.zero_grad()
    model(x).backward()
    grads = {n.removeprefix("module."): p.grad for n, p in model.named_parameters()}
    return {n: g.full_tensor() if hasattr(g, "full_tensor") else g for n, g in grads.items()}


def main(rank: int, folder: Path, way: str) -> None:
    file = (folder / "meeting-place").as_uri()
    dist.init_process_group("gloo", init_method=file, rank=rank, world_size=RANKS)
    torch.manual_seed(0)
    one, x = Layer(), torch.randn(2 * RANKS, 3, 5, 10)
    model = nn.parallel.DistributedDataParallel(copy.deepcopy(one)) if way == "ddp" else None
    model = model or sharded(one, way)
    due, got = step(one, x), step(model, x[2 * rank : 2 * rank + 2])
    for name in due:
        largest = due[name].abs().max()
        assert largest > 0, name
        off = (got[name] - due[name]).abs().max() / largest
        assert off < BOUND[way], (name, off)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
