"""The one entry point: from a file or a mapping to a Reading."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from posenc.errors import EncodingError, ReadError
from posenc.inspect._biases import biased_parts
from posenc.inspect._families import FAMILIES, Rotary
from posenc.inspect._files import loaded
from posenc.inspect._findings import ConfigError, shown
from posenc.inspect._keys import Ledger, Section
from posenc.inspect._rotary import dialect, rotary_part
from posenc.inspect.reading import Part, Reading

_WORST_FIRST = ("error", "warning", "note")


def read(source: str | os.PathLike[str] | Mapping[str, Any]) -> Reading:
    """What a Hugging Face config says about positions, from where, and what is odd about it.

    It is read as transformers 5.24 reads it, in its old spelling (``rope_scaling``,
    ``rope_theta``) and in the new one (``rope_parameters``). No code of the model is run, and
    neither torch nor transformers is needed.

    Args:
        source: The path of a ``config.json``, or of a folder that has one, or its content.

    Returns:
        The spec of each group of layers with its evidence, and the findings.

    Raises:
        ReadError: If the file cannot be read, its model type is not known, or no spec can be made
            of it. In the last case it is a ``ConfigError`` with the ``code`` of the reason.
        EncodingTypeError: If ``source`` is neither a path nor a mapping.

    Example:
        >>> reading = read({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8})
        >>> reading.parts[0].groups[0].spec.dim
        64
        >>> reading.findings[0].message
        'rope_theta is not given, so the base is 10000.'
    """
    name, values = loaded(source)
    config = Section(values)
    model_type = values.get("model_type")
    family = FAMILIES.get(model_type) if isinstance(model_type, str) else None
    if family is None or not isinstance(model_type, str):
        known = ", ".join(sorted(FAMILIES))
        inner = values.get("text_config")
        hint = ""
        if isinstance(inner, Mapping) and inner.get("model_type") in FAMILIES:
            hint = f" Its text_config is of {inner['model_type']}: give that object alone."
        raise ReadError(
            f"model_type must be a family that is read so far ({known}); got "
            f"{shown(model_type) if 'model_type' in values else 'a config without it'}.{hint}"
        )
    ledger = Ledger(model_type)
    try:
        if isinstance(family, Rotary):
            parts: tuple[Part, ...] = (rotary_part(config, family, ledger),)
            words = dialect(config)
        else:
            words, parts = "huggingface", biased_parts(config, family, ledger)
    except ReadError:
        raise
    except EncodingError as error:  # numbers that a spec refuses together
        raise ConfigError(str(error), "PE111") from error
    findings = sorted(ledger.findings, key=lambda f: (_WORST_FIRST.index(f.severity), f.code))
    return Reading(source=name, dialect=words, parts=parts, findings=tuple(findings))
