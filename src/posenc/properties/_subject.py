"""Any encoding seen through three functions: its codes, its logits, what it needs to be bound.

An added code, a rotation and a bias are different things. Their properties become comparable
through what each does: a vector per position (the code, or one fixed vector turned), and a
number per pair of positions (the dot product of two such vectors, the bias itself, or what is
added to the logits of vectors of ones).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._facade import bind
from posenc._hooks import scheme_of
from posenc.errors import EncodingError, EncodingTypeError, check
from posenc.registry import imported, load
from posenc.scheme import Scheme, require
from posenc.specs import Spec
from posenc.testing._case import parts

Matrix = np.ndarray[Any, np.dtype[Any]]

_MOST = 1e100  # squares and sums of them stay finite


@dataclass(frozen=True)
class Subject:
    """An encoding that can be measured.

    Attributes:
        name: How to call it.
        spec: Its spec; None for a bare function.
        scheme: ``length -> Scheme``.
        parameters: How many numbers it learns.
        head_dim: Channels of the vectors that it turns.
    """

    name: str
    spec: Spec | None
    scheme: Callable[[int], Scheme]
    parameters: int
    head_dim: int

    @property
    def turns(self) -> bool:
        """Whether it acts by turning queries and keys."""
        return self.scheme(2).query is not None

    @property
    def adds(self) -> bool:
        """Whether it adds a code to tokens."""
        return self.scheme(2).embed is not None

    @property
    def biases(self) -> bool:
        """Whether it adds to logits: a bias, or a term that meets queries and keys."""
        scheme = self.scheme(2)
        return scheme.bias is not None or scheme.adjust is not None

    def vectors(self, positions: Matrix, *, length: int) -> Matrix:
        """A vector per position, float64: the code, or a fixed vector turned."""
        with _in_a_sentence(self.name):
            found = self._vectors(positions, length)
        return _sound(self.name, found, rows=len(positions))

    def logits(self, q_positions: Matrix, k_positions: Matrix, *, length: int) -> Matrix:
        """A number per pair of positions, ``(q, k)``; of the first head where there are several."""
        with _in_a_sentence(self.name):
            found = self._logits(q_positions, k_positions, length)
        return _sound(self.name, found, rows=len(q_positions))

    def _vectors(self, positions: Matrix, length: int) -> Matrix:
        scheme = self.scheme(length)
        at = _walk(positions, self.spec, scheme, length)
        if scheme.embed is not None:
            return np.asarray(scheme.embed(at, dtype=np.float64), np.float64)
        return self._turned(scheme, "query", at, len(positions))

    def _logits(self, q_positions: Matrix, k_positions: Matrix, length: int) -> Matrix:
        scheme = self.scheme(length)
        if scheme.bias is not None:
            at = (_walk(p, self.spec, scheme, length) for p in (q_positions, k_positions))
            biases: Matrix = np.asarray(scheme.bias(*at), np.float64)
            return np.asarray(biases[0])
        if scheme.adjust is not None:
            heads = next((h for p in _parts(self.spec) if (h := getattr(p, "heads", None))), 1)
            at = (_walk(p, self.spec, scheme, length) for p in (q_positions, k_positions))
            q, k = (np.ones((heads, len(p), self.head_dim)) for p in (q_positions, k_positions))
            still = np.zeros((heads, len(q_positions), len(k_positions)))
            return np.asarray(scheme.adjust(still, q, k, *at)[0], np.float64)
        if scheme.embed is not None:
            q, k = (self.vectors(p, length=length) for p in (q_positions, k_positions))
            return np.asarray(q @ k.T)
        q_at, k_at = (_walk(p, self.spec, scheme, length) for p in (q_positions, k_positions))
        q = self._turned(scheme, "query", q_at, len(q_positions))
        k = self._turned(scheme, "key", k_at, len(k_positions))
        return np.asarray(q @ k.T)

    def _turned(self, scheme: Scheme, hook: str, at: Matrix, count: int) -> Matrix:
        """A vector of ones turned to every position, by the first head of those it names."""
        still = np.ones((getattr(self.spec, "heads", 1), count, self.head_dim))
        return np.asarray(require(scheme, hook)(still, at)[0], np.float64)


def _parts(spec: Spec | None) -> Iterator[Spec]:
    return parts(spec) if spec else iter(())


def _walk(positions: Matrix, spec: Spec | None, scheme: Scheme, length: int) -> Matrix:
    """Positions of one number as those of an encoding of several.

    A walk along all axes at once, or cell after cell where a table ends before that is long.
    """
    if scheme.coordinates == 1:
        return positions
    sizes: tuple[int, ...] = getattr(spec, "sizes", ())
    if min(sizes, default=length) >= length:
        return np.stack([positions] * scheme.coordinates, axis=-1)
    cells: list[Matrix] = []
    for size in reversed(sizes[1:]):
        positions, cell = np.divmod(positions, size)
        cells.insert(0, cell)
    return np.stack([positions, *cells], axis=-1)


def subject(target: Any, *, name: str = "", dim: int = 64, length: int = 1024) -> Subject:
    """Something to measure.

    Args:
        target: A spec; a function ``positions (n,) -> codes (n, dim)``; a name in the registry; or
            ``package.module:object`` naming one of these.
        name: How to call it; by default as it was given.
        dim: Channels, for names in the registry.
        length: Rows, for names in the registry that have a table.
    """
    if isinstance(target, str):
        described = target.lstrip().startswith("{")
        name = name or ("" if described else target)
        function = None if described else _imported_function(target)
        target = function or load(target, dim=dim, length=length)
    if isinstance(target, Spec):
        spec = target

        def scheme(run: int) -> Scheme:
            return bind(spec, length=run)

        widths = (getattr(spec, "head_dim", None), getattr(spec, "dim", None), dim)
        width = next(w for w in widths if w is not None)
        return Subject(name or spec.kind, spec, scheme, spec.parameters(), width)
    given = type(target).__name__
    hint = "Pass a spec, or a function positions (n,) -> codes (n, dim)."
    check(callable(target), "The encoding", "a spec or a function", given, hint)
    found = scheme_of(embed=_checked(target))
    return Subject(name or getattr(target, "__name__", "function"), None, lambda _: found, 0, dim)


@contextmanager
def _in_a_sentence(name: str) -> Iterator[None]:
    """Whatever an encoding of the user's raises is told in one sentence."""
    try:
        yield
    except EncodingError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        raise EncodingError(
            f"{name} must answer for positions (n,); it raised {type(error).__name__}: {reason}."
        ) from error


