"""One tensor out of a safetensors file, or one sentence that says why not."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from posenc.errors import EncodingError, ReadError, check

Values: TypeAlias = np.ndarray[Any, np.dtype[np.floating[Any]]]

LIMIT = 2**28
"""Numbers in the largest table that is read: a gigabyte as float32."""


def read_table(target: str) -> Values:
    """The table that ``FILE:KEY`` names, as float32 or float64, ``(rows, dim)``.

    Raises:
        EncodingError: One sentence, if there is no such file, tensor or package, or if the tensor
            is no table of numbers.
    """
    path, key = _parted(target)
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise EncodingError(
            "--table must have the safetensors package; got none. Install it: "
            "pip install 'posenc[convert]'."
        ) from error
    if not path.is_file():
        what = "a directory" if path.is_dir() else "nothing of that name"
        raise ReadError(f"{path} must be a file; got {what}.")
    try:
        with safe_open(path, framework="numpy") as file:
            names = list(file.keys())
            check(
                key in names, f"{path.name}: KEY", "a tensor of this file", key, _near(key, names)
            )
            part = file.get_slice(key)
            shape, kind = tuple(part.get_shape()), part.get_dtype()
            _check_form(f"{path.name}: {key}", shape, kind)
            table = _bfloat16(path, key) if kind == "BF16" else file.get_tensor(key)
    except SafetensorError as error:
        reason = " ".join(str(error).split())
        raise ReadError(
            f"{path} must be a safetensors file; got one that says: {reason}."
        ) from error
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        raise ReadError(f"{path} must be a file that can be read; got: {reason}.") from error
    table = table.reshape(shape).astype(np.float64 if kind == "F64" else np.float32, copy=False)
    finite = bool(np.isfinite(table).all())
    check(finite, f"{path.name}: {key}", "of finite numbers", "NaN or infinity", error=ReadError)
    return np.asarray(table)


def _parted(target: str) -> tuple[Path, str]:
    parts = target.split(":")
    splits = [(":".join(parts[:i]), ":".join(parts[i:])) for i in range(1, len(parts))]
    splits = [(file, key) for file, key in splits if file and key]
    check(bool(splits), "--table", "FILE:KEY", target, "Such as model.safetensors:wpe.weight.")
    # Names of files and of tensors may hold colons; the file is there, so it tells.
    file, key = next((split for split in splits if Path(split[0]).is_file()), splits[-1])
    return Path(file), key


def _near(key: str, names: Sequence[str]) -> str:
    """The nearest names; tensors are often known by the end of their name alone."""
    ends = [name for name in names if name.endswith(key) or key.endswith(name)]
    close = ends or difflib.get_close_matches(key, names, n=3, cutoff=0.4)
    close = close or [name for name in names if "pos" in name.lower() or "wpe" in name]
    listed = ", ".join((close or list(names))[:3])
    return f"Nearest: {listed}." if listed else "It holds none."


def _check_form(where: str, shape: tuple[int, ...], kind: str) -> None:
    check(len(shape) == 2, where, "of two axes, positions and channels", shape, error=ReadError)
    known = kind in ("F64", "F32", "F16", "BF16")
    check(known, where, "of F64, F32, F16 or BF16 numbers", kind, error=ReadError)
    few = shape[0] >= 2 and shape[1] >= 1
    check(few, where, "of at least two rows and a channel", shape, error=ReadError)
    check(math.prod(shape) <= LIMIT, where, f"of at most {LIMIT} numbers", shape, error=ReadError)


def _bfloat16(path: Path, key: str) -> Values:
    """A tensor of bfloat16, which NumPy lacks: the upper half of a float32.

    The header has been checked by the safetensors package before.
    """
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        start, end = json.loads(file.read(size))[key]["data_offsets"]
        file.seek(8 + size + start)
        halves = np.frombuffer(file.read(end - start), "<u2")
    return (halves.astype(np.uint32) << 16).view(np.float32)
