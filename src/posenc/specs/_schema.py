"""The JSON schema of specs, from the same field rules that check them."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Literal, Union, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from posenc.specs._codec import known_kinds
from posenc.specs._fields import Choice, Either, Flag, Number, Numbers, Part, Rule, Whole
from posenc.specs._record import Record, Spec, rules
from posenc.specs._stack import Specs


def schema() -> dict[str, Any]:
    """One schema for all encodings, a union tagged by ``kind``; JSON Schema 2020-12."""
    models: dict[str, type[BaseModel]] = {}
    kinds = known_kinds()
    for kind in sorted(kinds, key=lambda k: issubclass(kinds[k], Spec)):  # parts before wholes
        _modelled(kinds[kind], models)
    members = tuple(models[kind] for kind, cls in sorted(kinds.items()) if issubclass(cls, Spec))
    union: Any = Annotated[Union[members], Field(discriminator="kind")]  # noqa: UP007
    made = TypeAdapter(union).json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "posenc encoding"}
    return {**head, **made}


def _modelled(cls: type[Record], models: dict[str, type[BaseModel]]) -> type[BaseModel]:
    """The model of a class, made once: an encoding may be a field of another."""
    if cls.kind not in models:
        models[cls.kind] = _model(cls, models)
    return models[cls.kind]


def _model(cls: type[Record], models: dict[str, type[BaseModel]]) -> type[BaseModel]:
    fields: dict[str, Any] = {"kind": (Literal[cls.kind], ...)}
    defaults = {f.name: f.default for f in dataclasses.fields(cast(Any, cls))}
    for name, rule in rules(cls).items():
        default = defaults[name]
        if isinstance(default, Record):
            default = default.to_dict()
        value = ... if default is dataclasses.MISSING else default
        fields[name] = (_type(rule, models), value)
    doc = (cls.__doc__ or "").strip().partition("\n")[0]
    config = ConfigDict(extra="forbid")
    made: type[BaseModel] = create_model(cls.__name__, __config__=config, __doc__=doc, **fields)
    return made


def _type(rule: Rule, models: dict[str, type[BaseModel]]) -> Any:
    made = _plain(rule, models)
    return made | None if rule.optional else made


def _plain(rule: Rule, models: dict[str, type[BaseModel]]) -> Any:
    if isinstance(rule, Number):
        return Annotated[float, Field(ge=rule.at_least, gt=rule.above, le=rule.at_most)]
    if isinstance(rule, Whole):
        multiple = 2 if rule.even else None
        return Annotated[int, Field(ge=rule.at_least, le=rule.at_most, multiple_of=multiple)]
    if isinstance(rule, Flag):
        return bool
    if isinstance(rule, Numbers):
        bounds = Field(min_length=rule.at_least, max_length=rule.at_most)
        return Annotated[list[_plain(rule.each, models)], bounds]  # type: ignore[misc]
    if isinstance(rule, Either):
        return _plain(rule.word, models) | _plain(rule.other, models)
    if isinstance(rule, Part):
        kinds = [cls for cls in known_kinds().values() if issubclass(cls, rule.family)]
        family = [_modelled(cls, models) for cls in kinds]
        if len(family) == 1:
            return family[0]
        return Annotated[Union[tuple(family)], Field(discriminator="kind")]  # noqa: UP007
    if isinstance(rule, Specs):
        return Annotated[list[dict[str, Any]], Field(min_length=1)]
    options = getattr(rule, "options", None)
    if isinstance(rule, Choice) or options:
        return Literal[tuple(options)]  # type: ignore[arg-type]
    return Any
