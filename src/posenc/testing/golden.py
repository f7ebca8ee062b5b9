"""Golden numbers: from an oracle that knows nothing of posenc, held against what posenc gives.

A golden file is JSON, ``{"oracle": ..., "cases": [...]}``. A case has a ``spec`` as ``to_dict``
writes it, a ``length``, inputs (``positions``, ``x``, ``table`` ...) and the numbers due for them:

==================  ==========================================================================
frequencies         radians per position of each pair
attention_factor    what Hugging Face multiplies cos and sin by
stretched_base      the base that NTK-aware rules put in place of the given one
bounds              the pair indices between which YaRN's ramp runs
angles, cos, sin    position by pair
rotated             ``x`` turned to every position, lengths kept
growth              the squared length of ``rotated`` over that of ``x``
scaled              ``rotated``, turned channels multiplied by the attention factor
score               ``q . k`` after turning, for each pair of positions
as_query, as_key    ``x`` as the hooks turn it, where those two differ
embed               position by channel
slopes, buckets     of each head; of each ``relative`` distance, key minus query
bias                head by query by key
adjusted            the same: ``adjust(q k^T, q, k)`` of tokens ``q`` and ``k``, before any scale
contextual          the same: what ``adjust`` adds to ``q . k``
counted             the same: the position that a query counts for a key
distances           query by key: the distance that a rotary score is told
logit_scale         what logits are multiplied by besides: one number, or one or head by query
attended            head by query by channel: attention with the keys for values
log_offsets         what a network of offsets is given, a row for each offset
==================  ==========================================================================

Positions may be empty: then only numbers that depend on no position are due. Learned ``arrays`` are
given as nested lists, or as a rule where they are large: ``{"shape", "low", "high", "start"}``
stands for numbers ``low + (high - low) k / 1024`` of that shape, of which number i in row-major
order has ``k = ((61803 i + start) mod 99991) mod 1024``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from posenc._typing import Namespace
from posenc.errors import ReadError, check
from posenc.specs import Spec, from_dict
from posenc.testing._compare import close
from posenc.testing._libraries import Library, library
from posenc.testing._quantities import QUANTITIES, At, tolerance

__all__ = ["Golden", "cases", "compare"]


@dataclass(frozen=True)
class Golden:
    """One case of a golden file.

    Attributes:
        name: File and case, as in ``"rope/half-6"``.
        spec: The encoding that it is about.
        data: The case as it stands in the file.
    """

    name: str
    spec: Spec
    data: Mapping[str, Any]

    @property
    def due(self) -> tuple[str, ...]:
        """The quantities that it has numbers for."""
        return tuple(name for name in QUANTITIES if name in self.data)


def cases(path: str | Path) -> list[Golden]:
    """The cases of a golden file, or of every file of a folder.

    Raises:
        ReadError: If there is no such file, or it is not a golden file.
        EncodingError: If a spec in it is none.
    """
    files = sorted(Path(path).glob("*.json")) if Path(path).is_dir() else [Path(path)]
    check(bool(files), "cases(): path", "a golden file or a folder of them", path, error=ReadError)
    return [case for file in files for case in _read(file)]


def _read(file: Path) -> Iterator[Golden]:
    try:
        listed = json.loads(file.read_text("utf-8"))["cases"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        must = "a golden file, JSON with a list of 'cases'"
        raise ReadError(f"{file.name} must be {must}; got {error!r}.") from error
    for data in listed:
        yield Golden(f"{file.stem}/{data['case']}", from_dict(data["spec"]), data)


def compare(
    case: Golden, *, xp: Namespace | str | Library = "numpy", float64: bool = False
) -> None:
    """Hold the library to one golden case.

    Args:
        case: From ``cases``.
        xp: Where to compute: an array namespace, or a name as in ``check_encoding``.
        float64: Compute in float64 rather than in float32; not in JAX as it comes.

    Raises:
        LawError: If a number is off, with the worst one and what it should be.
    """
    at = At(case.spec, case.data, library(xp), float64)
    for name in case.due:
        atol, rtol = tolerance(name, at)
        printed = case.data.get("atol", 0.0), case.data.get("rtol", 0.0)
        answer, what = QUANTITIES[name](at), f"{case.name}: {name}"
        due = np.asarray(case.data[name], np.float64)
        close(answer, due, what, atol=atol + printed[0], rtol=rtol + printed[1])
