"""Every option of the kernels against float64 on the host, and their gradients."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

import posenc
import posenc.torch  # what compiled code needs, loaded before
from posenc.kernels import rotate_at

DTYPES = (torch.float32, torch.float16, torch.bfloat16)
PLACES = [8, 9, 70_001, 70_002, 2**31 - 1, -1, -(2**31) + 1]
YARN = posenc.Yarn(factor=4.0, trained_length=4096)
SECTIONS = posenc.Sections(sizes=(24, 20, 20), order="interleaved")
SPECS = {
    "half": posenc.Rope(dim=128, layout="half", base=5e5),
    "interleaved": posenc.Rope(dim=128, layout="interleaved", base=5e5),
    "10 channels": posenc.Rope(dim=10, layout="half"),
    "96 channels": posenc.Rope(dim=96, layout="interleaved"),
    "front 64 of 96": posenc.Rope(dim=64, head_dim=96, layout="half"),
    "back 6 of 16": posenc.Rope(dim=6, head_dim=16, at="back", layout="half", scaling=YARN),
    "back 64 of 192": posenc.Rope(dim=64, head_dim=192, at="back", layout="interleaved"),
    "sections": posenc.Rope(dim=128, layout="half", axes=SECTIONS),
    "axial": posenc.Rope(dim=64, layout="interleaved", axes=posenc.Axial(dims=(32, 32))),
}

Case = Callable[[torch.device], tuple[float, float]]
"""On a device, the largest share of the allowed error that was seen, and that error."""


def checked(device: torch.device, *, smoke: bool, only: str, until: float) -> list[dict[str, Any]]:
    """A row for every case: what it is off by, or why it could not be run."""
    rows = []
    for name, case in cases(smoke):
        if only not in name:
            continue
        row: dict[str, Any] = {"case": name, "ok": False, "why": "not run: out of time"}
        if time.monotonic() < until:
            try:
                share, error = case(device)
                ok = share <= 1
                why = "" if ok else f"off by {error:.2e}, {share:.2g} of what is allowed"
                row.update(ok=ok, error=error, share=share, why=why)
            except Exception as problem:  # the rest is still worth knowing
                row["why"] = f"{type(problem).__name__}: {str(problem).splitlines()[0][:200]}"
        print(f"{'ok   ' if row['ok'] else 'WRONG'} {name:56} {row.get('error', row['why'])}")
        rows.append(row)
    return rows


def cases(smoke: bool) -> Iterator[tuple[str, Case]]:
    for (name, spec), dtype in itertools.product(SPECS.items(), DTYPES):
        if not smoke or dtype == torch.bfloat16:
            yield f"{name}, {short(dtype)}", turned(spec, dtype)
    for name, axis in itertools.product(("half", "back 6 of 16", "sections"), (-2, None)):
        yield f"{name}, head_axis={axis}", turned(SPECS[name], torch.float32, head_axis=axis)
    spec = SPECS["half"]
    for name in STRIDED:
        yield f"input {name}", turned(spec, torch.bfloat16, form=name)
    for kind in (torch.int16, torch.int32):
        yield f"positions {short(kind)}", turned(spec, torch.float32, kind=kind)
    yield "positions of each row", turned(spec, torch.float32, rows=True)
    yield "k in another dtype", turned(spec, torch.bfloat16, k_dtype=torch.float32)
    wide = DTYPES[2:] if smoke else DTYPES[::2]
    for name, dtype in itertools.product(("interleaved", "back 6 of 16"), wide):
        yield f"in place, {name}, {short(dtype)}", turned(SPECS[name], dtype, in_place=True)
        yield f"reverse, {name}, {short(dtype)}", turned(SPECS[name], dtype, reverse=True)
        yield f"gradient, {name}, {short(dtype)}", gradient(SPECS[name], dtype, "eager")
    if not smoke:
        for dtype in DTYPES:
            yield f"compiled, with gradient, {short(dtype)}", gradient(spec, dtype, "inductor")
            yield f"4096 tokens, {short(dtype)}", turned(spec, dtype, tokens=4096, heads=(32, 8))
        yield "more than 2^31 numbers", beyond_32_bits


def short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def told(spec: posenc.Rope, device: torch.device) -> dict[str, Any]:
    """What a spec says, as ``rotate_at`` takes it."""
    constants = {n: torch.from_numpy(a).to(device) for n, a in spec.constants().items()}
    width = spec.head_dim or spec.dim
    return {
        "steps": constants["rates"],
        "axis": constants.get("axis"),
        "layout": spec.layout,
        "start": width - spec.dim if spec.at == "back" else 0,
        "factor": spec.attention_factor() if spec.head_dim else 1.0,
    }


def positions(spec: posenc.Rope, count: int) -> Tensor:
    drawn = torch.Generator().manual_seed(4)
    rest = torch.randint(-(2**31) + 1, 2**31, (max(count - len(PLACES), 0),), generator=drawn)
    at = torch.cat([torch.tensor(PLACES[:count]), rest])
    axes = spec.axes.count
    return at if axes == 1 else torch.stack([at.roll(i) for i in range(axes)], dim=-1)


STRIDED: dict[str, Callable[[Tensor], Tensor]] = {
    "transposed": lambda x: x.transpose(-3, -2).contiguous().transpose(-3, -2),
    "one of three": lambda x: torch.stack([x] * 3, dim=-2)[..., 1, :],
    "every other channel": lambda x: x.repeat_interleave(2, dim=-1)[..., ::2],
    "one head for all": lambda x: x[..., :1, :, :].expand_as(x),
    "not aligned": lambda x: torch.cat([x[..., :1], x], dim=-1)[..., 1:],
}


def share(got: Tensor, due: Tensor) -> tuple[float, float]:
    """The error allowed is that of angles and products in float32, and of one rounding."""
    got, rounding = got.detach().cpu(), torch.finfo(got.dtype).eps / 2
    error = (got.double() - due).abs()
    if not error.isfinite().all():
        return float("inf"), float("inf")
    allowed = 2.5e-6 + 1.001 * rounding * due.abs()
    return float((error / allowed).max()), float(error.max())


def drawn(
    spec: posenc.Rope, dtype: torch.dtype, head_axis: int | None, n: int, heads: tuple[int, int]
) -> list[Tensor]:
    made = torch.Generator().manual_seed(5)
    width = spec.head_dim or spec.dim
    shapes = {-3: [(h, n) for h in heads], -2: [(n, h) for h in heads], None: [(n,), (n,)]}
    tokens = [torch.randn(2, *s, width, generator=made) for s in shapes[head_axis]]
    return [x.clamp(-3, 3).to(dtype) for x in tokens]


def turned(
    spec: posenc.Rope,
    dtype: torch.dtype,
    *,
    head_axis: int | None = -3,
    form: str | None = None,
    kind: torch.dtype = torch.int64,
    rows: bool = False,
    k_dtype: torch.dtype | None = None,
    in_place: bool = False,
    reverse: bool = False,
    tokens: int = len(PLACES),
    heads: tuple[int, int] = (3, 1),
) -> Case:
    def case(device: torch.device) -> tuple[float, float]:
        q, k = (x.to(device) for x in drawn(spec, dtype, head_axis, tokens, heads))
        k = k if k_dtype is None else k.to(k_dtype)
        if form:
            q, k = STRIDED[form](q), STRIDED[form](k)
        at = positions(spec, tokens)
        if kind != torch.int64:
            at = at.clamp(-30_000, 30_000) if kind == torch.int16 else at
            at = at.to(kind)
        at = torch.stack([at, at.flip(0)]) if rows else at
        sense = -1 if reverse else 1
        hook = posenc.bind(spec).query
        due = [hook(x.cpu().double(), at.long() * sense, head_axis=head_axis) for x in (q, k)]
        options: Any = {"head_axis": head_axis, "in_place": in_place, "reverse": reverse}
        with torch.no_grad():
            got = rotate_at(q, k, at.to(device), **told(spec, device), **options)
        return max(share(x, y) for x, y in zip(got, due, strict=True))

    return case


def gradient(spec: posenc.Rope, dtype: torch.dtype, backend: str) -> Case:
    def case(device: torch.device) -> tuple[float, float]:
        given = told(spec, device)
        at = positions(spec, len(PLACES)).to(device)

        def step(q: Tensor, k: Tensor) -> Any:
            return rotate_at(q, k, at, **given)

        torch.compiler.reset()
        body = step if backend == "eager" else torch.compile(step, backend=backend, fullgraph=True)
        leaves = [x.to(device) for x in drawn(spec, dtype, -3, len(PLACES), (3, 1))]
        weights = [x.flip(-1).clone() for x in leaves]
        leaves = [x.requires_grad_() for x in leaves]
        got = torch.autograd.grad(body(*leaves), leaves, weights)
        # The transpose of a rotation is the rotation back; the factor stays.
        hook = posenc.bind(spec).query
        due = [hook(w.cpu().double(), -at.cpu()) for w in weights]
        return max(share(x, y) for x, y in zip(got, due, strict=True))

    return case


def beyond_32_bits(device: torch.device) -> tuple[float, float]:
    """The last tokens of a tensor of 2^31 numbers and some more, turned in place."""
    spec, tokens = SPECS["half"], 2**24 + 8
    room = torch.cuda.mem_get_info()[0]
    if room < 2 * tokens * 128 + 2**30:
        raise MemoryError(f"{room >> 20} MiB free, which is too little")
    x = torch.empty(1, 1, tokens, 128, dtype=torch.bfloat16, device=device)
    x[..., -8:, :] = drawn(spec, torch.bfloat16, -3, 8, (1, 1))[0][:1].to(device)
    due = posenc.bind(spec).query(x[..., -8:, :].cpu().double(), torch.arange(tokens - 8, tokens))
    x[..., :-8, :] = 0
    rotate_at(x, None, torch.arange(tokens, device=device), **told(spec, device), in_place=True)
    return share(x[..., -8:, :], due)
