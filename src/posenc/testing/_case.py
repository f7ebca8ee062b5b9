"""One encoding in one array library, with the tokens and positions that laws try it on.

Position 0, batches as large as a text is long and widths of a power of two hide most faults, so
what is chosen here is none of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from posenc._arrays import dtype_name
from posenc._facade import bind, drawn
from posenc._tokens import token_shape
from posenc._typing import Array, Arrays
from posenc.errors import EncodingError
from posenc.scheme import HOOKS, Scheme, require
from posenc.specs import Spec
from posenc.testing._compare import LawError, numbers
from posenc.testing._libraries import Library

LENGTH = 8192
"""The length of the run, past what most rules call the trained length."""

BATCH = 2
SPREAD = (8, 9, 13, 30, 41)
"""Ascending positions with gaps, below ``ROOM``."""

KEYS = (3, 10, 44)
"""Fewer keys than queries, so that the two axes cannot be confused."""

ROOM = 64
"""Every encoding has to answer for positions 0 to ROOM - 1."""

_FAR = (70_001, 9_001, 901, 0)
_BOXES = {
    2: (5, 13),
    3: (3, 4, 6),
    4: (2, 3, 4, 3),
    5: (2, 3, 2, 3, 2),
    6: (2, 3, 2, 2, 3, 2),
    7: (2, 2, 2, 2, 2, 3, 2),
    8: (2, 2, 2, 2, 2, 2, 2, 3),
}


def parts(spec: Spec) -> Iterator[Spec]:
    """The encodings that a spec stacks, or the spec itself."""
    for part in getattr(spec, "parts", (spec,)):
        if part is spec:
            yield part
        else:
            yield from parts(part)


def cells(scheme: Scheme, values: Sequence[Any] | range) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Numbers as positions of an encoding, whether of one coordinate or of several.

    Args:
        scheme: Whose positions.
        values: Integers from 0 on, ``(n,)`` or ``(*batch, n)``.

    Returns:
        For one coordinate the numbers. For several, cells of a box that is no cube, by their number
        in it, coordinates on the last axis; past the last cell the next box is one further along
        every axis. Different numbers of one box are different cells.
    """
    places = np.asarray(values, np.int64)
    if scheme.coordinates == 1:
        return places
    box = _BOXES[scheme.coordinates]
    further, number = np.divmod(places, math.prod(box))
    found = np.stack(np.unravel_index(number, box, order="F"), axis=-1)
    found = found.reshape(*places.shape, len(box)) + further[..., None]
    # As many cells as coordinates could be rows of plain positions too, where there are such.
    square = found.shape == (len(box), len(box))
    return found[None] if square and _takes_plain(scheme) else found


def _takes_plain(scheme: Scheme) -> bool:
    """Whether one number alone is a position too, where positions have several coordinates."""
    try:
        scheme.prepare(np.zeros(1, np.int64))
    except EncodingError:
        return False
    return True


