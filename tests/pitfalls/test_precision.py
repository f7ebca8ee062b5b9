"""Angles, positions and frequencies that half precision, autocast or a branch reached.

Numbers are those of mpmath at 40 digits.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError
from posenc.torch import Encoding

HALVES = [torch.float16, torch.bfloat16]
halves = pytest.mark.parametrize("dtype", HALVES, ids=str)
ROPE = posenc.Rope(dim=32, layout="interleaved")


def tables(enc: Encoding, at: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin as the module has them, read off unit vectors."""
    unit = torch.zeros(len(at), enc.spec.dim)
    unit[:, 0::2] = 1
    turned = enc(unit, unit, at, head_axis=None)[0].numpy()
    return turned[:, 0::2], turned[:, 1::2]


@halves
def test_a_module_cast_to_half_has_exact_tables(dtype: torch.dtype) -> None:
    """B01, B07: an angle of 1045 in float16; a rounded frequency drifts with position."""
    cos, sin = tables(Encoding(ROPE).to(dtype), torch.tensor([8, 1857]))
    assert cos[1, 1] == pytest.approx(0.306692809819, abs=5e-7)
    assert sin[1, 1] == pytest.approx(0.951808552391, abs=5e-7)
    places = torch.arange(2048)
    angle = np.arange(2048)[:, None] * 1e4 ** (-np.arange(16) / 16)
    cos, sin = tables(Encoding(ROPE).to(dtype), places)
    assert np.abs(np.arctan2(sin, cos) - np.arctan2(np.sin(angle), np.cos(angle))).max() < 1e-6


@halves
def test_half_tokens_are_turned_by_their_own_position(dtype: torch.dtype) -> None:
    """B02: 15962 became 15936, and its cosine -0.268."""
    x = torch.zeros(2, 32, dtype=dtype)
    x[:, 0] = 1
    turned = posenc.bind(ROPE).query(x, torch.tensor([15962, 15936]), head_axis=None)
    due = torch.tensor([-0.908015901251, -0.267950071128]).to(dtype)
    torch.testing.assert_close(turned[:, 0], due, atol=0, rtol=0)


@halves
@pytest.mark.parametrize("first", [256, 2048, 8190, 32767])
def test_neighbours_stay_apart_and_halves_are_refused(dtype: torch.dtype, first: int) -> None:
    """B03, B04, B06: each of these merges with a neighbour in one of the two."""
    at = torch.arange(first, first + 2)
    for spec in (ROPE, posenc.Sinusoidal(dim=32)):
        cos, sin = posenc.tables(spec, at)
        assert not torch.equal(cos[0], cos[1])
        assert not torch.equal(sin[0], sin[1])
    scheme, x = posenc.bind(ROPE), torch.ones(2, 32, dtype=dtype)
    for ask in (
        scheme.prepare,
        lambda p: scheme.query(x, p, head_axis=None),
        Encoding(ROPE).prepare,
    ):
        with pytest.raises(EncodingError, match="Half precision merges neighbouring positions"):
            ask(at.to(dtype))


def test_autocast_reaches_no_angle() -> None:
    """B05: all four became 65536."""
    at = torch.arange(65536, 65540)
    with torch.autocast("cpu", torch.bfloat16):
        cos = [posenc.tables(ROPE, at)[0].numpy(), tables(Encoding(ROPE), at)[0]]
    for got in cos:
        np.testing.assert_allclose(got[:, 0], np.cos(np.arange(65536.0, 65540)), atol=5e-7)


def test_no_device_computes_a_frequency() -> None:
    """B08: integers from the host, the same wherever the module has been."""
    due = ROPE.constants()["rates"]
    assert due.dtype == np.int64
    for enc in (
        Encoding(ROPE),
        Encoding(ROPE, device="meta").to_empty(device="cpu"),
        Encoding(ROPE).to("meta").to_empty(device="cpu"),
    ):
        np.testing.assert_array_equal(enc._derived.arrays()["rates"].numpy(), due)


@pytest.mark.parametrize("take", [torch.asarray, jnp.asarray], ids=["torch", "jax"])
def test_bfloat16_is_the_exact_answer_rounded(take) -> None:
    """B10: within one unit in the last place, whichever library runs it."""
    drawn = np.random.default_rng(0).normal(size=(1, 1, 1024, 32)).astype(np.float32)
    x = take(drawn).bfloat16() if take is torch.asarray else take(drawn).astype(jnp.bfloat16)
    wide = np.asarray(x.float() if take is torch.asarray else x.astype(jnp.float32), np.float64)
    got = posenc.bind(ROPE).query(x, take(np.arange(1024, dtype=np.int32)))
    got = np.asarray(got.float() if take is torch.asarray else got.astype(jnp.float32))
    angle = np.arange(1024)[:, None] * 1e4 ** (-np.arange(16) / 16)
    a, b = wide[..., 0::2], wide[..., 1::2]
    due = np.empty_like(wide)
    due[..., 0::2] = a * np.cos(angle) - b * np.sin(angle)
    due[..., 1::2] = a * np.sin(angle) + b * np.cos(angle)
    assert (np.abs(got - due) <= 2.0**-8 * np.abs(due) + 1e-6).all()


def test_cells_of_a_grid_are_counted_in_integers() -> None:
    """B11: by float buckets the last of 32 x 32 was 990."""
    at = posenc.positions.grid(h=32, w=32, order="hw")
    assert at.dtype == np.int64
    np.testing.assert_array_equal(at @ [32, 1], np.arange(1024))


@pytest.mark.parametrize("dtype", [*HALVES, torch.float32, torch.float64], ids=str)
def test_one_by_one_is_bit_for_bit_all_at_once(dtype: torch.dtype) -> None:
    """B12: positions were summed up in bfloat16, and one of two paths promoted."""
    x = torch.randn(2, 3, 300, 32, generator=torch.Generator().manual_seed(0)).to(dtype)
    scheme = posenc.bind(ROPE)
    full = scheme.key(x, torch.arange(300))
    for p in range(300):
        step = posenc.positions.arange(1, offset=p, xp="torch")
        assert torch.equal(scheme.key(x[:, :, p : p + 1], step), full[:, :, p : p + 1])
