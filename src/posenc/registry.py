"""Every encoding by name: ours and those of installed plug-ins, in one list of plain data."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import posenc.specs
from posenc._catalog import ENTRIES
from posenc.errors import EncodingError, check, check_known
from posenc.specs import Spec
from posenc.specs._codec import from_json
from posenc.specs._plugins import GROUP, loaded, plugin_points, talking_aside
from posenc.specs._record import rules

__all__ = ["Entry", "Failed", "Room", "encodings", "entry", "load"]


class Room(NamedTuple):
    """The layer that an encoding is made for."""

    dim: int
    heads: int
    length: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A named preset of a spec: what ``posenc list`` shows and ``make`` builds.

    Attributes:
        name: Lower case, words joined by hyphens.
        spec_class: The class; for our own its name, so that listing loads no family.
        fields: Values that make the preset; a function of the ``Room`` where they depend on it.
        title: One line in each language.
        year: Of the first publication.
        reference: Paper or implementation.
        shipped_by: Models or libraries that use it, by plain names; what one does otherwise is
            said in ``note``.
        formula: The heart of it, in ASCII and without a word: it is shown in every language.
        note: A sentence or two in each language about positions, arrays, or which model differs
            and how; may be left out.
        paper: Its key in ``papers.toml``, for citations; empty if there is no publication.
        package: Whose entry it is.
    """

    name: str
    spec_class: type[Spec] | str
    fields: Mapping[str, Any] = field(default_factory=dict)
    title: Mapping[str, str]
    year: int
    reference: str
    shipped_by: tuple[str, ...] = ()
    formula: str = ""
    note: Mapping[str, str] = field(default_factory=dict)
    paper: str = ""
    package: str = "posenc"

    def __post_init__(self) -> None:
        where = f"Entry({self.name!r})"
        given: Any = self.spec_class
        named = isinstance(given, str) and given in posenc.specs.__all__
        known = named or (isinstance(given, type) and issubclass(given, Spec))
        check(known, f"{where}.spec_class", "a subclass of Spec", given)
        check(isinstance(self.name, str), "Entry.name", "a word", self.name)
        shipped: Any = self.shipped_by
        listed = isinstance(shipped, tuple) and all(isinstance(n, str) for n in shipped)
        check(listed, f"{where}.shipped_by", "a tuple of names", shipped)
        _check_both(f"{where}.title", self.title)
        if self.note != {}:
            _check_both(f"{where}.note", self.note)

    @property
    def cls(self) -> type[Spec]:
        """The spec class itself."""
        if isinstance(self.spec_class, type):
            return self.spec_class
        return getattr(importlib.import_module("posenc.specs"), self.spec_class)  # type: ignore[no-any-return]

    def make(self, *, dim: int = 64, heads: int = 8, length: int = 1024, **fields: Any) -> Spec:
        """The spec for a layer of this size.

        Args:
            dim: Channels: of a token for what is added to it, of a head for what turns it.
            heads: Attention heads.
            length: Tokens that a table or a counter has to hold.
            **fields: Fields to change.
        """
        room = Room(dim, heads, length)
        known = rules(self.cls)
        for name in fields:
            check_known(name, known, f"{self.name}: field", "one it has")
        values = _sized(self.cls, room)
        for name, value in self.fields.items():
            values[name] = value(room) if isinstance(value, Callable) else value  # type: ignore[arg-type]
        return self.cls.of({**values, **fields})


def _check_both(where: str, texts: Any) -> None:
    both = isinstance(texts, Mapping) and {"en", "zh"} <= set(texts)
    check(both, where, "a mapping with 'en' and 'zh'", texts)


def _sized(cls: type[Spec], room: Room) -> dict[str, Any]:
    """The fields of a spec that say how large a layer is, for this one."""
    bits = max(1, math.ceil(math.log2(max(room.length, 2))))
    sizes = {"dim": room.dim, "heads": room.heads, "rows": room.length, "bits": bits}
    known = rules(cls)
    return {name: size for name, size in sizes.items() if name in known}


@dataclass(frozen=True, kw_only=True)
class Failed:
    """A plug-in that could not be loaded: a row with its error, never a crash of the list."""

    name: str
    point: str
    error: str


