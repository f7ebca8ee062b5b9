"""What posenc gives for each quantity of a golden case, and how near it has to be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posenc._arrays import is_host
from posenc._facade import bind, rotate, tables
from posenc._typing import Array
from posenc.scheme import Scheme
from posenc.testing._compare import Host, close, numbers
from posenc.testing._libraries import Library


@dataclass(frozen=True)
class At:
    """A case where it is computed."""

    spec: Any
    data: Mapping[str, Any]
    library: Library
    float64: bool

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    @property
    def length(self) -> int | None:
        return self.data.get("length")

    @property
    def dtype(self) -> str:
        return "float64" if self.float64 else "float32"

    def scheme(self) -> Scheme:
        """The spec bound, with the learned table of the case if it has one."""
        learned = self.data.get("arrays", {})
        given = {name: self.library.array(values, self.dtype) for name, values in learned.items()}
        return bind(self.spec, given or None, length=self.length, xp=self.library.xp)

    def places(self, values: Any) -> Array:
        return self.library.array(values, self.library.integer)

    def at_each(self, answer: Callable[[Array], Array], given: str = "positions") -> Host:
        """Rows of an answer; whole positions go in as integers, the others as real numbers."""
        places = np.asarray(self[given], np.float64)
        whole = (places == np.floor(places)).reshape(len(places), -1).all(-1)
        real = "float64" if "float64" in self.library.dtypes else "float32"
        parts = [(places[whole], self.library.integer), (places[~whole], real)]
        rows = [numbers(answer(self.library.array(p, dtype))) for p, dtype in parts if len(p)]
        return np.concatenate(rows)[np.argsort(np.argsort(~whole, kind="stable"))]

    def repeated(self, name: str, count: int) -> Array:
        """A vector of the case, once for each position."""
        return self.library.array(np.tile(self[name], (count, 1)), self.dtype)


def _turned(at: At, hook: str, given: str, places: str) -> Host:
    """A vector of the case as a hook turns it, to each of the positions."""
    turn = getattr(at.scheme(), hook)

    def turned(p: Array) -> Array:
        return turn(at.repeated(given, p.shape[0]), p, head_axis=None)

    return at.at_each(turned, places)


def _table(which: int) -> Callable[[At], Host]:
    def table(at: At) -> Host:
        return at.at_each(lambda p: tables(at.spec, p, length=at.length, float64=at.float64)[which])

    return table


def _rotated(at: At) -> Host:
    """By the public tables and rotation, on the channels that turn, which are a slice."""
    spec, channels = at.spec, len(at["x"])
    start = channels - spec.dim if spec.at == "back" else 0
    turning = slice(start, start + spec.dim)

    if spec.axes.spans:  # pairs across the halves of each axis: more than one rotation
        return _turned(at, "query", "x", "positions")

    def turned(p: Array) -> Array:
        cos, sin = tables(spec, p, length=at.length, float64=at.float64)
        x = np.tile(np.asarray(at["x"]), (p.shape[0], 1))
        part = at.library.array(x[:, turning], at.dtype)
        x[:, turning] = numbers(rotate(part, cos, sin, layout=spec.layout))
        return x

    by_tables = at.at_each(turned)
    if spec.attention_factor(at.length) == 1 or spec.head_dim is None:
        close(_turned(at, "query", "x", "positions"), by_tables, "query", atol=1e-6)
    return by_tables


def _scaled(at: At) -> Host:
    """The hook's answer, with the part of the factor that it leaves to the logits."""
    logit_scale = at.scheme().logit_scale
    rest = math.sqrt(logit_scale(at.places([0]))) if logit_scale else 1.0
    return rest * _turned(at, "query", "x", "positions")


def _score(at: At) -> Host:
    q, k = _turned(at, "query", "q", "q_positions"), _turned(at, "key", "k", "k_positions")
    return np.asarray((q * k).sum(-1))


def _embed(at: At) -> Host:
    embed: Any = at.scheme().embed
    dtype = getattr(at.library.xp, at.dtype)
    return at.at_each(lambda p: embed(p, dtype=dtype))


def _bias(at: At) -> Array:
    bias: Any = at.scheme().bias
    return bias(at.places(at["q_positions"]), at.places(at["k_positions"]))


