"""Hypothesis strategies for specs, scaling rules and positions; needs Hypothesis.

They are drawn from the rules that fields carry, so a new encoding has a strategy at once.

    >>> from hypothesis import given
    >>> from posenc.testing import strategies
    >>> @given(strategies.specs(), strategies.positions())
    ... def test_mine(spec, positions): ...
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from posenc._typing import Array
from posenc.errors import EncodingError
from posenc.specs import Axial, OneAxis, Rope, Scaling, Sections, Spec, Stack
from posenc.specs._axes import Axes
from posenc.specs._fields import Either, Flag, Number, Numbers, Part, Rule, Whole
from posenc.specs._record import Record, rules

__all__ = ["positions", "scalings", "specs"]

_SIZES = 48  # how far past its lower bound a size goes: odd ones occur, and none takes long
_LENGTHS = 2**17
_LEAST, _MOST = 2.0**-10, 2.0**10  # a factor of 1e-300 is valid and means nothing


def specs(*classes: type[Spec]) -> st.SearchStrategy[Spec]:
    """Valid specs of the classes given, or of every encoding here, stacks of two included.

    Args:
        *classes: Spec classes, other packages' too.
    """
    known = classes or _leaves(Spec)
    single = st.one_of([_records(cls) for cls in known if cls is not Stack])
    if Stack not in known:
        return single
    pairs = st.tuples(single, single).map(lambda parts: _valid(Stack, *parts))
    return st.one_of(single, pairs.filter(_is_made))


def scalings(*, dim: int = 10) -> st.SearchStrategy[Scaling]:
    """Valid scaling rules for ``dim`` rotated channels.

    Args:
        dim: Even; a rule with a factor for each pair has half as many.
    """
    drawn = st.one_of([_records(cls, dim) for cls in _leaves(Scaling)])
    return drawn.filter(lambda rule: bool(_valid(Rope, dim=dim, layout="half", scaling=rule)))


def positions(
    *, max_tokens: int = 8, real: bool | None = False, limit: int = 2**31 - 1
) -> st.SearchStrategy[Array]:
    """NumPy positions of shape ``(n,)`` or ``(batch, n)``, of either sign; n may be 0.

    Args:
        max_tokens: The largest n.
        real: True draws float64 positions, None either kind.
        limit: The largest size of a position.
    """
    counts = st.integers(0, max_tokens)
    shapes = st.one_of(st.tuples(counts), st.tuples(st.integers(1, 3), counts))
    whole = arrays(np.int64, shapes, elements=st.integers(-limit, limit))
    between = arrays(np.float64, shapes, elements=st.floats(-limit, limit))
    return st.one_of(*[whole] * (real is not True), *[between] * (real is not False))


@st.composite
def _axes(draw: st.DrawFn, pairs: int) -> Axes:
    """Ways to share so many pairs among coordinates."""
    cuts = sorted(draw(st.sets(st.integers(1, max(pairs - 1, 1)), max_size=min(3, pairs - 1))))
    sizes = tuple(b - a for a, b in itertools.pairwise([0, *cuts, pairs]))
    ladders = tuple(2 * n for n in sizes)
    made: tuple[Any, ...] = (
        _valid(Sections, sizes=sizes, order=draw(_values(rules(Sections)["order"], 0))),
        _valid(
            Axial,
            dims=ladders,
            **{n: draw(_values(rules(Axial)[n], len(sizes))) for n in list(rules(Axial))[1:]},
        ),
    )
    kinds: list[Axes] = [OneAxis(), *(axes for axes in made if axes)]
    return draw(st.sampled_from(kinds))


def _leaves(base: type[Any]) -> list[type[Any]]:
    """Our own record classes below ``base``, in a stable order."""
    below = [leaf for cls in base.__subclasses__() for leaf in (cls, *_leaves(cls))]
    ours = (cls for cls in below if cls.__module__.startswith("posenc.specs."))
    records = [cls for cls in ours if "__dataclass_fields__" in vars(cls)]
    return sorted(records, key=lambda cls: cls.__name__)


def _records(cls: type[Any], dim: int | None = None) -> st.SearchStrategy[Any]:
    """Valid records of a class: each field within its rule, and together not refused."""
    return _attempts(cls, dim).filter(_is_made)


@st.composite
def _attempts(draw: st.DrawFn, cls: type[Record], dim: int | None) -> Record | None:
    fields = rules(cls)
    values: dict[str, Any] = {}
    for name, rule in fields.items():
        # Lists have an item for each coordinate, head or pair; sizes come first in every class.
        count = values.get("heads") or (values.get("dim") or dim or 2) // 2
        count = len(values.get("sizes", ())) or count
        values[name] = draw(_values(rule, count))
    return _valid(cls, **values)


def _valid(cls: Callable[..., Record], *parts: Any, **values: Any) -> Record | None:
    """The record, or None where it is refused."""
    try:
        return cls(*parts, **values)
    except EncodingError:
        return None


def _is_made(record: Record | None) -> bool:
    return record is not None


def _values(rule: Rule, count: int) -> st.SearchStrategy[Any]:
    """Values within one rule; lists have ``count`` items, scalings suit as many pairs."""
    drawn = _plain(rule, count)
    return st.one_of(st.none(), drawn) if rule.optional else drawn


def _plain(rule: Rule, count: int) -> st.SearchStrategy[Any]:
    match rule:
        case Number(at_least=low, above=above, at_most=high):
            start = low if low is not None else -_MOST if above is None else above + _LEAST
            drawn = st.floats(max(start, -_MOST), _MOST if high is None else min(high, _MOST))
            return drawn.filter(lambda value: value == 0 or abs(value) >= _LEAST)
        case Whole(at_least=low, at_most=high, even=even):
            top = min(high, low + (_SIZES if high < 2**62 else _LENGTHS))
            step = 2 if even else 1
            return st.integers(-(-low // step), top // step).map(lambda n: n * step)
        case Flag():
            return st.booleans()
        case Numbers(each=each, at_least=low, at_most=high):
            items = min(max(count, low), high)
            return st.lists(_plain(each, count), min_size=items, max_size=items).map(tuple)
        case Either(word=word, other=other):
            return st.one_of(_plain(word, count), _plain(other, count))
        case Part(family=family) if issubclass(family, Scaling):
            return scalings(dim=2 * count)
        case Part(family=family) if issubclass(family, Axes):
            return _axes(count)
        case Part(family=family):
            return st.one_of([_records(cls) for cls in _leaves(family) or [family]])
    return st.sampled_from(rule.options)  # type: ignore[attr-defined]
