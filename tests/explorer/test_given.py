"""What a page shows of encodings by name and of a model's config."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc import EncodingError, Rope, bind, explorer, inspect
from posenc.claims import prove
from posenc.cli import main
from posenc.explorer._given import given

CONFIG = Path(__file__).parents[2] / "examples" / "qwen3-32b-yarn" / "config.json"


def test_a_config_brings_its_own_frequencies_and_those_without_its_rule() -> None:
    found = given((), CONFIG)
    spec: Any = inspect.read(CONFIG).parts[0].groups[0].spec
    trained = found.ladders["given-0"].facts["trained"]
    np.testing.assert_array_equal(found.ladders["given-0"].frequencies, spec.frequencies())
    plain = spec.base ** (-np.arange(0, spec.dim, 2) / spec.dim)
    np.testing.assert_allclose(found.ladders["given-0-plain"].frequencies, plain, rtol=1e-15)
    assert trained == spec.scaling.trained_length
    name = found.words["control.scheme-given-0"]["en"]
    assert name in found.words["control.scheme-given-0-plain"]["en"]


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "alibi", "t5", "learned", "swin"])
def test_claims_of_what_was_asked_for_are_true(name: str) -> None:
    found = given((name,), None)
    assert found.claims
    for claim in found.claims:
        assert prove(claim).ok
        scope: dict[str, Any] = {}
        exec(f"import numpy as np\n{claim.plain}", scope)
        assert scope["value"] == pytest.approx(claim.compute(), abs=1e-12)


def test_a_rotation_is_relative_and_a_learned_table_is_not() -> None:
    verdicts = {claim.id: claim.verdict for claim in given(("rope", "learned"), None).claims}
    assert verdicts["given.relative-0"] == verdicts["given.norm-0"] == "holds"
    assert verdicts["given.relative-1"] == verdicts["given.norm-1"] == "false"


def test_logits_are_those_of_vectors_of_ones() -> None:
    logits = given(("rope",), None).numbers["given-0.logits"]
    scheme = bind(Rope(dim=64, layout="half"))
    ones, at = np.ones((1, 32, 64)), np.arange(32)
    due = scheme.query(ones, at)[0] @ scheme.key(ones, at)[0].T  # type: ignore[misc]
    np.testing.assert_allclose(logits, due, atol=1e-10)


def test_lengths_are_those_of_whole_vectors_of_which_a_part_is_shown() -> None:
    """Half of a pair has another length at every position."""
    found = given((), CONFIG)
    assert found.numbers["given-0.vectors"].shape[1] == 64
    assert {claim.id: claim.verdict for claim in found.claims}["given.norm-0"] == "holds"


def test_what_is_asked_for_twice_is_shown_once() -> None:
    assert given(("rope", "alibi", "rope"), None).names == ("rope", "alibi")


@pytest.mark.parametrize(
    ("names", "config", "sentence"),
    [
        (("nope",), None, "adds to tokens or logits"),
        (("rope", "alibi", "t5", "learned", "swin"), None, "at most 4"),
        (("nothing-like-it",), None, "nothing-like-it"),
        ((), {"model_type": "llama", "hidden_size": "x"}, "hidden_size"),
    ],
)
def test_what_cannot_be_shown_is_refused(names: Any, config: Any, sentence: str) -> None:
    with pytest.raises(EncodingError, match=sentence):
        explorer.build(*names, config=config)


def test_the_command_takes_names_and_a_config(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    assert main(["explore", "alibi", "--config", str(CONFIG), "-o", str(out), "--lang", "en"]) == 0
    assert out.read_text("utf-8") == explorer.build("alibi", config=CONFIG, language="en")
    assert main(["explore", "nope", "-o", str(out)]) == 2
    assert main(["explore", "-o", str(tmp_path / "page.html" / "below")]) == 2
    assert "Traceback" not in capsys.readouterr().err
