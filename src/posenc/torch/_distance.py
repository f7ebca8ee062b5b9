"""A bias that knows distances alone: one value for each head and distance.

Among n queries and keys there are 2 n - 1 distances: a vector, where the matrix of every head
would not fit. Its gradient is a vector too, and goes on to whatever the spec made the bias of.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.functional import pad

from posenc.scheme import Scheme, require

_SPREAD = 4  # distances that span more than so many times the tokens are not tabulated


@dataclass(frozen=True)
class Distances:
    """The bias of each head at each distance.

    Attributes:
        values: ``(heads, distances)``; column c is the distance ``low + c``.
        low: The smallest distance.
        q_positions: ``(q,)`` or ``(batch, q)``, int64.
        k_positions: The same for keys.
        straight: Whether both count up by one, so that every row is a slice of the values.
    """

    values: Tensor
    low: int
    q_positions: Tensor
    k_positions: Tensor
    straight: bool

    def rows(self, rows: slice, count: int) -> Tensor:
        """The bias of some queries on the first keys.

        Shape ``(heads, rows, count)``, or ``(batch, heads, rows, count)``.
        """
        if not self.straight:
            return self.values[:, self._columns(rows, count)].movedim(0, -3)
        # With keys in rising order each row starts a column before the row above it: slices that
        # overlap, once the rows are turned round too.
        ordered = self.values.flip(-1)
        start = self.q_positions.shape[-1] - rows.stop
        size = (ordered.shape[0], rows.stop - rows.start, count)
        return ordered.as_strided(size, (ordered.stride(0), 1, 1), start).flip(1)

    def add_grad(self, total: Tensor, grad: Tensor, rows: slice) -> None:
        """Add the gradient of some rows, ``(batch, heads, rows, count)``, to that of the values."""
        heads, height, count = grad.shape[1:]
        if self.straight:
            # Rows shifted by one against one another, so that equal distances stand in a column.
            skewed = pad(grad.sum(0).flip(1), (0, height)).reshape(heads, -1)[:, :-height]
            summed = skewed.reshape(heads, height, -1).sum(1)
            stop = total.shape[-1] - (self.q_positions.shape[-1] - rows.stop)
            total[:, stop - summed.shape[-1] : stop] += summed.flip(-1)
            return
        columns = self._columns(rows, count)
        if columns.ndim == 2:
            grad, columns = grad.sum(0, keepdim=True), columns[None]
        for row, index in zip(grad, columns, strict=True):
            total.index_add_(1, index.reshape(-1), row.reshape(heads, -1))

    def with_values(self, values: Tensor) -> Distances:
        """The same distances with other values."""
        return replace(self, values=values)

    def _columns(self, rows: slice, count: int) -> Tensor:
        q, k = self.q_positions[..., rows], self.k_positions[..., :count]
        return q[..., :, None] - k[..., None, :] - self.low


def by_distance(scheme: Scheme, q_positions: Tensor, k_positions: Tensor) -> Distances | None:
    """The bias of a relative scheme by distance, or None where there are too many distances."""
    if q_positions.is_floating_point() or k_positions.is_floating_point():
        return None
    q, k = q_positions.long(), k_positions.long()
    if not q.numel() or not k.numel() or max(q.ndim, k.ndim) > 2:
        return None
    low, high = int(q.min() - k.max()), int(q.max() - k.min())
    if high - low >= _SPREAD * (q.shape[-1] + k.shape[-1]):
        return None
    apart = torch.arange(low, high + 1, device=q.device)
    values = require(scheme, "bias")(apart, apart.new_zeros(1))[..., 0].contiguous()
    straight = q.ndim == k.ndim == 1 and _rises_by_one(q) and _rises_by_one(k)
    return Distances(values, low, q, k, straight)


def _rises_by_one(positions: Tensor) -> bool:
    return bool((positions.diff() == 1).all())
