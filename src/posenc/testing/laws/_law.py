"""A law: a statement that holds for every encoding it applies to, and the list of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from posenc.testing._case import Case, parts

Check = Callable[[Case], None]


@dataclass(frozen=True)
class Law:
    """One law.

    Attributes:
        name: Words joined by hyphens; stable.
        statement: What holds, in one sentence.
        check: Raises ``LawError`` with the numbers if a case breaks it.
        applies: Whether the law says anything about a case.
    """

    name: str
    statement: str
    check: Check
    applies: Callable[[Case], bool]

    def __repr__(self) -> str:
        return self.name


LAWS: dict[str, Law] = {}
"""Every law by name."""


def always(case: Case) -> bool:
    """For laws about any encoding."""
    return True


def law(applies: Callable[[Case], bool] = always) -> Callable[[Check], Check]:
    """Enter a function ``law_some_words`` into the list; its docstring is the statement."""

    def enter(check: Check) -> Check:
        name = check.__name__.removeprefix("law_").replace("_", "-")
        statement = (check.__doc__ or "").partition("\n")[0]
        LAWS[name] = Law(name, statement, check, applies)
        return check

    return enter


def turns(case: Case) -> bool:
    """Whether queries and keys are turned."""
    return case.hooks.query is not None


def rotary(case: Case) -> bool:
    """Whether they are turned by frequencies."""
    return case.rotary


def relative(case: Case) -> bool:
    """Whether scores should depend on distances alone; a spec may say ``relative = False``."""
    acts = any((case.hooks.query, case.hooks.bias, case.hooks.adjust))
    return acts and all(part.relative for part in parts(case.spec))
