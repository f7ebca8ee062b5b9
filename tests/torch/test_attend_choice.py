"""Which way of attending is taken, and what each refuses."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError

from .attending import ALIBI, CLOSE, KEYS, QUERIES, ROPE, counted, drawn


def test_it_picks_by_what_there_is_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc.torch import _attend

    ran = []
    for name in ("by_rows", "by_sdpa"):
        original = getattr(_attend, name)
        monkeypatch.setattr(
            _attend, name, lambda *a, f=original, n=name, **o: ran.append(n) or f(*a, **o)
        )
    monkeypatch.setattr(_attend._flex, "available", lambda: False)
    monkeypatch.setattr(_attend, "_FEW", 2 * 4 * QUERIES * KEYS - 1)
    q, k, v = drawn()
    at = counted()
    fewer = {**at, "q_positions": at["q_positions"][:60]}
    posenc.torch.attend(q, k, v, ALIBI, **at)
    posenc.torch.attend(q[:, :, :60], k, v, ALIBI, **fewer)
    posenc.torch.attend(q, k, v, ROPE, **at)
    assert ran == ["by_rows", "by_sdpa", "by_sdpa"]


@pytest.mark.parametrize("places", ["far apart", "real"])
def test_long_text_at_places_that_are_no_range(places: str, monkeypatch) -> None:
    """Its distances are too many to tabulate: it goes by rows, without being told to."""
    from posenc.torch import _attend

    monkeypatch.setattr(_attend, "_FEW", 0)
    monkeypatch.setattr(_attend._flex, "available", lambda: True)
    q, k, v = drawn()
    spread = 50 if places == "far apart" else 0.5
    given = {**{n: p * spread for n, p in counted().items()}, "causal": True}
    got = posenc.torch.attend(q, k, v, ALIBI, **given)
    torch.testing.assert_close(got, posenc.attend(q, k, v, ALIBI, **given), **CLOSE)
    with pytest.raises(EncodingError, match=r"'rows' for this bias; got 'flex'\. Its"):
        posenc.torch.attend(q, k, v, ALIBI, backend="flex", **given)


def test_several_dtypes_are_left_to_the_reference() -> None:
    q, k, v = drawn()
    given = counted()
    got = posenc.torch.attend(q, k.double(), v, ALIBI, **given)
    torch.testing.assert_close(got, posenc.attend(q, k, v, ALIBI, **given), **CLOSE)
    with pytest.raises(EncodingError, match="'reference' for q, k and v of several dtypes"):
        posenc.torch.attend(q, k.double(), v, ALIBI, backend="rows", **given)


def test_refusals() -> None:
    q, k, v = drawn()
    given = counted()
    with pytest.raises(EncodingError, match="Did you mean 'rows'"):
        posenc.torch.attend(q, k, v, ALIBI, backend="row", **given)
    with pytest.raises(EncodingError, match="keys must be 'raw' or 'turned'"):
        posenc.torch.attend(q, k, v, ALIBI, keys="cooked", **given)
    for way in ("sdpa", "rows"):
        with pytest.raises(EncodingError, match="for the 4 heads of q; got 8"):
            posenc.torch.attend(q, k, v, posenc.Alibi(heads=8), backend=way, **given)


def test_what_numpy_prepared_is_refused_for_torch() -> None:
    scheme = posenc.bind(ALIBI)
    q, k, v = drawn()
    placed = scheme.prepare(*(np.asarray(p) for p in counted().values()))
    with pytest.raises(EncodingError, match="prepared in the library of q"):
        posenc.torch.attend(q, k, v, scheme, q_positions=placed)


def test_a_learned_scale_is_not_cut_off() -> None:
    q, k, v = drawn()
    scale = torch.nn.Parameter(torch.tensor(0.3))
    with pytest.raises(EncodingError, match="Multiply q by it, and pass scale=1"):
        posenc.torch.attend(q, k, v, posenc.NoPE(), scale=scale)
