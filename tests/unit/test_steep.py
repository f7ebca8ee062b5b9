"""Ladders steeper than half a turn per position, whole positions and what is between them."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import torch
from mpmath import mp

import posenc
from posenc import Axial, EncodingError, Fourier, Rope
from posenc.specs import Spec

SPECS = {
    "ltx": posenc.encodings()["rope-ltx"].make(dim=96),
    "nerf": posenc.encodings()["fourier-nerf"].make(),
}
LIBRARIES = {"numpy": np.asarray, "torch": torch.asarray, "jax": jax.numpy.asarray}
FAR = 2**31 - 2


def truth(freqs: Any, places: Any) -> Any:
    with mp.workdps(60):
        return np.array([[float(mp.cos(mp.mpf(p) * mp.mpf(w))) for w in freqs] for p in places])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_whole_positions_are_exact_to_the_end(spec: Spec, library: str) -> None:
    count = getattr(spec, "coordinates", 0) or spec.axes.count
    at = np.array([[8] * count, [-70_001] * count, [FAR] * count], np.int32)
    cos, _ = posenc.tables(spec, LIBRARIES[library](at))
    off = np.abs(np.asarray(cos) - truth(spec.frequencies(), at[:, 0].tolist())).max()
    assert off <= (1e-7 if library == "numpy" else 5e-7)


@pytest.mark.parametrize("library", LIBRARIES)
def test_real_positions_on_both_sides_of_0(library: str) -> None:
    spec = Fourier(bands=12, unit="half-turns")
    at = np.array([-1e-6, 1e-6, -0.7, 12.3, -12.3], np.float32)
    cos, _ = posenc.tables(spec, LIBRARIES[library](at))
    off = np.abs(np.asarray(cos) - truth(spec.frequencies(), at.tolist())).max()
    assert off <= (1e-7 if library == "numpy" else 5e-7)


def test_what_no_library_could_count_is_refused() -> None:
    steep = Rope(dim=8, layout="half", base=1e12, axes=Axial(dims=(4, 4), ladder="linear"))
    with pytest.raises(EncodingError, match=r"Frequencies must be below 3.37e\+09 radians"):
        posenc.bind(steep)
    less = Rope(dim=8, layout="half", base=1e9, axes=Axial(dims=(4, 4), ladder="linear"))
    posenc.bind(less)
