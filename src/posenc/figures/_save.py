"""All figures into a folder, in every language and format; nothing is written anywhere else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from posenc.errors import EncodingError, EncodingTypeError, check
from posenc.figures import _fonts
from posenc.figures._draw import check_available, check_language, painted, styled
from posenc.figures._registry import PICTURES, Picture, find
from posenc.specs import Spec
from posenc.text import LANGUAGES, Language, load

FORMATS = ("png", "svg", "gif")


class Saved(list[Path]):
    """The files that were written.

    Attributes:
        notes: What the reader should know about them: each a sentence by language.
    """

    notes: list[Mapping[str, str]]

    def __init__(self, files: Iterable[Path] = (), *, notes: Iterable[Mapping[str, str]] = ()):
        super().__init__(files)
        self.notes = list(notes)


def save_all(
    directory: str | os.PathLike[str],
    *,
    languages: Iterable[Language] = LANGUAGES,
    formats: Iterable[str] = FORMATS,
    names: Iterable[str] | None = None,
    spec: Spec | None = None,
    trained_length: int | None = None,
) -> Saved:
    """Draw figures into ``directory``, as ``{name}.{language}.{format}``.

    The same library and matplotlib write the same bytes each time.

    Args:
        directory: Made if it does not exist.
        languages: Of ``"en"`` and ``"zh"``.
        formats: Of ``"png"``, ``"svg"``, and ``"gif"`` for the figures that move.
        names: Which of ``posenc.figures.names()``; None means all, without ``"wavelengths"``
            where no ``spec`` is given.
        spec: The rotary spec that ``"wavelengths"`` shows.
        trained_length: Tokens that its model was trained on, where its scaling does not say.

    Returns:
        The paths in order; ``notes`` says so where Chinese figures carry English labels because
        no Chinese font is installed.

    Raises:
        EncodingError: If an argument is unknown, matplotlib is missing, or the folder cannot be
            written.
    """
    languages, formats = list(languages), list(formats)
    for language in languages:
        check_language("save_all()", language)
    for kind in formats:
        check(kind in FORMATS, "save_all(): formats", "of 'png', 'svg' and 'gif'", kind)
    chosen = _chosen(names, spec)
    check_available()
    folder = _folder(directory)
    files: list[Path] = []
    for language in languages:
        with styled(language) as words:
            for picture in chosen:
                figure = painted(picture, words, spec=spec, trained_length=trained_length)
                for kind in formats:
                    path = folder / f"{picture.name}.{language}.{kind}"
                    if kind == "gif" and picture.moves:
                        from posenc.figures._animation import animate

                        animate(path, words)
                    elif kind == "gif":
                        continue
                    else:
                        figure.savefig(
                            path, format=kind, metadata=_metadata(kind, words(picture.name))
                        )
                    files.append(path)
    mute = "zh" in languages and _fonts.chinese_font() is None
    return Saved(files, notes=[load("figures")["no-chinese-font"]] if mute else [])


def _chosen(names: Iterable[str] | None, spec: Spec | None) -> list[Picture]:
    if names is None:
        return [p for p in PICTURES.values() if spec is not None or not p.of_spec]
    chosen = [find("save_all()", name) for name in names]
    for picture in chosen:
        given = spec is not None or not picture.of_spec
        check(given, "save_all(): spec", f"given for {picture.name!r}", spec)
    return chosen


def _folder(directory: str | os.PathLike[str]) -> Path:
    where = "save_all(): directory"
    named = isinstance(directory, str | os.PathLike)
    check(named, where, "a path", directory, error=EncodingTypeError)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EncodingError(
            f"{where} must be a folder that can be written; got {str(folder)!r}. {error.strerror}."
        ) from error
    return folder


def _metadata(kind: str, title: str) -> dict[str, Any]:
    """The title for screen readers; no date and no version, which would change the bytes."""
    title = title.replace("\n", " ")
    if kind == "png":
        return {"Title": title, "Software": None}
    return {"Title": title, "Date": None, "Creator": None}
