"""Decoding from a cache: every step as the full pass has it, whatever was evicted or moved."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError
from posenc.torch import Cache, Encoding

N, HEADS, DIM = 12, 4, 10


def takes_text(spec: posenc.specs.Spec) -> bool:
    """Whether one number alone is a position; on a grid it is not."""
    try:
        posenc.bind(spec, length=64).prepare(np.arange(2))
    except EncodingError:
        return False
    return True


SPECS = {
    name: spec
    for name, entry in posenc.encodings(plugins=False).items()
    if name not in ("one-hot", "binary", "gray")  # which have no position 70 001
    and takes_text(spec := entry.make(dim=DIM, heads=HEADS, length=64))
}
SPECS = {name: s for name, s in SPECS.items() if posenc.bind(s, length=64).coordinates == 1}
KINDS = ("raw", "turned")
ROPE = posenc.Rope(dim=DIM, layout="half")


def drawn(n: int = N, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    make = torch.Generator().manual_seed(seed)
    q = torch.randn(2, HEADS, n, DIM, generator=make)
    k, v = torch.randn(2, 2, 2, n, DIM, generator=make)
    return q, k, v


def close(got: torch.Tensor, due: torch.Tensor, atol: float = 3e-6) -> None:
    torch.testing.assert_close(got, due, atol=atol, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SPECS)
def test_prefill_and_decode_equal_the_full_pass(name: str, kind: str) -> None:
    """B51, B53, B54, B56: in chunks and one by one, each key turned once."""
    enc = Encoding(SPECS[name], length=64)
    q, k, v = drawn()
    near = enc.spec.learned() or name == "xpos"  # which is too far from its centre there
    first = 8 if near else 70_001
    at = torch.arange(first, first + N)
    if enc.scheme().coordinates > 1:
        at = torch.stack([at] * enc.scheme().coordinates, dim=-1)
    full = posenc.torch.attend(q, k, v, enc, q_positions=at, causal=True)
    cache, start = Cache(enc, keys=kind), 0
    for stop in (5, 7, *range(8, N + 1)):
        here = slice(start, stop)
        cache.append(k[:, :, here], v[:, :, here], at[here])
        close(cache.attend(q[:, :, here], at[here]), full[:, :, here])
        start = stop
    assert len(cache) == N
    assert cache.following(2).tolist() == [first + N, first + N + 1]


SCALED = {
    "yarn on a part": posenc.Rope(
        dim=6, head_dim=10, layout="half", scaling=posenc.Yarn(factor=40, trained_length=64)
    ),
    "xpos": posenc.XPos(dim=10, layout="interleaved", centre=32),
    "learned": posenc.LearnedRope(
        dim=6, head_dim=10, layout="half", scaling=posenc.Yarn(factor=40, trained_length=64)
    ),
}


@pytest.mark.parametrize("name", SCALED)
def test_what_scales_keys_scales_them_once(name: str) -> None:
    """Turned keys that move are not multiplied by YaRN's factor, or by a centre, once more."""
    _, k, v = drawn()
    keys = {}
    for kind in KINDS:
        cache = Cache(Encoding(SCALED[name]), keys=kind)
        cache.append(k, v, torch.arange(8, 8 + N))
        cache.move(torch.arange(N) * 3 - 5)
        keys[kind] = cache.keys
    close(keys["turned"], keys["raw"])


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_a_batch_at_places_of_their_own(kind: str) -> None:
    enc = Encoding(ROPE)
    q, k, v = drawn()
    at = torch.stack([torch.arange(8, 8 + N), torch.arange(70_001, 70_001 + N)])
    full = posenc.torch.attend(q, k, v, enc, q_positions=at, causal=True)
    cache = Cache(enc, keys=kind)
    cache.append(k[:, :, :-1], v[:, :, :-1], at[:, :-1])
    step = cache.following()
    assert step.tolist() == at[:, -1:].tolist()
    cache.append(k[:, :, -1:], v[:, :, -1:], step)
    close(cache.attend(q[:, :, -1:], step), full[:, :, -1:])


