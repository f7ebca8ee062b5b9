"""The same rotation by each implementation: ours, the usual ones, and other people's kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

import posenc
import posenc.torch
from posenc.kernels import rotate_at


class Case(NamedTuple):
    """q and k, ``(batch, heads, n, dim)`` of any strides, and where they are."""

    spec: Any
    q: Tensor
    k: Tensor
    at: Tensor
    told: dict[str, Any]

    @property
    def bytes(self) -> int:
        """Read and written."""
        return 2 * (self.q.numel() + self.k.numel()) * self.q.itemsize


def ways(case: Case, smoke: bool) -> dict[str, Callable[[], object]]:
    """By name; those that others have to supply fail where they are not installed.

    The usual ones are given their tables, which a model makes once for all layers. Ours has none.
    """
    q, k, at = case.q, case.k, case.at
    q_out, k_out = torch.empty_like(q), torch.empty_like(k)
    q_own, k_own = q.clone(), k.clone()  # written over again and again: a rotation keeps norms
    cos, sin = (t.repeat(1, 2).to(q.dtype) for t in posenc.tables(case.spec, at))
    scheme = posenc.torch.Encoding(case.spec, device=q.device).scheme()
    placed = scheme.prepare(at)
    backend = "eager" if smoke else "inductor"

    def copied() -> None:
        q_out.copy_(q)
        k_out.copy_(k)

    def bound(q: Tensor, k: Tensor, at: Tensor) -> Any:
        ready = scheme.prepare(at)
        return scheme.query(q, ready), scheme.key(k, ready)

    torch.compiler.reset()
    usual_compiled, bound_compiled = (
        torch.compile(f, backend=backend, fullgraph=True) for f in (usual, bound)
    )
    return {
        "copy": copied,
        "posenc, fresh": lambda: rotate_at(q, k, at, **case.told),
        "posenc, in place": lambda: rotate_at(q_own, k_own, at, **case.told, in_place=True),
        "posenc, plain, tables given": lambda: (scheme.query(q, placed), scheme.key(k, placed)),
        "posenc, plain, compiled": lambda: bound_compiled(q, k, at),
        "eager, tables given": lambda: usual(q, k, cos, sin),
        "compiled, tables given": lambda: usual_compiled(q, k, cos, sin),
        "Liger-Kernel": liger(q.clone(), k.clone(), cos, sin),
        "flash-attn": flash(q, k, cos, sin),
    }


def usual(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """The form that model code has: x cos + (the halves swapped, one negative) sin."""

    def turned(x: Tensor) -> Tensor:
        a, b = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-b, a], dim=-1) * sin

    return turned(q), turned(k)


def liger(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> Callable[[], object]:
    """It writes into q and k, of the order in memory that projections give."""

    def run() -> object:
        from liger_kernel.ops.rope import LigerRopeFunction

        return LigerRopeFunction.apply(q, k, cos[None], sin[None])

    return run


def flash(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> Callable[[], object]:
    """Its tokens are (batch, n, heads, dim), its tables of one column per pair; q, then k."""
    half = cos.shape[-1] // 2
    tables = cos[:, :half].contiguous(), sin[:, :half].contiguous()
    rows = q.transpose(1, 2), k.transpose(1, 2)

    def run() -> object:
        from flash_attn.ops.triton.rotary import apply_rotary

        return [apply_rotary(x, *tables) for x in rows]

    return run
