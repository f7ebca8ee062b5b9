"""What every way of attending has in common: its arguments, checked, and who sees whom."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from posenc._arrays import check_real, dtype_name, is_float64, is_jax, library_name, namespace
from posenc._facade import bind
from posenc._tokens import broadcasts, token_shape
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.positions import bring
from posenc.scheme import Placed, Scheme
from posenc.specs import Spec
from posenc.specs._fields import Number, Whole


class Seen(NamedTuple):
    """Which keys a query sees.

    Attributes:
        causal: Those up to its own index, the last query seeing the last key.
        window: Those at an index distance below this; None: all.
        mask: Boolean, broadcasting to ``(*batch, heads, q, k)``; None: all.
    """

    causal: bool
    window: int | None
    mask: Array

    def allowed(
        self,
        q: Array,
        k: Array,
        xp: Namespace,
        *,
        rows: slice | None = None,
        count: int | None = None,
    ) -> Array:
        """True where a query may see a key; None when each may see all.

        Args:
            q: Queries, ``(..., q, dim)``.
            k: Keys, ``(..., k, dim)``.
            xp: The array namespace.
            rows: Some of the queries.
            count: How many of the keys, from the first.
        """
        queries, keys = q.shape[-2], k.shape[-2]
        rows = rows or slice(0, queries)
        count = keys if count is None else count
        found = self.mask
        if found is not None and (rows.stop - rows.start, count) != (queries, keys):
            found = found[..., rows if found.shape[-2] > 1 else slice(None), :]
            found = found[..., :count] if found.shape[-1] > 1 else found
        if not self.causal and self.window is None:
            return found
        # In JAX an array's place may be several devices; what is made here goes where it is used.
        placed = hasattr(q, "device") and not is_jax(xp)
        options = {"device": q.device} if placed else {}
        place = xp.arange(rows.start + keys - queries, rows.stop + keys - queries, **options)
        ahead = xp.arange(count, **options)[None, :] - place[:, None]
        inside = ahead <= 0 if self.causal else xp.ones_like(ahead, dtype=xp.bool)
        if self.window is not None:
            inside = inside & (xp.abs(ahead) < self.window)
        return inside if found is None else inside & found


def seen_of(q: Array, k: Array, *, causal: Any, mask: Array, window: Any) -> Seen:
    """Who sees whom, or a sentence about the argument that cannot say it."""
    given = type(causal).__name__
    check(isinstance(causal, bool), "attend(): causal", "True or False", given)
    if mask is not None:
        ours, theirs = (
            library_name(namespace(t, w)) for t, w in ((q, "attend(): q"), (mask, "attend(): mask"))
        )
        must = f"of the library of q, {ours}"
        check(ours == theirs, "attend(): mask", must, theirs, error=EncodingTypeError)
        kind = dtype_name(mask)
        hint = "True may attend; turn an additive mask into mask == 0."
        check(kind == "bool", "attend(): mask", "boolean", kind, hint, error=EncodingTypeError)
        check_mask(mask.shape, (*q.shape[:-1], k.shape[-2]))
        while mask.ndim < 2:
            mask = mask[None]
    if window is not None:
        window = Whole(at_least=1, at_most=2**31 - 1).read("attend(): window", window)
    return Seen(causal, window, mask)


def scale_of(q: Array, scale: Any) -> float:
    """What logits are multiplied by, one over the root of the head's width unless stated."""
    if scale is None:
        return float(q.shape[-1] ** -0.5)
    learned = getattr(scale, "requires_grad", False)
    hint = "Multiply q by it, and pass scale=1."
    check(not learned, "attend(): scale", "a number", "one that requires a gradient", hint)
    return float(Number(at_least=-1e6, at_most=1e6).read("attend(): scale", scale))


class Module(Protocol):
    """What holds the arrays of an encoding, such as ``posenc.torch.Encoding``."""

    def scheme(self) -> Scheme:
        """The scheme over the arrays that it holds now."""


def scheme_for(encoding: Any, arrays: Any, length: int | None, xp: Namespace) -> Scheme:
    """The scheme itself, that of a module, or the spec bound with its arrays."""
    if not isinstance(encoding, Spec):
        module = not isinstance(encoding, type) and callable(getattr(encoding, "scheme", None))
        must = "a spec, a scheme or a module"
        known = module or isinstance(encoding, Scheme)
        check(known, "attend(): encoding", must, encoding, error=EncodingTypeError)
        given = [n for n, v in (("arrays", arrays), ("length", length)) if v is not None]
        hint = "What is bound has its own: see bind() and Encoding.for_length()."
        check(not given, "attend(): encoding", "a spec to take arrays or a length", given, hint)
        scheme: Scheme = encoding.scheme() if module else encoding
        return scheme
    names = sorted(encoding.learned())
    scheme = bind(encoding, arrays, length=length, xp=xp)
    inside = any(getattr(scheme, hook) for hook in ("query", "key", "bias", "adjust"))
    hint = "Add bind(spec).embed(positions) to the tokens, and give attend() NoPE()."
    must = "one that acts inside attention"
    check(inside or scheme.embed is None, "attend(): encoding", must, encoding, hint)
    hint = "Fresh ones are spec.init(rng); bind() takes them too."
    must = f"given: {', '.join(names)}"
    check(not names or arrays is not None, "attend(): arrays", must, None, hint)
    return scheme


