"""Attention under an encoding of this package, besides specs and schemes."""

from __future__ import annotations

import jax.numpy as jnp

from posenc import attention
from posenc._attending import scheme_of_module
from posenc._typing import Array, Arrays
from posenc.jax._encoding import Encoding
from posenc.scheme import Placed, Scheme
from posenc.specs import Spec


def attend(
    q: Array,
    k: Array,
    v: Array,
    encoding: Encoding | Spec | Scheme,
    *,
    q_positions: Array | Placed = None,
    k_positions: Array = None,
    causal: bool = False,
    mask: Array = None,
    window: int | None = None,
    scale: float | None = None,
    length: int | None = None,
    arrays: Arrays | None = None,
) -> Array:
    """``posenc.attend`` for JAX, which XLA compiles as it stands.

    Args:
        q: ``(*batch, heads, q, dim)``, raw.
        k: ``(*batch, k_heads, k, dim)``; ``heads`` is a multiple of ``k_heads``.
        v: ``(*batch, k_heads, k, v_dim)``.
        encoding: An ``Encoding``, a spec with its ``arrays`` and ``length``, or a scheme.
        q_positions: Where the queries are, or what ``prepare`` made.
        k_positions: Where the keys are; None means where the queries are.
        causal: A query sees keys up to its own index, the last query seeing the last key.
        mask: Boolean, broadcasting to ``(*batch, heads, q, k)``: True may attend. Decoding into
            a cache of fixed size masks what is not filled yet.
        window: A query sees keys at an index distance below this.
        scale: What logits are multiplied by; ``dim ** -0.5`` by default, and 1 in T5.
        length: As for ``bind``, with a spec.
        arrays: As for ``bind``, with a spec.

    Returns:
        ``(*batch, heads, q, v_dim)`` in the dtype of ``v``. A query that sees nothing gets zeros.

    Raises:
        EncodingError: As ``posenc.attend``, or if an ``Encoding`` comes with arrays or a length.

    Example:
        >>> import jax, jax.numpy as jnp, posenc.jax
        >>> q = k = v = jnp.ones((4, 6, 8))
        >>> run = jax.jit(lambda spec: posenc.jax.attend(q, k, v, spec, q_positions=jnp.arange(6)))
        >>> run(posenc.Alibi(heads=4)).shape
        (4, 6, 8)
    """
    if isinstance(encoding, Encoding):
        encoding, arrays, length = scheme_of_module(encoding, arrays, length), None, None
    found: Array = attention.attend(
        q,
        k,
        v,
        encoding,
        q_positions=q_positions,
        k_positions=k_positions,
        causal=causal,
        mask=mask,
        window=window,
        scale=scale,
        length=length,
        arrays=arrays,
        xp=jnp,
    )
    return found
