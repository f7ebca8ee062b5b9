"""q and k turned by one Triton program, as an operation that PyTorch knows.

It has a gradient and a form on fake tensors, so that ``torch.compile`` sees one node and never
what is inside.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import array_api_compat.torch as xp
import torch
from torch import Tensor

from posenc._typing import Layout
from posenc.kernels._angles import angles
from posenc.kernels._choice import plain, unwatched
from posenc.kernels._gradient import turned_back

DEVICES = {"cuda"}
"""Where the programs run. The interpreter runs them on "cpu" too, for those who add it."""

AVAILABLE = find_spec("triton") is not None

_DTYPES = (torch.float32, torch.float16, torch.bfloat16)
_COUNTED = (torch.int32, torch.int64)


class Plan(NamedTuple):
    """How the work is cut up.

    Attributes:
        tokens: How many a program turns, a power of two.
        heads: How many heads of them, all by the same angles.
        warps: Of 32 threads.
    """

    tokens: int
    heads: int
    warps: int


def serves(positions: Tensor) -> bool:
    """Whether the program counts phases from these positions, if tokens are beside them."""
    return AVAILABLE and positions.device.type in DEVICES and not positions.is_floating_point()


@cache
def runs(device: torch.device) -> bool:
    """Whether Triton's programs run there: it may lack a compiler, or not know the processor."""
    if plain():
        return False
    if device.type != "cuda":
        return True
    nothing = torch.zeros((1, 1, 1, 2), device=device)
    counts = torch.zeros(1, dtype=torch.int64, device=device)
    try:
        launch([nothing], [nothing], counts.view(1, 1, 1), counts, None, False, 0, 1.0, False)
    except Exception:  # of Triton, its compiler or its driver; plain operations serve
        return False
    return True


def fits(*tokens: Tensor, positions: Tensor, steps: Tensor) -> bool:
    """Whether the program turns these tensors, and nobody has to see the operations in it."""
    given = (*tokens, positions, steps)
    return (
        serves(positions)
        and steps.dtype == torch.int64
        and all(t.dtype in _DTYPES for t in tokens)
        and all(t.device == positions.device and t.layout is torch.strided for t in given)
        and (_compiling() or (_unwatched(given) and runs(positions.device)))
    )


def _compiling() -> bool:
    """An exported program runs where there may be no Triton: it is given plain operations."""
    exporting = getattr(torch.compiler, "is_exporting", bool)
    return torch.compiler.is_compiling() and not exporting()


def _unwatched(given: tuple[Tensor, ...]) -> bool:
    plain = all(type(t) in (Tensor, torch.nn.Parameter) and not t.is_neg() for t in given)
    return plain and not torch.compiler.is_compiling() and unwatched(torch)


def turn(
    tokens: list[Tensor],
    positions: Tensor,
    steps: Tensor,
    axis: Tensor | None,
    *,
    interleaved: bool,
    start: int,
    factor: float,
    head_axis: int | None,
    reverse: bool,
    in_place: bool,
) -> list[Tensor]:
    """What ``posenc.kernels.rotate_at`` says, of tensors that are known to fit."""
    options = (interleaved, start, factor, reverse)
    rows = [_rows(t, head_axis) for t in tokens]
    places = _places(positions, tokens[0], axis is not None, head_axis)
    steps, axis = steps.contiguous(), None if axis is None else axis.contiguous()
    recorded = torch.is_grad_enabled() and any(t.requires_grad for t in tokens)
    compiling = torch.compiler.is_compiling()
    if recorded and not compiling:  # what inference mode made, the backward pass may not keep
        places, steps = places.clone(), _keepable(steps)  # positions may be counted up in place
        axis = None if axis is None else _keepable(axis)
    if recorded or compiling:
        turned = _turn(rows, places, steps, axis, *options)
    elif in_place and all(map(_own, tokens)):
        launch(rows, rows, places, steps, axis, *options)
        torch.autograd.graph.increment_version(tokens)
        return tokens
    else:
        turned = [torch.empty_like(x) for x in rows]
        launch(rows, turned, places, steps, axis, *options)
    back = [_back(x, t, head_axis) for x, t in zip(turned, tokens, strict=True)]
    return [t.copy_(x) for t, x in zip(tokens, back, strict=True)] if in_place else back


def _rows(x: Tensor, head_axis: int | None) -> Tensor:
    """``x`` as (batch, n, heads, dim), without moving a number if there is one axis of batch."""
    x = x.unsqueeze(-2) if head_axis is None else x.movedim(head_axis, -2)
    return x[None] if x.ndim == 3 else x.flatten(0, -4)


def _back(turned: Tensor, x: Tensor, head_axis: int | None) -> Tensor:
    if head_axis is not None:
        turned = turned.movedim(-2, 1 if head_axis == -3 else 2)
    return turned.reshape(x.shape)


