"""Any encoding as a JAX pytree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import jax
import jax.numpy as jnp
from jax.tree_util import GetAttrKey, register_pytree_with_keys_class

from posenc._facade import bind, check_bindable
from posenc._typing import Arithmetic, Array, Arrays
from posenc.errors import EncodingTypeError, check
from posenc.jax._drawn import drawn
from posenc.scheme import Placed, Scheme, answer
from posenc.specs import Spec


@final
@register_pytree_with_keys_class
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Encoding:
    """The one pytree for every spec, ours or a plug-in's.

        enc(p)            -> the code that is added to tokens
        enc(q, k, p)      -> q and k, turned; q times what the encoding multiplies logits by
        enc(p, p)         -> the bias of every query and key

    and whatever the encoding does, through ``posenc.attend(q, k, v, enc, q_positions=p)``.

    Its leaves are what is learned, under ``.learned``; spec, length and arithmetic are structure.
    What the spec determines is derived anew wherever the encoding is used, from the spec, so no
    cast, checkpoint or optimizer can reach it; in compiled code it is a constant.

    Args:
        spec: What to encode with.
        learned: The learned arrays by name, instead of drawn ones.
        key: A JAX key to draw them from; needed if there are any, otherwise without effect.
        length: Tokens in the run, for specs whose rule depends on it; see ``for_length``.
        arithmetic: "exact" or "float32", as of ``posenc.bind``.

    Raises:
        EncodingError: If ``spec`` is no spec, a needed length or key is missing, or arrays are
            missing, unknown or misshapen.

    Example:
        >>> import jax, jax.numpy as jnp, posenc.jax
        >>> enc = posenc.jax.Encoding(posenc.Learned(rows=16, dim=8), key=jax.random.key(0))
        >>> jax.jit(lambda enc, at: enc(at))(enc, jnp.arange(5)).shape
        (5, 8)
    """

    spec: Spec
    learned: Arrays
    length: int | None
    arithmetic: Arithmetic

    def __init__(
        self,
        spec: Spec,
        learned: Arrays | None = None,
        *,
        key: Array = None,
        length: int | None = None,
        arithmetic: Arithmetic = "exact",
    ) -> None:
        length = check_bindable("Encoding", spec, length, arithmetic)
        if learned is None:
            learned = _fresh(spec, key)
        else:
            given, hint = type(learned).__name__, "A key goes in by its name: key=."
            mapping = isinstance(learned, Mapping)
            must = "a mapping of arrays by name"
            check(mapping, "Encoding: learned", must, given, hint, error=EncodingTypeError)
            hint = "Arrays that are given are not drawn."
            check(key is None, "Encoding: key", "left out beside learned", key, hint)
        bind(spec, learned, length=length, xp=jnp, arithmetic=arithmetic)  # which checks them
        arrays = {name: jnp.asarray(array) for name, array in learned.items()}
        self._fill(spec, arrays, length, arithmetic)

    def __call__(
        self,
        q: Array,
        k: Array = None,
        q_positions: Array | Placed = None,
        k_positions: Array = None,
        *,
        head_axis: int | None = -3,
        dtype: Any = None,
    ) -> Any:
        """What the encoding does; see the class for the three forms.

        Args:
            q: Queries, ``(*batch, heads, n, dim)``; or positions, alone for a code, and with
                those of keys as the second for a bias.
            k: Keys, with their heads and number.
            q_positions: Where the queries are, or what ``prepare`` made.
            k_positions: Where the keys are; None: where the queries are.
            head_axis: Where q and k have their heads: -3, -2, or None without heads.
            dtype: Of the code; float32 by default.

        Raises:
            EncodingError: If the encoding does not do this, or shapes do not fit.
        """
        given = self.scheme(), q, k, q_positions, k_positions
        return answer(*given, head_axis=head_axis, dtype=dtype)

    def prepare(
        self, q_positions: Array, k_positions: Array = None, *, float64: bool = False
    ) -> Placed:
        """What depends on positions alone, once for all layers that share this encoding."""
        made: Placed = self.scheme().prepare(q_positions, k_positions, float64=float64)
        return made

    def scheme(self) -> Scheme:
        """The scheme over the arrays that the encoding holds."""
        options: Any = {"length": self.length, "arithmetic": self.arithmetic}
        return bind(self.spec, self.learned, xp=jnp, **options)

    def for_length(self, length: int) -> Encoding:
        """This encoding for a run of another length; what is learned is shared.

        Cached keys that were turned for one length are wrong for another: turn them from raw.
        """
        return replace(self, length=length)

    def tree_flatten_with_keys(self) -> tuple[Any, Any]:
        """The learned arrays as children, the rest as structure."""
        children = ((GetAttrKey("learned"), self.learned),)
        return children, (self.spec, self.length, self.arithmetic)

    @classmethod
    def tree_unflatten(cls, structure: Any, children: Sequence[Any]) -> Encoding:
        """The encoding of these parts, unchecked: a tree may hold anything in place of arrays."""
        made = object.__new__(cls)
        spec, length, arithmetic = structure
        made._fill(spec, children[0], length, arithmetic)
        return made

    def _fill(self, *values: Any) -> None:
        for name, value in zip(self.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        length = "" if self.length is None else f", length={self.length}"
        exact = "" if self.arithmetic == "exact" else f", arithmetic={self.arithmetic!r}"
        return f"Encoding({self.spec!r}{length}{exact})"


def _fresh(spec: Spec, key: Array) -> Arrays:
    names = sorted(spec.learned())
    if not names:
        return {}
    hint = "Such as jax.random.key(0)."
    check(key is not None, "Encoding: key", f"given to draw {', '.join(names)}", key, hint)
    known = isinstance(key, jax.Array)
    check(known, "Encoding: key", "a JAX key", key, hint, error=EncodingTypeError)
    return drawn(spec, key)
