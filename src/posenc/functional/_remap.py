"""Distances that are told otherwise past a window, so that a trained model reads longer text."""

from __future__ import annotations

from collections.abc import Sequence

from posenc._typing import Array, Namespace


def dual_chunk(
    positions: Array, *, chunk: int, local: int, xp: Namespace
) -> tuple[tuple[Array, Array], ...]:
    """Where queries and keys are for pairs in one chunk, in neighbouring ones, and farther apart.

    With c = chunk - local positions in a chunk, keys are at ``p mod c`` throughout, queries at

        p mod c,    min(p mod c + c, chunk),    min(2 c - 1, chunk)

    References:
        An et al. 2024, arXiv:2402.17463, section 3, and the authors' ChunkLlama.
    """
    own = chunk - local
    within = positions % own
    beside = within + own
    beside = xp.where(beside < chunk, beside, xp.full_like(beside, chunk))
    last = xp.full_like(within, min(2 * own - 1, chunk))
    return (within, within), (beside, within), (last, within)


def staged(products: Sequence[Array], beyond: Sequence[Array], *, xp: Namespace) -> Array:
    """The first product, and each later one for the pairs that are ``beyond``.

    Args:
        products: Logits ``(*batch, heads, q, k)``.
        beyond: Booleans ``(*batch, q, k)``, one for every product after the first.
        xp: The array namespace.
    """
    logits = products[0]
    for pairs, product in zip(beyond, products[1:], strict=True):
        logits = xp.where(pairs[..., None, :, :], product, logits)
    return logits