def placed_for(
    scheme: Scheme, q: Array, k: Array, q_positions: Any, k_positions: Any
) -> Placed | None:
    """What the scheme's hooks take: prepared once, or None where no hook needs it."""
    if isinstance(q_positions, Placed):
        hint = "What prepare() made holds both sides."
        check(k_positions is None, "attend(): k_positions", "left out", k_positions, hint)
        ours, theirs = (library_name(namespace(t)) for t in (q, q_positions.q_positions))
        must = f"prepared in the library of q, {ours}"
        check(ours == theirs, "attend(): q_positions", must, theirs, error=EncodingTypeError)
        places = q_positions.q_positions, q_positions.k_positions
        _check_places(q, k, *places, scheme.coordinates)
        return q_positions
    if q_positions is None:
        acts = any((scheme.query, scheme.key, scheme.bias, scheme.adjust, scheme.logit_scale))
        hint = "Positions are never guessed: pass posenc.positions.arange(n)."
        check(not acts, "attend(): q_positions", "given for this encoding", None, hint)
        return None
    q_positions = bring(q_positions, like=q, where="attend(): q_positions")
    if k_positions is not None:
        k_positions = bring(k_positions, like=q, where="attend(): k_positions")
    if scheme.coordinates > 1:
        q_positions = _of_every_row(q_positions, q, scheme.coordinates)
        if k_positions is not None:
            k_positions = _of_every_row(k_positions, k, scheme.coordinates)
    if scheme.coordinates == 1:
        _check_places(q, k, q_positions, q_positions if k_positions is None else k_positions)
    placed: Placed = scheme.prepare(q_positions, k_positions, float64=is_float64(q))
    if scheme.coordinates > 1:  # now each position has all of them
        _check_places(q, k, placed.q_positions, placed.k_positions, scheme.coordinates)
    return placed


def _of_every_row(positions: Array, x: Array, coordinates: int) -> Array:
    """One row of text as ``(1, n, coordinates)``: as cells it could be taken for rows of tokens."""
    if positions.ndim != 1 or x.ndim == 3 or positions.shape[0] != coordinates:
        return positions
    return namespace(positions).stack([positions] * coordinates, axis=-1)[None]


def _check_places(
    q: Array, k: Array, q_positions: Array, k_positions: Array, coordinates: int = 1
) -> None:
    """Refuse positions that would stretch over tokens which they do not place."""
    batch = tuple(q.shape[:-3])
    last = () if coordinates == 1 else (coordinates,)
    for name, x, positions in (("q", q, q_positions), ("k", k, k_positions)):
        shape, tokens = token_shape(positions, coordinates), x.shape[-2]
        if shape[-1:] == (tokens,) and broadcasts(shape[:-1], batch):
            continue  # before any words: sizes that a compiler holds open cannot be written out
        must = f"of shape {(tokens, *last)}" + (f" or {(*batch, tokens, *last)}" if batch else "")
        hint = ""
        if k_positions is q_positions and name == "k":
            hint = "Left out, keys are where the queries are: pass k_positions."
        check(False, f"attend(): {name}_positions", must, tuple(positions.shape), hint)


def groups_of(q: Array, k: Array, v: Array) -> int:
    """How many query heads share a key head; refuses arrays that do not fit together."""
    ours = library_name(namespace(q, "attend(): q"))
    for name, x in (("q", q), ("k", k), ("v", v)):
        got = library_name(namespace(x, f"attend(): {name}"))
        must = f"of the library of q, {ours}"
        check(got == ours, f"attend(): {name}", must, got, error=EncodingTypeError)
        check_real(f"attend(): {name}", x)
        form = "of shape (*batch, heads, n, dim)"
        check(x.ndim >= 3, f"attend(): {name}", form, tuple(x.shape))
    same = tuple(v.shape[:-1]) == tuple(k.shape[:-1])
    check(same, "attend(): v", f"of shape {(*k.shape[:-1], 'v_dim')}", tuple(v.shape))
    channels = q.shape[-1]
    fits = k.shape[-1] == channels >= 1
    check(fits, "attend(): k", f"of {max(channels, 1)} channels, as q", tuple(k.shape))
    batch = tuple(q.shape[:-3])
    grown = broadcasts(tuple(k.shape[:-3]), batch)
    check(grown, "attend(): k", f"of batch {batch} or one that broadcasts to it", tuple(k.shape))
    heads, k_heads = q.shape[-3], k.shape[-3]
    if heads == k_heads:
        return 1
    divides = k_heads > 0 and heads % k_heads == 0
    check(divides, "attend(): k", f"of a number of heads that divides {heads}", k_heads)
    return int(heads // k_heads)


def check_mask(shape: Any, due: Any) -> None:
    """Refuse a mask that does not stretch to the logits."""
    got, full = tuple(shape), tuple(due)
    must = f"of a shape that broadcasts to (*batch, heads, q, k) {full}"
    check(broadcasts(got, full), "attend(): mask", must, got)


def check_bias(shape: Any, due: Any) -> None:
    """Refuse a bias that is not one number for every head, query and key."""
    got, full = tuple(shape), tuple(due)
    heads = f"for the {full[-3]} heads of q"
    given = got[-3] if len(got) >= 3 else got
    check(got[-3:-2] == full[-3:-2], "attend(): encoding", heads, given)
    fits = got[-3:] == full[-3:] and broadcasts(got[:-3], full[:-3])
    check(fits, "attend(): encoding", f"of a bias of shape (*batch, heads, q, k) {full}", got)
