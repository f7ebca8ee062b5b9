"""The registry: every case, in the order in which it is run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from posenc._typing import Layout
from posenc.bench._case import Bound, Case, Size
from posenc.errors import check_known

_TORCH, _ALL = ("float32", "bfloat16"), ("float32", "bfloat16", "float16")
_TINY = {"heads": 2, "k_heads": 1, "length": 32, "dim": 16}
_TURNING: dict[Layout, tuple[str, ...]] = {
    "half": ("transformers", "torch-compile", "torch-out", "numpy", "numpy-loops", "jax-jit"),
    "interleaved": ("meta-complex", "rotary-embedding-torch", "x-transformers"),
}
_TABLES = ("torch-eager", "torch-compile", "numpy", "numpy-loops", "jax-jit")


def _rotations() -> Iterable[Case]:
    """q and k of 32 + 8 heads, 4096 tokens, in each way and layout."""
    ways = {
        "in-place": (1.6, _ALL),
        "into": (1.8, _ALL),
        "fresh": (4.5, _TORCH),
    }
    for layout, peers in _TURNING.items():
        for way, (at_most, dtypes) in ways.items():
            yield Case(
                name=f"rotate-{way}" + ("" if layout == "half" else f"-{layout}"),
                work="rotation",
                ours=way,
                limit="copy",
                peers=tuple(p for p in peers if way != "fresh" or p != "torch-out"),
                size=Size(layout=layout),
                small=_TINY,
                dtypes=dtypes,
                bounds=(Bound(at_most, "limit"),),
            )


_ROTATE = Case(name="", work="rotation", ours="fresh", limit="copy", small=_TINY)
_DECODE = replace(
    _ROTATE,
    name="decode",
    unit="us",
    size=Size(length=1, offset=4096, inference=True),
    small={"heads": 4, "k_heads": 2, "dim": 16},
)
_TABLE = Case(
    name="",
    work="tables",
    ours="into",
    limit="fill",
    peers=_TABLES,
    size=Size(length=131_072),
    small={"length": 64, "dim": 8},
    dtypes=("float32",),
)
_ATTENTION = Case(
    name="",
    work="attending",
    ours="attend",
    limit="no-bias",
    peers=("materialised", "flex-attention"),
    size=Size(length=8192, heads=8, k_heads=8, dim=64),
    small={"length": 48, "heads": 2, "k_heads": 2, "dim": 8},
)
_PROCESS = Case(
    name="", work="processes", ours="", limit="python", unit="s", small={"length": 1}, dtypes=("",)
)
_COMPILED = Case(name="", work="graphs", ours="compiled", unit="graphs", dtypes=("float32",))
_GROWING = Case(
    name="",
    work="rotation",
    ours="into",
    limit="copy",
    peers=("transformers", "torch-compile", "numpy"),
    dtypes=("float32",),
)


def _attention(spec: str, *, backward: bool) -> Case:
    return replace(
        _ATTENTION,
        name=f"{spec}-gradient" if backward else spec,
        size=replace(_ATTENTION.size, spec=spec, backward=backward),
        bounds=(
            Bound(1 / 2 if backward else 1 / 3, "materialised"),
            Bound(320 if backward else 64, unit="MiB"),
        ),
    )


GROWTH = (
    replace(
        _GROWING,
        name="growth-length",
        size=Size(heads=1, k_heads=1, dim=64),
        small={"dim": 8},
        points=tuple({"length": 1 << n} for n in range(10, 21, 2)),
    ),
    replace(
        _GROWING,
        name="growth-batch",
        size=Size(heads=4, k_heads=4, length=512),
        small={"length": 8, "dim": 8},
        points=tuple({"batch": 1 << n} for n in range(6)),
    ),
    replace(
        _GROWING,
        name="growth-heads",
        size=Size(length=512),
        small={"length": 8, "dim": 8},
        points=tuple({"heads": 4 << n, "k_heads": 1 << n} for n in range(5)),
    ),
    replace(
        _GROWING,
        name="growth-threads",
        small=_TINY,
        points=({"threads": 2}, {"threads": 1}),
    ),
)
"""How cost grows: with text, texts, heads and threads."""

_LIST = (
    *_rotations(),
    replace(_ROTATE, name="rotate-numpy", ours="numpy", peers=("numpy", "numpy-loops"),
            dtypes=("float32",)),
    replace(_ROTATE, name="rotate-compiled", ours="compiled", peers=("torch-compile",)),
    replace(_ROTATE, name="rotate-jax", ours="jax", peers=("jax-jit",)),
    replace(_DECODE, peers=(*_TURNING["half"][:2], "jax-jit"),
            bounds=(Bound(1 / 3, "transformers"),)),
    replace(_DECODE, name="decode-interleaved", peers=_TURNING["interleaved"],
            size=replace(_DECODE.size, layout="interleaved")),
    replace(_TABLE, name="table-into", bounds=(Bound(2, "limit"),)),
    replace(_TABLE, name="table-into-any", bounds=(Bound(2, "limit"),),
            size=replace(_TABLE.size, order="any")),
    replace(_TABLE, name="table-fresh", ours="fresh"),
    replace(_TABLE, name="table-numpy", ours="numpy", peers=("numpy", "numpy-loops")),
    replace(_TABLE, name="table-plain", ours="numpy-into", plain=True,
            peers=("numpy", "numpy-loops"), bounds=(Bound(6, "limit"),)),
    Case(name="sinusoid", work="sinusoid", ours="embed", limit="fill",
         peers=(*_TABLES, "positional-encodings"), size=Size(length=8192, dim=512),
         small={"length": 64, "dim": 8}),
    *(_attention(spec, backward=b) for spec in ("alibi", "t5") for b in (False, True)),
    replace(_PROCESS, name="import", ours="import", limit="import-numpy", unit="ms",
            bounds=(Bound(1.5, "limit"),)),
    replace(_PROCESS, name="help", ours="help", bounds=(Bound(0.25, unit="s"),)),
    replace(_PROCESS, name="inspect", ours="inspect", bounds=(Bound(0.35, unit="s"),)),
    replace(_PROCESS, name="tour", ours="tour", bounds=(Bound(5, unit="s"),)),
    replace(_COMPILED, name="graphs", peers=("torch-compile",), bounds=(Bound(2, unit="graphs"),)),
    replace(_COMPILED, name="graphs-token", peers=("torch-compile",), size=Size(token=True),
            bounds=(Bound(3, unit="graphs"),)),
    *GROWTH,
)  # fmt: skip

CASES: dict[str, Case] = {case.name: case for case in _LIST}
"""Every case by name."""


def chosen(names: Iterable[str] | None = None) -> list[Case]:
    """The cases of these names in the registry's order; all of them by default.

    Raises:
        EncodingError: If a name is unknown; the hint names the nearest.
    """
    wanted = list(names or CASES)
    for name in wanted:
        check_known(name, CASES, "--case", "a case that there is")
    return [case for case in CASES.values() if case.name in wanted]
