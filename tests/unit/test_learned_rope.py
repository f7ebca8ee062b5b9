"""Trained frequencies: what they are at first, what moves them, what does not fit."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError


def test_at_first_it_is_rope() -> None:
    """Far out too: the product is formed in float64, of the frequencies in float32."""
    x, at = np.random.default_rng(0).normal(size=(3, 6, 10)), np.arange(8, 14)
    rope = posenc.bind(posenc.Rope(dim=10, layout="half"))
    for form in ("freqs", "exponents"):
        scheme = posenc.bind(posenc.LearnedRope(dim=10, layout="half", form=form))
        np.testing.assert_allclose(scheme.query(x, at), rope.query(x, at), atol=1e-5)
    far = at + 1_000_000  # exponents of 0 leave YaRN's float64 frequencies as they are
    yarn = posenc.Yarn(factor=8, trained_length=512)
    mine = posenc.LearnedRope(dim=10, layout="half", form="exponents", scaling=yarn)
    plain = posenc.bind(posenc.Rope(dim=10, layout="half", scaling=yarn))
    y = posenc.bind(mine).query(x.astype(np.float32), far)
    factor = np.sqrt(plain.logit_scale(far))
    np.testing.assert_allclose(y, factor * plain.query(x.astype(np.float32), far), atol=2e-6)


@pytest.mark.parametrize("shift", [0, 1_000_000])
def test_lengths_and_distances_are_kept(shift: int) -> None:
    spec = posenc.LearnedRope(dim=6, head_dim=10, at="back", layout="interleaved", heads=3)
    freqs = torch.randn(3, 3, 1, generator=torch.Generator().manual_seed(0))
    scheme = posenc.bind(spec, {"freqs": freqs})
    q, k = torch.randn(2, 3, 5, 10), torch.randn(2, 3, 4, 10)
    m, n = torch.tensor([8, 9, 13, 30, 41]), torch.tensor([0, 3, 10, 44])
    turned = scheme.query(q, m + shift)
    torch.testing.assert_close(turned.norm(dim=-1), q.norm(dim=-1))
    torch.testing.assert_close(turned[..., :4], q[..., :4], atol=0, rtol=0)
    here = scheme.query(q, m) @ scheme.key(k, n).mT
    torch.testing.assert_close(turned @ scheme.key(k, n + shift).mT, here, atol=5e-6, rtol=0)


def test_pairs_are_dealt_to_coordinates_in_turn() -> None:
    spec = posenc.LearnedRope(dim=10, layout="half", heads=2, coordinates=3)
    freqs = spec.init(np.random.default_rng(0))["freqs"]
    assert freqs.shape == (2, 5, 3)
    assert [int(np.flatnonzero(row)[0]) for row in freqs[1]] == [0, 1, 2, 0, 1]
    np.testing.assert_allclose(freqs.sum(-1)[0], 10_000.0 ** (-np.arange(5) / 5), rtol=1e-7)


def test_its_gradient_is_that_of_the_formula() -> None:
    spec = posenc.LearnedRope(dim=4, layout="half", heads=2, coordinates=2)
    at = torch.tensor([[8.0, -3.0], [9.5, 2.0], [40.0, 1.0]])
    x = torch.randn(2, 3, 4, dtype=torch.float64)

    def turned(freqs: torch.Tensor) -> torch.Tensor:
        return posenc.bind(spec, {"freqs": freqs}).query(x, at.double())

    freqs = torch.randn(2, 2, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(turned, (freqs,))


REFUSED = {
    "LearnedRope.head_dim must be at least dim 6; got 4.": {"dim": 6, "head_dim": 4},
    "LearnedRope.coordinates must be 1 with form 'exponents'; got 2.": {
        "dim": 6,
        "form": "exponents",
        "coordinates": 2,
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_refused(sentence: str) -> None:
    with pytest.raises(EncodingError) as error:
        posenc.LearnedRope(layout="half", **REFUSED[sentence])
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("shape", "head_axis", "sentence"),
    [
        ((5, 6), None, "LearnedRope: head_axis must be -3 or -2 where each head has its own "
         "frequencies; got None."),
        ((2, 5, 6), -3, "LearnedRope: x must be of 3 heads; got 2."),
        ((3, 5, 8), -3, "LearnedRope: x must be of 6 channels, its head_dim; got 8."),
    ],
)  # fmt: skip
def test_tokens_that_do_not_fit(
    shape: tuple[int, ...], head_axis: int | None, sentence: str
) -> None:
    scheme = posenc.bind(posenc.LearnedRope(dim=6, layout="half", heads=3))
    with pytest.raises(EncodingError) as error:
        scheme.query(np.ones(shape), np.arange(5), head_axis=head_axis)
    assert str(error.value) == sentence
