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
from posenc.attention import attend
from posenc.scheme import Scheme
from posenc.specs import Rope
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

    @property
    def arrays(self) -> dict[str, Host]:
        """The learned arrays, written out."""
        given = self.data.get("arrays", {}).items()
        return {n: _spread(a) if isinstance(a, dict) else np.asarray(a) for n, a in given}

    def scheme(self) -> Scheme:
        """The spec bound, with the learned table of the case if it has one."""
        learned = self.arrays.items()
        given = {name: self.library.array(values, self.dtype) for name, values in learned}
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
        """A vector of the case, or one for each head, once for each position."""
        vectors = np.expand_dims(np.asarray(self[name]), -2)
        return self.library.array(np.repeat(vectors, count, axis=-2), self.dtype)


def _spread(rule: Mapping[str, Any]) -> Host:
    """The numbers that a rule stands for, as ``posenc.testing.golden`` states it."""
    numbered = 61803 * np.arange(math.prod(rule["shape"])) + rule["start"]
    shares = (numbered % 99991 % 1024).reshape(rule["shape"]) / 1024
    return np.asarray(rule["low"] + (rule["high"] - rule["low"]) * shares)


def _turned(at: At, hook: str, given: str, places: str) -> Host:
    """A vector of the case as a hook turns it, to each of the positions; or one of each head."""
    turn, heads = getattr(at.scheme(), hook), np.ndim(at[given]) > 1

    def turned(p: Array) -> Array:
        x = turn(at.repeated(given, p.shape[0]), p, head_axis=-3 if heads else None)
        return np.moveaxis(numbers(x), 0, 1) if heads else x

    return at.at_each(turned, places)


def _table(which: int) -> Callable[[At], Host]:
    def table(at: At) -> Host:
        return at.at_each(lambda p: tables(at.spec, p, length=at.length, float64=at.float64)[which])

    return table


def _rotated(at: At) -> Host:
    """By the public tables and rotation, on the channels that turn, which are a slice."""
    if not hasattr(at.spec, "frequencies"):
        return _turned(at, "query", "x", "positions")
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