def _sound(name: str, values: Matrix, *, rows: int) -> Matrix:
    fits = values.ndim == 2 and len(values) == rows
    check(fits, f"{name}: its numbers", f"of shape ({rows}, ...)", values.shape)
    real = bool((np.abs(values) <= _MOST).all())
    check(real, f"{name}: its numbers", f"finite, and at most {_MOST:g} in size", values)
    return values


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    def embed(positions: Any, *, xp: Any) -> Any:
        try:
            codes = np.asarray(function(positions.copy()))
        except EncodingError:
            raise
        except Exception as error:  # the user's own code: its fault is told in one sentence
            reason = " ".join(str(error).split())
            raise EncodingError(
                f"Your function must turn positions (n,) into codes (n, dim); it raised "
                f"{type(error).__name__}: {reason}."
            ) from error
        fits = codes.ndim == 2 and len(codes) == len(positions) and 1 <= codes.shape[1] <= 8192
        hint = "Each position has one row."
        must = f"of shape ({len(positions)}, dim)"
        check(fits, "Your function's codes", must, codes.shape, hint, error=EncodingTypeError)
        real = codes.dtype.kind in "fiub" and bool(np.isfinite(codes).all())
        check(real, "Your function's codes", "finite real numbers", codes)
        return codes.astype(np.float64)

    return embed


def _imported_function(name: str) -> Callable[..., Any] | None:
    """The function that ``package.module:object`` names, if it takes positions."""
    if ":" not in name:
        return None
    found = imported(name)
    if isinstance(found, Spec | type) or not callable(found):
        return None
    needed = [
        p
        for p in inspect.signature(found).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return found if len(needed) == 1 else None
