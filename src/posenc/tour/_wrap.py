"""Line breaks for Chinese: between any two characters, never before closing punctuation.

Rich breaks at spaces alone, which leaves Chinese mixed with numbers in ragged pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.containers import Lines
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

_CLOSING = frozenset("，。；：！？、）”’」』》】,.;:!?)]}%")
_OPENING = frozenset("（“‘「『《【([{")


class Wrapped(Text):
    """A text that breaks where its script allows."""

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        """Lines of at most ``width`` cells."""
        if not any(_is_wide(char) for char in self.plain):
            return super().wrap(console, width, **options)
        lines = Lines()
        for paragraph in self.split(allow_blank=True):
            lines.extend(paragraph.divide(breaks(paragraph.plain, width)))
        for line in lines:
            line.rstrip()
        return lines


def breaks(text: str, width: int) -> list[int]:
    """Offsets at which to break ``text`` into lines of at most ``width`` cells."""
    found: list[int] = []
    start, last, used = 0, 0, 0
    for i, char in enumerate(text):
        used += cell_len(char)
        if i > start and _may_break(text[i - 1], char):
            last = i
        if used > width and char != " ":
            at = last if last > start else i  # a word longer than the line is cut
            if at > start:
                found.append(at)
            start = at
            used = cell_len(text[start : i + 1])
    return found


def _may_break(before: str, after: str) -> bool:
    if after in _CLOSING or before in _OPENING or after == " ":
        return False
    return before == " " or _is_wide(before) or _is_wide(after)


def _is_wide(char: str) -> bool:
    return cell_len(char) == 2
