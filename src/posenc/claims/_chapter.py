"""How a file states its part of a chapter: the words from ``text``, the numbers beside the code."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from posenc.claims._claim import Claim, Relation, Verdict
from posenc.errors import EncodingError
from posenc.text import load

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "blind": ("blind_attention", "blind_questions"),
        "naive": ("naive_integer", "naive_bits", "naive_codes"),
        "sinusoid": (
            "sinusoid_values",
            "sinusoid_steps",
            "sinusoid_periods",
            "sinusoid_clock",
            "sinusoid_bases",
            "sinusoid_waves",
        ),
        "distance": ("distance_products", "distance_shift"),
        "input": ("input_sum", "input_projection"),
        "learned": ("learned",),
        "relative": ("relative_slopes", "relative_buckets"),
        "rotary": ("rotary_terms", "rotary_scores", "rotary_layouts", "rotary_faults"),
        "orders": ("orders_grid", "orders_time"),
        "window": ("window_slide", "window_drift"),
        "longer": ("longer_angles", "longer_rules", "longer_factors"),
        "precision": ("precision_half", "precision_angles"),
    }
)
"""Chapter by chapter, the files that state its claims, in the order in which they are read."""

CHAPTERS: tuple[str, ...] = tuple(PARTS)
"""The spine: chapter n is ``CHAPTERS[n - 1]``."""


class Part:
    """The claims that one file states about its chapter, in the order in which it states them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = CHAPTERS.index(name) + 1
        self._claims: list[Claim] = []

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims)

    def claim(
        self,
        name: str,
        *,
        equal: float | None = None,
        at_most: float | None = None,
        at_least: float | None = None,
        within: float = 0.0,
        verdict: Verdict = "holds",
        actual: float | None = None,
        source: str = "",
        plain: str,
    ) -> Callable[[Callable[[], float]], Callable[[], float]]:
        """State a claim; the decorated function measures its value.

        Args:
            name: Its id is ``chapter.name``, also the key of its sentence in
                ``text/claims/{chapter}.toml``.
            equal: What the statement says the value is; or one of the next two.
            at_most: The most that the statement allows.
            at_least: The least.
            within: How near, absolute.
            verdict: Whether the statement "holds", is "false", or true "only if".
            actual: What the value is instead, when the statement is false.
            source: Ledger rows and papers, separated by spaces and semicolons: ``"A2 N1; W1"``.
            plain: At most eight lines of NumPy that set ``value``.
        """
        relation, expected = _relation(name, equal, at_most, at_least)

        def stated(compute: Callable[[], float]) -> Callable[[], float]:
            self._claims.append(
                Claim(
                    id=f"{self.name}.{name}",
                    chapter=self.number,
                    statement=load(f"claims/{self.name}")[name],
                    relation=relation,
                    expected=float(expected),
                    tolerance=float(within),
                    verdict=verdict,
                    actual=actual,
                    source=tuple(source.replace(";", " ").split()),
                    compute=compute,
                    plain=textwrap.dedent(plain).strip(),
                )
            )
            return compute

        return stated


def _relation(
    name: str, equal: float | None, at_most: float | None, at_least: float | None
) -> tuple[Relation, float]:
    given: list[tuple[Relation, float]] = []
    if equal is not None:
        given.append(("equal", equal))
    if at_most is not None:
        given.append(("at_most", at_most))
    if at_least is not None:
        given.append(("at_least", at_least))
    if len(given) != 1:
        raise EncodingError(f"Claim {name!r} must have one of equal, at_most, at_least.")
    return given[0]