def encodings(*, plugins: bool = True) -> dict[str, Entry]:
    """Every encoding by name, in the order of the list; plug-ins last.

    Args:
        plugins: Whether to look for other packages' entries under the entry point
            ``posenc.encodings``. One whose name is taken gets its package's name before it.

    Example:
        >>> encodings()["rope"].make(dim=8, layout="interleaved").layout
        'interleaved'
    """
    found, _ = _everything(plugins)
    return found


def failures() -> list[Failed]:
    """The plug-ins that could not be loaded, with their errors."""
    return _everything(True)[1]


def entry(name: str) -> Entry:
    """The entry of that name, or a sentence with the nearest one, or with its load error."""
    known, failed = _everything(True)
    for broken in failed:
        if name == broken.point:
            raise EncodingError(f"The plug-in {name!r} must load; got {broken.error}.")
    if name not in known:
        users = [each.name for each in used_by(name, known.values())]
        hint = f"{name} uses {', '.join(users[:6])}{' and others' if users[6:] else ''}."
        check(not users, "The encoding", "a known name", name, hint)
    check_known(name, known, "The encoding", "a known name")
    return known[name]


def used_by(model: str, entries: Iterable[Entry]) -> list[Entry]:
    """The encodings that models or libraries of such a name use.

    Letters and digits count alone, of either case: ``"qwen2vl"`` finds Qwen2-VL.
    """
    word = _letters(model)
    return [e for e in entries if word and any(word in _letters(user) for user in e.shipped_by)]


def says(entry: Entry, word: str) -> bool:
    """Whether the name, a title, the reference or a user of an entry has this word."""
    texts = (entry.name, *entry.title.values(), entry.reference, *entry.shipped_by)
    return any(_letters(word) in _letters(text) for text in texts)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def load(name: str, *, dim: int = 64, heads: int = 8, length: int = 1024) -> Spec:
    """The spec of a registry name, of ``package.module:object``, or of a JSON object.

    An object of a module is a spec, a class, or a function that gives a spec.

    Raises:
        EncodingError: If there is no such thing, or it is not a spec.
    """
    if name.lstrip().startswith("{"):
        return from_json(name)
    if ":" not in name:
        return entry(name).make(dim=dim, heads=heads, length=length)
    found = imported(name)
    try:
        with talking_aside():
            if isinstance(found, type) and issubclass(found, Spec):
                spec = found(**_sized(found, Room(dim, heads, length)))
            else:
                spec = found if isinstance(found, Spec) else found()
    except (EncodingError, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever a user's object raises
        raise EncodingError(
            f"{name!r} must be a spec, or give one when called without arguments; got "
            f"{type(error).__name__}: {_one_line(error)}."
        ) from error
    hint = "Point at a Spec instance, or at a class or function that gives one without arguments."
    check(isinstance(spec, Spec), repr(name), "a spec", spec, hint)
    return spec


def imported(name: str) -> Any:
    """The object that ``package.module:object`` names."""
    module, _, attribute = name.partition(":")
    try:
        with talking_aside():
            return getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:  # a user's module may do anything on import
        raise EncodingError(
            f"{name!r} must be importable as package.module:object; got "
            f"{type(error).__name__}: {_one_line(error)}."
        ) from error


def _everything(plugins: bool) -> tuple[dict[str, Entry], list[Failed]]:
    found = {values["name"]: Entry(**values) for values in ENTRIES}
    failed: list[Failed] = []
    for point in plugin_points() if plugins else ():
        package = point.dist.name if point.dist else point.value.partition(":")[0]
        try:
            _add(found, loaded(point), package)
        except (Exception, SystemExit) as error:  # a plug-in must not take the list down
            name = f"{package}: {point.name}"
            failed.append(Failed(name=name, point=point.name, error=_one_line(error)))
    return found, failed


def _add(found: dict[str, Entry], entries: object, package: str) -> None:
    where, must = f"{package}'s {GROUP}", "a list of Entry"
    if not isinstance(entries, list | tuple):  # a generator would be empty the second time
        check(False, where, must, entries)
        return
    for item in entries:
        check(isinstance(item, Entry), where, must, item)
    for item in entries:
        name = item.name if item.name not in found else f"{package}-{item.name}"
        check(name not in found, f"{package}'s entry", "of a name not taken", name)
        found[name] = replace(item, name=name, package=package)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
