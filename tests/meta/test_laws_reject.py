"""Each law rejects an encoding that breaks it, and that breaks nothing else."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posenc import Alibi, EncodingError, Learned, Placed, Rope, Scheme, Shaw, Sinusoidal
from posenc.testing import LawError, check_encoding, laws
from posenc.testing._case import ROOM

Moves = Callable[[Any], Any]


def moved(scheme: Scheme, queries: Moves, keys: Moves | None = None) -> Scheme:
    """The same scheme with every position passed through a function on its way in."""
    keys = keys or queries

    def prepare(q: Any, k: Any = None, **options: Any) -> Placed:
        return scheme.prepare(queries(q), keys(q if k is None else k), **options)

    def turner(turn: Any, move: Moves) -> Any:
        def hook(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            return turn(x, at if isinstance(at, Placed) else move(at), head_axis=head_axis)

        return turn and hook

    def embed(at: Any, *, dtype: Any = None) -> Any:
        return scheme.embed(at if isinstance(at, Placed) else queries(at), dtype=dtype)

    def bias(q: Any, k: Any = None) -> Any:
        if isinstance(q, Placed):
            return scheme.bias(q)
        return scheme.bias(queries(q), keys(q if k is None else k))

    return Scheme(
        prepare=prepare,
        embed=scheme.embed and embed,
        query=turner(scheme.query, queries),
        key=turner(scheme.key, keys),
        bias=scheme.bias and bias,
    )


def places(at: Any) -> Any:
    return at.q_positions if isinstance(at, Placed) else at


class Spoiled(Rope):
    """A rotary encoding whose scheme is spoiled after it is bound."""

    def spoil(self, scheme: Scheme) -> Scheme:
        return scheme

    def bind(self, arrays: Any, **options: Any) -> Scheme:
        return self.spoil(super().bind(arrays, **options))


class TurnsOtherwise(Spoiled):
    """One whose queries come out otherwise."""

    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return y

    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            return self.otherwise(scheme.query(x, at, head_axis=head_axis), x, places(at))

        return scheme._replace(query=query)


class MergesAxes(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return y.reshape(-1, *y.shape[2:]) if y.ndim == 5 else y


class Promotes(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return y.astype(np.float32) if y.dtype == np.float16 else y


class OverflowsFarAway(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return np.full_like(y, np.nan) if 70_060 in at else y


class TurnsBySign(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        sign = np.sign(x.astype(np.float32).sum(-1, keepdims=True)).astype(y.dtype)
        return y * sign if at.any() else y  # position zero stays the identity


class Grows(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return 2 * y if at.any() else y


class StartsAtOne(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p + 1)


class TurnsQueriesTwiceAsFast(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: 2 * p, lambda p: p)


class CountsInTheTokensDtype(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            if not isinstance(at, Placed) and x.dtype == np.float16:
                at = at.astype(np.float16).astype(at.dtype)
            return scheme.query(x, at, head_axis=head_axis)

        return scheme._replace(query=query)


class TakesTheFirstRow(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: np.broadcast_to(p[:1], p.shape) if p.ndim == 2 else p)


class Sorts(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: np.sort(p, axis=-1))


class ReadsTokensBackwards(Spoiled):
    """Where there are no heads, it takes the tokens from the end."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            backwards = head_axis is None and not isinstance(at, Placed)
            return scheme.query(x, at[..., ::-1] if backwards else at, head_axis=head_axis)

        return scheme._replace(query=query)


