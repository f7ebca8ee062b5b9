"""Commands and imports as whole processes of a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from posenc.bench._case import Size
from posenc.bench.works import Call

_CONFIG = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "max_position_embeddings": 8192,
    "rope_theta": 500_000.0,
}


def _output(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    return done.stdout


def _process(*arguments: str) -> Call:
    return Call(lambda: _output(*arguments), None)


def _importing(module: str) -> Call:
    """Seconds that an import takes, without those of the interpreter's own start."""
    code = (
        "from time import perf_counter as now; start = now(); "
        f"import {module}; print(now() - start)"
    )
    return Call(lambda: float(_output("-c", code)), None, told=True)


def inspect(size: Size) -> Call:
    """Reads a config as a command does; the command itself once there is one."""
    folder = tempfile.TemporaryDirectory(prefix="posenc-")
    path = Path(folder.name, "config.json")
    path.write_text(json.dumps(_CONFIG), "utf-8")
    code = f"from posenc import cli, inspect; inspect.read({str(path)!r})"
    return Call(lambda: (folder, _output("-c", code)), None)


def tour(size: Size) -> Call:
    """Every chapter; of a size of one, the first."""
    return _process("-m", "posenc", "tour", *(["--chapter", "1"] if size.length == 1 else []))


SIDES = {
    "ours/import": lambda size: _importing("posenc"),
    "ours/help": lambda size: _process("-m", "posenc", "--help"),
    "ours/inspect": inspect,
    "ours/tour": tour,
    "limit/import-numpy": lambda size: _importing("numpy"),
    "limit/python": lambda size: _process("-c", "pass"),
}
