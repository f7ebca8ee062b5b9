"""One of two processes that train one step of a tiny model together; see test_loaders.py.

    python two_ranks.py RANK WORKDIR ddp|fsdp DTYPE

Exits with an error unless the step is that of one process over the whole batch.
"""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

import posenc.torch

RANKS, PLACES = 2, torch.arange(70_001, 70_006)
DIMS = (6, 10, 64, 96)
HALVES = {"bfloat16": torch.bfloat16, "float16": torch.float16}
BOUND = {"float32": 1e-5, "bfloat16": 2e-2, "float16": 3e-3}


def spec(dim: int) -> posenc.specs.Spec:
    return posenc.Stack(
        posenc.Rope(dim=dim, layout="half"),
        posenc.T5Bias(heads=3, bidirectional=True),
        posenc.Alibi(heads=3),
    )


class Layer(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.enc = posenc.torch.Encoding(spec(dim))
        self.proj = nn.Linear(10, dim)

    def forward(self, x: Tensor) -> Tensor:
        x = self.proj(x)
        y = posenc.torch.attend(x, x, x, self.enc, q_positions=PLACES, causal=True)
        # Attention sees distances alone; a mean of what is turned sees the positions themselves.
        return y.float().square().mean() + self.enc(x, x, PLACES)[0].float().mean()


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(dim) for dim in DIMS)

    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([layer(x) for layer in self.layers]).sum()


def sharded(one: Model, dtype: str) -> Model:
    """Built on no device, sharded, given memory and values: what a large model goes through."""
    half = MixedPrecisionPolicy(HALVES.get(dtype), reduce_dtype=torch.float32)
    with torch.device("meta"):
        model = Model()
    mesh = init_device_mesh("cpu", (RANKS,))
    for layer in (*model.layers, model):
        fully_shard(layer, mesh=mesh, mp_policy=half)
    model.to_empty(device="cpu")
    for module in model.modules():
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()
    for layer in model.layers:
        (table,) = (t.full_tensor() for t in layer.enc.learned.parameters())
        assert 0.01 < table.std() < 2, table.std()
    set_model_state_dict(model, one.state_dict(), options=StateDictOptions(full_state_dict=True))
    return model


def step(model: nn.Module, x: Tensor, half: torch.dtype | None = None) -> dict[str, Tensor]:
    model.zero_grad()
    with torch.autocast("cpu", half, enabled=half is not None):
        loss = model(x)
    loss.backward()
    grads = {n.removeprefix("module."): p.grad for n, p in model.named_parameters()}
    return {n: g.full_tensor() if hasattr(g, "full_tensor") else g for n, g in grads.items()}


def alone_is_refused() -> None:
    """Outside of its own forward an encoding that is sharded by itself has no whole table."""
    layer = Layer(6)
    fully_shard(layer.enc, mesh=init_device_mesh("cpu", (RANKS,)))
    with pytest.raises(posenc.EncodingError, match=r"fully_shard\(layer\)"):
        layer(torch.randn(2, 3, 5, 10))


def compare(rank: int, way: str, dtype: str) -> None:
    """Half widths are held against float32: the step of one process is never rounded."""
    one, x = Model(), torch.randn(2 * RANKS, 3, 5, 10)
    parallel = nn.parallel.DistributedDataParallel
    model = parallel(copy.deepcopy(one)) if way == "ddp" else sharded(one, dtype)
    autocast = HALVES.get(dtype) if way == "ddp" else None
    due, got = step(one, x), step(model, x[2 * rank : 2 * rank + 2], autocast)
    for name in due:
        largest = due[name].abs().max()
        assert largest > 0, name
        off = (got[name] - due[name]).abs().max() / largest
        assert off < BOUND[dtype], (name, off)


def main(rank: int, folder: Path, way: str, dtype: str) -> None:
    file = (folder / "meeting-place").as_uri()
    dist.init_process_group("gloo", init_method=file, rank=rank, world_size=RANKS)
    torch.manual_seed(0)
    compare(rank, way, dtype)  # a model that outlives its process group may hang as it is freed
    if way == "fsdp":
        alone_is_refused()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4])
