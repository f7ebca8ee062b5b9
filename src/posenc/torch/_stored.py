"""Derived arrays that other programs stored: compared where they can be, and left out."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import numpy as np

from posenc._arrays import dtype_name, to_host
from posenc.errors import check
from posenc.specs import Spec

_FREQUENCIES = ("inv_freq", "freqs", "rope.freqs")
_OTHERS = (
    *("cos_cached", "sin_cached", "freqs_cis", "position_ids", "slopes", "rates"),
    "original_inv_freq",
)
_ROUNDING = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-5}
_SMALLEST = {"float16": 6e-8}  # where steps are no longer in proportion to the number


def drop_derived(
    state: MutableMapping[str, Any], prefix: str, spec: Spec, length: int | None
) -> None:
    """Take out of a state dict what a spec determines, under the names that others gave it.

    Raises:
        EncodingError: If stored frequencies are not those of the spec: then the checkpoint was
            trained with another encoding.
    """
    for name in _FREQUENCIES:
        stored = state.pop(prefix + name, None)
        if stored is not None and callable(getattr(spec, "frequencies", None)):
            _compare(prefix + name, stored, spec, length)
    for name in _OTHERS:
        state.pop(prefix + name, None)


def _compare(where: str, stored: Any, spec: Any, length: int | None) -> None:
    due = spec.frequencies(length)
    got = np.asarray(to_host(stored), np.float64).ravel()
    fits = got.shape == due.shape
    check(fits, where, f"of {len(due)} frequencies, as {spec!r} has", got.shape)
    kind = dtype_name(stored)
    rtol, atol = _ROUNDING.get(kind, 1e-5), _SMALLEST.get(kind, 1e-9)
    near = np.allclose(got, due, rtol=rtol, atol=atol)
    first = int(np.argmax(np.abs(got - due) / np.maximum(np.abs(due), 1e-12)))
    hint = "The checkpoint was trained with other positions: correct the spec."
    check(
        near, f"{where}[{first}]", f"{due[first]:.9g}, as {spec!r} has it", float(got[first]), hint
    )
