"""The three calls beneath everything: bind a spec, tabulate its angles, rotate by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from posenc import kernels
from posenc._arrays import (
    check_real,
    dtype_name,
    is_jax,
    is_real,
    library,
    library_name,
    namespace,
    settle,
)
from posenc._owner import mark_of, owned
from posenc._tokens import broadcasts, with_coordinates
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import EncodingError, EncodingTypeError, check, check_known, is_word
from posenc.functional._layouts import check_layout
from posenc.positions import check_positions
from posenc.scheme import Scheme
from posenc.specs import Spec
from posenc.specs._fields import checked_length

__all__ = ["bind", "check_bindable", "drawn", "rotate", "tables"]


def bind(
    spec: Spec,
    arrays: Arrays | None = None,
    *,
    length: int | None = None,
    xp: Namespace | str | None = None,
    arithmetic: Arithmetic = "exact",
) -> Scheme:
    """What ``spec`` does to an attention layer, as a record of pure functions.

    Args:
        spec: Any encoding, ours or a plug-in's.
        arrays: The learned arrays by name, of any library; None draws them with seed 0.
        length: Tokens in the run, for specs whose rule depends on it (``spec.needs_length``).
            The scheme is fixed to it: another length is another scheme.
        xp: The library, if it should not be found from each call's own arrays. Name it for
            compiled code, and bind outside of it: torch.compile ends a graph where constants of
            NumPy are taken over, and refuses to with ``fullgraph=True``.
        arithmetic: "exact", or "float32": frequencies and their products with positions in
            float32, as reference implementations multiply. Rotary specs form the frequencies as
            transformers does; others round exact ones once, which is a last bit off those of code
            that forms them otherwise, such as Whisper's sinusoids.

    Raises:
        EncodingError: If a needed length is missing, or arrays are missing, unknown or misshapen.

    Example:
        >>> import numpy as np, posenc
        >>> posenc.bind(posenc.Sinusoidal(dim=4)).embed(np.arange(2)).shape
        (2, 4)
    """
    length = check_bindable("bind()", spec, length, arithmetic)
    shapes = spec.learned()
    _check_shapes(f"{type(spec).__name__}.learned()", shapes)
    if arrays is None:
        arrays = drawn(spec)
    given = type(arrays).__name__
    mapping = isinstance(arrays, Mapping)
    check(mapping, "bind(): arrays", "a mapping by name", given, error=EncodingTypeError)
    for name in arrays:
        check_known(name, shapes or ["none"], "bind(): arrays", "the learned ones")
    for name, shape in shapes.items():
        check(name in arrays, "bind(): arrays", f"given {name!r}", sorted(arrays))
        namespace(arrays[name])
        check_real(f"bind(): arrays[{name!r}]", arrays[name])
        got = tuple(arrays[name].shape)
        check(got == shape, f"bind(): arrays[{name!r}]", f"of shape {shape}", got)
    needed = {**spec.constants(length=length, arithmetic=arithmetic), **arrays}
    space = library(xp)
    if space is not None:  # settled before any tracing; otherwise on each call
        needed = {name: settle(array, space) for name, array in needed.items()}
    scheme = _of_others(spec, spec.bind, needed, length=length, xp=space)
    made = isinstance(scheme, Scheme)
    where = f"{type(spec).__name__}.bind()"
    check(made, where, "answering a Scheme", scheme, "See scheme_of.", error=EncodingTypeError)
    return owned(scheme, mark_of(spec, length, arithmetic))


def tables(
    spec: Spec,
    positions: Array,
    *,
    length: int | None = None,
    float64: bool = False,
    arithmetic: Arithmetic = "exact",
    out: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """cos and sin of every rotary pair at every position: a pure rotation, no attention factor.

    Inside torch.compile ask a scheme's ``prepare``, bound with ``xp="torch"``.

    Args:
        spec: A spec with frequencies: rotary or sinusoidal.
        positions: ``(n,)`` or ``(*batch, n)``; integers, float32 or float64. With several axes,
            their coordinates are on one more axis, the last.
        length: Tokens in the run, for rules that depend on it.
        float64: Return float64 rather than float32.
        arithmetic: "exact", or "float32": frequencies and their products with positions in
            float32, as reference implementations multiply. Rotary specs form the frequencies as
            transformers does; others round exact ones once, which is a last bit off those of code
            that forms them otherwise, such as Whisper's sinusoids.
        out: Two arrays to write cos and sin into, of the shape and dtype that are returned.

    Returns:
        ``out``, or two arrays of shape ``(*batch, n, pairs)`` in the library and on the device of
        ``positions``. Exact ones differ from the true values by at most 1e-7 in NumPy and
        5e-7 in PyTorch and JAX, for every integer position in (-2^31, 2^31).

    Raises:
        EncodingError: If the spec has no frequencies, a needed length is missing, or positions
            cannot say where tokens are.

    Example:
        >>> import numpy as np, posenc
        >>> cos, sin = posenc.tables(posenc.Rope(dim=8, layout="half"), np.arange(5))
        >>> cos.shape
        (5, 4)
    """
    length = check_bindable("tables()", spec, length, arithmetic)
    has = callable(getattr(spec, "frequencies", None))
    check(has, "tables(): spec", "one with frequencies, rotary or sinusoidal", spec)
    positions = check_positions("tables(): positions", positions)
    xp = namespace(positions)
    axes = getattr(spec, "axes", None)
    count = axes.count if axes is not None else getattr(spec, "coordinates", 1)
    if count > 1:
        where, plain = "tables(): positions", axes is not None and axes.plain
        positions = with_coordinates(where, positions, count, plain=plain, xp=xp)
    constants = spec.constants(length=length, arithmetic=arithmetic)
    turns = {n: a for n, a in constants.items() if n in ("rates", "axis", "fine", "stretch")}
    if out is None:
        return kernels.angles(positions, **turns, xp=xp, float64=float64)
    lead = positions.shape[:-1] if count > 1 else positions.shape
    pairs = turns["rates"].shape[-1]
    return _tables_into(out, (*lead, pairs), positions, turns, float64)


def _tables_into(
    out: tuple[Array, Array],
    shape: tuple[int, ...],
    positions: Array,
    turns: Arrays,
    float64: bool,
) -> tuple[Array, Array]:
    """The tables in the arrays given, or one sentence about why they cannot be there."""
    kind = "float64" if float64 else "float32"
    due = f"two arrays of {kind} of shape {shape}"
    given: Any = out
    two = isinstance(given, tuple | list) and len(given) == 2
    check(two, "tables(): out", due, type(given), error=EncodingTypeError)
    xp = namespace(positions)
    for table in out:
        ours, theirs = library_name(xp), library_name(namespace(table, "tables(): out"))
        check(ours == theirs, "tables(): out", f"of {ours}", theirs, error=EncodingTypeError)
        got = f"{dtype_name(table)} of shape {tuple(table.shape)}"
        check(got == f"{kind} of shape {shape}", "tables(): out", due, got)
        _check_place("tables(): out", table, like=positions)
    shared = kernels.overlap(out[0], out[1])
    check(not shared, "tables(): out", "two arrays that share no memory", "two that do")
    try:
        kernels.angles(positions, **turns, xp=xp, float64=float64, out=(out[0], out[1]))
    except (TypeError, ValueError, RuntimeError) as error:
        wanted = [t for t in out if getattr(t, "requires_grad", False)]
        _refuse_to_write("tables(): out", [*wanted, out[0]][0], error)
    return out[0], out[1]


def rotate(x: Array, cos: Array, sin: Array, *, layout: Layout, out: Array = None) -> Array:
    """Turn each channel pair of ``x`` by its angle, counter-clockwise.

        (a, b) -> (a cos - b sin, a sin + b cos)

    Args:
        x: Queries or keys, any leading axes.
        cos: One column per pair, broadcasting with ``x`` over the leading axes: tables of each row
            of a batch, ``(batch, n, pairs)``, want their heads axis, ``(batch, 1, n, pairs)``.
        sin: The same shape.
        layout: "half" pairs channels (i, i + dim/2), "interleaved" (2i, 2i + 1).
        out: Where to write the result; may be ``x`` itself. Not in JAX, whose arrays are fixed.

    Returns:
        Same shape and dtype as ``x``, or ``out``; computed in float64 if ``x`` is, else float32.

    Raises:
        EncodingError: If the layout is unknown or the tables do not fit.

    Example:
        >>> import numpy as np, posenc
        >>> x = np.array([[1.0, 0.0]])
        >>> posenc.rotate(x, np.array([[0.0]]), np.array([[1.0]]), layout="half")
        array([[0., 1.]])

    References:
        Su et al. 2021, arXiv:2104.09864, eq. 34.
    """
    if out is not None and kernels.again(x, cos, sin, layout=layout, out=out):
        return out
    check_layout("rotate(): layout", layout)
    xp = namespace(x, "rotate(): x")
    check_real("rotate(): x", x)
    channels = x.shape[-1] if x.ndim else 0
    check(channels % 2 == 0 and x.ndim > 0, "rotate(): x", "of an even last axis", tuple(x.shape))
    for name, table in (("cos", cos), ("sin", sin)):
        where = f"rotate(): {name}"
        same = namespace(table, where) is xp or isinstance(table, np.ndarray)
        must = f"real numbers of the library of x, {library_name(xp)}"
        got = f"{dtype_name(table)} of {library_name(namespace(table))}"
        check(same and is_real(table), where, must, got, error=EncodingTypeError)
        full = (*x.shape[:-1], channels // 2)
        fits = table.shape[-1:] == full[-1:] and broadcasts(tuple(table.shape), full)
        check(
            fits,
            f"rotate(): {name}",
            f"of shape (*n, {channels // 2}), half of x's last axis, and broadcast with "
            f"{tuple(x.shape)}",
            tuple(table.shape),
            "Tables hold one column per pair; put in the heads axis with expand_dims.",
        )
    if out is None:
        return kernels.rotate(x, cos, sin, layout=layout, xp=xp)
    ours, theirs = library_name(xp), library_name(namespace(out, "rotate(): out"))
    check(ours == theirs, "rotate(): out", f"of {ours}", theirs, error=EncodingTypeError)
    check(not is_jax(xp), "rotate(): out", "None in JAX", "an array", "Its arrays are fixed.")
    got = f"{dtype_name(out)} of shape {tuple(out.shape)}"
    due = f"{dtype_name(x)} of shape {tuple(x.shape)}"
    check(got == due, "rotate(): out", due, got)
    _check_place("rotate(): out", out, like=x)
    try:
        kernels.rotate(x, cos, sin, layout=layout, xp=xp, out=out, checked=True)
    except (TypeError, ValueError, RuntimeError) as error:
        _refuse_to_write("rotate(): out", out, error)
    return out


def _refuse_to_write(where: str, out: Array, error: Exception | None = None) -> None:
    """Say why an array was not written: it is read-only, or a gradient is wanted through it.

    An error that has another cause goes on: an array of NumPy that can be written was written.
    """
    flags = getattr(out, "flags", None)
    if error and (isinstance(error, EncodingError) or getattr(flags, "writeable", False)):
        raise error
    wanted = bool(getattr(out, "requires_grad", False))
    given = f"a {type(out).__name__}" + (" that requires a gradient" if wanted else "")
    hint = "Pass out.detach()." if wanted else "Copy it."
    check(False, where, "an array that can be written", given, hint, error=EncodingTypeError)


def _check_place(where: str, out: Array, *, like: Array) -> None:
    """Refuse an array that is elsewhere, or in which one number stands for many."""
    here, there = (str(getattr(a, "device", "cpu")) for a in (like, out))
    check(here == there, where, f"on {here}, where the rest is", there)
    if not getattr(getattr(out, "flags", None), "writeable", True):
        _refuse_to_write(where, out)
    own = kernels.has_own_places(out)
    given = "one in which several share a place"
    check(own, where, "an array with a place for each number", given, "Copy it.")


def check_bindable(
    where: str, spec: Spec, length: int | None, arithmetic: Arithmetic
) -> int | None:
    """The length as an int; refuses what is no spec, or what cannot be bound so."""
    _check_spec(where, spec)
    _check_arithmetic(where, arithmetic)
    return _checked_length(where, spec, length)


def drawn(spec: Spec) -> Arrays:
    """The learned arrays of an encoding, drawn with seed 0."""
    name = type(spec).__name__
    _check_shapes(f"{name}.learned()", spec.learned())
    arrays = _of_others(spec, spec.init, np.random.default_rng(0))
    named = isinstance(arrays, Mapping)
    check(named, f"{name}.init()", "arrays by name", arrays, error=EncodingTypeError)
    return arrays  # type: ignore[no-any-return]


def _of_others(spec: Spec, method: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What a method of a spec gives; what a plug-in's raises is told as its own."""
    if type(spec).__module__.startswith("posenc."):
        return method(*given, **named)
    try:
        return method(*given, **named)
    except EncodingError:
        raise
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
        name = f"{type(spec).__name__}.{method.__name__}()"
        raise EncodingError(f"{name} must give its answer; it raised {reason}.") from error


