"""What a module goes through in its life, at every width and every dtype of tokens."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch.func import functional_call, vmap
from transformers import PretrainedConfig, PreTrainedModel

import posenc
from posenc.torch import Encoding

PLACES = torch.tensor([8, 9, 40, 70_001, 70_002])
DTYPES = [torch.float32, torch.bfloat16, torch.float16]
BOUND = {torch.float32: 2e-6, torch.bfloat16: 2e-2, torch.float16: 3e-3}

Module = torch.nn.Module
Turn = Callable[..., tuple[torch.Tensor, torch.Tensor]]


class Pretrained(PreTrainedModel):
    config_class = PretrainedConfig
    dim: int

    def __init__(self, config: PretrainedConfig) -> None:
        super().__init__(config)
        self.proj = torch.nn.Linear(2, 2)
        self.enc = Encoding(spec(self.dim))
        self.post_init()


def spec(dim: int) -> posenc.Rope:
    """One that turns a part of the head: the rest must come through."""
    return posenc.Rope(dim=dim, head_dim=dim + 4, layout="interleaved", base=5e5)


def pretrained(enc: Module, dtype: torch.dtype, folder: Path) -> Turn:
    kind = type("Kind", (Pretrained,), {"dim": enc.spec.dim})
    kind(PretrainedConfig()).save_pretrained(folder)
    return kind.from_pretrained(folder, dtype=dtype).enc


def autocast(enc: Module, dtype: torch.dtype, folder: Path) -> Turn:
    def turn(*given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        half = dtype if dtype != torch.float32 else torch.bfloat16
        with torch.autocast("cpu", half):
            return enc(*given)

    return turn


def on_no_device(enc: Module, dtype: torch.dtype, folder: Path) -> Turn:
    made = Encoding(enc.spec, device="meta").to_empty(device="cpu").to(dtype)
    made.reset_parameters()
    return made


def with_foreign_buffers(enc: Module, dtype: torch.dtype, folder: Path) -> Turn:
    stored = {"inv_freq": torch.tensor(enc.spec.frequencies()).to(dtype), "position_ids": PLACES}
    enc.load_state_dict(stored)
    return enc


def exported(enc: Module, dtype: torch.dtype, folder: Path) -> Turn:
    auto = torch.export.Dim.AUTO
    q = tokens(enc.spec.dim, dtype)[..., :3, :].contiguous()
    shapes = ({2: auto}, {2: auto}, {0: auto})
    program = torch.export.export(enc, (q, q.clone(), PLACES[:3]), dynamic_shapes=shapes)
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    return torch.export.load(file).module()


WAYS = {
    "to": lambda enc, dtype, folder: enc.to(dtype),
    "half-and-back": lambda enc, dtype, folder: enc.half().float(),
    "autocast": autocast,
    "meta": on_no_device,
    "from_pretrained": pretrained,
    "deepcopy": lambda enc, dtype, folder: copy.deepcopy(enc.to(dtype)),
    "pickle": lambda enc, dtype, folder: pickle.loads(pickle.dumps(enc.to(dtype))),
    "functional_call": lambda enc, dtype, folder: lambda *given: functional_call(enc, {}, given),
    "state_dict": with_foreign_buffers,
    "compile": lambda enc, dtype, folder: torch.compile(enc, fullgraph=True, backend="eager"),
    "export": exported,
    "vmap": lambda enc, dtype, folder: vmap(enc, in_dims=(0, 0, None)),
}


def tokens(dim: int, dtype: torch.dtype) -> torch.Tensor:
    """Two rows of five tokens, three heads: B != S."""
    drawn = torch.randn(2, 3, 5, dim + 4, generator=torch.Generator().manual_seed(dim))
    return drawn.to(dtype)


def turned_by_the_formula(x: torch.Tensor, rope: posenc.Rope) -> torch.Tensor:
    """Rows of complex numbers in float64, each multiplied by e^(ipw)."""
    pairs = x[..., : rope.dim].double().reshape(*x.shape[:-1], -1, 2).contiguous()
    rates = rope.base ** -(torch.arange(0, rope.dim, 2, dtype=torch.float64) / rope.dim)
    angles = PLACES.double()[:, None] * rates
    turned = torch.view_as_complex(pairs) * torch.polar(torch.ones_like(angles), angles)
    rest = x[..., rope.dim :].double()
    return torch.cat([torch.view_as_real(turned).flatten(-2), rest], -1)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: str(d).removeprefix("torch."))
@pytest.mark.parametrize("dim", [6, 10, 64, 96])
@pytest.mark.parametrize("way", WAYS)
def test_it_turns_by_the_formula(way: str, dim: int, dtype: torch.dtype, tmp_path: Path) -> None:
    torch._dynamo.reset()
    turn = WAYS[way](Encoding(spec(dim)), dtype, tmp_path)
    q, k = tokens(dim, dtype), tokens(dim, dtype).flip(-2)
    for got, x in zip(turn(q, k, PLACES), (q, k), strict=True):
        assert got.dtype == dtype
        due = turned_by_the_formula(x, spec(dim))
        torch.testing.assert_close(got.double(), due, atol=BOUND[dtype], rtol=BOUND[dtype])


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: str(d).removeprefix("torch."))
@pytest.mark.parametrize("dim", [6, 10, 64, 96])
def test_its_gradient_turns_back(dim: int, dtype: torch.dtype) -> None:
    """B175, B176."""
    enc = Encoding(spec(dim))
    x = tokens(dim, dtype).requires_grad_()
    enc(x, x, PLACES)[0].backward(up := tokens(dim, dtype).flip(0))
    turned = turned_by_the_formula(x.detach().double(), spec(dim))
    # The gradient of turned . up; a rotation keeps products, so it is up turned the other way.
    due = torch.autograd.functional.vjp(
        lambda x: turned_by_the_formula(x, spec(dim)), x.detach().double(), up.double()
    )[1]
    torch.testing.assert_close(x.grad.double(), due, atol=BOUND[dtype], rtol=BOUND[dtype])
    products = (turned * up.double()).sum(-1), (x.detach().double() * due).sum(-1)
    torch.testing.assert_close(*products, atol=1e-9, rtol=1e-9)
