"""Laws about specs as data: they travel, compare, and different ones differ."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np

from posenc.errors import EncodingError
from posenc.specs import Spec, from_dict
from posenc.testing._case import LENGTH, ROOM, Case
from posenc.testing._compare import Host, numbers, require
from posenc.testing._siblings import siblings
from posenc.testing.laws._law import law


def _equal(spec: Spec, back: Spec, what: str) -> None:
    require(back == spec, f"{what}: {back!r} where {spec!r} is due")
    require(hash(back) == hash(spec), f"{what}: equal specs of unequal hash")
    require(back.to_dict() == spec.to_dict(), f"{what}: equal specs of unequal JSON")


@law()
def law_json_there_and_back(case: Case) -> None:
    """A spec survives JSON: equal, of the same hash and with the same JSON again."""
    text = json.dumps(case.spec.to_dict(), allow_nan=False)
    _equal(case.spec, from_dict(json.loads(text)), "JSON")


@law()
def law_pickles(case: Case) -> None:
    """A spec survives pickling and deep copying."""
    _equal(case.spec, pickle.loads(pickle.dumps(case.spec)), "pickle")
    _equal(case.spec, copy.deepcopy(case.spec), "deepcopy")


@law(lambda case: bool(_derived(case.spec)))
def law_different_specs_differ(case: Case) -> None:
    """Two specs that derive different numbers from their fields give different answers.

    Each sibling of the spec, one field away and of the same sizes, is asked the same. A cache
    whose key forgets a field answers alike.
    """
    mine, answers = _derived(case.spec), _answers(case)
    if not any(answer.any() for answer in answers):  # scaled to nothing, all are alike
        return
    for sibling in siblings(case.spec):
        theirs = _derived(sibling)
        sizes = [a.shape for a in theirs], [a.shape for a in mine]
        if sizes[0] != sizes[1] or _but_for_rounding(theirs, mine):
            continue
        different = not _alike(_answers(Case(sibling, case.library)), answers)
        require(different, f"{case.spec!r} and {sibling!r} give the same answers")


def _derived(spec: Spec) -> list[Host]:
    """What the fields determine: constants, and the factor on logits."""
    constants = [numbers(array) for array in spec.constants(length=LENGTH).values()]
    magnitude = getattr(spec, "attention_factor", None)
    return constants + ([np.asarray(magnitude(LENGTH))] if callable(magnitude) else [])


def _answers(case: Case) -> list[Host]:
    scheme, whole = case.scheme(), case.positions(range(ROOM))
    # Between tokens, where an encoding has answers: some frequencies differ by whole turns.
    between = case.library.array(numbers(whole) + 0.3, "float32")
    try:
        answers = [*case.answers(scheme, between, sparse=True)]
    except EncodingError:
        answers = [*case.answers(scheme, whole, sparse=True)]
    if scheme.adjust:  # far pairs may be told by other rules than near ones
        far = case.positions(range(ROOM), shift=case.far)
        answers += case.answers(scheme, far, whole, sparse=True)
    return [numbers(answer) for _, answer in answers]


def _alike(a: list[Host], b: list[Host]) -> bool:
    return len(a) == len(b) and all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def _but_for_rounding(a: list[Host], b: list[Host]) -> bool:
    """Whether single precision need not tell the numbers apart."""
    return all(np.allclose(x, y, rtol=1e-6, atol=0.0) for x, y in zip(a, b, strict=True))