def _check_shapes(where: str, shapes: Any) -> None:
    """Refuse what a plug-in says is learned, unless it is shapes by name."""
    named = isinstance(shapes, Mapping)
    check(named, where, "a mapping from names to shapes", shapes, error=EncodingTypeError)
    for name, shape in shapes.items():
        whole = isinstance(shape, tuple) and all(type(n) is int for n in shape)
        must = "a shape, a tuple of whole numbers"
        check(whole, f"{where}[{name!r}]", must, shape, error=EncodingTypeError)


def _check_spec(where: str, spec: object) -> None:
    hint = "Build one, such as posenc.Rope(dim=64, layout='half')."
    check(isinstance(spec, Spec), f"{where}: spec", "a spec", spec, hint, error=EncodingTypeError)


def _check_arithmetic(where: str, arithmetic: object) -> None:
    check(
        is_word(arithmetic, "exact", "float32"),
        f"{where}: arithmetic",
        "'exact' or 'float32'",
        arithmetic,
    )


def _checked_length(where: str, spec: Spec, length: int | None) -> int | None:
    if length is None:
        hint = "Its rule depends on the number of tokens in the run."
        check(not spec.needs_length, f"{where}: length", "given for this spec", length, hint)
        return None
    return checked_length(f"{where}: length", length)
