"""xPos, PoPE and HoPE: what laws and golden numbers do not say."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError
from posenc.functional._polar import arrows
from posenc.registry import entry


def xpos(**fields: object) -> posenc.XPos:
    return posenc.XPos(**{"dim": 10, "layout": "half", "centre": 0, **fields})


def scores(spec: posenc.XPos, q: np.ndarray, k: np.ndarray, m: np.ndarray, n: np.ndarray):
    scheme = posenc.bind(spec)
    return scheme.query(q, m, head_axis=None) @ scheme.key(k, n, head_axis=None).T


@pytest.mark.parametrize("centre", [-7, 0, 512, 513, 4096])
def test_scores_do_not_depend_on_the_centre(centre: int) -> None:
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 6, 10))
    m, n = np.array([8, 9, 50, 511, 2049, 9001]), np.array([0, 3, 8, 500, 2000, 8999])
    here, there = (scores(xpos(centre=c), q, k, m, n) for c in (centre, 1000))
    seen = m[:, None] >= n
    np.testing.assert_allclose(here[seen], there[seen], rtol=0, atol=1e-10)


def test_a_pair_shrinks_by_its_own_power_of_the_distance() -> None:
    """On tokens of one pair: z_i^(r / 512) of what rotation alone gives."""
    spec, rope = xpos(), posenc.bind(posenc.Rope(dim=10, layout="half"))
    zeta = (2 * np.arange(5) / 10 + 0.4) / 1.4
    for pair in range(5):
        x = np.zeros((1, 10))
        x[0, [pair, pair + 5]] = 1.0, 0.5
        m, n = np.array([1007]), np.array([500])
        turned = rope.query(x, m, head_axis=None) @ rope.key(x, n, head_axis=None).T
        due = turned * zeta[pair] ** (507 / 512)
        np.testing.assert_allclose(scores(spec, x, x, m, n), due, rtol=1e-12)


def test_too_far_from_the_centre_is_an_error_or_nan() -> None:
    spec = xpos(centre=512)
    assert spec.reach() == 18_130
    scheme = posenc.bind(spec)
    x = np.ones((1, 10), np.float32)
    for p in (512 - 18_130, 512 + 18_130):
        assert np.isfinite(scheme.query(x, np.array([p]), head_axis=None)).all()
        assert np.isfinite(scheme.key(x, np.array([p]), head_axis=None)).all()
    with pytest.raises(EncodingError) as error:
        scheme.query(x, np.array([512 + 18_131]), head_axis=None)
    assert str(error.value) == (
        "XPos: positions must be within 18130 of the centre 512; got 18131.0. "
        "Put the centre amid the text: scores do not depend on it."
    )
    turn = torch.compile(posenc.bind(spec, xp="torch").query, backend="eager", fullgraph=True)
    at = torch.tensor([512, 512 + 18_131])
    rows = turn(torch.ones(1, 2, 10), at).isnan().all(-1)
    assert rows.tolist() == [[False, True]]


def test_float16_overflows_sooner() -> None:
    spec = xpos(centre=512)
    assert spec.reach(8) == 2266
    scheme = posenc.bind(spec)
    x = np.full((1, 10), 100, np.float16)
    assert np.isfinite(scheme.key(x, np.array([512 + 2266]), head_axis=None)).all()
    with pytest.raises(EncodingError, match="within 2266 of the centre 512 in float16"):
        scheme.key(x, np.array([512 + 2267]), head_axis=None)
    wide = scheme.key(x.astype(np.float32), np.array([512 + 2267 + 1024]), head_axis=None)
    assert np.abs(wide).max() > np.finfo(np.float16).max


def test_xpos_reads_one_width() -> None:
    with pytest.raises(EncodingError) as error:
        posenc.bind(xpos()).query(np.ones((1, 12)), np.array([3]), head_axis=None)
    assert str(error.value) == "XPos: x must be of 10 channels, its dim; got 12."


def test_tables_of_xpos_are_the_rotation() -> None:
    at = np.array([8, 70_001])
    for mine, plain in zip(
        posenc.tables(xpos(), at),
        posenc.tables(posenc.Rope(dim=10, layout="half"), at),
        strict=True,
    ):
        np.testing.assert_array_equal(mine, plain)


def test_the_printed_arrows_of_pope() -> None:
    x, at = np.array([[0.5, -1.0]]), np.array([3.0]) * np.array([[1.0, 0.01]])
    due = [[-0.964328905, 0.313120730, 0.137461752, 0.009396441]]
    np.testing.assert_allclose(arrows(x, np.cos(at), np.sin(at), xp=np), due, atol=5e-10)


def test_pope_attends_with_fewer_key_heads_and_learns() -> None:
    """The same as widened queries and keys of plain attention, by the usual scale of dim."""
    module = posenc.torch.Encoding(posenc.Polar(dim=10, heads=2))
    with torch.no_grad():
        module.learned.arrays()["phase"].copy_(-torch.rand(2, 10))
    q, k, v = (torch.randn(2, heads, 5, 10) for heads in (4, 2, 2))
    at = torch.arange(70_001, 70_006)
    y = posenc.torch.attend(q, k, v, module, q_positions=at, causal=True)
    y.sum().backward()
    assert module.learned.arrays()["phase"].grad.abs().min() > 0

    angles = (at[:, None].double() * 10_000.0 ** (-torch.arange(10).double() / 10)).numpy()
    phase = module.learned.arrays()["phase"].detach().double().numpy()[:, None]
    wide_q = arrows(q.double().numpy(), np.cos(angles), np.sin(angles), xp=np)
    wide_k = arrows(k.double().numpy(), np.cos(angles + phase), np.sin(angles + phase), xp=np)
    plain = posenc.attend(
        wide_q, wide_k, v.double().numpy(), posenc.NoPE(), causal=True, scale=10**-0.5
    )
    np.testing.assert_allclose(y.detach(), plain, atol=1e-6)


def test_phases_of_query_heads_that_share_a_key() -> None:
    """Two heads of queries, one of keys: as if the key head stood there twice."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 4, 10)), rng.normal(size=(1, 5, 10))
    phase = {"phase": -rng.random((2, 10))}
    scheme = posenc.bind(posenc.Polar(dim=10, heads=2), phase)
    at, seen, logits = np.arange(8, 12), np.arange(5), np.zeros((2, 4, 5))
    twice = np.repeat(k, 2, axis=0)
    np.testing.assert_array_equal(
        scheme.adjust(logits, q, k, at, seen), scheme.adjust(logits, q, twice, at, seen)
    )


def test_pope_refuses_other_heads() -> None:
    q = k = np.ones((3, 5, 10))
    scheme = posenc.bind(posenc.Polar(dim=10, heads=2))
    with pytest.raises(EncodingError) as error:
        scheme.adjust(np.ones((3, 5, 5)), q, k, np.arange(5))
    assert str(error.value) == ("Polar: k must be of 2 heads, or q where they share one; got 3.")


def test_hope_keeps_what_turns_once() -> None:
    spec = entry("rope-hope").make(dim=64)
    freqs = spec.frequencies()
    plain = posenc.Rope(dim=64, layout="half").frequencies()
    kept = 2048 * plain / (2 * np.pi) >= 1
    assert kept.sum() == 21
    np.testing.assert_array_equal(freqs, np.where(kept, plain, 0))


def test_p_rope_is_proportional() -> None:
    """The fastest share of the pairs at the rates of the whole head, the others at rest."""
    spec = posenc.Rope(dim=16, layout="half", scaling=posenc.Proportional(share=0.75))
    plain = posenc.Rope(dim=16, layout="half").frequencies()
    np.testing.assert_array_equal(spec.frequencies(), np.where(np.arange(8) < 6, plain, 0))
