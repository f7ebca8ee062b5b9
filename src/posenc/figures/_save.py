"""All figures into a folder, in every language and format; nothing is written anywhere else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from posenc.errors import EncodingError, EncodingTypeError, check
from posenc.figures._draw import check_available, check_language, check_spec, painted, styled
from posenc.figures._registry import PICTURES, find
from posenc.specs import Spec
from posenc.text import LANGUAGES, Language, load

FORMATS = ("png", "svg", "gif")


class Saved(list[Path]):
    """The files that were written.

    Attributes:
        notes: What the reader should know about them, each a sentence by language.
    """

    def __init__(
        self, files: Iterable[Path] = (), *, notes: Iterable[Mapping[str, str]] = ()
    ) -> None:
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
    """Draw figures into a folder, as ``{name}.{language}.{format}``.

    The same releases of this library and of matplotlib write the same bytes each time.

    Args:
        directory: The folder; made if it does not exist.
        languages: Of ``"en"`` and ``"zh"``.
        formats: Of ``"png"``, ``"svg"``, and ``"gif"`` for the figure that moves.
        names: Which of ``posenc.figures.names()``; None means all, without ``"wavelengths"``
            where no ``spec`` is given.
        spec: The rotary spec that ``"wavelengths"`` shows.
        trained_length: Tokens that its model was trained on, where its scaling does not say.

    Returns:
        The paths in order. ``notes`` says so where Chinese figures carry English labels because
        no Chinese font is installed.

    Raises:
        EncodingError: If an argument is unknown, matplotlib is missing, or the folder cannot be
            written.

    Example:
        >>> saved = save_all("out", names=["curves"], languages=["en"])
        >>> [path.name for path in saved]
        ['curves.en.png', 'curves.en.svg']
    """
    languages, formats = _listed("languages", languages), _listed("formats", formats)
    for language in languages:
        check_language("save_all()", language)
    for kind in formats:
        check(kind in FORMATS, "save_all(): formats", "of 'png', 'svg' and 'gif'", kind)
    if names is None:
        chosen = [p for p in PICTURES.values() if spec is not None or not p.of_spec]
    else:
        chosen = [find("save_all()", name) for name in _listed("names", names)]
    if any(picture.of_spec for picture in chosen):
        check_spec("save_all()", spec, trained_length)
    check_available()
    folder = _folder(directory)
    saved = Saved()
    for language in languages:
        with styled(language) as words:
            for picture in chosen:
                figure = painted(picture, words, spec=spec, trained_length=trained_length)
                for kind in formats:
                    path = folder / f"{picture.name}.{language}.{kind}"
                    if kind != "gif":
                        title = words(picture.name).replace("\n", " ")
                        figure.savefig(path, format=kind, metadata=_metadata(kind, title))
                    elif picture.moves:
                        from posenc.figures._animation import animate

                        animate(path, words)
                    else:
                        continue
                    saved.append(path)
        if words.language != language:
            saved.notes.append(load("figures")["no-chinese-font"])
    return saved


def _listed(name: str, values: Any) -> list[Any]:
    listed = isinstance(values, Iterable) and not isinstance(values, str)
    check(listed, f"save_all(): {name}", "a list", values, error=EncodingTypeError)
    return list(values)


def _folder(directory: str | os.PathLike[str]) -> Path:
    where = "save_all(): directory"
    named = isinstance(directory, str | os.PathLike)
    check(named, where, "a path", directory, error=EncodingTypeError)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"got {str(folder)!r}. {error.strerror}."
        raise EncodingError(f"{where} must be a folder that can be made; {reason}") from error
    return folder


def _metadata(kind: str, title: str) -> dict[str, Any]:
    """The title, for screen readers; no date and no version, which would change the bytes."""
    if kind == "png":
        return {"Title": title, "Software": None}
    return {"Title": title, "Date": None, "Creator": None}
