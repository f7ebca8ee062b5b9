"""The property scorecard, on screen and as Markdown, LaTeX or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from posenc.properties import Property, Scorecard
from posenc.text import Language, load, sentence
from posenc.tour._fitted import Fitted
from posenc.tour._style import figures, table

if TYPE_CHECKING:
    from rich.table import Table


def mark(row: Property, tongue: Language) -> str:
    """Yes, no, or a dash where the question has no meaning."""
    if row.holds is None:
        return "-"
    return sentence("cli", "yes" if row.holds else "no", tongue)


def shown(cards: Sequence[Scorecard], tongue: Language) -> Fitted:
    """Properties down and encodings across, a column of marks and one of numbers each."""
    head, *rows = _cells(cards, tongue)
    return Fitted(head, rows, together=2)


def drawn(cards: Sequence[Scorecard], tongue: Language) -> str:
    """That learned arrays are fresh draws, where there are any; else nothing."""
    names = [card.name for card in cards if card.drawn]
    return sentence("cli", "drawn", tongue, names=", ".join(names)) if names else ""


def legend(tongue: Language) -> Table:
    """What each property's number is."""
    titles, meanings = load("properties"), load("measures")
    made = table("", "", whole=1)
    for name, words in meanings.items():
        made.add_row(titles[name][tongue], words[tongue])
    return made


def written(cards: Sequence[Scorecard], form: str, tongue: Language) -> str:
    """The card as ``markdown``, ``latex`` or ``csv``; a column of marks and one of numbers each."""
    return {"markdown": _markdown, "latex": _latex, "csv": _csv}[form](_cells(cards, tongue))


def _cells(cards: Sequence[Scorecard], tongue: Language) -> list[list[str]]:
    titles = load("properties")
    head = ["", *(part for card in cards for part in (card.name, ""))]
    rows = []
    for i, first in enumerate(cards[0].rows):
        cells = [titles[first.name][tongue]]
        for card in cards:
            cells += [mark(card.rows[i], tongue), figures(card.rows[i].value)]
        rows.append(cells)
    return [head, *rows]


def _markdown(rows: list[list[str]]) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _latex(rows: list[list[str]]) -> str:
    lines = [" & ".join(_escaped(cell) for cell in line) + r" \\" for line in rows]
    page = [rf"\begin{{tabular}}{{{'l' * len(rows[0])}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*page, *lines[1:], r"\bottomrule", r"\end{tabular}", ""])


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("%", r"\%").replace("&", r"\&")


def _csv(rows: list[list[str]]) -> str:
    page = io.StringIO()
    csv.writer(page, lineterminator="\n").writerows(rows)
    return page.getvalue()
