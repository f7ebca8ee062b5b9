"""Which scaling block counts, and which rule it names."""

from __future__ import annotations

from collections.abc import Mapping

from posenc.inspect._block import ORIGINAL
from posenc.inspect._families import Rotary
from posenc.inspect._findings import closest, refuse, shown, spelled
from posenc.inspect._keys import Ledger, Section
from posenc.inspect._rules import RULES

_MOST_KEYS = 100
_MEANT = {
    "su": "It is Phi-3's old name of 'longrope'.",
    "mrope": "Positions of several axes are not read yet.",
}


def scaling_section(config: Section, ledger: Ledger) -> Section:
    """The scaling block: the old place first, as transformers has it."""
    old, new = config.section("rope_scaling"), config.section("rope_parameters")
    if old.values and new.values and old.values != new.values:
        ledger.disagree(new.path, new.values, old.path, old.values)
    section = old if old.values else new
    if len(section.values) > _MOST_KEYS:
        refuse(
            "PE111", section.path, f"an object of at most {_MOST_KEYS} keys", len(section.values)
        )
    for key, value in section.values.items():
        if isinstance(value, Mapping):
            hint = f"{ledger.model_type} has one rule for all layers."
            where = section.where(spelled(key))
            refuse("PE111", where, "a single value or a list", value, hint)
    return section


def rule_name(section: Section, family: Rotary, ledger: Ledger) -> str:
    """The rule, by its present name; ``rope_type`` counts before the older ``type``."""
    stated: dict[str, str] = {}
    for key in ("rope_type", "type"):
        value = section.values.get(key)
        if isinstance(value, str):
            stated[key] = family.old_rules.get(value, value)
        elif value is not None:
            refuse("PE111", section.where(key), "the name of a rule", value)
        elif key in section.values:
            ledger.find("PE110", section.where(key), "rule null")
    if not stated:
        ledger.note("scaling", "default", "defaulted", note="no rule is named")
        return "default"
    key, rule = next(iter(stated.items()))
    other = stated.get("type", rule)
    if other != rule:
        ledger.find(
            "PE105",
            section.where("type"),
            "two rule names",
            other=shown(other),
            taken=section.where(key),
            rule=shown(rule),
            key=key,
        )
    if rule not in RULES:
        close = closest(rule.lower(), RULES, at_least=0.6)
        hint = _MEANT.get(rule) or (f"The nearest is {close!r}." if close else "")
        refuse("PE106", section.where(key), f"one of {', '.join(sorted(RULES))}", rule, hint)
    _refused_upstream(section, rule, family, ledger)
    original = section.values[key]
    note = f"the old name of {rule!r}" if original != rule else ""
    ledger.note("scaling", rule, "given", section.where(key), note)
    return rule


def _refused_upstream(section: Section, rule: str, family: Rotary, ledger: Ledger) -> None:
    """Find what reads well and does not load."""
    names = (section.values.get("rope_type"), section.values.get("type"))
    where = section.path
    if family.rules is not None and rule not in family.rules:
        others = ", ".join(sorted(family.rules))
        ledger.find("PE114", where, "rule not run", rule=rule, others=others)
    inside = ORIGINAL in section
    if "su" in names and names[0] in (None, "su") and not inside:
        ledger.find("PE114", where, "su")
