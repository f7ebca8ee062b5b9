"""What is true of every encoding, as functions that raise with the numbers when it is not.

A law takes a ``Case``: one spec in one array library. ``LAWS`` lists them; each says by ``applies``
whether it speaks about a case, so that nothing is skipped by name. What a spec can do is read off
the hooks that it fills; one whose scores depend on more than distances says ``relative = False``.

    >>> import posenc
    >>> from posenc.testing import laws
    >>> case = laws.case(posenc.Rope(dim=10, layout="half"))
    >>> laws.LAWS["norm-kept"].check(case)
"""

from __future__ import annotations

from posenc._typing import Namespace
from posenc.specs import Spec
from posenc.testing._case import Case
from posenc.testing._compare import LawError
from posenc.testing._libraries import Library, library
from posenc.testing.laws import _axes, _calls, _data, _values  # noqa: F401  (they enter LAWS)
from posenc.testing.laws._law import LAWS, Law

__all__ = ["LAWS", "Case", "Law", "LawError", "applicable", "case"]


def case(spec: Spec, *, xp: Namespace | str | Library = "numpy") -> Case:
    """An encoding to try laws on, in the library of that name or namespace.

    Args:
        spec: The encoding.
        xp: An array namespace, or "numpy", "numpy-readonly", "torch", "jax" or
            "array-api-strict".
    """
    return Case(spec, library(xp))


def applicable(case: Case) -> list[Law]:
    """The laws that say something about a case."""
    return [law for law in LAWS.values() if law.applies(case)]
