"""Positions of several coordinates: what is read how, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc import Axial, EncodingError, Rope, Sections

M_ROPE = Rope(dim=16, layout="half", axes=Sections(sizes=(4, 2, 2), order="interleaved"))
CELLS = Rope(dim=16, layout="half", axes=Axial(dims=(8, 8)))
X = np.random.default_rng(0).normal(size=(2, 3, 5, 16)).astype(np.float32)
TEXT = np.array([8, 9, 40, 70_001, 70_002])


@pytest.mark.parametrize("sizes", [(8, 0, 0), (2, 3, 3), (4, 4), (2, 2, 2, 2)])
def test_text_turns_as_under_one_axis(sizes: tuple[int, ...]) -> None:
    plain = posenc.bind(Rope(dim=16, layout="half")).query(X, TEXT)
    scheme = posenc.bind(Rope(dim=16, layout="half", axes=Sections(sizes=sizes)))
    for at in (TEXT, np.stack([TEXT, TEXT]), np.stack([TEXT] * len(sizes), axis=-1)):
        np.testing.assert_array_equal(scheme.query(X, at), plain)
        np.testing.assert_array_equal(scheme.query(X, scheme.prepare(at)), plain)


def test_coordinates_of_hugging_face_are_refused() -> None:
    at = np.broadcast_to(TEXT, (3, 2, 5))
    for call in (
        lambda: posenc.bind(M_ROPE).query(X, at),
        lambda: posenc.bind(M_ROPE).prepare(at),
        lambda: posenc.tables(M_ROPE, at),
        lambda: posenc.attend(X, X, X, M_ROPE, q_positions=at),
    ):
        with pytest.raises(EncodingError, match=r"moveaxis\(positions, 0, -1\)"):
            call()


def test_a_grid_takes_no_plain_positions() -> None:
    for call in (
        lambda: posenc.bind(CELLS).query(X, TEXT),
        lambda: posenc.bind(CELLS).prepare(TEXT),
        lambda: posenc.tables(CELLS, TEXT),
    ):
        with pytest.raises(EncodingError, match=r"of shape \(n, 2\) or \(\*batch, n, 2\)"):
            call()


def test_what_could_be_rows_or_coordinates_is_refused() -> None:
    x = np.ones((3, 1, 3, 16), np.float32)
    at = np.arange(9).reshape(3, 3)
    scheme = posenc.bind(M_ROPE)
    with pytest.raises(EncodingError, match=r"of shape \(1, 3, 3\) where as many rows"):
        scheme.query(x, at)
    shared = scheme.query(x, at[None])
    for row in range(3):
        np.testing.assert_array_equal(shared[row], scheme.query(x[row], at))


def test_rows_of_as_many_tokens_as_coordinates_are_told_so() -> None:
    x, at = np.ones((2, 1, 3, 16), np.float32), np.arange(6).reshape(2, 3)
    with pytest.raises(EncodingError, match="rows of so many tokens need them written out"):
        posenc.bind(M_ROPE).query(x, at)
    written = np.stack([at] * 3, axis=-1)
    plain = posenc.bind(Rope(dim=16, layout="half")).query(x, at)
    np.testing.assert_array_equal(posenc.bind(M_ROPE).query(x, written), plain)


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        (lambda: Sections(sizes=(2, 3, 2)), r"sizes must be 8 in all, .* got '7, \(2, 3, 2\)'"),
        (lambda: Sections(sizes=(2, 4, 2), order="interleaved"), "small enough after the first"),
        (lambda: Sections(sizes=(4, 1, 3), order="first-last"), "the same after the first"),
        (lambda: Axial(dims=(8, 6)), r"dims must be 16 in all, as dim; got '14, \(8, 6\)'"),
        (lambda: Axial(dims=(4, 12), order="alternate"), "the same with order 'alternate'"),
        (lambda: Axial(dims=(8, 8), bases=(5.0,)), "of 2 to 8 numbers"),
        (lambda: Axial(dims=(8, 8), bases=(5.0, 5.0, 5.0)), "2 numbers, one a coordinate"),
        (
            lambda: Axial(dims=(8, 8), bases=(5, 6), order="strided"),
            "the same with order 'strided'",
        ),
        (lambda: Axial(dims=(7, 9)), "even"),
    ],
)
def test_refusals(axes, message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        Rope(dim=16, layout="half", axes=axes())


def test_rules_for_one_ladder_are_refused_where_each_axis_has_its_own() -> None:
    with pytest.raises(EncodingError, match="Unscaled or Linear with a ladder for each axis"):
        Rope(dim=16, layout="half", axes=Axial(dims=(8, 8)), scaling=posenc.Ntk(factor=4.0))


def test_halves_of_each_axis_need_the_half_layout() -> None:
    axes = Axial(dims=(8, 8), halves="axis")
    with pytest.raises(EncodingError, match="'half' where each axis has its own halves"):
        Rope(dim=16, layout="interleaved", axes=axes)


def test_parts_of_a_stack_have_as_many_coordinates() -> None:
    with pytest.raises(EncodingError, match="as many coordinates"):
        posenc.Stack(M_ROPE, posenc.Alibi(heads=3))


@pytest.mark.parametrize("keys", ["raw", "turned"])
def test_a_cache_goes_on_behind_an_image(keys: str) -> None:
    """Two words, an image of 2 x 3 patches, then words: Qwen2-VL's own count."""
    at = [[0] * 3, [1] * 3, *([2, 2 + h, 2 + w] for h in range(2) for w in range(3))]
    prompt = torch.tensor(at)
    enc = posenc.torch.Encoding(M_ROPE)
    drawn = torch.Generator().manual_seed(0)
    k, v, q = torch.randn(3, 2, 3, 11, 16, generator=drawn)
    cache = posenc.torch.Cache(enc, keys=keys)
    cache.append(k[:, :, :8], v[:, :, :8], prompt)
    assert cache.following(3).tolist() == [5, 6, 7]
    for step in range(8, 11):
        place = cache.following()
        cache.append(k[:, :, step : step + 1], v[:, :, step : step + 1], place)
    text = torch.tensor([5, 6, 7])
    whole = torch.cat([prompt, text[:, None].expand(3, 3)])
    assert torch.equal(cache.positions, whole)
    due = posenc.torch.attend(q, k, v, enc, q_positions=whole, causal=True)
    got = cache.attend(q[:, :, -1:], text[-1:])
    torch.testing.assert_close(got, due[:, :, -1:], atol=1e-6, rtol=1e-6)
    cache.keep(torch.arange(2, 11))
    cache.move(-2)
    moved = posenc.torch.attend(
        q[:, :, 2:], k[:, :, 2:], v[:, :, 2:], enc, q_positions=whole[2:], causal=True
    )
    got = cache.attend(q[:, :, -1:], text[-1:] - 2)
    torch.testing.assert_close(got, moved[:, :, -1:], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("keys", ["raw", "turned"])
def test_three_words_of_three_rows(keys: str) -> None:
    """As many as there are coordinates: one axis of positions can only be tokens."""
    drawn = torch.Generator().manual_seed(0)
    k = torch.randn(3, 4, 5, 16, generator=drawn)
    enc, at = posenc.torch.Encoding(M_ROPE), torch.arange(3)
    plain = posenc.bind(Rope(dim=16, layout="half"))
    x = k[:, :, :3]
    due = plain.key(x, at)
    torch.testing.assert_close(enc(x, x, at)[1], due)
    whole = posenc.torch.attend(x, x, x, Rope(dim=16, layout="half"), q_positions=at, causal=True)
    got = posenc.torch.attend(x, x, x, enc, q_positions=at, causal=True)
    torch.testing.assert_close(got, whole, atol=1e-6, rtol=1e-5)
    cache = posenc.torch.Cache(enc, keys=keys)
    for step in range(3):
        cache.append(x[:, :, step : step + 1], x[:, :, step : step + 1], at[step : step + 1])
    torch.testing.assert_close(cache.keys, due)
    cache.move(2)
    torch.testing.assert_close(cache.keys, plain.key(x, at + 2), atol=1e-6, rtol=1e-5)
    with pytest.raises(EncodingError, match=r"of shape \(1, 3, 3\) where as many rows"):
        posenc.torch.Cache(enc).append(x, x, torch.arange(9).reshape(3, 3))
