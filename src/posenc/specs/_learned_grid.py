"""Trained vectors for positions of several coordinates: images, video, pages."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from posenc._arrays import adopt, in_sight, is_concrete, namespace, to_host
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._additive import rows
from posenc.functional._cells import cells
from posenc.scheme import Scheme
from posenc.specs._fields import Numbers, Whole, choice, field, flag, whole, width
from posenc.specs._record import Spec
from posenc.specs._table import check_range

_SIZE = Whole(at_least=1, at_most=2**24)


@dataclass(frozen=True, kw_only=True)
class LearnedGrid(Spec):
    """A trained vector for each cell of a grid.

        PE(r, c) = table[prefix + r * W + c]

    ``resize.grid`` makes the table of another size.

    Attributes:
        sizes: How many values each coordinate has, from 0; the last is the fastest in the table.
        dim: Channels.
        prefix: Rows in front of the first cell: 1 for the class token of ViT, CLIP and DINOv2.
            Row j of them is at ``(0, ..., 0, j - prefix)``, so that the last is at -1;
            ``positions.grid(prefix=...)`` puts them there.
        gated: Whether all is multiplied by tanh of a number that is trained from 0 on, as of
            Mllama's vectors for (aspect ratio, tile).

    References:
        Dosovitskiy et al. 2020, arXiv:2010.11929, section 3.1; transformers' models vit, clip,
        dinov2, siglip and mllama.
    """

    sizes: tuple[int, ...] = field(Numbers(_SIZE, 2, 8))
    dim: int = width()
    prefix: int = whole(0, at_least=0, at_most=2**20)
    gated: bool = flag(False)

    def check(self) -> None:
        _check_memory(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        gate: dict[str, tuple[int, ...]] = {"gate": (1,)} if self.gated else {}
        return {"table": (self.prefix + math.prod(self.sizes), self.dim), **gate}

    def init(self, rng: np.random.Generator) -> Arrays:
        """A table normal with deviation 0.02, as in ViT, and a closed gate; float32."""
        drawn = super().init(rng)
        return {**drawn, "gate": np.zeros(1, np.float32)} if self.gated else drawn

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
            _check_cells(positions, self.sizes, self.prefix)
            row = cells(positions, self.sizes, prefix=self.prefix, xp=xp)
            if self.prefix and is_concrete(row):
                _check_front(positions, row)
            return row

        def embed(row: Array, *, xp: Namespace) -> Array:
            code = rows(arrays["table"], row, xp=xp)
            return code * xp.tanh(adopt(arrays["gate"], like=row, xp=xp)) if self.gated else code

        return scheme_of(place=place, embed=embed, whole=True, coordinates=len(self.sizes), xp=xp)


@dataclass(frozen=True, kw_only=True)
class LearnedAxes(Spec):
    """A trained vector for each value of each coordinate, joined into one.

        PE(r, c) = table_0[r] + table_1[c]             # "added"
        PE(r, c) = [table_0[r], table_1[c]]            # "concatenated"

    Which coordinate comes first is for the positions to say: DETR's and Gemma 4's is the column,
    ``positions.grid(h=..., w=..., order="wh")``. Fresh tables are as BERT's; DETR draws its own
    evenly from 0 to 1, Reformer normally with deviation 1.

    Attributes:
        sizes: How many values each coordinate has, from 0.
        dim: Channels.
        join: "added" (Gemma 4's images, TimeSformer, LayoutLM) or "concatenated" (DETR, Reformer,
            LayoutLMv2).
        dims: With "concatenated", channels of each coordinate; None shares them evenly.
        tables: Which table each coordinate reads, numbered as they first come; None: each its own.
            LayoutLM's x0, y0, x1, y1, height, width read (0, 1, 0, 1, 2, 3).

    References:
        Carion et al. 2020, arXiv:2005.12872, and the learned table of its code; Kitaev et al. 2020,
        arXiv:2001.04451, and ``AxialPositionalEncoding`` of its code; Bertasius et al. 2021,
        arXiv:2102.05095, section 3; Xu et al. 2019, arXiv:1912.13318, section 2.3.
    """

    sizes: tuple[int, ...] = field(Numbers(_SIZE, 2, 8))
    dim: int = width()
    join: str = choice("added", "concatenated")
    dims: tuple[int, ...] | None = field(Numbers(_SIZE, 2, 8, optional=True), None)
    tables: tuple[int, ...] | None = field(Numbers(Whole(at_most=7), 2, 8, optional=True), None)

    def check(self) -> None:
        count = len(self.sizes)
        for name, given in (("dims", self.dims), ("tables", self.tables)):
            fits = given is None or len(given) == count
            check(fits, f"LearnedAxes.{name}", f"{count} numbers, one a coordinate", given)
        added = self.join == "added"
        check(not added or self.dims is None, "LearnedAxes.dims", "None with 'added'", self.dims)
        even = added or self.dims is not None or self.dim % count == 0
        hint = "Or state dims, the channels of each coordinate."
        check(even, "LearnedAxes.dim", f"a multiple of {count} to be shared evenly", self.dim, hint)
        total = self.dim if added else sum(self._widths)
        check(total == self.dim, "LearnedAxes.dims", f"{self.dim} in all, as dim", self.dims)
        order = list(dict.fromkeys(self._read))
        must = "numbered from 0 on as they first come"
        check(order == [*range(len(order))], "LearnedAxes.tables", must, self.tables)
        shapes = {*zip(self._read, self.sizes, self._widths, strict=True)}
        must = "of coordinates that read one table of one size and width"
        check(len(shapes) == len(order), "LearnedAxes.tables", must, self.tables)
        _check_memory(self)

    @property
    def _read(self) -> tuple[int, ...]:
        """The table of each coordinate."""
        return self.tables or tuple(range(len(self.sizes)))

    @property
    def _widths(self) -> tuple[int, ...]:
        """Channels of each coordinate."""
        count = len(self.sizes)
        if self.join == "added":
            return (self.dim,) * count
        return self.dims or (self.dim // count,) * count

    def learned(self) -> dict[str, tuple[int, ...]]:
        each = zip(self._read, self.sizes, self._widths, strict=True)
        return {f"table_{table}": (size, channels) for table, size, channels in each}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> list[Array]:
            _check_cells(positions, self.sizes)
            # New arrays: what is prepared must not move when a caller writes into positions.
            return [positions[..., axis] + 0 for axis in range(len(self.sizes))]

        def embed(each: list[Array], *, xp: Namespace) -> Array:
            tables = (arrays[f"table_{table}"] for table in self._read)
            parts = [rows(table, at, xp=xp) for table, at in zip(tables, each, strict=True)]
            return sum(parts[1:], parts[0]) if self.join == "added" else xp.concat(parts, axis=-1)

        return scheme_of(place=place, embed=embed, whole=True, coordinates=len(self.sizes), xp=xp)


@dataclass(frozen=True, kw_only=True)
class GatedTiles(Spec):
    """A table of patches that gives way, as a gate opens, to one for each tile of each layout.

        PE(a, t, p) = (1 - tanh g) table[p] + tanh g tiles[a, t, p]

    A position is the number of the aspect ratio, the tile and the patch in it, class token first.

    Attributes:
        aspects: Aspect ratios, with that of padding: 9 in Llama 3.2 Vision.
        tiles: Tiles of an image at most.
        rows: Patches of a tile, and its class token.
        dim: Channels.

    References:
        Llama 3.2 Vision; ``MllamaPrecomputedPositionEmbedding`` of transformers.
    """

    aspects: int = whole(9, at_least=1, at_most=2**10)
    tiles: int = whole(4, at_least=1, at_most=2**10)
    rows: int = whole(at_least=1, at_most=2**20)
    dim: int = width()

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each coordinate has."""
        return self.aspects, self.tiles, self.rows

    def check(self) -> None:
        _check_memory(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {
            "gate": (1,),
            "table": (self.rows, self.dim),
            "tiles": (*self.sizes, self.dim),
        }

    def init(self, rng: np.random.Generator) -> Arrays:
        """Tables normal with deviation dim^-1/2 and a closed gate, as in the model; float32."""
        drawn = {
            name: rng.normal(0.0, self.dim**-0.5, shape).astype(np.float32)
            for name, shape in self.learned().items()
        }
        return {**drawn, "gate": np.zeros(1, np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            _check_cells(positions, self.sizes)
            return positions[..., 2] + 0, cells(positions, self.sizes, prefix=0, xp=xp)

        def embed(ready: tuple[Array, Array], *, xp: Namespace) -> Array:
            patch, cell = ready
            tiles = xp.reshape(adopt(arrays["tiles"], like=patch, xp=xp), (-1, self.dim))
            share = xp.tanh(adopt(arrays["gate"], like=patch, xp=xp))
            plain, tiled = rows(arrays["table"], patch, xp=xp), rows(tiles, cell, xp=xp)
            return (1 - share) * plain + share * tiled

        return scheme_of(place=place, embed=embed, whole=True, coordinates=3, xp=xp)


def _check_memory(spec: Spec) -> None:
    """Refuse tables that no memory holds."""
    count, where = spec.parameters(), type(spec).__name__
    check(count <= 2**28, where, f"of at most {2**28} numbers", count)


_HINT = "resize the table, as posenc.resize does."


def _check_cells(positions: Array, sizes: tuple[int, ...], prefix: int = 0) -> None:
    for axis, size in enumerate(sizes):
        low = -prefix if axis == len(sizes) - 1 else 0
        what = f"what coordinate {axis} has"
        check_range(positions[..., axis], low, size - 1, what, _HINT)


def _check_front(positions: Array, row: Array) -> None:
    """Refuse positions in front of the first cell that are not on its row."""
    seen = in_sight(row)
    if 0 in row.shape or int(namespace(seen).min(seen)) >= 0:
        return
    host = to_host(in_sight(positions))
    first = host[to_host(seen) < 0][0].tolist()
    must = "cells, or 0 on every coordinate but the last in front of them"
    check(False, "embed(): positions", must, first, "Those are the rows of the prefix.")
