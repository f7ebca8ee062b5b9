"""Tokens that come at times of their own: readings, events, frames of uneven length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc._arrays import (
    dtype_name,
    has_int64,
    in_sight,
    is_concrete,
    is_integer,
    namespace,
    to_host,
)
from posenc._typing import Array
from posenc.errors import EncodingTypeError, check
from posenc.positions._bits import check_fits, ends
from posenc.positions._check import check_positions

_WHERE = "timestamps(): times"


def timestamps(times: Array, *, unit: Any = 1, origin: Any = None) -> Array:
    """Positions that are times: how many units after the origin each token is.

    Args:
        times: ``(*batch, n)``: numbers, or NumPy's datetime64 and timedelta64. Integers, such as
            nanoseconds, keep every digit until the origin is taken off.
        unit: What one step of position lasts, in the same terms: a number, or a timedelta64
            for dates.
        origin: The time that has position 0, in the same terms; None takes each row's first.
            Encodings that know distances alone do not care; those that add a code do.

    Returns:
        ``(*batch, n)``: integers where times and unit are and the unit is 1, else float64 (float32
        where the library has no other).

    Raises:
        EncodingError: If times are not numbers or dates, not finite, or float32 too large to tell
            seconds apart.

    Example:
        >>> import numpy as np
        >>> timestamps(np.array([10.0, 10.5, 13.0]), unit=0.5)
        array([0., 1., 6.])
        >>> days = np.array(["2026-01-01", "2026-01-31"], dtype="datetime64[D]")
        >>> timestamps(days, unit=np.timedelta64(1, "D"))
        array([ 0., 30.])
    """
    namespace(times, _WHERE)
    if dtype_name(times).startswith(("datetime64", "timedelta64")):
        return _of_dates(times, unit, origin)
    times = check_positions(_WHERE, times, bits=63)
    xp = namespace(times)
    step = unit.item() if hasattr(unit, "item") else unit
    real = isinstance(step, int | float) and not isinstance(step, bool)
    check(real, "timestamps(): unit", "a number, as times are", unit, error=EncodingTypeError)
    check(math.isfinite(step) and step > 0, "timestamps(): unit", "finite and above 0", unit)
    if dtype_name(times) == "float32" and is_concrete(times) and 0 not in times.shape:
        seen = in_sight(times)
        largest = float(namespace(seen).max(abs(seen)))
        hint = "Take the origin off in float64 or in integers first."
        check(largest <= 2**24, _WHERE, "below 2**24 in size as float32", largest, hint)
    zero = times[..., :1] if origin is None else _origin(origin)
    if dtype_name(times) == "float32" and origin is not None:
        hint = "Take the origin off in float64 or in integers first."
        check(abs(zero) <= 2**24, "timestamps(): origin", "within 2**24 of 0", zero, hint)
    if is_integer(times) and (found := ends(times)):
        least, most = found
        first, last = found if origin is None else (zero, zero)
        check_fits(_WHERE, math.floor(least - last), math.ceil(most - first), xp)
        exact = step == 1 or has_int64(xp) or max(abs(least - last), abs(most - first)) <= 2**24
        hint = "JAX has float32 alone; take units of 1, or its 64-bit mode."
        check(exact, _WHERE, "within 2**24 of the origin", (least, most), hint)
    wide = xp.float64 if has_int64(xp) else xp.float32
    if not is_integer(times):
        return (times - zero) / step
    # Of an origin between two whole numbers the whole one is taken off exactly.
    rest = 0.0 if origin is None else zero - math.floor(zero)
    since = times - (zero if origin is None else math.floor(zero))
    return since if step == 1 and not rest else (xp.astype(since, wide) - rest) / step


def _origin(origin: Any) -> float:
    one = getattr(origin, "shape", None) == ()
    plain = origin.item() if one else origin
    real = isinstance(plain, int | float) and not isinstance(plain, bool)
    where, must = "timestamps(): origin", "a finite number, as times are"
    check(real and math.isfinite(plain), where, must, origin, error=EncodingTypeError)
    return plain  # type: ignore[no-any-return]


def _of_dates(times: Array, unit: Any, origin: Any) -> Array:
    lasting = isinstance(unit, np.timedelta64)
    hint = 'Such as numpy.timedelta64(1, "s").'
    check(lasting, "timestamps(): unit", "a timedelta64, as times are dates", unit, hint)
    check(unit > np.timedelta64(0), "timestamps(): unit", "above 0", unit)
    known = not bool(np.isnat(to_host(times)).any())
    check(known, _WHERE, "known", "NaT", "Drop tokens without a time.")
    zero = times[..., :1] if origin is None else origin
    dated = isinstance(origin, np.datetime64 | np.timedelta64) and not np.isnat(origin)
    check(origin is None or dated, "timestamps(): origin", "a date, as times are", origin)
    since = times - zero
    # What does not fit in 64 bits comes back as another date, or with the other sign.
    same = origin is None or origin.astype(times.dtype).astype(origin.dtype) == origin
    near = same and bool(((times >= zero) == (since >= np.timedelta64(0))).all())
    check(near, "timestamps(): origin", "near enough for their resolution", origin)
    return since / unit
