"""Any file at all: read, or refused in one sentence."""

import json
import os
import random
from pathlib import Path

import pytest

from posenc.errors import EncodingError, ReadError
from posenc.inspect import read

CONFIG = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8}
TEXT = json.dumps(CONFIG)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.json"


def refusal(source: object) -> str:
    with pytest.raises(ReadError) as caught:
        read(source)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_path_as_text_or_object_and_its_folder(path: Path) -> None:
    path.write_text(TEXT, "utf-8")
    for source in (path, str(path), path.parent, str(path.parent)):
        reading = read(source)
        assert reading.source == str(source)
        assert reading.parts == read(CONFIG).parts
    assert read(CONFIG).source == "mapping"


def test_a_byte_order_mark_is_passed_over(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert read(path).parts == read(CONFIG).parts


def test_nan_and_infinity_matter_only_where_they_are_read(path: Path) -> None:
    path.write_text(TEXT[:-1] + ', "time_step_limit": [0.0, Infinity], "x": NaN}', "utf-8")
    assert read(path).parts == read(CONFIG).parts
    path.write_text(TEXT[:-1] + ', "rope_theta": -Infinity}', "utf-8")
    assert refusal(path) == "rope_theta must be finite; got -inf."


def test_the_name_of_a_file_that_is_not_there(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.chdir(path.parent)
    sentence = "read(): source must be a file that can be read; got {!r}. {}."
    assert refusal("none.json") == sentence.format("none.json", "No such file or directory")
    os.mkdir("empty")
    missing = os.path.join("empty", "config.json")
    assert refusal("empty") == sentence.format(missing, "No such file or directory")
    assert refusal("a\0b") == sentence.format("a\0b", "A name has no NUL character")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    assert refusal("pipe") == (
        "read(): source must be a regular file, or a folder that has a config.json; got 'pipe'."
    )


CONTENTS = {
    b"": "a JSON object; got 'config.json'. The file is empty.",
    b" \n": "a JSON object; got 'config.json'. The file is empty.",
    b"[1]": "a JSON object; got [1].",
    b"null": "a JSON object; got None.",
    b"{": (
        "JSON; got 'nothing after that'. Expecting property name enclosed in double quotes at line "
        "1 column 2."
    ),
    b'{"a": 1}\n// no': "JSON; got '// no'. Extra data at line 2 column 1.",
    b'{"a": "b': "JSON; got '\"b'. Unterminated string starting at line 1 column 7.",
    b"\x89PNG\r\n\x1a\n": (
        "JSON text in UTF-8; got b'\\x89PNG\\r\\n\\x1a\\n'. Byte 0 does not belong to such text."
    ),
    '{"a": 1}'.encode("utf-16-le"): (
        "JSON; got '\\x00\"\\x00a\\x00\"\\x00:\\x00 \\x001\\x00}\\x00'. "
        "Expecting property name enclosed in double quotes at line 1 column 2."
    ),
    b'{"a": 1, "b": {"c": 1, "c": 2}}': (
        "an object with each key once; got 'c'. Readers differ in which they take."
    ),
    b'{"a": ' + b"1" * 5000 + b"}": (
        "JSON with numbers of a sensible length; got '{\"a\": 1111111111'."
    ),
    b'{"a":' * 100_000: (
        'JSON of a sensible depth; got \'{"a":{"a":{"a":{\'. '
        "It is nested too deeply to be a config."
    ),
    b"[" * 100_000: (
        "JSON of a sensible depth; got '[[[[[[[[[[[[[[[['. It is nested too deeply to be a config."
    ),
    b" " * (8 * 2**20 + 1): (
        "at most 8388608 bytes, as a config is; got 'config.json'. Is it a file of weights?"
    ),
}


@pytest.mark.parametrize(("content", "rest"), CONTENTS.items(), ids=range(len(CONTENTS)))
def test_content(content: bytes, rest: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(content)
    monkeypatch.chdir(path.parent)
    assert refusal("config.json") == f"read(): source must be {rest}"


def test_a_file_is_never_read_whole_to_learn_that_it_is_large(path: Path) -> None:
    path.touch()
    os.truncate(path, 2**36)  # sparse: it takes no room
    assert "must be at most 8388608 bytes" in refusal(path)


def test_random_bytes_are_refused(path: Path) -> None:
    for seed in range(64):
        path.write_bytes(random.Random(seed).randbytes(seed))
        with pytest.raises(EncodingError, match=r"^read\(\): source must be [^\n]*$"):
            read(path)