def _growth(at: At) -> Host:
    """By how much the hook lets squared lengths grow."""
    return np.asarray((_rotated(at) ** 2).sum(-1) / np.sum(np.square(at["x"])))


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
    """The logits of the case's queries and keys; shared keys are repeated for them alone."""
    scheme = at.scheme()
    places = [at.places(at[f"{side}_positions"]) for side in ("q", "k")]
    q, k = (at.library.array(at[side], at.dtype) for side in ("q", "k"))
    each = np.repeat(np.asarray(at["k"], np.float64), len(at["q"]) // len(at["k"]), axis=0)
    logits = np.asarray(at["q"], np.float64) @ each.swapaxes(-1, -2)
    adjust: Any = scheme.adjust
    placed = scheme.prepare(*places, float64=at.float64)
    return adjust(at.library.array(logits, at.dtype), q, k, placed)


def _logit_scale(at: At) -> Array:
    """For each query, or a number for all of them."""
    scheme = at.scheme()
    logit_scale: Any = scheme.logit_scale
    positions = at.places(at.data.get("positions", [0]))
    found = logit_scale(scheme.prepare(positions, float64=at.float64))
    return found if hasattr(found, "shape") else np.asarray(found)


def _attended(at: At) -> Array:
    q, k = (at.library.array(at[side], at.dtype) for side in ("q", "k"))
    places = {f"{side}_positions": at.places(at[f"{side}_positions"]) for side in ("q", "k")}
    return attend(q, k, k, at.scheme(), **places)


def _buckets(at: At) -> Array:
    """The bias of a table that holds the number of each bucket."""
    table = np.tile(np.arange(at.spec.buckets)[:, None], at.spec.heads)
    numbered = replace(at, data={**at.data, "arrays": {"table": table}})
    bias: Any = numbered.scheme().bias
    return bias(at.places([0]), at.places(at["relative"]))[0, 0, :]


def _contextual(at: At) -> Host:
    """What the hook adds to the products of q and k."""
    q, k = (np.asarray(at[side], np.float64) for side in ("q", "k"))
    return np.asarray(numbers(_adjusted(at)) - q @ k.swapaxes(-1, -2))


def _distances(at: At) -> Host:
    """Read off a pair of channels that turns by 1/1000 per unit of distance."""
    twin = replace(at.spec, rope=Rope(dim=4, layout="half", base=1e6))
    queries, keys = (len(at[f"{side}_positions"]) for side in ("q", "k"))

    def scores(k: list[int]) -> Host:
        pairs = {"q": [[[0, 1, 0, 0]] * queries], "k": [[k] * keys]}
        return numbers(_adjusted(replace(at, spec=twin, data={**at.data, **pairs})))

    return np.asarray(1000 * np.arctan2(scores([0, 0, 0, 1]), scores([0, 1, 0, 0]))[0])


def _counted(at: At) -> Host:
    """Read off a table that scores as many as its row, for one query of a head at a time."""
    counts = []
    for q, place in zip(at["q"][0], at["q_positions"], strict=True):
        table = np.outer(np.arange(at.spec.rows), np.asarray(q) / np.dot(q, q))
        one = {"q": [[q]], "q_positions": [place], "arrays": {"table": table}}
        counts.append(_contextual(replace(at, data={**at.data, **one}))[0, 0])
    return np.asarray([counts])


def _angles(at: At) -> Host:
    places, freqs = np.asarray(at["positions"], np.float64), at.spec.frequencies(at.length)
    each = places[:, None] if places.ndim == 1 else places[:, at.spec.axis()]
    return np.asarray(each * freqs)


def _stretched_base(at: At) -> Host:
    """The base whose plain ladder ends where this one does."""
    dim, freqs = at.spec.dim, at.spec.frequencies(at.length)
    return np.asarray(freqs[-1] ** (-dim / (dim - 2)))


def _frequencies(at: At) -> Host:
    given = [] if at.length is None else [at.length]  # not every ladder knows of lengths
    return np.asarray(at.spec.frequencies(*given), np.float64)


QUANTITIES: dict[str, Callable[[At], Any]] = {
    "frequencies": _frequencies,
    "attention_factor": lambda at: np.asarray(at.spec.attention_factor(at.length)),
    "stretched_base": _stretched_base,
    "bounds": lambda at: np.asarray(at.spec.scaling.band(at.spec.dim, at.spec.base)),
    "slopes": lambda at: at.spec.head_slopes(),
    "angles": _angles,
    "cos": _table(0),
    "sin": _table(1),
    "rotated": _rotated,
    "growth": _growth,
    "scaled": _scaled,
    "score": _score,
    "as_query": lambda at: _turned(at, "query", "x", "positions"),
    "as_key": lambda at: _turned(at, "key", "x", "positions"),
    "adjusted": _adjusted,
    "logit_scale": _logit_scale,
    "contextual": _contextual,
    "counted": _counted,
    "distances": _distances,
    "embed": _embed,
    "bias": _bias,
    "buckets": _buckets,
    "log_offsets": lambda at: at.spec.log_offsets(),
    "attended": _attended,
}
_HOST = {
    "frequencies",
    "attention_factor",
    "stretched_base",
    "bounds",
    "slopes",
    "angles",
    "log_offsets",
}
_READ = {"contextual": 1.0, "counted": 1.0, "distances": 1000.0}
_TURNED = {"rotated", "growth", "scaled", "score", "as_query", "as_key"}
_WAVES = {"cos", "sin", "embed", *_TURNED}


def _wide(at: At) -> bool:
    return "float64" in at.library.dtypes


def tolerance(name: str, at: At) -> tuple[Any, float]:
    """What is allowed of a quantity: absolute, which may differ by row, and relative."""
    if name == "buckets":
        return 0.0, 0.0
    if name in _HOST:
        return 0.0, 1e-14
    if name == "embed" and "frequencies" in at.data.get("arrays", {}):
        return _learned_tolerance(at)
    waves = hasattr(at.spec, "frequencies")
    computed = any(not n.startswith("table") for n in at.spec.learned())  # not only looked up
    if name == "bias" and computed:
        constants = at.spec.constants(length=at.length).values()
        narrow = not at.float64 or any(a.dtype == np.float32 for a in constants)
        return (2e-6, 2e-6) if narrow else (1e-14, 1e-12)
    if name == "bias" and waves:
        return _summed_tolerance(at)
    if name == "adjusted":  # sums over channels of rounded products
        far = max(np.max(np.abs(at[f"{side}_positions"])) for side in ("q", "k"))
        return (1e-14 + 5e-16 * far, 1e-14) if at.float64 else (4e-6, 2e-6)
    summed = name in ("embed", "logit_scale") and computed and not waves
    if summed or name == "attended":  # sums, whose terms may cancel
        return (2e-15, 1e-15) if at.float64 else (4e-7, 2.5e-7)
    if name in _READ:  # from such logits, in their units
        return _READ[name] * (1e-12 if at.float64 else 4e-6), 0.0
    turned = name in _TURNED or hasattr(at.spec, "frequencies")
    if name not in _WAVES or not turned:
        narrow = name == "bias" or not at.float64  # slopes are float32 wherever they go
        return 0.0, 2.5e-7 if narrow else 1e-15
    places = at.data.get("positions", at.data.get("q_positions"))
    # A position multiplies the frequency's last place; the rest is the promise for a table.
    far = np.abs(np.asarray(places, np.float64))
    largest = float(np.abs(_frequencies(at)).max()) if waves else 1.0
    steep = 2 * largest if largest > 1 else 1.0
    row = 2e-16 * (8 + steep * far.reshape(len(far), -1).max(-1, initial=0.0))
    if not at.float64:
        row = row + (1e-7 if is_host(at.library.xp) else 5e-7)
    if not (at.spec.exact or _wide(at)):
        row = row + 2.0**-22 * far.reshape(len(far), -1).sum(-1)
    given = [np.abs(at.data[n]).max(initial=0.0) for n in ("x", "q", "k") if n in at.data]
    size = max([1.0, *(2 * float(largest) for largest in given)])
    # An exponent is rounded like any number, and its power is off by as much times its size.
    decays = hasattr(at.spec, "decay")
    powers = (5e-14 + 1e-15 * far.max(initial=0.0) if at.float64 else 5e-6) if decays else 0.0
    if name in ("score", "growth"):
        return size * row, powers
    return size * row.reshape(-1, *([1] * max(1, np.ndim(at.data.get("x", 0))))), powers


def _learned_tolerance(at: At) -> tuple[Any, float]:
    """An angle that is multiplied out is off by its last place: in float64 on the host."""
    freqs, phases = (np.abs(at.arrays.get(n, [0.0])).max() for n in ("frequencies", "phases"))
    far = np.abs(np.asarray(at["positions"], np.float64)).reshape(len(at["positions"]), -1)
    size = math.tau * (1 + phases + freqs * (2 * far + 1).sum(-1, keepdims=True))
    if at.float64:
        return 4e-16 * size, 0.0
    return 3e-7 + size * (0.0 if is_host(at.library.xp) else 1.2e-7), 1e-7


def _summed_tolerance(at: At) -> tuple[float, float]:
    """A sum of waves, by scales that are float32 wherever they go."""
    each = 1e-14 if is_host(at.library.xp) else 5e-7
    return at.spec.dim * each * at.spec.heads / 8, 2.5e-7
