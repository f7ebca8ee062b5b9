"""What a page shows beside the textbook: a model's own frequencies, or encodings by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from typing import Any

import numpy as np

from posenc import inspect
from posenc.claims import Claim
from posenc.errors import EncodingError, check
from posenc.explorer import _ladders
from posenc.properties import subject
from posenc.properties._subject import Subject
from posenc.specs._rope import Rope
from posenc.specs._scaling import Unscaled
from posenc.specs._stack import Stack
from posenc.text import load

MOST = 4
"""Encodings on one page."""

SHOWN = 32
"""Positions of each."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """What was asked for, as the payload takes it.

    Attributes:
        names: What it is called; ``given-0`` and so on are its arrays.
        python: What ``posenc.properties.subject`` takes for each.
        ladders: By the name under which the bar offers them.
        numbers: Arrays by name.
        claims: What Python measured of it, for the page to measure again.
        words: What the page says of it, by key and language.
    """

    names: tuple[str, ...] = ()
    python: tuple[str, ...] = ()
    ladders: Mapping[str, _ladders.Ladder] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Asked:
    """An encoding, what it is called, and how Python names it."""

    name: str
    case: Subject
    python: str
    trained: int | None = None


def given(names: Iterable[str], config: str | PathLike[str] | Mapping[str, Any] | None) -> Given:
    """What these names and this config say.

    Args:
        names: Of ``posenc list``, or ``package.module:object``.
        config: A model's config, as ``posenc.inspect.read`` takes it.

    Raises:
        EncodingError: For more than four encodings, for a name that there is not, or for a config
            that has an error or no encoding that can be shown.
    """
    once = dict.fromkeys(names)
    found = [_Asked(name, subject(name, dim=64, length=SHOWN), repr(name)) for name in once]
    if config is not None:
        found += _of_config(config)
    hint = "Ask for fewer, on pages of their own."
    check(len(found) <= MOST, "A page", f"given at most {MOST} encodings", len(found), hint)
    ladders: dict[str, _ladders.Ladder] = {}
    numbers: dict[str, Any] = {}
    claims: list[Claim] = []
    words: dict[str, Mapping[str, str]] = {}
    for at, asked in enumerate(found):
        key, name, case = f"given-{at}", asked.name, asked.case
        words[f"control.scheme-{key}"] = words[f"given.which-{at}"] = {"en": name, "zh": name}
        if isinstance(case.spec, Rope):
            ladders |= _pair_of_ladders(key, case.spec, asked.trained)
            plain = load("explorer/given")["unscaled"]
            words[f"control.scheme-{key}-plain"] = {
                tongue: text.format(name=name) for tongue, text in plain.items()
            }
        shown = _measured(case)
        numbers |= {f"{key}.{what}": array for what, array in shown.items()}
        claims += _stated(at, asked, shown)
    return Given(
        names=tuple(each.name for each in found),
        python=tuple(each.python for each in found),
        ladders=ladders,
        numbers=numbers,
        claims=tuple(claims),
        words=words,
    )


def _of_config(config: Any) -> list[_Asked]:
    reading = inspect.read(config)
    bad = next((each for each in reading.findings if each.severity == "error"), None)
    if bad is not None:
        raise EncodingError(f"{reading.source} has an error: {bad.message}")
    found = []
    for part in reading.parts:
        for group in part.groups:
            specs = group.spec.parts if isinstance(group.spec, Stack) else (group.spec,)
            layers = (
                f"{part.name} {group.layers[0]}–{group.layers[-1]}" if group.layers else part.name
            )
            for spec in specs:
                name = f"{type(spec).__name__} ({layers})"
                case = subject(spec, name=name, length=SHOWN)
                if _drawn(case):
                    python = _ladders.written(spec)
                    found.append(_Asked(name, case, python, group.trained_length))
    check(bool(found), "The config", "of a model that tells positions", reading.source)
    return found


def _pair_of_ladders(key: str, spec: Rope, trained: int | None) -> dict[str, _ladders.Ladder]:
    """As the model has it, and as it would be without a rule for longer text."""
    facts: dict[str, Any] = {} if trained is None else {"trained": float(trained)}
    factor = float(spec.attention_factor(trained))
    plain = dataclasses.replace(spec, scaling=Unscaled())
    told = _as_configs_say(spec.scaling)
    return {
        key: _ladders.of(spec, length=trained, attention=factor, **facts, **told),
        f"{key}-plain": _ladders.of(plain, **facts, default=1.0),
    }


def _as_configs_say(rule: Any) -> dict[str, float]:
    """The rule and its numbers by the names of a config, for the port checker to know it by."""
    kind = type(rule).__name__.lower()
    names = {"trained_length": "original_max_position_embeddings"}
    values = {field.name: getattr(rule, field.name) for field in dataclasses.fields(rule)}
    numbers = {
        names.get(name, name): float(value)
        for name, value in values.items()
        if isinstance(value, int | float)
    }
    return {{"unscaled": "default", "dynamicntk": "dynamic"}.get(kind, kind): 1.0, **numbers}


def _drawn(case: Subject) -> bool:
    """Whether there is anything to draw: some say nothing of where a token is but its count."""
    return case.adds or case.turns or case.biases


def _measured(case: Subject) -> dict[str, Any]:
    """Its codes, or a vector of ones turned, and its logits, as far as it has them."""
    must = "an encoding that adds to tokens or logits, or turns queries and keys"
    check(_drawn(case), "The page", f"given {must}", case.name)
    count = SHOWN
    while count > 4 and not _reaches(case, count):
        count //= 2  # the table of a window ends before so many tokens
    positions = np.arange(count)
    shown: dict[str, Any] = {"logits": case.logits(positions, positions, length=count)}
    if case.adds or case.turns:
        vectors = case.vectors(positions, length=count)
        shown |= {"vectors": vectors[:, :64], "lengths": np.linalg.norm(vectors, axis=-1)}
    return shown


def _reaches(case: Subject, count: int) -> bool:
    try:
        case.logits(np.array([0]), np.array([count - 1]), length=count)
        case.logits(np.array([count - 1]), np.array([0]), length=count)
    except EncodingError:
        return False
    return True


def _stated(at: int, asked: _Asked, shown: Mapping[str, Any]) -> list[Claim]:
    """That scores know the distance alone, and that codes are of one length, or do not."""
    logits = shown["logits"]
    count = len(logits)
    apart = [np.diagonal(logits, k) for k in range(-count + 1, count)]
    facts = {"relative": max(float(np.ptp(each)) for each in apart)}
    if "vectors" in shown:
        facts["norm"] = float(np.ptp(shown["lengths"]))
    largest = max(1.0, float(np.abs(logits).max()))
    words = load("explorer/given")
    return [
        Claim(
            id=f"given.{what}-{at}",
            chapter=0,
            statement={
                tongue: text.format(name=asked.name) for tongue, text in words[what].items()
            },
            relation="at_most",
            expected=0.0,
            tolerance=1e-9 * largest,
            verdict="holds" if value <= 1e-9 * largest else "false",
            actual=None if value <= 1e-9 * largest else value,
            source=(),
            compute=partial(float, value),
            plain=_PLAIN[what].format(asked=asked.python, at=count),
        )
        for what, value in facts.items()
    ]


_PLAIN = {
    "relative": (
        "import posenc\nfrom posenc.properties import subject\n"
        "logits = subject({asked}).logits(np.arange({at}), np.arange({at}), length={at})\n"
        "value = max(np.ptp(np.diagonal(logits, k)) for k in range(1 - {at}, {at}))"
    ),
    "norm": (
        "import posenc\nfrom posenc.properties import subject\n"
        "vectors = subject({asked}).vectors(np.arange({at}), length={at})\n"
        "value = np.ptp(np.linalg.norm(vectors, axis=-1))"
    ),
}
