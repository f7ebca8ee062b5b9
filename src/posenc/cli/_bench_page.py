"""What ``posenc bench`` prints: the machine, a table a row of numbers, what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from posenc.bench import Row, Side
from posenc.bench._result import Kept, ratio
from posenc.bench._sides import shown_name
from posenc.text import Language, sentence
from posenc.tour._fitted import Fitted
from posenc.tour._render import said
from posenc.tour._style import short, spaced

if TYPE_CHECKING:
    from rich.console import RenderableType


def heading(about: dict[str, Any], tongue: Language) -> RenderableType:
    """The machine and the versions."""
    from rich.console import Group

    def word(key: str, **slots: object) -> str:
        return sentence("bench", key, tongue, **slots)

    set_by_hand = " ".join(f"{name}={value}" for name, value in about["allocator"].items())
    versions = {"Python": about["python"], **about["versions"]}
    there = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    absent = ", ".join(name for name, version in versions.items() if not version)
    lines = [
        word(
            "machine",
            **{name: about[name] for name in ("cpu", "threads", "cores", "system", "libc")},
            memory=about["memory_gib"],
        ),
        word(
            "pages",
            pages=about["huge_pages"],
            allocator=set_by_hand or word("as it comes"),
            load=about["load"],
        ),
        there,
        *([word("absent", names=absent)] if absent else []),
        *([word("busy")] if (about["load"] or 0) > about["cores"] / 2 else []),
    ]
    return spaced(Group(*lines))


def table_of(row: Row, tongue: Language) -> RenderableType:
    """One row: every side, a line each, and the verdict of each bound."""
    from rich.console import Group
    from rich.text import Text

    from posenc.tour._wrap import Wrapped

    def word(key: str, **slots: object) -> str:
        return sentence("bench", key, tongue, **slots)

    weighed = row.unit == "MiB"
    limit = shown_name(f"limit/{row.case.limit}")
    title = sentence("cases", row.case.name, tongue) + (f" {word('memory')}" if weighed else "")
    head = ["", row.unit, word("quartiles"), word("times limit", limit=limit), word("times ours")]
    head += [word("standing"), word("off")]
    lines, notes = [], []
    for name, side in _sides(row).items():
        shown = shown_name(name)
        reason = side.note or side.error
        if reason:
            notes.append(Text(f"{shown}: {reason}.", style="red" if side.error else "dim"))
            continue
        place = row.standing(name) if name in row.peers else None
        lines.append(
            [
                shown,
                _number(side.median),
                _range(side),
                _number(ratio(side, row.limit)),
                "" if side is row.ours else _number(ratio(side, row.ours)),
                word(place) if place else "",
                "" if side.off is None else short(side.off),
            ]
        )
    keep = [i for i in range(len(head)) if i == 0 or any(line[i] for line in lines)]
    parts: list[RenderableType] = [
        Text.assemble((row.case.name, "bold"), f"  {row.dtype}".rstrip()),
        Wrapped(title, style="italic"),
        Fitted([head[i] for i in keep], [[line[i] for i in keep] for line in lines]),
    ]
    verdicts = [Text(_verdict(kept, row, tongue), style=_style(kept)) for kept in row.bounds()]
    return spaced(Group(*parts, *notes, *verdicts))


def growth(rows: Sequence[Row], tongue: Language) -> RenderableType:
    """Rows that differ in one size: ours in numbers, the others as multiples of it."""
    from rich.console import Group
    from rich.text import Text

    from posenc.tour._wrap import Wrapped

    first = rows[0]
    grows, title = next(iter(first.at)), sentence("cases", first.case.name, tongue)
    others = [name for name in _sides(first) if name != "posenc"]
    head = [sentence("bench", grows, tongue), f"posenc, {first.unit}"]
    head += [shown_name(name) for name in others]
    lines, notes = [], []
    for row in rows:
        sides = _sides(row)
        ratios = [_number(ratio(sides[name], row.ours)) for name in others]
        lines.append([str(row.at[grows]), _number(row.ours.median), *ratios])
        notes += [
            f"{shown_name(name)}: {side.note or side.error}."
            for name, side in sides.items()
            if side.note or side.error
        ]
    return spaced(
        Group(
            Text.assemble((first.case.name, "bold"), f"  {first.dtype}"),
            Wrapped(f"{title} {sentence('bench', 'others', tongue)}", style="italic"),
            Fitted(head, lines),
            *(Text(note, style="dim") for note in dict.fromkeys(notes)),
        )
    )


def summary(rows: Sequence[Row], tongue: Language, *, smoke: bool) -> RenderableType:
    """How many bounds are met, how ours stands to its peers, and where it does not."""
    from rich.console import Group

    kept = [(row, k) for row in rows for k in row.bounds() if k.met is not None]
    unmet = [_name(row) for row, k in kept if not k.met]
    places = [(row, name, row.standing(name)) for row in rows for name in row.peers]
    counts = {key: sum(p == key for *_, p in places) for key in ("ahead", "equal", "behind")}
    behind = [f"{_name(row)} ({shown_name(name)})" for row, name, p in places if p == "behind"]

    def word(key: str, **slots: object) -> str:
        return sentence("bench", key, tongue, **slots)

    lines = [
        word("wrong", case=_name(row), side=shown_name(name), error=error)
        for row in rows
        for name, error in row.errors.items()
    ]
    if smoke:
        return Group(*map(said, [*lines, word("tried")]))
    lines.append(word("bounds", met=len(kept) - len(unmet), count=len(kept)))
    lines += [word("bounds not met", cases=", ".join(unmet))] if unmet else []
    lines.append(word("peers", **counts))
    lines += [word("behind in", cases=", ".join(behind))] if behind else []
    return Group(*map(said, lines))


def _sides(row: Row) -> dict[str, Side]:
    limit = {} if row.limit is None else {f"limit/{row.case.limit}": row.limit}
    return {"posenc": row.ours, **limit, **row.peers}


def _name(row: Row) -> str:
    at = " ".join(f"{name}={value}" for name, value in row.at.items())
    memory = "MiB" if row.unit == "MiB" else ""
    return " ".join(filter(None, (row.case.name, row.dtype, at, memory)))


def _number(value: float | None) -> str:
    """Three digits, never as a power."""
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _range(side: Side) -> str:
    ends = side.quartiles
    return "" if ends is None or len(side.samples) < 2 else "..".join(_number(end) for end in ends)


def _verdict(kept: Kept, row: Row, tongue: Language) -> str:
    bound, of = kept.bound, kept.bound.of
    of = shown_name(f"limit/{row.case.limit}" if of == "limit" else of)
    slots = {"bound": _number(bound.at_most), "of": of, "unit": bound.unit}
    if kept.value is None:
        slots["of"] = of or bound.unit
        return sentence("bench", "not measured", tongue, **slots)
    key = ("ratio" if bound.of else "number") + (" met" if kept.met else " not met")
    return sentence("bench", key, tongue, value=_number(kept.value), **slots)


def _style(kept: Kept) -> str:
    return {True: "green", False: "yellow", None: "dim"}[kept.met]
