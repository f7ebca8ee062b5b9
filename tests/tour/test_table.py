"""``posenc tour --table``: a table out of a safetensors file, measured or refused in a sentence."""

import json
import math
import re
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from posenc.errors import EncodingError, ReadError
from posenc.text import LANGUAGES, load
from posenc.tour._blocks import Drawing, Grid, Say
from posenc.tour._table import measured, table_page
from posenc.tour._table_file import read_table


def sinusoid(rows: int, dim: int) -> np.ndarray:
    """The sinusoidal code, written out."""
    angle = np.arange(rows)[:, None] * 10000.0 ** (-np.arange(0, dim, 2) / dim)
    return np.stack([np.sin(angle), np.cos(angle)], -1).reshape(rows, dim)


def raw_file(path: Path, dtype: str, shape: list[int], size: int, data: bytes = b"") -> Path:
    """A safetensors file of one tensor ``t``, byte by byte; what ``data`` leaves open is a hole."""
    header = json.dumps({"t": {"dtype": dtype, "shape": shape, "data_offsets": [0, size]}}).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + data)
        file.truncate(8 + len(header) + size)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A checkpoint with a table of positions and tensors that are none."""
    path = tmp_path / "model.safetensors"
    tensors = {
        "transformer.wpe.weight": sinusoid(1024, 64).astype(np.float32),
        "transformer.ln_f.weight": np.ones(64, np.float32),
        "ids": np.arange(6).reshape(2, 3),
        "bad": np.array([[1.0, math.nan], [0.0, 1.0]]),
        "one": np.ones((1, 4), np.float32),
    }
    save_file(tensors, path)
    return path


def test_a_sinusoid_is_measured_as_one(model: Path) -> None:
    found = measured(read_table(f"{model}:transformer.wpe.weight"))
    assert (found.rows, found.dim, found.untouched, found.offset) == (1024, 64, (), 0)
    assert found.norms == pytest.approx([math.sqrt(32)] * 3, rel=1e-6)
    assert found.neighbours == pytest.approx(0.966151, abs=1e-6)
    assert list(found.shares) == sorted(found.shares)
    assert found.shares[-1] == pytest.approx(1, abs=1e-3)


def test_a_single_wave_has_one_frequency_and_two_directions() -> None:
    angle = 2 * np.pi * 3 * np.arange(128) / 128
    found = measured(np.stack([np.sin(angle), np.cos(angle), 0 * angle, 5 + 0 * angle], axis=-1))
    assert found.cycles == 3
    assert found.power == pytest.approx(1)
    assert found.shares == pytest.approx([0.5, 1, 1, 1])
    assert found.neighbours == pytest.approx((math.cos(2 * np.pi * 3 / 128) + 25) / 26, abs=1e-3)


@pytest.mark.parametrize("rows", [7, 8])
def test_the_fastest_frequency_counts_once(rows: int) -> None:
    # The power of all frequencies is the sum of squares (Parseval), for even and for odd counts.
    table = np.random.default_rng(7).normal(size=(rows, 3))
    centred = table - table.mean(0)
    found = measured(table)
    turn = np.exp(-2j * np.pi * found.cycles * np.arange(rows) / rows)
    twice = 1 if 2 * found.cycles == rows else 2
    expected = twice * (np.abs(turn @ centred) ** 2).sum() / (rows * (centred**2).sum())
    assert found.power == pytest.approx(expected)


def test_the_nyquist_wave_has_all_the_power() -> None:
    found = measured(np.array([[1.0], [-1.0]] * 4))
    assert (found.cycles, found.power) == (4, pytest.approx(1))


def test_directions_drawn_at_random_have_no_neighbours() -> None:
    found = measured(np.random.default_rng(7).normal(size=(1024, 768)))
    assert abs(found.neighbours) < 0.01
    assert abs(found.strangers) < 0.001


def test_strangers_are_every_two_different_rows() -> None:
    table = np.random.default_rng(7).normal(size=(9, 5)) + 1
    unit = table / np.linalg.norm(table, axis=-1, keepdims=True)
    pairs = [unit[i] @ unit[j] for i in range(9) for j in range(9) if i != j]
    assert measured(table).strangers == pytest.approx(np.mean(pairs))


def test_reserved_rows_suggest_an_offset() -> None:
    table = sinusoid(64, 8)
    table[1] = 0
    table[60:] *= 1e-4
    found = measured(table)
    assert found.untouched == (1, 60, 61, 62, 63)
    assert found.offset == 2
    assert found.neighbours == pytest.approx(measured(sinusoid(64, 8)).neighbours, abs=1e-9)


def test_a_wide_table_has_the_same_spectrum_as_its_gram_matrix() -> None:
    table = np.random.default_rng(7).normal(size=(5, 60))
    values = np.linalg.svd(table - table.mean(0), compute_uv=False) ** 2
    expected = [values[:n].sum() / values.sum() for n in (1, 2, 10, 50)]
    assert measured(table).shares == pytest.approx(expected)


def test_an_empty_table_is_measured_without_dividing_by_zero() -> None:
    found = measured(np.zeros((4, 2)))
    assert (found.untouched, found.strangers, found.power) == ((0, 1, 2, 3), 0, 0)
    assert math.isnan(found.neighbours)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_numpy_dtypes_are_read(tmp_path: Path, dtype: str) -> None:
    table = np.array([[1.0, -2.5], [0.15625, 3.0]]).astype(dtype)
    save_file({"t": table}, tmp_path / "x.safetensors")
    read = read_table(f"{tmp_path / 'x.safetensors'}:t")
    assert read.dtype == (np.float64 if dtype == "float64" else np.float32)
    np.testing.assert_array_equal(read, table)


def test_bfloat16_is_read_though_numpy_has_none(tmp_path: Path) -> None:
    # 1.0, -2.5, 0.15625, 3.0, 2^-120 and -2^100: sign, eight bits of exponent, seven of fraction.
    halves = np.array([0x3F80, 0xC020, 0x3E20, 0x4040, 0x0380, 0xF180], "<u2")
    path = raw_file(tmp_path / "x.safetensors", "BF16", [3, 2], 12, halves.tobytes())
    expected = [[1.0, -2.5], [0.15625, 3.0], [2.0**-120, -(2.0**100)]]
    np.testing.assert_array_equal(read_table(f"{path}:t"), expected)


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        (
            "wpe.weight",
            "model.safetensors: KEY must be a tensor of this file; got 'wpe.weight'. "
            "Nearest: transformer.wpe.weight.",
        ),
        (
            "transformer.wpe.wieght",
            "model.safetensors: KEY must be a tensor of this file; got 'transformer.wpe.wieght'. "
            "Nearest: transformer.wpe.weight, transformer.ln_f.weight.",
        ),
        (
            "transformer.ln_f.weight",
            "model.safetensors: transformer.ln_f.weight must be of two axes, positions and "
            "channels; got (64,).",
        ),
        ("ids", "model.safetensors: ids must be of F64, F32, F16 or BF16 numbers; got 'I64'."),
        ("bad", "model.safetensors: bad must be of finite numbers; got 'NaN or infinity'."),
        (
            "one",
            "model.safetensors: one must be of at least two rows and a channel; got (1, 4).",
        ),
    ],
)
def test_what_is_no_table_is_refused(model: Path, key: str, sentence: str) -> None:
    with pytest.raises(EncodingError, match=f"^{re.escape(sentence)}$"):
        read_table(f"{model}:{key}")


def test_a_huge_table_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = raw_file(tmp_path / "x.safetensors", "F16", [2**15, 2**13 + 1], 2**29 + 2**16)
    with pytest.raises(ReadError, match=r"^x.safetensors: t must be of at most 268435456 numbers;"):
        read_table(f"{path}:t")


def test_a_wrong_file_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a checkpoint at all, whatever its name")
    with pytest.raises(ReadError, match=r"notes.txt must be a safetensors file; got one that says"):
        read_table(f"{text}:t")
    with pytest.raises(ReadError, match=r"gone must be a file; got nothing of that name\.$"):
        read_table(f"{tmp_path / 'gone'}:t")
    with pytest.raises(ReadError, match=r"must be a file; got a directory\.$"):
        read_table(f"{tmp_path}:t")


def test_names_of_files_and_tensors_may_hold_colons(tmp_path: Path) -> None:
    path, table = tmp_path / "a:b.safetensors", sinusoid(4, 2)
    save_file({"h:0:wpe": table}, path)
    np.testing.assert_array_equal(read_table(f"{path}:h:0:wpe"), table)


@pytest.mark.parametrize("target", ["model.safetensors", ":key", "file:", ""])
def test_a_target_needs_a_file_and_a_key(target: str) -> None:
    sentence = f"--table must be FILE:KEY; got {target!r}. Such as model.safetensors:wpe.weight."
    with pytest.raises(EncodingError, match=f"^{re.escape(sentence)}$"):
        read_table(target)


def test_without_the_package_one_sentence_says_what_to_install(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "safetensors", None)
    sentence = (
        "--table must have the safetensors package; got none. "
        "Install it: pip install 'posenc[convert]'."
    )
    with pytest.raises(EncodingError, match=f"^{re.escape(sentence)}$"):
        read_table(f"{model}:transformer.wpe.weight")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_what_was_measured(model: Path, language: str) -> None:
    blocks = list(table_page(f"{model}:transformer.wpe.weight", language))
    words = load("tour/learned")
    assert [type(block) for block in blocks] == [Say, Grid, Say, Say, Drawing]
    for block in blocks:
        key = block.key if isinstance(block, Say) else block.title
        slots = block.slots if isinstance(block, Say) else {}
        assert "{" not in words[key][language].format(**slots)
    grid = blocks[1]
    assert [name for name, _ in grid.rows][:3] == [
        words[key][language] for key in ("norm-mean", "norm-least", "norm-most")
    ]
    assert grid.rows[3][1] == pytest.approx(0.966151, abs=1e-6)
    assert blocks[2].key == "table-ordered"
    assert blocks[3].key == "table-touched"
    assert len(blocks[4].lines.split("\n")) == 40


def test_the_page_tells_a_table_without_order(tmp_path: Path) -> None:
    table = np.random.default_rng(7).normal(size=(32, 64)).astype(np.float32)
    table[0] = 0
    save_file({"t": table}, tmp_path / "x.safetensors")
    blocks = list(table_page(f"{tmp_path / 'x.safetensors'}:t", "en"))
    assert blocks[2].key == "table-unordered"
    assert blocks[3].slots == {"count": 1, "listed": "0", "offset": 1}
