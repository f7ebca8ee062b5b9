"""Each law rejects an encoding that breaks it, and that breaks nothing else."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from posenc import Alibi, Learned, Shaw, Sinusoidal
from posenc.testing import LawError, check_encoding, laws

from .spoiled import biases, codes, logits, records, turns

BAD: dict[str, list[type]] = {
    "shape-kept": [turns.MergesAxes, logits.MergesBatches],
    "dtype-kept": [turns.Promotes, codes.IgnoresTheDtype, logits.WidensLogits],
    "finite": [turns.OverflowsFarAway],
    "linear": [turns.TurnsBySign],
    "norm-kept": [turns.Grows],
    "position-zero-is-identity": [turns.StartsAtOne],
    "relative-only": [
        turns.TurnsQueriesTwiceAsFast,
        biases.StretchesWithQueries,
        logits.StretchesTowardsQueries,
    ],
    "cast-proof": [turns.CountsInTheTokensDtype, codes.RoundsTheCode, logits.RoundsTokens],
    "batch-rows-are-apart": [turns.TakesTheFirstRow, codes.CountsRows, logits.AdjustsByTheFirstRow],
    "positions-permute-with-tokens": [turns.Sorts, logits.AdjustsInOrder],
    "head-axes-agree": [turns.ReadsTokensBackwards, turns.RefusesTokensWithoutHeads],
    "layouts-are-a-permutation": [turns.TurnsInterleavedBackwards],
    "empty-sequence": [turns.NeedsAToken, logits.NeedsAPair],
    "chunked-equals-whole": [turns.DecodesAtZero, biases.VanishesInDecoding],
    "grouped-keys-are-repeated-keys": [logits.CountsHeadsOfKeys],
    "history-free": [turns.RemembersLongCalls],
    "prepare-equals-positions": [biases.DoublesWhenPrepared, codes.HandsOutWhatItHolds],
    "half-positions-refused": [turns.TakesHalfPositions, logits.AdjustsForHalfPositions],
    "inputs-untouched": [turns.WritesIntoTokens, logits.WritesIntoLogits],
    "compiled-equals-eager": [turns.LooksAtValues, logits.LooksAtDistances],
    "past-the-end-is-nan": [codes.ClampsWhenCompiled, logits.ClipsWhenCompiled],
    "json-there-and-back": [records.ForgetsItsBase],
    "pickles": [records.PicklesWithoutItsBase],
    "different-specs-differ": [records.CachesByWidth],
}
CASES = [(name, cls) for name, classes in BAD.items() for cls in classes]
SOUND = [turns.Spoiled, codes.SpoiledCode, biases.SpoiledBias, logits.SpoiledAdjust]

for cls in [*SOUND, biases.LosesHeads, *(cls for _, cls in CASES)]:  # what JSON knows by its kind
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
        clip = cls is not logits.ClipsWhenCompiled
        return cls(head_dim=10, heads=6, left=63, right=63, clip=clip)
    if issubclass(cls, Learned):
        return cls(rows=100, dim=10)
    if issubclass(cls, Sinusoidal):
        return cls(dim=10)
    return cls(dim=10, layout="half", base=500.0)


def test_no_law_lacks_an_encoding_that_breaks_it() -> None:
    assert {name for name, classes in BAD.items() if classes} == set(laws.LAWS)


@pytest.mark.parametrize(
    ("name", "cls"), CASES, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_law_alone_rejects(name: str, cls: type) -> None:
    xp = "torch" if name in ("compiled-equals-eager", "past-the-end-is-nan") else "numpy"
    assert broken(made(cls), xp) == [name]


@pytest.mark.parametrize("cls", SOUND)
def test_what_is_spoiled_below_is_sound(cls: type) -> None:
    assert broken(made(cls), "numpy") == []


def test_a_bias_without_its_heads_breaks_the_law_of_shapes() -> None:
    assert "shape-kept" in broken(made(biases.LosesHeads), "numpy")


def test_check_encoding_names_each_broken_law_with_its_numbers() -> None:
    with pytest.raises(LawError) as caught:
        check_encoding(made(turns.Grows))
    lines = str(caught.value).splitlines()
    assert lines[0].endswith("in numpy breaks 1 laws")
    assert lines[1].startswith("  norm-kept: length of query from 8: ")


def test_a_crash_is_reported_as_a_broken_law() -> None:
    with pytest.raises(LawError, match="empty-sequence: ValueError: zero-size array"):
        check_encoding(made(turns.NeedsAToken))
