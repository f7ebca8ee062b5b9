"""Any number of batch axes as one, and a key head for every query head."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from posenc._attending import Seen
from posenc.scheme import Placed


class Flat(NamedTuple):
    """q, k and v as ``(batch, heads, n, dim)``, and a mask that fits them.

    Attributes:
        q: Queries.
        k: Keys, as many heads as queries.
        v: Values, likewise.
        seen: Who sees whom, its mask of four axes.
        batch: The batch axes as they were.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    seen: Seen
    batch: tuple[int, ...]

    def positions(self, placed: Placed, coordinates: int) -> tuple[Tensor, Tensor]:
        """Where queries and keys are, ``(n,)`` or ``(batch, n)``, coordinates last."""
        own = 1 if coordinates == 1 else 2

        def one(positions: Tensor) -> Tensor:
            if positions.ndim == own:
                return positions
            each = positions.shape[-own:]
            return positions.expand(*self.batch, *each).reshape(-1, *each)

        return one(placed.q_positions), one(placed.k_positions)


def flat(q: Tensor, k: Tensor, v: Tensor, seen: Seen, groups: int) -> Flat:
    """The flat form of attention's arguments."""
    batch = tuple(q.shape[:-3])

    def one(x: Tensor) -> Tensor:
        return x.expand(*batch, *x.shape[-3:]).reshape(-1, *x.shape[-3:])

    k, v = one(k), one(v)
    if groups > 1:
        k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    mask = seen.mask
    if mask is not None:
        mask = mask.reshape(*(1,) * (len(batch) + 3 - mask.ndim), *mask.shape)
        mask = (
            one(mask) if any(n > 1 for n in mask.shape[:-3]) else mask.reshape(1, *mask.shape[-3:])
        )
    return Flat(one(q), k, v, seen._replace(mask=mask), batch)
