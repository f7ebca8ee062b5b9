"""Tables over a grid, over the offsets within a window, and of one axis, at another size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from posenc._arrays import (
    adopt,
    check_real,
    has_float64,
    library,
    namespace,
    on_host,
    settle,
    undisturbed,
)
from posenc._typing import Array
from posenc.errors import EncodingTypeError, check, check_index, check_known
from posenc.resize._geometric import GEOMETRIC, check_growth
from posenc.resize._longer import LONGER
from posenc.resize._weights import LIMIT, METHODS, checked_size

MATRICES = {**METHODS, **GEOMETRIC, **LONGER}


def grid(
    table: Array, *, old: Sequence[int], new: Sequence[int], method: str, prefix: int = 0
) -> Array:
    """A learned table over the cells of a grid, for a grid of another size.

    Args:
        table: ``(*lead, prefix + cells, dim)``; cells in order, the last axis of the grid fastest.
        old: The grid it was trained on, such as ``(14, 14)``: height and width, or any number of
            axes.
        new: The grid it is wanted for.
        method: How the model resizes, one of ``METHODS``; there is no default, for each gives
            other numbers.
        prefix: Rows in front that belong to no cell, such as a class token's; they are copied.

    Returns:
        ``(*lead, prefix + new cells, dim)`` in the library, on the device and of the dtype of
        ``table``: summed in float64 where there is one and rounded once, cells of an axis whose
        size stays copied. Gradients flow through.

    Raises:
        EncodingError: If the table has another number of rows, a size has no meaning, or the
            method is not known.

    Example:
        >>> import numpy as np
        >>> table = np.array([[9.0], [1.0], [2.0], [3.0], [4.0]])
        >>> grid(table, old=(2, 2), new=(2, 3), method="linear", prefix=1)[:, 0]
        array([9. , 1. , 1.5, 2. , 3. , 3.5, 4. ])

    References:
        ``interpolate_pos_encoding`` of transformers' models, timm's ``resample_abs_pos_embed``.
    """
    where = "resize.grid()"
    olds, news = _sides(where, old, new)
    check_known(method, METHODS, f"{where}: method", "a known one")
    prefix = checked_count(f"{where}: prefix", prefix)
    _check_rows(where, table, prefix + math.prod(olds), f"prefix {prefix} and {_told(olds)} cells")
    axes = [(method, a, b) for a, b in zip(olds, news, strict=True)]
    return resampled(where, table, axes, before=prefix)


def relative(
    table: Array, *, old: Sequence[int], new: Sequence[int], method: str, extra: int = 0
) -> Array:
    """A table over the offsets between the cells of a window, for a window of another size.

    A window of h by w cells has (2h - 1) (2w - 1) offsets, and this table a row for each, as
    Swin's and BEiT's ``relative_position_bias_table``.

    Args:
        table: ``(*lead, offsets + extra, heads)``; offsets in order, those along the last axis of
            the window fastest.
        old: The window it was trained on, such as ``(7, 7)``.
        new: The window it is wanted for.
        method: One of ``METHODS``, which resize the offsets as a grid; or "geometric-cubic" or
            "geometric-linear", which take old offset k to 1 + q + ... + q^(k-1), with the ratio q
            that ends on the new window's last offset, and interpolate between: near offsets keep
            their bias. Windows can only grow then.
        extra: Rows at the end that belong to no offset, as BEiT's 3 for the class token; copied.

    Returns:
        ``(*lead, new offsets + extra, heads)``, as ``grid`` gives it.

    Raises:
        EncodingError: If the table has another number of rows, a window cannot grow so, or the
            method is not known.

    Example:
        >>> import numpy as np
        >>> window_7 = np.zeros((13 * 13, 4))
        >>> relative(window_7, old=(7, 7), new=(12, 12), method="cubic").shape
        (529, 4)

    References:
        Liu et al. 2021, arXiv:2103.14030, section 3.2, and ``load_pretrained`` of its code; Bao et
        al. 2021, arXiv:2106.08254, and ``run_class_finetuning.py`` of its code.
    """
    where = "resize.relative()"
    olds, news = _sides(where, old, new)
    check_known(method, [*METHODS, *GEOMETRIC], f"{where}: method", "a known one")
    extra = checked_count(f"{where}: extra", extra)
    offsets = [2 * side - 1 for side in olds]
    told = f"{_told(offsets)} offsets and extra {extra}"
    _check_rows(where, table, math.prod(offsets) + extra, told)
    wanted = [2 * side - 1 for side in news]
    if method in GEOMETRIC:
        check_growth(where, olds, news)
    axes = [(method, a, b) for a, b in zip(offsets, wanted, strict=True)]
    return resampled(where, table, axes, after=extra)


def check_table(where: str, table: Array) -> None:
    """Refuse what is no table of real numbers."""
    namespace(table, f"{where}: table")
    check_real(f"{where}: table", table)
    shape = tuple(table.shape)
    check(table.ndim >= 2, f"{where}: table", "of shape (*lead, rows, channels)", shape)


Axis = tuple[Any, ...]  # the name of a matrix, old rows, new rows, and what else it takes


def resampled(
    where: str, table: Array, axes: list[Axis], *, before: int = 0, after: int = 0
) -> Array:
    """Rows of ``table`` resized along each axis, those in front and behind copied."""
    xp = namespace(table)
    *lead, count, dim = table.shape
    sizes = [old for _, old, *_ in axes]
    total = math.prod([new for _, _, new, *_ in axes]) * dim
    largest = max([total, *[old * new for _, old, new, *_ in axes]])
    must = f"such that the table and its matrices have at most {LIMIT} numbers"
    check(largest <= LIMIT, f"{where}: new", must, largest)
    kept = table[..., :before, :], table[..., count - after :, :]
    with undisturbed(table):
        wide = xp.float64 if has_float64(table) else xp.float32
        cells = xp.astype(table[..., before : count - after, :], wide)
        for axis, (name, old, new, *more) in enumerate(axes):
            if old != new:
                shape = (math.prod([*lead, *sizes[:axis]]), old)
                cells = xp.reshape(cells, (*shape, math.prod(sizes[axis + 1 :]) * dim))
                matrix = on_host(_matrix, xp.__name__, name, old, new, *more)
                cells = xp.astype(adopt(matrix, like=table, xp=xp), wide, copy=False) @ cells
                sizes[axis] = new
        cells = xp.reshape(cells, (*lead, math.prod(sizes), dim))
        cells = xp.astype(cells, table.dtype, copy=False)
        return xp.concat([kept[0], cells, kept[1]], axis=-2)


def _matrix(space: str, name: str, *given: Any) -> Array:
    """The matrix of one axis, where PyTorch needs it as its own tensor."""
    matrix = MATRICES[name](*given)
    return settle(matrix, library("torch")) if "torch" in space else matrix


def _sides(where: str, old: Any, new: Any) -> tuple[list[int], list[int]]:
    read = []
    for name, sides in (("old", old), ("new", new)):
        listed = isinstance(sides, Sequence) and not isinstance(sides, str | bytes)
        must, hint = "a size for each axis", "Such as (14, 14): height, width."
        check(listed, f"{where}: {name}", must, sides, hint, error=EncodingTypeError)
        each = [checked_size(f"{where}: {name}[{i}]", size) for i, size in enumerate(sides)]
        check(1 <= len(each) <= 8, f"{where}: {name}", "of 1 to 8 axes", sides)
        cells = math.prod(each)
        check(cells <= LIMIT, f"{where}: {name}", f"of at most {LIMIT} cells", sides)
        read.append(each)
    check(len(read[0]) == len(read[1]), f"{where}: new", f"of {len(read[0])} axes, as old", new)
    return read[0], read[1]


def checked_count(where: str, value: object) -> int:
    """How many rows lie apart."""
    count = check_index(where, value)
    check(count >= 0, where, "at least 0", value)
    return count


def _told(sides: list[int]) -> str:
    return " x ".join(map(str, sides))


def _check_rows(where: str, table: Array, rows: int, told: str) -> None:
    check_table(where, table)
    hint = "State the old size and how many rows belong to none of it."
    must = f"of {rows} rows: {told}"
    check(table.shape[-2] == rows, f"{where}: table", must, tuple(table.shape), hint)
