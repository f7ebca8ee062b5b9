"""What can say where tokens are, and positions in the library of their tokens."""

from __future__ import annotations

from posenc._arrays import (
    adopt,
    dtype_name,
    has_int64,
    in_sight,
    is_concrete,
    is_host,
    is_integer,
    is_narrow,
    is_real,
    library_name,
    namespace,
    settle,
    to_host,
)
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check


def check_positions(where: str, positions: Array, *, bits: int = 53) -> Array:
    """``positions`` if they can say where tokens are, else one sentence.

    Half-precision floats are refused: bfloat16 cannot count past 256, float16 not past 2048, so
    neighbouring tokens would share a position without a word.

    Args:
        where: What is refused, as the caller wrote it.
        positions: Integers or real numbers.
        bits: Their largest size: up to 2^53 a step of an angle is right to a thousandth.

    Returns:
        Integers widened to the widest that the library has, since distances between narrow or
        unsigned ones wrap round in silence; real numbers as they are.
    """
    xp = namespace(positions, where)
    check(
        is_integer(positions) or is_real(positions),
        where,
        "integers or real numbers",
        dtype_name(positions),
        "A position says where a token is; a mask says which tokens count.",
        error=EncodingTypeError,
    )
    check(
        not is_narrow(positions),
        where,
        "integers, float32 or float64",
        dtype_name(positions),
        "Half precision merges neighbouring positions (bfloat16 from 257, float16 from 2049).",
    )
    check(
        positions.ndim >= 1,
        where,
        "of shape (n,) or (*batch, n)",
        tuple(positions.shape),
        "A single token is an array of length 1.",
    )
    check(
        not getattr(positions, "requires_grad", False),
        where,
        "without a gradient",
        "requires_grad=True",
        "Phases are counted in integers, which pass none on; learn frequencies instead.",
    )
    widest = dtype_name(positions) == ("uint64" if has_int64(xp) else "uint32")
    hint = "What does not fit could not be refused there."
    told = is_concrete(positions) or not widest
    check(told, where, "signed in compiled code", dtype_name(positions), hint)
    bits = bits if has_int64(xp) else 31
    wide = positions
    if is_integer(positions):
        wide = xp.astype(positions, xp.int64 if bits > 31 else xp.int32, copy=False)
    if is_concrete(positions) and 0 not in positions.shape:
        hint = "" if bits > 31 else "JAX counts in 32 bits unless 64-bit mode is on."
        small = _holds(in_sight(positions), bits)
        check(small, where, f"finite and below 2**{bits} in size", positions, hint)
    return wide


def _holds(positions: Array, bits: int) -> bool:
    """Whether every value is finite and survives being counted in that many bits."""
    xp = namespace(positions)
    if is_real(positions):
        low, high = xp.min(positions), xp.max(positions)
        return bool((low > -(2.0**bits)) & (high < 2.0**bits))  # what is no number is neither
    unsigned = dtype_name(positions).startswith("uint")
    if bits == 31 and not unsigned:
        return True
    wide = xp.astype(positions, xp.int64 if bits > 31 else xp.int32, copy=False)
    most = 2**bits - 1
    least = 0 if unsigned else -most  # a wrapped one came out negative
    return bool((xp.min(wide) >= least) & (xp.max(wide) <= most))


def bring(positions: Array, *, like: Array, where: str) -> Array:
    """Positions in the library and on the device of the tokens that they belong to.

    NumPy's are taken along; those of another library are refused, for nobody said which to keep.
    """
    theirs, ours = namespace(positions, where), namespace(like)
    if theirs is ours:
        return positions
    name, got = library_name(ours), library_name(theirs)
    hint = "NumPy's are taken along; convert those of other libraries."
    must = f"of the library of the tokens, {name}"
    check(is_host(theirs), where, must, got, hint, error=EncodingTypeError)
    return adopt(carried(positions, where, ours), like=like, xp=ours)


def carried(positions: Array, where: str, xp: Namespace) -> Array:
    """Positions of a host library in another one, which has to hold them."""
    host = check_positions(where, to_host(positions))
    if not has_int64(xp) and is_integer(host):
        fits = host.size == 0 or int(abs(host).max()) < 2**31
        check(fits, where, "below 2**31 in size", host, "JAX counts in 32 bits.")
        host = host.astype("int32")
    elif not has_int64(xp) and dtype_name(host) == "float64":
        narrow = host.astype("float32")
        near = host.size == 0 or float(abs(narrow - host).max()) < 2.0**-12
        hint = "JAX has float32 alone; take the origin off first, as timestamps() does."
        check(near, where, "within 2**-12 of float32 numbers", host, hint)
    return settle(host, xp)
