"""q and k turned by where they are, angles and rotation in one call."""

from __future__ import annotations

import sys
from typing import NamedTuple

from posenc._arrays import adopt, dtype_name, is_float64, is_real, is_torch, namespace
from posenc._tokens import check_tokens, over_heads
from posenc._typing import Array, Layout, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.functional._layouts import check_layout
from posenc.kernels._angles import angles, check_axis
from posenc.kernels._rotate import rotate
from posenc.positions import check_positions


class Counted(NamedTuple):
    """What phases are counted from, in place of tables of cos and sin.

    Attributes:
        positions: Integers, ``(*batch, n)``, and their coordinates last where there are several.
        steps: ``(pairs,)``, int64.
        axis: ``(pairs,)``: which coordinate each pair reads.
    """

    positions: Array
    steps: Array
    axis: Array | None = None


def counted(
    positions: Array,
    rates: Array,
    *,
    xp: Namespace,
    axis: Array | None = None,
    fine: Array | None = None,
    stretch: Array | None = None,
) -> Counted | None:
    """The arguments of ``angles`` as ``rotate_at`` takes them where it needs no tables.

    ``fine`` and ``stretch`` are for what is between whole positions. None where tables serve
    better: on a CPU, and in a graph that is being compiled, where plain operations are fused with
    what is around them.
    """
    if not is_torch(xp) or is_real(positions) or is_real(rates):
        return None
    from posenc.kernels import _gpu

    compiling = sys.modules["torch"].compiler.is_compiling()
    if compiling or not (_gpu.serves(positions) and _gpu.runs(positions.device)):
        return None
    steps = adopt(rates, like=positions, xp=xp)
    return Counted(positions, steps, None if axis is None else adopt(axis, like=positions, xp=xp))


def rotate_at(
    q: Array,
    k: Array | None,
    positions: Array,
    steps: Array,
    *,
    layout: Layout,
    start: int = 0,
    axis: Array | None = None,
    factor: float = 1.0,
    head_axis: int | None = -3,
    reverse: bool = False,
    in_place: bool = False,
) -> tuple[Array, Array | None]:
    """Turn each channel pair of q and k by ``position * step``, counter-clockwise.

    On a GPU with Triton this is one launch that reads q and k once and no table: phases are made
    in it. Everywhere else it is ``angles`` and ``rotate``.

    Args:
        q: ``(*batch, heads, n, dim)``.
        k: The same but for the number of heads; None if there is q alone.
        positions: ``(n,)`` or ``(*batch, n)``; with ``axis``, their coordinates on one more axis,
            the last. On a GPU integers of any size; real positions are turned the plain way.
        steps: ``(pairs,)``, from ``turns_per_position``: int64, units of 2^-64 turn. Also what
            ``angles`` takes in their place, the plain way.
        layout: Which channels form a pair.
        start: The first channel that turns; those around the pairs stay as they are.
        axis: ``(pairs,)``: which coordinate each pair reads.
        factor: What the channels that turn are multiplied by.
        head_axis: Where q and k have their heads: -3, -2, or None without heads.
        reverse: Turn by the negative angles.
        in_place: Write into q and k, and return them.

    Returns:
        q and k, turned, in their own dtype; computed in float32, or float64 if q is.

    Raises:
        EncodingError: If shapes do not fit.

    Example:
        >>> import numpy as np
        >>> quarter = np.array([2**62])
        >>> x = np.array([[[1.0, 0.0]]])
        >>> rotate_at(x, None, np.array([1]), quarter, layout="half")[0].round(12)
        array([[[0., 1.]]])
    """
    check_layout("rotate_at(): layout", layout)
    tokens = [q] if k is None else [q, k]
    namespace(positions, "rotate_at(): positions")
    namespace(steps, "rotate_at(): steps")
    if is_real(positions) or getattr(positions.device, "type", "cpu") == "cpu":
        positions = check_positions("rotate_at(): positions", positions)
    _check(tokens, positions, steps, axis, start, head_axis)
    xp = namespace(q)
    steps, axis = (a if a is None else adopt(a, like=positions, xp=xp) for a in (steps, axis))
    if is_torch(xp):
        from posenc.kernels import _gpu

        if _gpu.fits(*tokens, positions=positions, steps=steps):
            turned = _gpu.turn(
                tokens,
                positions,
                steps,
                axis,
                interleaved=layout == "interleaved",
                start=start,
                factor=factor,
                head_axis=head_axis,
                reverse=reverse,
                in_place=in_place,
            )
            return turned[0], None if k is None else turned[1]
    waves = angles(positions, steps, xp=xp, float64=is_float64(q), axis=axis)
    cos, sin = (over_heads(wave * factor, head_axis=head_axis, xp=xp) for wave in waves)
    if reverse:
        sin = -sin

    def turned_plainly(x: Array) -> Array:
        out = x if in_place else None
        return rotate(x, cos, sin, layout=layout, xp=xp, start=start, out=out)

    return turned_plainly(q), None if k is None else turned_plainly(k)


def _check(
    tokens: list[Array],
    positions: Array,
    steps: Array,
    axis: Array | None,
    start: int,
    head_axis: int | None,
) -> None:
    """A program reads where it is told to, so everything has to be where it is said to be."""
    coordinates = 1 if axis is None else int(positions.shape[-1])
    for name, x in zip("qk", tokens, strict=False):
        check_tokens(f"rotate_at(): {name}", x, positions, head_axis, coordinates)
    pairs, channels = tuple(steps.shape[-1:]), int(tokens[0].shape[-1])
    must = "of shape (pairs,)"
    words = dtype_name(steps) == "uint32"  # of JAX without 64-bit integers
    counted = words or dtype_name(steps) in ("int64", "float32", "float64")
    hint = "A step is a whole turn cut into 2**64 parts; a cast loses most of it."
    kinds = "int64, or frequencies in float32 or float64"
    kind = dtype_name(steps)
    check(counted, "rotate_at(): steps", kinds, kind, hint, error=EncodingTypeError)
    check(steps.ndim == (2 if words else 1), "rotate_at(): steps", must, tuple(steps.shape))
    read = pairs if axis is None else tuple(axis.shape)
    check(read == pairs, "rotate_at(): axis", f"of shape {pairs}, as steps", read)
    if axis is not None:
        check_axis("rotate_at(): axis", axis, coordinates)
    room = 0 <= start <= channels - 2 * pairs[0]
    must = f"from 0 to {channels - 2 * pairs[0]}, for {pairs[0]} pairs of {channels} channels"
    check(room, "rotate_at(): start", must, start)
    heads = 0 if head_axis is None else head_axis
    one, *others = ([n for i, n in enumerate(x.shape, -x.ndim) if i != heads] for x in tokens)
    alike = all(one == other for other in others)  # not by hash, which would fix open sizes
    must = f"of the shape of q but for the heads, {tuple(one)}" if not alike else ""
    check(alike, "rotate_at(): k", must, None if alike else tuple(tokens[1].shape))
