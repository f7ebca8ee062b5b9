"""Every law of posenc that applies to the encoding, and what is its own."""

import numpy as np
import pytest
from posenc_triangles import TriangleWaves

import posenc
from posenc.testing import parametrize

SPECS = [TriangleWaves(dim=6), TriangleWaves(dim=10, shortest=3.0, longest=70.0)]


@parametrize(SPECS)
def test_laws(case, law):
    law.check(case)


def test_a_period_of_four():
    spec = TriangleWaves(dim=2, shortest=4.0, longest=4.0)
    due = [[1, 0], [0, -1], [-1, 0], [0, 1], [1, 0]]
    for start in (0, 70_000, 10**9):
        assert posenc.bind(spec).embed(np.arange(start, start + 5)).tolist() == due


def test_odd_widths_are_refused():
    with pytest.raises(posenc.EncodingError, match=r"TriangleWaves.dim must be even; got 5"):
        TriangleWaves(dim=5)