def _places(positions: Tensor, x: Tensor, several: bool, head_axis: int | None) -> Tensor:
    """Positions as (batch or 1, n, coordinates)."""
    if positions.dtype not in _COUNTED:
        positions = positions.to(torch.int64)
    if not several:
        positions = positions[..., None]
    if positions.ndim == 2:
        return positions[None]
    batch = x.shape[: -2 if head_axis is None else -3]
    return positions.expand(*batch, *positions.shape[-2:]).flatten(0, -3)


def _keepable(x: Tensor) -> Tensor:
    return x.clone() if x.is_inference() else x


def _own(x: Tensor) -> bool:
    """Whether a program may write into ``x``: its rows are views, no number is in two of them."""
    return x.ndim <= 4 and all(n == 1 or s for n, s in zip(x.shape, x.stride(), strict=True))


@torch.library.custom_op("posenc::turn", mutates_args=())
def _turn(
    tokens: list[Tensor],
    positions: Tensor,
    steps: Tensor,
    axis: Tensor | None,
    interleaved: bool,
    start: int,
    factor: float,
    reverse: bool,
) -> list[Tensor]:
    turned = [torch.empty_like(t) for t in tokens]
    launch(tokens, turned, positions, steps, axis, interleaved, start, factor, reverse)
    return turned


@_turn.register_fake
def _fake(tokens: list[Tensor], *rest: Any) -> list[Tensor]:
    return [torch.empty_like(t) for t in tokens]


def _kept(ctx: Any, inputs: Any, output: Any) -> None:
    _, positions, steps, axis, *ctx.options, ctx.reverse = inputs
    ctx.save_for_backward(positions, steps, axis)


def _gradient(ctx: Any, gradients: list[Tensor]) -> Any:
    """What comes back is turned by the negative angles, times the same factor."""
    kept = ctx.saved_tensors
    if any(map(torch._C._functorch.is_legacy_batchedtensor, gradients)):
        turned = [_many_turned_back(g, kept, ctx.options, ctx.reverse) for g in gradients]
    else:
        turned = _turn(gradients, *kept, *ctx.options, not ctx.reverse)
    return turned, *[None] * 7


def _many_turned_back(gradient: Tensor, kept: Any, options: Any, reverse: bool) -> Tensor:
    """A batch of gradients at once, which no operation of ours takes."""
    (positions, steps, axis), (interleaved, start, factor) = kept, options
    at = positions[..., 0] if axis is None else positions
    cos, sin = (wave[..., None, :] * factor for wave in angles(at, steps, xp=xp, axis=axis))
    layout: Layout = "interleaved" if interleaved else "half"
    return turned_back(gradient, cos, -sin if reverse else sin, layout=layout, start=start)


_turn.register_autograd(_gradient, setup_context=_kept)


def planned(tokens: int, rows: int, pairs: int) -> Plan:
    """A cut for ``rows`` sequences of so many tokens.

    Not measured on a GPU yet: about a thousand pairs a program, eight to a thread, and four heads
    to a program once there are programs enough for all processors.
    """
    block = max(1, min(1024 // pairs, _power(tokens)))
    programs = -(-tokens // block) * rows
    return Plan(block, 4 if programs >= 256 else 1, 4 if block * pairs >= 512 else 1)


def launch(
    tokens: list[Tensor],
    turned: list[Tensor],
    positions: Tensor,
    steps: Tensor,
    axis: Tensor | None,
    interleaved: bool,
    start: int,
    factor: float,
    reverse: bool,
    plan: Plan | None = None,
) -> None:
    """Run the program; ``turned`` may be ``tokens`` themselves."""
    from posenc.kernels import _triton

    (q, out), (k, k_out) = (tokens[0], turned[0]), (tokens[-1], turned[-1])
    batch, n, q_heads, dim = q.shape
    k_heads = k.shape[2] if len(tokens) == 2 else 0
    if 0 in (batch, n, q_heads + k_heads):
        return
    pairs = steps.shape[0]
    others = 0 if out is q else dim - 2 * pairs
    width = _power(pairs)
    cut = plan or planned(n, batch, width)
    blocks = -(-n // cut.tokens)
    grid = blocks * batch, -(-q_heads // cut.heads) + -(-k_heads // cut.heads)
    row, *rest = positions.stride()
    with torch.cuda.device(q.device) if q.is_cuda else nullcontext():
        _triton.turn[grid](
            q, out, k, k_out, positions, steps, steps if axis is None else axis,
            blocks, n, q_heads, k_heads, float(factor), -1.0 if reverse else 1.0,
            *q.stride(), *out.stride(), *k.stride(), *k_out.stride(),
            row if positions.shape[0] > 1 else 0, *rest,
            START=start, PAIRS=pairs, OTHERS=others, INTERLEAVED=interleaved,
            SEVERAL=axis is not None, TOKENS=cut.tokens, WIDTH=width, REST=_power(others),
            HEADS=cut.heads, BY_BITS=_triton.INTERPRETED, num_warps=cut.warps,
        )  # fmt: skip


def _power(count: int) -> int:
    """The least power of two that is not below."""
    return 1 << max(count - 1, 0).bit_length()