@dataclass(frozen=True)
class Case:
    """What a law is given: an encoding, a library, and arrays of that library.

    Attributes:
        spec: The encoding.
        library: Where it is tried.
    """

    spec: Spec
    library: Library

    def scheme(self) -> Scheme:
        """The encoding bound afresh, its learned arrays drawn with seed 0."""
        return bind(self.spec, self.drawn, length=LENGTH, xp=self.library.xp)

    @cached_property
    def drawn(self) -> Arrays | None:
        """The learned arrays, drawn once for all laws; None where there are none."""
        return drawn(self.spec) or None

    @cached_property
    def hooks(self) -> Scheme:
        """A scheme to ask which hooks are filled; laws bind their own."""
        return self.scheme()

    @cached_property
    def turning(self) -> Any:
        """The part that turns queries, if there is one."""
        turns = (p for p in parts(self.spec) if Case(p, self.library).hooks.query)
        return next(turns, None) if self.hooks.query else None

    @cached_property
    def reading(self) -> Any:
        """The part that reads q and k, to turn them or to make logits of them, if there is one."""
        hooks = ((p, Case(p, self.library).hooks) for p in parts(self.spec))
        return next((p for p, has in hooks if has.query or has.adjust), None)

    @property
    def rotary(self) -> bool:
        """Whether queries turn by frequencies, and by nothing that grows or shrinks them.

        The frequencies are given by a formula, or learned.
        """
        turning = self.turning
        if turning is None or callable(getattr(turning, "decay", None)):
            return False
        return not turning.exact or callable(getattr(turning, "frequencies", None))

    def blur(self, shift: int) -> float:
        """How far float32 may be off in an angle at positions moved by ``shift``, in radians."""
        exact = all(part.exact for part in parts(self.spec))
        if exact or "float64" in self.library.dtypes:
            return 0.0
        return 2.0**-22 * self.hooks.coordinates * (shift + ROOM)

    @property
    def summed(self) -> float:
        """How near a logit is to the same products of float32 added up in another order.

        A processor, and the number of rows, decide how a library adds them.
        """
        return max(1e-6, 2.0**-24 * self.width)

    @property
    def gain(self) -> float:
        """What turned channels are multiplied by: an attention factor that is not on the logits."""
        magnitude = getattr(self.reading, "attention_factor", None)
        if not callable(magnitude) or Case(self.reading, self.library).hooks.logit_scale:
            return 1.0
        return float(magnitude(LENGTH))

    @property
    def heads(self) -> int:
        """How many heads tokens have: those that the encoding names, or three."""
        named = (h for p in parts(self.spec) if (h := getattr(p, "heads", None)))
        return next(named, 3)

    @cached_property
    def width(self) -> int:
        """Channels of a head: those that the part which reads q and k names, or ten."""
        named = getattr(self.reading, "head_dim", None) or getattr(self.reading, "dim", None)
        return int(named or 10)

    @cached_property
    def far(self) -> int:
        """The farthest of a few starts from which the encoding answers for ROOM positions."""
        scheme = self.scheme()
        for start in _FAR:
            try:
                list(self.answers(scheme, self.positions(range(ROOM), shift=start)))
            except EncodingError:  # a table or a counter ends, and says so
                continue
            return start
        raise LawError(f"{type(self.spec).__name__} answers for none of the positions 0 to 63")

    @property
    def ends(self) -> bool:
        """Whether there is a position past which the encoding has no answer."""
        return self.far != _FAR[0]

    def positions(self, values: Sequence[Any] | range = SPREAD, *, shift: int = 0) -> Array:
        """Integer positions, in one row or several, moved by ``shift``.

        Of several coordinates they are ``cells``.
        """
        return self.library.array(cells(self.hooks, values) + shift, self.library.integer)

    def count(self, positions: Array) -> int:
        """How many tokens positions place."""
        return int(token_shape(positions, self.hooks.coordinates)[-1])

    @property
    def acts(self) -> bool:
        """Whether there is any hook."""
        return any(getattr(self.hooks, hook) for hook in HOOKS)

    def tokens(self, *lead: int, dtype: str = "float32", seed: int = 1) -> Array:
        """Normal random tokens of ``width`` channels; ``lead`` are the axes before that."""
        drawn = np.random.default_rng(seed).normal(size=(*lead, self.width))
        return self.library.array(drawn, dtype)

    def heads_of(self, count: int, *, dtype: str = "float32", seed: int = 1) -> Array:
        """Tokens of shape ``(BATCH, heads, count, width)``."""
        return self.tokens(BATCH, self.heads, count, dtype=dtype, seed=seed)

    def adjusted(self, scheme: Scheme, x: Array, y: Array, *at: Array) -> Array:
        """The logits of queries ``x`` and keys ``y``, in float32 or wider, adjusted for ``at``."""
        xp = self.library.xp
        wide = x.dtype if dtype_name(x) == "float64" else xp.float32
        logits = xp.astype(x, wide) @ xp.matrix_transpose(xp.astype(y, wide))
        return require(scheme, "adjust")(logits, x, y, *at)

    def answers(
        self, scheme: Scheme, q: Array, k: Array = None, *, sparse: bool = False
    ) -> Iterator[tuple[str, Any]]:
        """What every filled hook answers for queries at ``q`` and keys at ``k``, by name.

        In ``sparse`` tokens half of the channels are zero. Where one of a pair is, even the
        smallest turn of the other shows: it is not added to anything.
        """
        keys = q if k is None else k
        x, y = self.heads_of(self.count(q)), self.heads_of(self.count(keys), seed=2)
        if sparse:
            x, y = (self.library.array(np.maximum(numbers(t), 0.0), "float32") for t in (x, y))
        if scheme.embed:
            yield "embed", scheme.embed(q)
        if scheme.query:
            yield "query", scheme.query(x, q)
        if scheme.key:
            yield "key", scheme.key(y, keys)
        if scheme.bias:
            yield "bias", scheme.bias(q, keys)
        if scheme.adjust:
            yield "adjust", self.adjusted(scheme, x, y, q, keys)
        if scheme.logit_scale:
            yield "logit_scale", scheme.logit_scale(q)