@pytest.mark.parametrize("kind", KINDS)
def test_after_eviction_the_next_token_is_where_it_was_to_be(kind: str) -> None:
    """B55: the number of tokens kept says nothing of where the next one goes."""
    enc = Encoding(ROPE)
    q, k, v = drawn()
    at = torch.arange(N)
    cache = Cache(enc, keys=kind)
    cache.append(k, v, at)
    kept = torch.tensor([0, 1, 8, 9, 10, 11])
    cache.keep(kept)
    assert cache.following().tolist() == [N]
    due = posenc.torch.attend(
        q[:, :, -1:], k[:, :, kept], v[:, :, kept], enc, q_positions=at[-1:], k_positions=at[kept]
    )
    close(cache.attend(q[:, :, -1:], at[-1:], causal=False), due)
    more = drawn(3, seed=1)
    cache.append(more[1], more[2], cache.following(3))
    assert cache.positions.tolist() == [*kept.tolist(), N, N + 1, N + 2]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_thousand_moves_are_one(kind: str, dtype: torch.dtype) -> None:
    """B61: keys turned again at every move are 10 off in bfloat16 after a thousand."""
    enc = Encoding(posenc.Rope(dim=64, layout="half"))
    k = torch.randn(1, 1, 4, 64, generator=torch.Generator().manual_seed(0)).to(dtype)
    at = torch.arange(2000, 2004)
    cache = Cache(enc, keys=kind)
    cache.append(k, k, at)
    for _ in range(1000):
        cache.move(-1)
    assert cache.positions.tolist() == (at - 1000).tolist()
    assert cache.following().tolist() == [1004]
    due = posenc.bind(enc.spec).key(k.double(), at - 1000)
    bound = 1e-6 if dtype == torch.float32 else 4e-2
    torch.testing.assert_close(cache.keys.double(), due, atol=bound, rtol=bound)


def test_a_rule_of_another_length_reads_raw_keys_anew() -> None:
    """B82, B85: keys of one length mean nothing under the frequencies of another."""
    rule = posenc.DynamicNtk(factor=4.0, trained_length=8)
    short = Encoding(posenc.Rope(dim=DIM, layout="half", scaling=rule), length=8)
    long = short.for_length(64)
    q, k, v = drawn()
    at = torch.arange(N)
    caches = {kind: Cache(short, keys=kind) for kind in KINDS}
    for cache in caches.values():
        cache.append(k, v, at)
    caches["raw"].use(long)
    due = posenc.torch.attend(q, k, v, long, q_positions=at, causal=True)
    close(caches["raw"].attend(q, at), due)
    with pytest.raises(
        EncodingError, match="must be given the encoding that 12 keys came in under"
    ):
        caches["turned"].use(long)
    caches["turned"].use(short.for_length(8))  # the same, made again


def test_what_it_holds_is_its_own() -> None:
    q, k, v = drawn()
    at = torch.arange(N)
    cache = Cache(Encoding(ROPE))
    cache.append(k, v, at)
    due = cache.attend(q, torch.arange(N))
    for array in (k, v, at):
        array.zero_()
    close(cache.attend(q, torch.arange(N)), due, atol=0)


def test_refusals() -> None:
    q, k, v = drawn()
    cache = Cache(Encoding(ROPE))
    with pytest.raises(EncodingError, match="given tokens before it is read"):
        cache.attend(q, torch.arange(N))
    with pytest.raises(EncodingError, match="as many keys, values and positions"):
        cache.append(k, v, torch.arange(N - 1))
    cache.append(k, v, torch.arange(N))
    with pytest.raises(EncodingError, match="k must be like those held"):
        cache.append(k.double(), v, cache.following(N))
    with pytest.raises(EncodingError, match="Half precision merges"):
        cache.append(k, v, torch.arange(N).bfloat16())
    for wrong in (torch.tensor([N]), torch.tensor([-1]), torch.ones(N, dtype=torch.bool)):
        with pytest.raises(EncodingError, match="indices must be integers from 0 to 11"):
            cache.keep(wrong)
    with pytest.raises(EncodingError, match="delta must be integers"):
        cache.move(0.5)
    with pytest.raises(EncodingError, match="'raw' or 'turned'"):
        Cache(Encoding(ROPE), keys="cooked")


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_moved_each_by_its_own(kind: str) -> None:
    """A window with sinks: the first stay, the others close up behind them."""
    enc = Encoding(ROPE)
    _, k, v = drawn()
    cache = Cache(enc, keys=kind)
    cache.append(k, v, torch.arange(N))
    window = posenc.positions.moving_window(N, length=6, sinks=2, xp="torch")
    cache.keep(window.tokens)
    cache.move(window.delta)
    assert cache.positions.tolist() == [0, 1, 2, 3, 4, 5]
    assert cache.following().tolist() == [6]
    due = posenc.bind(ROPE).key(k[:, :, window.tokens], torch.arange(6))
    close(cache.keys, due)


def test_rows_moved_each_by_their_own() -> None:
    _, k, v = drawn(2)
    cache = Cache(Encoding(ROPE))
    cache.append(k, v, torch.tensor([[0, 1], [10, 11]]))
    cache.move(torch.tensor([[-1, -1], [-5, -5]]))
    assert cache.positions.tolist() == [[-1, 0], [5, 6]]
    assert cache.following().tolist() == [[1], [7]]
    with pytest.raises(EncodingError, match=r"a number, or of shape \(2, 2\); got \(2, 1\)"):
        cache.move(torch.tensor([[-1], [-5]]))