class RefusesTokensWithoutHeads(Spoiled):
    """Though its heads turn alike."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            if head_axis is None:
                raise EncodingError("x must have heads; got none.")
            return scheme.query(x, at, head_axis=head_axis)

        return scheme._replace(query=query)


class TurnsInterleavedBackwards(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: -p if self.layout == "interleaved" else p)


class NeedsAToken(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p - p.min() + p.min())


class DecodesAtZero(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: 0 * p if p.shape[-1] == 1 else p)


class RemembersLongCalls(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        longest = [0]

        def stretched(p: Any) -> Any:
            longest[0] = max(longest[0], p.shape[-1])
            return 2 * p if longest[0] >= ROOM else p

        return moved(scheme, stretched)


class TakesHalfPositions(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p.astype(np.float32) if p.dtype == np.float16 else p)


class WritesIntoTokens(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            x += 0
            return scheme.query(x, at, head_axis=head_axis)

        return scheme._replace(query=query)


class LooksAtValues(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p if not p.numel() or int(p.max()) < 2**30 else 2 * p)


class ForgetsItsBase(Rope):
    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in super().to_dict().items() if name != "base"}


def unpickled(cls: type, fields: dict[str, Any]) -> Any:
    return cls(**fields)


class PicklesWithoutItsBase(Rope):
    def __reduce__(self) -> Any:
        names = (field.name for field in dataclasses.fields(self))
        return unpickled, (type(self), {n: getattr(self, n) for n in names if n != "base"})


TABLES: dict[int, Any] = {}


class CachesByWidth(Rope):
    def bind(self, arrays: Any, **options: Any) -> Scheme:
        return super().bind(TABLES.setdefault(self.dim, arrays), **options)


class SpoiledCode(Sinusoidal):
    def spoil(self, scheme: Scheme) -> Scheme:
        return scheme

    def bind(self, arrays: Any, **options: Any) -> Scheme:
        return self.spoil(super().bind(arrays, **options))


class IgnoresTheDtype(SpoiledCode):
    def spoil(self, scheme: Scheme) -> Scheme:
        return scheme._replace(embed=lambda at, *, dtype=None: scheme.embed(at))


class RoundsTheCode(SpoiledCode):
    """Asked for half precision, it forms its angles in half precision."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def embed(at: Any, *, dtype: Any = None) -> Any:
            if dtype == np.float16 and not isinstance(at, Placed):
                at = at.astype(np.float16).astype(np.float32)
            return scheme.embed(at, dtype=dtype)

        return scheme._replace(embed=embed)


class CountsRows(SpoiledCode):
    """Sequence first: in a batch it counts the rows."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def swapped(p: Any) -> Any:
            return p if p.ndim == 1 else np.arange(len(p))[:, None] + 0 * p

        return moved(scheme, swapped)


class HandsOutWhatItHolds(SpoiledCode):
    def spoil(self, scheme: Scheme) -> Scheme:
        def prepare(q: Any, k: Any = None, **options: Any) -> Placed:
            return scheme.prepare(q, k, **options)._replace(q=scheme.embed(q))

        def embed(at: Any, **options: Any) -> Any:
            return at.q if isinstance(at, Placed) else scheme.embed(at, **options)

        return scheme._replace(prepare=prepare, embed=embed)


class SpoiledBias(Alibi):
    def spoil(self, scheme: Scheme) -> Scheme:
        return scheme

    def bind(self, arrays: Any, **options: Any) -> Scheme:
        return self.spoil(super().bind(arrays, **options))


class ClampsWhenCompiled(Learned):
    def bind(self, arrays: Any, **options: Any) -> Scheme:
        import torch

        def clamped(p: Any) -> Any:
            return p.clamp(0, self.rows - 1) if torch.compiler.is_compiling() else p

        scheme = super().bind(arrays, **options)
        embed = scheme.embed
        return scheme._replace(
            embed=lambda p, **o: embed(p if isinstance(p, Placed) else clamped(p), **o)
        )


class DoublesWhenPrepared(SpoiledBias):
    def spoil(self, scheme: Scheme) -> Scheme:
        def bias(q: Any, k: Any = None) -> Any:
            return scheme.bias(q, k) * (2 if isinstance(q, Placed) else 1)

        return scheme._replace(bias=bias)


class StretchesWithQueries(SpoiledBias):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p + p // 16, lambda p: p)


class VanishesInDecoding(SpoiledBias):
    """A bias built on the number of queries: with a cache and one new token there is none."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def bias(q: Any, k: Any = None) -> Any:
            full = scheme.bias(q, k)
            return 0 * full if full.shape[-2] == 1 else full

        return scheme._replace(bias=bias)


