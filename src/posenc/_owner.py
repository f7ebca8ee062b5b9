"""Whose ``Placed`` it is: what one encoding derived from positions is wrong for another.

Two rotary encodings of one width derive tables of one shape, so nothing else would notice.
"""

from __future__ import annotations

import threading
from collections import namedtuple
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any
from weakref import WeakValueDictionary

from posenc._repeated import repeated
from posenc._shortcut import give, shortcut
from posenc.errors import check
from posenc.scheme import HOOKS, Placed, Scheme

__all__ = ["mark_of", "owned"]

_kinds: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
_lock = threading.Lock()


def mark_of(*key: Hashable) -> Any:
    """A mark, the same for equal keys: an empty named tuple, each key's of a class of its own.

    It goes with ``Placed`` through jit and export: to JAX and to torch the class of a named tuple
    is structure, and an empty one holds no array. Neither library has to be told of it.
    """
    with _lock:
        kind = _kinds.get(key)
        if kind is None:
            kind = _kinds[key] = namedtuple("kind", ())
            kind.__repr__ = lambda self: f"one made for {key[0]}"  # type: ignore[method-assign]
            kind.__reduce__ = lambda self: (mark_of, key)  # type: ignore[method-assign]
    return kind()


def owned(scheme: Scheme, mark: Any) -> Scheme:
    """The same scheme, whose hooks refuse a ``Placed`` that was not prepared under this mark.

    Args:
        scheme: Any scheme.
        mark: Made by ``mark_of`` from the spec that the scheme was bound from, and from what else
            was chosen at that.
    """

    def prepare(*arguments: Any, **options: Any) -> Placed:
        return scheme.prepare(*arguments, **options)._replace(owner=mark)  # type: ignore[no-any-return]

    def check_owner(name: str, given: Any) -> None:
        if isinstance(given, Placed) and type(given.owner) is not type(mark):
            must = "given positions, or what this scheme's own prepare() made"
            got = "a Placed without an owner" if type(given.owner) is tuple else given.owner
            check(False, f"{name}()", must, got, "Prepare with this scheme.")

    both = shortcut(scheme.query, "both")

    def guarded_both(q: Any, k: Any, placed: Any, head_axis: int | None) -> Any:
        check_owner("query", placed)
        return both(q, k, placed, head_axis)  # type: ignore[misc]

    def guarded(name: str, hook: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(hook)
        def call(*arguments: Any, **options: Any) -> Any:
            for given in (*arguments, *options.values()):
                check_owner(name, given)
            return hook(*arguments, **options)

        mine = both is not None and shortcut(hook, "both") is both
        give(call, both=guarded_both if mine else None)
        return call

    hooks = {name: getattr(scheme, name) for name in HOOKS}
    filled: dict[str, Any] = {
        name: repeated(guarded(name, hook), shortcut(hook, "direct"))
        for name, hook in hooks.items()
        if hook is not None
    }
    return scheme._replace(prepare=wraps(scheme.prepare)(prepare), **filled)
