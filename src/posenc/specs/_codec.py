"""Records as JSON data and back, with every misspelling named."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Mapping
from typing import Any, cast

from posenc.errors import EncodingTypeError, ReadError, check, check_known
from posenc.specs._plugins import loaded, plugin_points
from posenc.specs._record import Record, Spec, rules

_DEPTH = 16  # specs nest twice; anything deeper is an attack or a mistake


def from_dict(data: Mapping[str, Any]) -> Spec:
    """The spec that ``to_dict`` wrote; fields left out take their defaults.

    Args:
        data: A mapping with ``kind`` and the fields of that spec.

    Raises:
        EncodingError: If the kind or a field is unknown (the nearest name is suggested), a field
            is missing, or a value is refused by the spec.

    Example:
        >>> from_dict({"kind": "rope", "dim": 8, "layout": "half"}).dim
        8
    """
    return cast(Spec, _record(data, "from_dict(): data", 0))


def from_json(text: str) -> Spec:
    """The spec that a JSON object describes.

    Raises:
        ReadError: If the text is no JSON, or gives a key twice.
        EncodingError: As ``from_dict``.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        twice = next((k for i, (k, _) in enumerate(pairs) if k in dict(pairs[:i])), None)
        must = "JSON with each key once"
        check(len(found) == len(pairs), "The spec", must, twice, error=ReadError)
        return found

    try:
        data = json.loads(text, object_pairs_hook=once)
    except (json.JSONDecodeError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise ReadError(f"The spec must be JSON; got {reason}.") from error
    return from_dict(data)


def _record(data: Any, where: str, depth: int) -> Record:
    mapping = isinstance(data, Mapping)
    check(mapping, where, "a mapping with a 'kind'", data, error=EncodingTypeError)
    check(depth < _DEPTH, where, f"nested at most {_DEPTH} deep", depth)
    kind = data.get("kind")
    kinds = _kinds_for(kind)
    must = "a known kind"
    if depth == 0:
        kinds, must = {k: c for k, c in kinds.items() if issubclass(c, Spec)}, "an encoding's"
    check_known(kind, kinds, f"{where}.kind", must)
    cls = kinds[str(kind)]
    fields = rules(cls)
    for name in sorted(data.keys() - {"kind"}, key=str):
        check_known(name, fields, where, f"a {kind} with its own fields only")
    values = {n: _value(v, f"{where}.{n}", depth) for n, v in data.items() if n != "kind"}
    required = {
        f.name for f in dataclasses.fields(cast(Any, cls)) if f.default is dataclasses.MISSING
    }
    missing = sorted(required - values.keys())
    check(not missing, where, f"a {kind} with {', '.join(missing)}", sorted(values))
    return cls.of(values)


def _value(value: Any, where: str, depth: int) -> Any:
    if isinstance(value, Mapping):
        return _record(value, where, depth + 1)
    if isinstance(value, list | tuple) and any(isinstance(v, Mapping) for v in value):
        return [_value(v, f"{where}[{i}]", depth) for i, v in enumerate(value)]
    return value


def known_kinds() -> dict[str, type[Record]]:
    """Every record class by kind: ours, and those that other packages have defined.

    A kind of ours is never theirs, whatever else has been imported; of a class that was defined
    again, as in a notebook, the last definition counts.
    """
    found: dict[str, type[Record]] = {}
    pending: list[type[Record]] = [Record]
    while pending:
        cls = pending.pop(0)
        pending.extend(cls.__subclasses__())
        if "__dataclass_fields__" in vars(cls):  # the bases of families are not records
            first = found.setdefault(cls.kind, cls)
            if _name(first) == _name(cls) or (_is_ours(cls) and not _is_ours(first)):
                found[cls.kind] = cls
    return found


def _name(cls: type[Record]) -> tuple[str, str]:
    return cls.__module__, cls.__qualname__


def _is_ours(cls: type[Record]) -> bool:
    return cls.__module__.startswith("posenc.specs.")


def _kinds_for(kind: object) -> dict[str, type[Record]]:
    """All kinds; plug-ins are loaded only when a kind is not known without them."""
    kinds = known_kinds()
    if isinstance(kind, str) and kind not in kinds:
        for point in plugin_points():
            with contextlib.suppress(Exception):  # ``posenc list`` tells what is wrong with it
                loaded(point)
        kinds = known_kinds()
    return kinds
