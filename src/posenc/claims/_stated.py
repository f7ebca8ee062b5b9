"""Claims made on the spot, about the encoding at hand: their numbers stand in the code itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from posenc.claims._claim import Claim, Relation
from posenc.text import LANGUAGES, sentence


class Stated:
    """The claims about one encoding, in the order in which they are stated.

    Attributes:
        name: What their ids begin with.
        source: What each was derived from.
    """

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source
        self._claims: list[Claim] = []

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims)

    def state(
        self,
        key: str,
        compute: Callable[[], float],
        *,
        chapter: int,
        plain: Sequence[str],
        relation: Relation = "equal",
        expected: float | None = None,
        within: float = 0.0,
        said: str | None = None,
        **slots: object,
    ) -> None:
        """State a claim.

        Args:
            key: The end of its id, and its sentence in ``text/claims/model.toml``.
            compute: Measures the value with this library.
            chapter: Where it belongs.
            plain: Lines of NumPy with the numbers of this model in them, which set ``value``.
            relation: How the value stands to what is expected.
            expected: What the statement says; None: what ``plain`` works out.
            within: How near, absolute.
            said: Another sentence, where the number asks for one.
            **slots: Values for the sentence, besides ``expected``.
        """
        code = "\n".join(plain)
        wanted = worked_out(code) if expected is None else expected
        words: dict[str, str] = {
            lang: sentence("claims/model", said or key, lang, expected=wanted, **slots)
            for lang in LANGUAGES
        }
        self._claims.append(
            Claim(
                id=f"{self.name}.{key}",
                chapter=chapter,
                statement=words,
                relation=relation,
                expected=wanted,
                tolerance=within,
                verdict="holds",
                actual=None,
                source=(self.source,),
                compute=compute,
                plain=code,
            )
        )


def worked_out(code: str, name: str = "value") -> Any:
    """What plain lines of NumPy give, run with nothing of this library in their scope."""
    scope: dict[str, Any] = {"np": np, "math": math}
    exec(code, scope)
    return float(scope[name]) if name == "value" else scope[name]
