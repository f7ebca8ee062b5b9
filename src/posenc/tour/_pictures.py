"""The figures of a tour, into the folder that the reader named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from posenc import figures
from posenc.errors import EncodingError
from posenc.inspect import Reading
from posenc.text import Language
from posenc.tour._render import word


def draw(
    folder: Path, reading: Reading | None, *, languages: Sequence[Language], told_in: Language
) -> tuple[list[Path], list[str]]:
    """The files of every figure, and lines that say where they are, or why there are none."""
    if not figures.available():
        return [], [word("no pictures", told_in)]
    files = figures.save_all(folder, languages=languages, **_wavelengths_of(reading))
    where = word("files", told_in, count=len(files), directory=folder)
    return list(files), [*(note[told_in] for note in files.notes), where]


def page(folder: Path, config: Path | None, language: Language | None) -> Path:
    """The interactive page, with the frequencies of the model at hand where it has some to show."""
    from posenc import explorer

    try:
        text = explorer.build(config=config, language=language)
    except EncodingError:  # the tour itself says what is wrong with the config
        text = explorer.build(language=language)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "explorer.html"
    path.write_text(text, encoding="utf-8")
    return path


def _wavelengths_of(reading: Reading | None) -> dict[str, Any]:
    """What the figure of wavelengths shows: the first rotary group of the model, if it has one."""
    groups = [group for part in reading.parts for group in part.groups] if reading else []
    for group in groups:
        if group.layout is not None:
            return {"spec": group.spec, "trained_length": group.trained_length}
    return {}
