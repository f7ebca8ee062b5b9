"""Claims about something of the user's: a model's config, or an encoding of their own."""

from __future__ import annotations

from pathlib import Path

from posenc.claims import Claim
from posenc.registry import load
from posenc.specs import Spec


def claims_of_config(path: Path) -> list[Claim]:
    """The claims about every encoding that a config describes."""
    from posenc.claims.model import claims_of
    from posenc.inspect import read

    return [claim for group in claims_of(read(path)) for claim in group]


def claims_of_spec(text: str) -> list[Claim]:
    """The laws that apply to an encoding, as claims about it.

    Args:
        text: A name of the registry, ``package.module:object``, a JSON object or a file with one.
    """
    from posenc.claims.laws import claims_by_law

    return claims_by_law(spec_from(text))


def spec_from(text: str) -> Spec:
    """The spec that a command line names."""
    from posenc.inspect._files import loaded
    from posenc.specs import from_dict

    if text.endswith(".json"):
        return from_dict(loaded(text)[1])
    return load(text)
