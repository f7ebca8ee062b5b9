"""All laws over an encoding: in one call, or as one pytest case each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from posenc._typing import Namespace
from posenc.errors import EncodingError
from posenc.specs import Spec
from posenc.testing._case import Case
from posenc.testing._compare import LawError
from posenc.testing._libraries import Library
from posenc.testing.laws import applicable, case


def check_encoding(spec: Spec, *, xp: Namespace | str | Library = "numpy") -> tuple[str, ...]:
    """Hold an encoding to every law that applies to it.

    Args:
        spec: The encoding, ours or another package's.
        xp: Where to try it: an array namespace, or "numpy", "numpy-readonly", "torch", "jax" or
            "array-api-strict".

    Returns:
        The names of the laws that were tried, all of which hold.

    Raises:
        LawError: With one line for each law that is broken. A crash breaks a law too.

    Example:
        >>> import posenc
        >>> "relative-only" in check_encoding(posenc.Alibi(heads=6))
        True
    """
    tried = case(spec, xp=xp)
    faults = faults_of(tried)
    broken = [f"{name}: {fault}" for name, fault in faults.items() if fault]
    if broken:
        lines = "\n  ".join(broken)
        raise LawError(f"{spec!r} in {tried.library.name} breaks {len(broken)} laws\n  {lines}")
    return tuple(faults)


def faults_of(tried: Case) -> dict[str, str]:
    """Every law that applies by name, with how it is broken; empty where it holds."""
    faults = {}
    try:
        laws = applicable(tried)
    except EncodingError as error:
        raise LawError(f"{tried.spec!r} cannot be bound: {error}") from error
    for law in laws:
        faults[law.name] = ""
        try:
            law.check(tried)
        except LawError as error:
            faults[law.name] = str(error)
        except Exception as error:  # whatever a foreign encoding raises, the other laws go on
            faults[law.name] = f"{type(error).__name__}: {error}"
    return faults


def parametrize(
    specs: Iterable[Spec], *, xp: Namespace | str | Library = "numpy"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A pytest decorator: one test for each spec and each law that applies to it.

    Args:
        specs: The encodings.
        xp: As in ``check_encoding``.

    Returns:
        A decorator for a test of two arguments, ``case`` and ``law``.

    Example:
        >>> import posenc
        >>> @posenc.testing.parametrize([posenc.Alibi(heads=6)])
        ... def test_laws(case, law):
        ...     law.check(case)
    """
    import pytest

    cases = [case(spec, xp=xp) for spec in specs]
    values = [
        pytest.param(one, law, id=f"{number}-{one.spec.kind}-{law.name}")
        for number, one in enumerate(cases)
        for law in applicable(one)
    ]
    return pytest.mark.parametrize(("case", "law"), values)
