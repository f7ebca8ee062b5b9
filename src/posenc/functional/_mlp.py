"""A small network: what some biases are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from posenc._arrays import undisturbed
from posenc._typing import Array, Arrays, Namespace

Activation = Callable[..., Array]


def relu(x: Array, *, xp: Namespace) -> Array:
    """``max(x, 0)``."""
    return xp.where(x > 0, x, xp.zeros_like(x))


def sigmoid(x: Array, *, xp: Namespace) -> Array:
    """``1 / (1 + exp(-x))``, which overflows for no x."""
    return 0.5 + 0.5 * xp.tanh(0.5 * x)


def silu(x: Array, *, xp: Namespace) -> Array:
    """``x sigmoid(x)``."""
    return x * sigmoid(x, xp=xp)


def mlp(
    x: Array, layers: Iterable[tuple[Array, Array]], *, activation: Activation, xp: Namespace
) -> Array:
    """Linear layers with an activation between them.

    Args:
        x: ``(..., channels)``.
        layers: Weight ``(out, in)`` and bias ``(out,)``, or None for no bias, of each.
        activation: ``x, *, xp -> x``.
        xp: The array namespace.

    Returns:
        ``(..., out)`` of the last layer.
    """
    with undisturbed(x):
        for i, (weight, bias) in enumerate(layers):
            x = activation(x, xp=xp) if i else x
            x = x @ xp.matrix_transpose(weight)
            x = x if bias is None else x + bias
    return x


def shapes(sizes: tuple[int, ...], *, last_bias: bool = True) -> dict[str, tuple[int, ...]]:
    """Name and shape of every array of a network of such widths: ``weight1``, ``bias1``, ..."""
    found: dict[str, tuple[int, ...]] = {}
    for i in range(1, len(sizes)):
        found[f"weight{i}"] = (sizes[i], sizes[i - 1])
        if last_bias or i + 1 < len(sizes):
            found[f"bias{i}"] = (sizes[i],)
    return found


def drawn(rng: np.random.Generator, named: dict[str, tuple[int, ...]]) -> Arrays:
    """Fresh arrays of those shapes as torch draws those of a linear layer, float32.

    Weight and bias evenly from ``-1/sqrt(in)`` to ``1/sqrt(in)``.
    """
    made = {}
    for name, shape in named.items():
        fan_in = named["weight" + name.removeprefix("weight").removeprefix("bias")][1]
        made[name] = rng.uniform(-1, 1, shape).astype(np.float32) / np.float32(np.sqrt(fan_in))
    return made