class SpoiledAdjust(Shaw):
    """One that adjusts logits, by a scheme or an answer that is spoiled."""

    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits

    def moves(self, positions: Any) -> Any:
        return positions

    def bind(self, arrays: Any, **options: Any) -> Scheme:
        scheme = super().bind(arrays, **options)

        def adjust(given: Any, q: Any, k: Any, q_at: Any, k_at: Any = None) -> Any:
            if isinstance(q_at, Placed):
                q_at, k_at = q_at.q_positions, q_at.k_positions
            places = (self.moves(p) for p in (q_at, q_at if k_at is None else k_at))
            return self.otherwise(scheme.adjust(given, q, k, *places), given, q, k)

        return scheme._replace(adjust=adjust)


class MergesBatches(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits.reshape(-1, *logits.shape[2:]) if logits.ndim == 5 else logits


class WidensLogits(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits.astype(np.float64)


class RoundsTokens(SpoiledAdjust):
    """What it adds is computed in the dtype of tokens."""

    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return given + (logits - given).astype(q.dtype).astype(given.dtype)


class AdjustsByTheFirstRow(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return np.broadcast_to(positions[:1], positions.shape) if positions.ndim == 2 else positions


class AdjustsInOrder(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return np.sort(positions, axis=-1)


class NeedsAPair(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits + 0 * logits.min()


class StretchesTowardsQueries(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return positions + positions // 16


class CountsHeadsOfKeys(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        first = np.arange(logits.shape[-1]) == 0
        return logits + first * (k.shape[-3] != q.shape[-3])


class AdjustsForHalfPositions(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return positions.astype(np.int64) if positions.dtype == np.float16 else positions


class WritesIntoLogits(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        given += 0
        return logits


class LooksAtDistances(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return positions if not positions.numel() or int(positions.max()) < 2**30 else 0 * positions


class ClipsWhenCompiled(SpoiledAdjust):
    def bind(self, arrays: Any, **options: Any) -> Scheme:
        import torch

        strict = super().bind(arrays, **options)
        loose = Shaw.bind(dataclasses.replace(self, clip=True), arrays, **options)

        def adjust(*given: Any) -> Any:
            return (loose if torch.compiler.is_compiling() else strict).adjust(*given)

        return strict._replace(adjust=adjust)


class LosesHeads(SpoiledBias):
    def spoil(self, scheme: Scheme) -> Scheme:
        def bias(q: Any, k: Any = None) -> Any:
            full = scheme.bias(q, k)
            return full if full.ndim == 3 else full[:, 0, ...]

        return scheme._replace(bias=bias)


BAD = [
    ("shape-kept", MergesAxes),
    ("shape-kept", MergesBatches),
    ("dtype-kept", Promotes),
    ("dtype-kept", IgnoresTheDtype),
    ("dtype-kept", WidensLogits),
    ("finite", OverflowsFarAway),
    ("linear", TurnsBySign),
    ("norm-kept", Grows),
    ("position-zero-is-identity", StartsAtOne),
    ("relative-only", TurnsQueriesTwiceAsFast),
    ("relative-only", StretchesWithQueries),
    ("relative-only", StretchesTowardsQueries),
    ("cast-proof", CountsInTheTokensDtype),
    ("cast-proof", RoundsTheCode),
    ("cast-proof", RoundsTokens),
    ("batch-rows-are-apart", TakesTheFirstRow),
    ("batch-rows-are-apart", CountsRows),
    ("batch-rows-are-apart", AdjustsByTheFirstRow),
    ("positions-permute-with-tokens", Sorts),
    ("positions-permute-with-tokens", AdjustsInOrder),
    ("head-axes-agree", ReadsTokensBackwards),
    ("head-axes-agree", RefusesTokensWithoutHeads),
    ("layouts-are-a-permutation", TurnsInterleavedBackwards),
    ("empty-sequence", NeedsAToken),
    ("empty-sequence", NeedsAPair),
    ("chunked-equals-whole", DecodesAtZero),
    ("chunked-equals-whole", VanishesInDecoding),
    ("grouped-keys-are-repeated-keys", CountsHeadsOfKeys),
    ("history-free", RemembersLongCalls),
    ("prepare-equals-positions", DoublesWhenPrepared),
    ("prepare-equals-positions", HandsOutWhatItHolds),
    ("half-positions-refused", TakesHalfPositions),
    ("half-positions-refused", AdjustsForHalfPositions),
    ("inputs-untouched", WritesIntoTokens),
    ("inputs-untouched", WritesIntoLogits),
    ("compiled-equals-eager", LooksAtValues),
    ("compiled-equals-eager", LooksAtDistances),
    ("past-the-end-is-nan", ClampsWhenCompiled),
    ("past-the-end-is-nan", ClipsWhenCompiled),
    ("json-there-and-back", ForgetsItsBase),
    ("pickles", PicklesWithoutItsBase),
    ("different-specs-differ", CachesByWidth),
]
SOUND = [Spoiled, SpoiledCode, SpoiledBias, SpoiledAdjust]

for cls in [*SOUND, LosesHeads, *(cls for _, cls in BAD)]:  # what JSON knows by its kind
    dataclasses.dataclass(frozen=True, kw_only=True)(cls)


def broken(spec: Any, xp: str) -> list[str]:
    """The names of the laws that a spec breaks; a crash breaks a law too."""
    case, names = laws.case(spec, xp=xp), []
    for law in laws.applicable(case):
        try:
            law.check(case)
        except Exception:
            names.append(law.name)
    return names


def made(cls: type) -> Any:
    if issubclass(cls, Alibi):
        return cls(heads=6)
    if issubclass(cls, Shaw):
        return cls(head_dim=10, heads=6, left=63, right=63, clip=cls is not ClipsWhenCompiled)
    if issubclass(cls, Learned):
        return cls(rows=100, dim=10)
    if issubclass(cls, Sinusoidal):
        return cls(dim=10)
    return cls(dim=10, layout="half", base=500.0)


def test_no_law_lacks_an_encoding_that_breaks_it() -> None:
    assert {name for name, _ in BAD} == set(laws.LAWS)


@pytest.mark.parametrize(("name", "cls"), BAD, ids=lambda value: getattr(value, "__name__", value))
def test_a_law_alone_rejects(name: str, cls: type) -> None:
    xp = "torch" if name in ("compiled-equals-eager", "past-the-end-is-nan") else "numpy"
    assert broken(made(cls), xp) == [name]


@pytest.mark.parametrize("cls", SOUND)
def test_what_is_spoiled_below_is_sound(cls: type) -> None:
    assert broken(made(cls), "numpy") == []


def test_a_bias_without_its_heads_breaks_the_law_of_shapes() -> None:
    assert "shape-kept" in broken(made(LosesHeads), "numpy")


def test_check_encoding_names_each_broken_law_with_its_numbers() -> None:
    with pytest.raises(LawError) as caught:
        check_encoding(made(Grows))
    lines = str(caught.value).splitlines()
    assert lines[0].endswith("in numpy breaks 1 laws")
    assert lines[1].startswith("  norm-kept: length of query from 8: ")


def test_a_crash_is_reported_as_a_broken_law() -> None:
    with pytest.raises(LawError, match="empty-sequence: ValueError: zero-size array"):
        check_encoding(made(NeedsAToken))
