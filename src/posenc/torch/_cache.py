"""Keys and values of the tokens read so far, with where they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor

from posenc._attending import groups_of
from posenc._tokens import broadcasts, check_tokens, token_shape
from posenc.errors import EncodingError, EncodingTypeError, check, is_word
from posenc.positions import bring, check_positions
from posenc.positions._ranges import checked_length
from posenc.specs._fields import Whole
from posenc.torch._attend import attend
from posenc.torch._encoding import Encoding
from posenc.torch._rows import wide

_FIRST = 16  # tokens that there is room for at first
_HELD = ("k", "v", "positions", "turned_at")


def _numbers(where: str, given: Any, *, like: Tensor) -> Tensor:
    """Numbers that a caller gave in whatever holds some, on the device of ``like``."""
    try:
        return torch.as_tensor(given, device=like.device)
    except (TypeError, ValueError, RuntimeError):
        kind = type(given).__name__
        hint = "Pass a tensor, or a list of equal rows."
        check(False, where, "numbers", kind, hint, error=EncodingTypeError)
        raise


@contextmanager
def _lasting() -> Iterator[None]:
    """What is made here is written to later, in inference mode or out of it, without gradients."""
    with torch.inference_mode(False), torch.no_grad():
        yield


class Cache:
    """A cache for decoding under any encoding, one for each layer.

    It knows where every token is, so that nothing is counted from its length: tokens may be
    evicted, and all may be moved. What was turned is turned once: "raw" keys are turned when they
    are read, "turned" ones when they come in, and a move is one turn of both by the whole way.

    Args:
        encoding: The layer's encoding.
        keys: "raw" keeps keys as the projection made them: they can be read under another length
            or another encoding. "turned" spares the turning of each step.

    Example:
        >>> import torch, posenc.torch
        >>> cache = Cache(posenc.torch.Encoding(posenc.Rope(dim=8, layout="half")))
        >>> k = v = torch.ones(1, 2, 5, 8)
        >>> cache.append(k, v, torch.arange(5))
        >>> q = torch.ones(1, 2, 1, 8)
        >>> cache.append(q, q, cache.following())
        >>> cache.attend(q, cache.positions[-1:]).shape
        torch.Size([1, 2, 1, 8])
    """

    def __init__(self, encoding: Encoding, *, keys: Literal["raw", "turned"] = "raw") -> None:
        check(isinstance(encoding, Encoding), "Cache: encoding", "an Encoding module", encoding)
        check(is_word(keys, "raw", "turned"), "Cache: keys", "'raw' or 'turned'", keys)
        self.encoding, self.kind = encoding, keys
        self.length = 0
        self._coordinates: int = encoding.scheme().coordinates
        self._next = torch.zeros((), dtype=torch.int64)
        self._held: dict[str, Tensor] = {}

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"Cache({self.encoding.spec!r}, keys={self.kind!r}): {self.length} tokens"

    @property
    def positions(self) -> Tensor:
        """Where the tokens are, ``(n,)`` or ``(*batch, n)``; a copy."""
        return self._read("positions").clone()

    @property
    def values(self) -> Tensor:
        """``(*batch, heads, n, dim)``."""
        return self._read("v")

    @property
    def keys(self) -> Tensor:
        """Keys turned to where their tokens are now, ``(*batch, heads, n, dim)``."""
        k, scheme = self._read("k"), self.encoding.scheme()
        if scheme.key is None:
            return k
        if self.kind == "raw":
            return scheme.key(k, self._of_every_row(self.positions))  # type: ignore[no-any-return]
        way = self._of_every_row(self._read("positions") - self._read("turned_at"))
        if not bool((way != 0).any()):
            return k
        # An attention factor on the channels that turn is in them already, once.
        still = scheme.key(
            wide(torch.ones_like(k[..., :1, :])),
            torch.zeros_like(way.narrow(self._axis("positions"), 0, 1)),
        )
        return scheme.key(wide(k) / still, way).to(k.dtype)  # type: ignore[no-any-return]

    def append(self, k: Tensor, v: Tensor, positions: Tensor) -> None:
        """Add tokens. They are copied, and no gradient goes back through them.

        Args:
            k: ``(*batch, heads, n, dim)``, raw.
            v: ``(*batch, heads, n, v_dim)``.
            positions: ``(n,)`` or ``(*batch, n)``, as those of all tokens before; with their
                coordinates last where the encoding has several.

        Raises:
            EncodingError: If shapes do not fit one another, or what is held.
        """
        where = "Cache.append()"
        for name, x in (("k", k), ("v", v)):
            given = type(x).__name__
            check(
                isinstance(x, Tensor),
                f"{where}: {name}",
                "a tensor",
                given,
                error=EncodingTypeError,
            )
        positions = check_positions(f"{where}: positions", bring(positions, like=k, where=where))
        scheme = self.encoding.scheme()
        if self._coordinates > 1:  # text may come with one number for all of them
            if tuple(positions.shape) == (self._coordinates, self._coordinates):
                check_tokens(where, k, positions, -3, self._coordinates, True)
            positions = scheme.prepare(positions).q_positions
        placed = token_shape(positions, self._coordinates)
        sizes = k.shape[-2], v.shape[-2], placed[-1]
        check(len({*sizes}) == 1, where, "given as many keys, values and positions", sizes)
        groups_of(k, k, v)
        batch = tuple(k.shape[:-3])
        fits = broadcasts(placed[:-1], batch)
        check(fits, f"{where}: positions", f"of batch {batch}, as k", tuple(positions.shape))
        if self.kind == "turned":
            k = scheme.key(k, positions) if scheme.key else k
        new = {"k": k, "v": v, "positions": positions, "turned_at": positions}
        for name, array in new.items():
            self._check_like(name, array)
        with _lasting():
            for name, array in new.items():
                self._write(name, array)
        self.length += sizes[0]
        if sizes[0] and self._coordinates == 1:
            self._next = positions[..., -1] + 1
        elif sizes[0]:  # text goes on past every coordinate, as after an image
            self._next = torch.maximum(self._next, positions.amax((-2, -1)) + 1)

    def following(self, count: int = 1) -> Tensor:
        """Where the next tokens go: on from the last one added, whatever has been evicted."""
        count = checked_length("Cache.following(): count", count)
        return self._next[..., None] + torch.arange(count, device=self._next.device)

    def attend(
        self, q: Tensor, q_positions: Tensor, *, causal: bool = True, **options: Any
    ) -> Tensor:
        """Attention of queries over the tokens held; options as of ``posenc.torch.attend``.

        ``causal`` compares indices, the last query seeing the last key: append a step's own keys
        before, and evict after.
        """
        known = {"k_positions", "keys"} & options.keys()
        must = "left out: the cache knows its keys"
        check(not known, f"Cache.attend(): {min(known, default='')}", must, "one")
        return attend(
            q,
            self.keys,
            self.values,
            self.encoding,
            q_positions=q_positions,
            k_positions=self.positions,
            causal=causal,
            keys="turned" if self.encoding.scheme().key else "raw",
            **options,
        )

    def move(self, delta: int | Tensor) -> None:
        """Move tokens by ``delta``: all of them by one number, or each by its own.

        Positions alone change, so that the rounding of a thousand moves does not add up. What
        comes next moves with the last token held.

        Args:
            delta: A number, or ``(n,)`` or ``(*batch, n)``, as positions are.
        """
        where, positions = "Cache.move(): delta", self._read("positions")
        given = _numbers(where, delta, like=positions)
        whole = not given.is_floating_point() and given.dtype != torch.bool
        placed = token_shape(positions, self._coordinates)
        fits = given.ndim == 0 or tuple(given.shape) == placed
        fits = fits or (given.ndim == 1 and len(given) == self.length)
        must = f"a number, or of shape {placed}"
        check(fits, where, must, tuple(given.shape))
        real = positions.is_floating_point()
        check(whole or real, where, "integers, as positions are", delta)
        all_alike = given[..., None] if given.ndim and self._coordinates > 1 else given
        moved = check_positions(where, positions + all_alike)
        with _lasting():
            positions.copy_(moved)
        self._next = self._next + (given[..., -1] if given.ndim else given)

    def keep(self, indices: Tensor) -> None:
        """Keep some tokens, by index, and forget the others; the text goes on where it was.

        Args:
            indices: ``(m,)``, such as a slice of ``arange(len(cache))``.
        """
        where = "Cache.keep(): indices"
        must = f"integers from 0 to {self.length - 1}, of shape (m,)"
        indices = _numbers(where, indices, like=self._read("k"))
        whole = not indices.is_floating_point() and indices.dtype != torch.bool
        inside = bool(((indices >= 0) & (indices < self.length)).all()) if whole else False
        check(inside and indices.ndim == 1, where, must, indices, "Such as mask.nonzero()[:, 0].")
        with _lasting():
            self._held = {n: self._read(n).index_select(self._axis(n), indices) for n in _HELD}
        self.length = int(indices.shape[0])

    def crop(self, length: int) -> None:
        """Take the last tokens back, as after a guess that was wrong: the text goes on from there.

        Args:
            length: How many of the first tokens stay.
        """
        length = Whole(at_most=self.length).read("Cache.crop(): length", length)
        self.length = length
        if self._coordinates > 1:
            last = self._read("positions")
            self._next = last.amax((-2, -1)) + 1 if length else torch.zeros_like(self._next)
        else:
            at = self._read("positions")
            self._next = at[..., -1] + 1 if length else torch.zeros_like(self._next)

    def reorder(self, rows: Tensor) -> None:
        """Take other rows of the batch, as a beam search does: row i becomes row ``rows[i]``.

        Args:
            rows: ``(batch,)`` integers; a row may be taken twice. For a cache of one batch axis.
        """
        where, size = "Cache.reorder(): rows", self._read("k").shape[0]
        check(self._read("k").ndim == 4, "Cache.reorder()", "given a cache of one batch axis", size)
        rows = _numbers(where, rows, like=self._read("k"))
        whole = not rows.is_floating_point() and rows.dtype != torch.bool and rows.ndim == 1
        inside = whole and bool(((rows >= 0) & (rows < size)).all())
        check(inside, where, f"integers from 0 to {size - 1}, of shape (batch,)", rows)
        own = 1 if self._coordinates == 1 else 2
        for name in _HELD:
            shared = self._held[name].ndim == own  # positions of all rows
            if not shared:
                with _lasting():
                    self._held[name] = self._held[name].index_select(0, rows)
        if self._next.ndim:
            self._next = self._next.index_select(0, rows)

    def use(self, encoding: Encoding) -> None:
        """Read the keys under another encoding from now on, such as that of another length.

        Raises:
            EncodingError: If keys were turned by a different one: they cannot be turned back.
        """
        check(isinstance(encoding, Encoding), "Cache.use(): encoding", "an Encoding", encoding)
        same = (encoding.spec, encoding.length, encoding.arithmetic) == (
            self.encoding.spec,
            self.encoding.length,
            self.encoding.arithmetic,
        )
        stale = self.kind == "turned" and not same and self.length > 0
        turns = (self.encoding.scheme().key, encoding.scheme().key)
        if stale and any(turns):
            raise EncodingError(
                f"Cache.use() must be given the encoding that {self.length} keys came in under; "
                f"got another. Keep keys='raw' where the length may change, or read the text again."
            )
        self.encoding = encoding

    def _of_every_row(self, positions: Tensor) -> Tensor:
        """Cells that all rows share, which so cannot be taken for rows of tokens."""
        shared = self._coordinates > 1 and positions.ndim == 2 and self._held["k"].ndim > 3
        return positions[None] if shared else positions

    def _axis(self, name: str) -> int:
        """Where an array has its tokens."""
        return -2 if name in ("k", "v") or self._coordinates > 1 else -1

    def _read(self, name: str) -> Tensor:
        check(name in self._held, "Cache", "given tokens before it is read", "an empty one")
        return self._held[name].narrow(self._axis(name), 0, self.length)

    def _write(self, name: str, new: Tensor) -> None:
        """Put tokens behind those held, doubling the room where there is none."""
        axis = self._axis(name)
        count = new.shape[axis]
        room = self._held.get(name)
        if room is None or room.shape[axis] < self.length + count:
            shape = list(new.shape)
            shape[axis] = max(_FIRST, 2 * (self.length + count))
            wider = new.new_empty(shape)
            if room is not None:
                wider.narrow(axis, 0, self.length).copy_(room.narrow(axis, 0, self.length))
            room = self._held[name] = wider
        room.narrow(axis, self.length, count).copy_(new)

    def _check_like(self, name: str, new: Tensor) -> None:
        held = self._held.get(name)
        if held is None:
            return
        held = held.narrow(self._axis(name), 0, self.length)
        sizes = [list(x.shape) for x in (new, held)]
        for size in sizes:
            size[self._axis(name)] = 0
        where = f"Cache.append(): {name}"
        fits = sizes[0] == sizes[1] and new.dtype == held.dtype
        must = f"like those held, {tuple(held.shape)} in {held.dtype} but for the number"
        check(fits, where, must, f"{tuple(new.shape)} in {new.dtype}")