def test_a_refused_append_leaves_nothing_behind() -> None:
    _, k, v = drawn(3)
    cache = Cache(Encoding(ROPE))
    with pytest.raises(EncodingError, match="positions must be of batch"):
        cache.append(k, v, torch.zeros(5, 3, dtype=torch.int64))
    with pytest.raises(EncodingError, match="given tokens before it is read"):
        cache.move(1)
    cache.append(k[:1], v[:1], np.arange(3))
    assert len(cache) == 3
    kept = cache.positions
    cache.move(4)
    assert kept.tolist() == [0, 1, 2]


def test_taken_back_after_a_guess() -> None:
    _, k, v = drawn()
    cache = Cache(Encoding(ROPE))
    cache.append(k, v, torch.arange(8, 8 + N))
    kept, place = cache.keys.clone(), cache.positions[:4]
    cache.crop(4)
    assert cache.following().tolist() == [12]
    assert torch.equal(cache.keys, kept[..., :4, :])
    assert torch.equal(cache.positions, place)
    cache.crop(0)
    assert len(cache) == 0
    with pytest.raises(EncodingError, match=r"Cache.crop\(\): length must be at most 0; got 3"):
        cache.crop(3)


@pytest.mark.parametrize("own", [False, True])
def test_rows_in_another_order(own: bool) -> None:
    cache, order = Cache(Encoding(ROPE)), [1, 1, 0]
    at = torch.arange(8, 8 + N)
    _, k, v = drawn()
    cache.append(k, v, torch.stack([at, at + 5]) if own else at)
    before, places, following = cache.keys.clone(), cache.positions, cache.following()
    cache.reorder(torch.tensor(order))
    assert torch.equal(cache.keys, before[order])
    assert torch.equal(cache.positions, places[order] if own else places)
    assert torch.equal(cache.following(), following[order] if own else following)
    with pytest.raises(
        EncodingError, match=r"Cache.reorder\(\): rows must be integers from 0 to 2"
    ):
        cache.reorder(torch.tensor([3]))


def test_arguments_that_are_the_caches_own() -> None:
    cache = Cache(Encoding(ROPE))
    q, k, v = drawn()
    cache.append(k, v, torch.arange(N))
    with pytest.raises(EncodingError, match=r"Cache.attend\(\): k_positions must be left out"):
        cache.attend(q, torch.arange(N), k_positions=torch.arange(N))
    with pytest.raises(EncodingError, match="must be numbers; got 'slice'"):
        cache.keep(slice(1, 3))
    cache.keep([1, 2])
    assert cache.positions.tolist() == [1, 2]


def test_keys_that_were_never_turned_stay_out_of_a_rotation() -> None:
    _, k, v = drawn()
    cache = Cache(Encoding(posenc.Alibi(heads=HEADS)), keys="turned")
    cache.append(k, v, torch.arange(N))
    with pytest.raises(
        EncodingError, match="must be given the encoding that 12 keys came in under"
    ):
        cache.use(Encoding(ROPE))


def test_arrays_of_another_library_are_refused() -> None:
    with pytest.raises(EncodingError, match=r"Cache.append\(\): k must be a tensor; got 'ndarray'"):
        Cache(Encoding(ROPE)).append(np.zeros((2, 2, 3, DIM)), torch.zeros(2, 2, 3, DIM), range(3))


def test_inference_mode_may_begin_and_end_between_two_steps() -> None:
    """What one step stored, the next may write behind, whatever mode either was in."""
    _, k, v = drawn(4)
    stored = {}
    for modes in ((True, False, True), (False, False, False)):
        cache = Cache(Encoding(ROPE), keys="turned")
        for step, inference in enumerate(modes):
            with torch.inference_mode(inference), torch.no_grad():
                part = slice(step, step + 1)
                cache.append(k[:, :, part], v[:, :, part], torch.tensor([step]))
                cache.move(1)
                cache.reorder(torch.tensor([1, 0]))
                cache.keep(range(len(cache)))
        stored[modes] = cache.keys
    assert torch.equal(*stored.values())


@pytest.mark.parametrize("given", ["far", None, [[1], [2, 3]], object()])
@pytest.mark.parametrize("call", ["move", "keep", "reorder"])
def test_what_holds_no_numbers_is_refused(call: str, given: object) -> None:
    cache = Cache(Encoding(ROPE))
    cache.append(*drawn(3)[1:], torch.arange(3))
    with pytest.raises(EncodingError, match=rf"Cache\.{call}\(\): \w+ must be numbers; got"):
        getattr(cache, call)(given)
    assert len(cache) == 3
