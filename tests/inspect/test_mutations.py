"""Any config at all: a reading, or one clear sentence, and never anything else."""

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posenc.errors import EncodingError
from posenc.inspect import read

CONFIGS = [
    json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[1] / "data" / "configs").glob("*.json"))
]
BLOCKS = ("rope_scaling", "rope_parameters", "attn_config")
WORDS = sorted(
    {key for config in CONFIGS for key in config}
    | {key for config in CONFIGS for block in BLOCKS for key in config.get(block) or {}}
    | {"type", "rope_type", "beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim"}
    | {"attention_factor", "dual_chunk_attention_config", "rotary_dim", "n_positions", "theta"}
)
RULES = ["default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional", "su"]
FAMILIES = sorted({config["model_type"] for config in CONFIGS})

numbers = st.one_of(
    st.integers(-3, 200_000),
    st.sampled_from([0, 1, 2, 0.5, 1.0, 4096, 2**31, 2**63, 10**30, 10**400, -(10**5000)]),
    st.sampled_from([1e-320, 1e-30, 1.0000000000000002, 1e18, 1e200, 1.7e308, float("inf")]),
    st.floats(allow_nan=True, allow_infinity=True),
)
scalars = st.one_of(
    st.none(), st.booleans(), numbers, st.sampled_from([*RULES, *FAMILIES]), st.text(max_size=20)
)
lists = st.one_of(
    st.lists(scalars, max_size=5),
    st.tuples(numbers, st.sampled_from([1, 16, 32, 48, 64])).map(lambda pair: [pair[0]] * pair[1]),
)
keys = st.one_of(st.sampled_from(WORDS), st.text(max_size=30))
values = st.one_of(scalars, lists, st.dictionaries(keys, st.one_of(scalars, lists), max_size=6))


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A real config with a few keys dropped, retyped, set to null, misspelt or replaced by junk."""
    config = copy.deepcopy(draw(st.sampled_from(CONFIGS)))
    for _ in range(draw(st.integers(1, 5))):
        blocks = [config[name] for name in BLOCKS if isinstance(config.get(name), dict)]
        place = draw(st.sampled_from([config, *blocks, *blocks]))
        action = draw(st.sampled_from(["drop", "null", "text", "misspell", "replace", "add"]))
        if action == "add" or not place:
            place[draw(keys)] = draw(values)
            continue
        key = draw(st.sampled_from(sorted(place)))
        value = place.pop(key)
        if action == "misspell":
            at = draw(st.integers(0, len(key)))
            place[key[:at] + draw(st.sampled_from(["", "_", "x"])) + key[at + 1 :]] = value
        elif action != "drop":
            junk = {"null": None, "text": "4096"}
            place[key] = junk[action] if action in junk else draw(values)
    return config


@settings(
    max_examples=1000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(mutated())
def test_a_reading_or_one_sentence(config: dict[str, Any]) -> None:
    try:
        reading = read(config)
    except EncodingError as error:
        sentence = str(error)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 400
        assert " must be " in sentence
        return
    for length in (None, 1, 1_000_000):
        json.dumps(reading.to_dict(length), allow_nan=False)
    for finding in reading.findings:
        assert finding.message.endswith(".")
        assert "\n" not in finding.message
        assert len(finding.message) < 400
        assert not finding.hint or finding.hint.endswith(".")