def _adjusted(at: At) -> Array:
    q, k = (at.library.array(at[name], at.dtype) for name in ("q", "k"))
    scheme, groups = at.scheme(), q.shape[-3] // k.shape[-3]
    places = [at.places(at[name]) for name in ("q_positions", "k_positions")]
    placed = scheme.prepare(*places, float64=at.float64)
    shared = at.library.xp.repeat(k, groups, axis=-3)
    adjust: Any = scheme.adjust
    return adjust(q @ at.library.xp.matrix_transpose(shared), q, k, placed)


def _logit_scale(at: At) -> Array:
    scheme = at.scheme()
    logit_scale: Any = scheme.logit_scale
    return logit_scale(scheme.prepare(at.places(at["positions"]), float64=at.float64))


def _buckets(at: At) -> Array:
    """The bias of a table that holds the number of each bucket."""
    table = np.tile(np.arange(at.spec.buckets)[:, None], at.spec.heads)
    numbered = replace(at, data={**at.data, "arrays": {"table": table}})
    bias: Any = numbered.scheme().bias
    return bias(at.places([0]), at.places(at["relative"]))[0, 0, :]


def _angles(at: At) -> Host:
    places, freqs = np.asarray(at["positions"], np.float64), at.spec.frequencies(at.length)
    each = places[:, None] if places.ndim == 1 else places[:, at.spec.axis()]
    return np.asarray(each * freqs)


def _stretched_base(at: At) -> Host:
    """The base whose plain ladder ends where this one does."""
    dim, freqs = at.spec.dim, at.spec.frequencies(at.length)
    return np.asarray(freqs[-1] ** (-dim / (dim - 2)))


QUANTITIES: dict[str, Callable[[At], Any]] = {
    "frequencies": lambda at: at.spec.frequencies(at.length),
    "attention_factor": lambda at: np.asarray(at.spec.attention_factor(at.length)),
    "stretched_base": _stretched_base,
    "bounds": lambda at: np.asarray(at.spec.scaling.band(at.spec.dim, at.spec.base)),
    "slopes": lambda at: at.spec.head_slopes(),
    "angles": _angles,
    "cos": _table(0),
    "sin": _table(1),
    "rotated": _rotated,
    "scaled": _scaled,
    "score": _score,
    "as_query": lambda at: _turned(at, "query", "x", "positions"),
    "as_key": lambda at: _turned(at, "key", "x", "positions"),
    "adjusted": _adjusted,
    "logit_scale": _logit_scale,
    "embed": _embed,
    "bias": _bias,
    "buckets": _buckets,
}
_HOST = {"frequencies", "attention_factor", "stretched_base", "bounds", "slopes", "angles"}
_WAVES = {"cos", "sin", "rotated", "scaled", "score", "as_query", "as_key", "embed"}


def _wide(at: At) -> bool:
    return "float64" in at.library.dtypes


def tolerance(name: str, at: At) -> tuple[Any, float]:
    """What is allowed of a quantity: absolute, which may differ by row, and relative."""
    if name == "buckets":
        return 0.0, 0.0
    if name in _HOST:
        return 0.0, 1e-14
    if name == "adjusted":  # sums over channels of rounded products
        far = max(map(abs, (*at["q_positions"], *at["k_positions"])))
        return (1e-14 + 5e-16 * far, 1e-14) if at.float64 else (4e-6, 2e-6)
    product = getattr(at.spec, "angle_error", None)
    if name not in _WAVES or not (product or hasattr(at.spec, "frequencies")):
        narrow = name == "bias" or not at.float64  # slopes are float32 wherever they go
        return 0.0, 2.5e-7 if narrow else 1e-15
    places = at.data.get("positions", at.data.get("q_positions"))
    # A position multiplies the frequency's last place; the rest is the promise for a table.
    far = np.abs(np.asarray(places, np.float64))
    steep = 4.0 * float(at.spec.constants(length=at.length).get("stretch", 0.25))
    row = 2e-16 * (8 + steep * far.reshape(len(far), -1).max(-1, initial=0.0))
    if product:
        row = row + product(4 * far.reshape(len(far), -1).sum(-1), float64=_wide(at))
    if not at.float64:
        row = row + (1e-7 if is_host(at.library.xp) else 5e-7)
    size = max([1.0, *(2 * abs(v) for n in ("x", "q", "k") for v in at.data.get(n, ()))])
    # An exponent is rounded like any number, and its power is off by as much times its size.
    decays = hasattr(at.spec, "decay")
    powers = (5e-14 + 1e-15 * far.max(initial=0.0) if at.float64 else 5e-6) if decays else 0.0
    return size * (row if name == "score" else row[:, None]), powers
