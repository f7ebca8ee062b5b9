"""Vision's biases: a number for each offset between two cells of a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._arrays import adopt, in_sight, is_concrete, namespace, to_host, widened
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._additive import rows
from posenc.functional._bias import heads_first
from posenc.functional._mlp import mlp, relu, shapes, sigmoid
from posenc.functional._window import (
    log_offsets,
    natural_log_offsets,
    window_index,
    window_rows,
)
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._fields import Numbers, Whole, choice, field, flag, whole, width
from posenc.specs._record import Spec

_SIDE = Whole(at_least=1, at_most=2**12)


@dataclass(frozen=True, kw_only=True)
class SwinBias(Spec):
    """A learned number per head and offset between two cells of a window.

        table[(dy + H - 1) (2W - 1) + (dx + W - 1), head],    d = query - key

    Positions are cells, row first, as ``positions.grid(h=..., w=..., order="hw")`` gives them; a
    window may lie anywhere. With ``class_token`` cells count from 0, and a token of which the
    first coordinate is negative, such as (-1, -1), is a class token: it has no offset, but three
    rows at the end of the table, for itself as the query, as the key, and as both. MaxViT in
    TensorFlow counts from the query to the key: its table is this one with both axes turned round.

    Attributes:
        heads: Attention heads.
        window: Cells along each axis.
        offsets: "signed", or "absolute": the same number in either direction,
            ``table[abs(dy) W + abs(dx)]`` (LeViT, TinyViT, EfficientFormer).
        class_token: Whether the table has rows for a class token (BEiT).

    References:
        Liu et al. 2021, arXiv:2103.14030, section 3.2; Bao et al. 2021, arXiv:2106.08254, and its
        code; Graham et al. 2021, arXiv:2104.01136, section 4.2.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    window: tuple[int, ...] = field(Numbers(_SIDE, 2, 3))
    offsets: str = choice("signed", "absolute", default="signed")
    class_token: bool = flag(False)

    @property
    def relative(self) -> bool:  # type: ignore[override]
        """Unless a token is told by where it is to be a class token."""
        return not self.class_token

    def check(self) -> None:
        most = 2**28 // self.heads
        got = window_rows(self.window, signed=self.offsets == "signed")
        must = f"such that the table has at most {most} rows for {self.heads} heads"
        check(got <= most, "SwinBias.window", must, self.window)

    def learned(self) -> dict[str, tuple[int, ...]]:
        count = window_rows(self.window, signed=self.offsets == "signed")
        return {"table": (count + 3 * self.class_token, self.heads)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        signed = self.offsets == "signed"
        first = window_rows(self.window, signed=signed)

        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            apart = _apart(q_positions, k_positions, xp=xp)
            index = window_index(apart, self.window, signed=signed, xp=xp)
            if self.class_token:
                index = _with_class(index, q_positions, k_positions, first=first, xp=xp)
            check_inside(index, apart, self.window)
            return by_head(arrays["table"], index, xp=xp)

        return scheme_of(bias=bias, whole=True, coordinates=len(self.window), xp=xp)


@dataclass(frozen=True, kw_only=True)
class SwinV2Bias(Spec):
    """A small network of the logarithm of the offset, the same for windows of any size.

        v2:  16 sigmoid(MLP(sign(d) log2(1 + 8 abs(d) / (W - 1)) / log2(8)))
        cr:  MLP(sign(d) ln(1 + abs(d)))

    Swin v2 is attention by cosine: give ``attend`` unit queries and keys, the queries multiplied
    by ``exp(min(logit_scale, ln 100))`` of their head, and ``scale=1``. Learned is the network,
    ``weight1``, ``bias1``, ``weight2``, and of "cr" ``bias2``.

    Attributes:
        heads: Attention heads.
        window: Cells along each axis; positions as for ``SwinBias``.
        pretrained_window: The window in which the network was trained, if another: then W is its
            size, and offsets are told on the scale that the network knows. Of "v2" alone.
        hidden: Width of the network: 512, and 384 or 512 in timm's "cr" models.
        form: "v2", or "cr", which timm made for its own models.

    References:
        Liu et al. 2021, arXiv:2111.09883, section 3.3, and the authors' code; timm, ``RelPosMlp``.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    window: tuple[int, ...] = field(Numbers(Whole(at_least=1, at_most=2**10), 2, 2))
    pretrained_window: tuple[int, ...] | None = field(
        Numbers(Whole(at_least=2, at_most=2**10), 2, 2, optional=True), None
    )
    hidden: int = width(512)
    form: str = choice("v2", "cr", default="v2")

    def check(self) -> None:
        given, hint = self.pretrained_window, "Its offsets have one scale for all windows."
        fits = self.form == "v2" or given is None
        check(fits, "SwinV2Bias.pretrained_window", "left out with form 'cr'", given, hint)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return shapes((2, self.hidden, self.heads), last_bias=self.form == "cr")

    def init(self, rng: np.random.Generator) -> Arrays:
        """Weights normal with deviation 0.02 and biases 0, as the authors draw them; float32."""
        fresh = super().init(rng)
        return {n: a if n.startswith("weight") else np.zeros_like(a) for n, a in fresh.items()}

    def log_offsets(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """What the network is given, a row for each offset; float64."""
        if self.form == "cr":
            return natural_log_offsets(self.window)
        return log_offsets(self.window, self.pretrained_window)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return {"log_offsets": self.log_offsets().astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            apart = _apart(q_positions, k_positions, xp=xp)
            index = window_index(apart, self.window, signed=True, xp=xp)
            check_inside(index, apart, self.window)
            own = {n: widened(adopt(a, like=index, xp=xp), xp) for n, a in arrays.items()}
            layers = [(own[f"weight{i}"], own.get(f"bias{i}")) for i in (1, 2)]
            x = xp.astype(own["log_offsets"], own["weight1"].dtype)
            table = mlp(x, layers, activation=relu, xp=xp)
            if self.form == "v2":
                table = 16 * sigmoid(table, xp=xp)
            return by_head(table, index, xp=xp)

        return scheme_of(bias=bias, whole=True, coordinates=2, xp=xp)


def by_head(table: Array, index: Array, *, xp: Namespace) -> Array:
    """Rows of a table with a column for each head, as a bias ``(*batch, heads, q, k)``."""
    # Its gradient is a sum over all pairs.
    return heads_first(rows(widened(table, xp), index, xp=xp), xp=xp)


def _apart(q_positions: Array, k_positions: Array, *, xp: Namespace) -> list[Array]:
    """Query minus key on each axis."""
    axes = range(q_positions.shape[-1])
    return [distance(q_positions[..., a], k_positions[..., a], xp=xp) for a in axes]


def _with_class(
    index: Array, q_positions: Array, k_positions: Array, *, first: int, xp: Namespace
) -> Array:
    """The rows from ``first`` on for pairs with a class token as the query, the key, or both."""
    q = (q_positions[..., 0] < 0)[..., :, None]
    k = (k_positions[..., 0] < 0)[..., None, :]
    for told, row in ((q & ~k, first), (k & ~q, first + 1), (q & k, first + 2)):
        index = xp.where(told, xp.full_like(index, row), index)
    return index


def check_inside(index: Array, apart: list[Array], window: tuple[int, ...]) -> None:
    """Name a pair that no window holds, where values can be looked at."""
    if not is_concrete(index) or 0 in index.shape:
        return
    seen = in_sight(index)
    if int(namespace(seen).min(seen)) >= 0:
        return
    where = np.unravel_index(int(np.argmin(to_host(index))), index.shape)
    got = tuple(int(to_host(offset)[where]) for offset in apart)
    told = " x ".join(map(str, window))
    hint = "The table ends there; a larger window is another table."
    check(False, "bias(): query minus key", f"an offset within a window of {told}", got, hint)
