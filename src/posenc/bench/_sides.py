"""What each side needs to be installed, and its name as it is printed."""

from __future__ import annotations

from importlib.util import find_spec

NEEDS: dict[str, tuple[str, ...]] = {
    # Peers.
    "flex-attention": ("torch",),
    "jax-jit": ("jax",),
    "materialised": ("torch",),
    "meta-complex": ("torch",),
    "numpy": (),
    "numpy-loops": (),
    "positional-encodings": ("torch", "positional_encodings"),
    "rotary-embedding-torch": ("torch", "rotary_embedding_torch"),
    "torch-compile": ("torch",),
    "torch-eager": ("torch",),
    "torch-out": ("torch",),
    "transformers": ("torch", "transformers"),
    "x-transformers": ("torch", "x_transformers"),
    # Ways of ours, where they need more than NumPy.
    "ours/attend": ("torch",),
    "ours/compiled": ("torch",),
    "ours/fresh": ("torch",),
    "ours/in-place": ("torch",),
    "ours/into": ("torch",),
    "ours/embed": ("torch",),
    "ours/jax": ("jax",),
    # Limits.
    "limit/no-bias": ("torch",),
}
"""Importable names, by side; nothing but NumPy where a side is not listed."""

BESIDE_OURS = ("limit/copy", "limit/fill")
"""Limits of memory, which is as fast as the pages that a process was given: they are measured in
the process of ours."""

SHOWN = {
    "flex-attention": "torch flex_attention",
    "jax-jit": "JAX jit",
    "materialised": "materialised bias",
    "meta-complex": "complex, as Meta's",
    "numpy": "NumPy",
    "numpy-loops": "NumPy, loops",
    "torch-compile": "torch.compile",
    "torch-eager": "torch eager",
    "torch-out": "torch, out=",
    "limit/copy": "copy",
    "limit/fill": "fill",
    "limit/import-numpy": "import numpy",
    "limit/no-bias": "no bias",
    "limit/python": "python -c pass",
}
"""Names that are printed otherwise than they are written in JSON."""


def missing(side: str) -> list[str]:
    """What would have to be installed, as the package index calls it."""
    return [name.replace("_", "-") for name in NEEDS.get(side, ()) if find_spec(name) is None]


def shown_name(side: str) -> str:
    """A side as it is printed."""
    return SHOWN.get(side, side)
