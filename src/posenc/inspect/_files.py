"""From a path to a JSON object: bounded, regular files only, and every failure one sentence."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from posenc.errors import EncodingTypeError, ReadError, check
from posenc.inspect._findings import shown

LIMIT = 8 * 2**20  # bytes; the largest configs that are shipped have some hundred kilobytes


def loaded(source: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The name and the object that ``source`` stands for.

    Raises:
        EncodingTypeError: If it is neither a path nor a mapping.
        ReadError: If there is no such file, or its content is not one JSON object.
    """
    if isinstance(source, Mapping):
        return "mapping", source
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    must = "the path of a config.json, or its content as a mapping"
    check(isinstance(path, str), "read(): source", must, source, error=EncodingTypeError)
    return str(path), _object(_text(_bytes(Path(path))))


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            path = path / "config.json"
        # Opening a pipe or a device could wait for ever.
        regular = stat.S_ISREG(path.stat().st_mode)
        data = b""
        if regular:
            with path.open("rb") as file:
                data = file.read(LIMIT + 1)
    except OSError as error:
        _refuse("a file that can be read", str(path), f"{error.strerror}.")
    except ValueError:
        _refuse("a file that can be read", str(path), "A name has no NUL character.")
    if not regular:
        _refuse("a regular file, or a folder that has a config.json", str(path))
    if len(data) > LIMIT:
        _refuse(f"at most {LIMIT} bytes, as a config is", str(path), "Is it a file of weights?")
    if not data.strip():
        _refuse("a JSON object", str(path), "The file is empty.")
    return data


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = f"Byte {error.start} does not belong to such text."
        _refuse("JSON text in UTF-8", data[:16], hint)


def _object(text: str) -> Mapping[str, Any]:
    # NaN and Infinity pass, since keys that say nothing of positions have them in real files; a
    # key that is read refuses them by its name.
    try:
        value = json.loads(text, object_pairs_hook=unique)
    except ReadError:
        raise
    except RecursionError:
        _refuse("JSON of a sensible depth", text[:16], "It is nested too deeply to be a config.")
    except json.JSONDecodeError as error:
        got = text[error.pos : error.pos + 16] or "nothing after that"
        what = error.msg.removesuffix(" at")
        _refuse("JSON", got, f"{what} at line {error.lineno} column {error.colno}.")
    except ValueError:  # the one other thing that the parser refuses
        _refuse("JSON with numbers of a sensible length", text[:16])
    if not isinstance(value, dict):
        _refuse("a JSON object", value)
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            _refuse("an object with each key once", key, "Readers differ in which they take.")
        found[key] = value
    return found


def _refuse(must: str, got: object, hint: str = "") -> NoReturn:
    raise ReadError(f"read(): source must be {must}; got {shown(got)}. {hint}".rstrip())
