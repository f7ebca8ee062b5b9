"""What a config says about positions: one record, the same for every file format."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from posenc._typing import Layout
from posenc.inspect._findings import Finding
from posenc.specs._fields import Whole
from posenc.specs._record import Spec, brief
from posenc.specs._rope import Rope

How = Literal["given", "defaulted", "derived", "ignored"]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Where one value came from.

    Attributes:
        field: What it is to posenc, such as ``base`` or ``scaling.factor``.
        value: A number, a word, a list of numbers, or None.
        how: "given" by the file, "defaulted" by the model's family, "derived" from other values,
            or stated by the file and "ignored".
        key: The path of the key in the file; empty if there is none.
        note: Why.
    """

    field: str
    value: Any
    how: How
    key: str = ""
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The evidence as plain JSON data."""
        plain = asdict(self)
        return {**plain, "value": list(self.value)} if isinstance(self.value, tuple) else plain


@dataclass(frozen=True, kw_only=True)
class Group:
    """Layers that tell positions in the same way.

    Attributes:
        layers: Their numbers, from 0.
        spec: The encoding.
        layout: How channels pair, for a rotary spec. No file says: it belongs to the model class.
        trained_length: Positions seen in training, from which the rule for longer text starts;
            None if the file does not say.
        usable_length: How far the encoding can be read; None if nothing in it ends. The reason is
            the evidence for ``usable_length``.
        evidence: Where each value came from.
    """

    layers: tuple[int, ...]
    spec: Spec
    layout: Layout | None
    trained_length: int | None
    usable_length: int | None
    evidence: tuple[Evidence, ...]

    def freqs(self, length: int | None = None) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Radians per position of each rotary pair, float64; None without rotation.

        Args:
            length: Tokens in the run, for rules that depend on it; None is the trained length.
        """
        length = _length("Group.freqs()", length)
        return self.spec.frequencies(length) if isinstance(self.spec, Rope) else None

    def attention_factor(self, length: int | None = None) -> float | None:
        """What Hugging Face multiplies cos and sin by; None without rotation."""
        length = _length("Group.attention_factor()", length)
        return self.spec.attention_factor(length) if isinstance(self.spec, Rope) else None

    def summary(self) -> str:
        """One line: how many layers, the encoding, and how far it reaches."""
        trained, usable = self.trained_length, self.usable_length
        reach = f"trained to {trained or '?'}, usable to {usable or 'any length'}"
        return f"{len(self.layers)} layers of {brief(self.spec)}, {reach}"

    def to_dict(self, length: int | None = None) -> dict[str, Any]:
        """The group as plain JSON data, with its frequencies for a run of ``length``."""
        freqs = self.freqs(length)
        return {
            "layers": list(self.layers),
            "spec": self.spec.to_dict(),
            "freqs": None if freqs is None else freqs.tolist(),
            "attention_factor": self.attention_factor(length),
            "layout": self.layout,
            "trained_length": self.trained_length,
            "usable_length": self.usable_length,
            "evidence": [item.to_dict() for item in self.evidence],
        }


@dataclass(frozen=True, kw_only=True)
class Part:
    """One stack of layers: the text decoder, an encoder.

    Attributes:
        name: "text", "encoder", "decoder".
        groups: Its layers, by how they tell positions.
        token_scale: What the model multiplies its token vectors by before anything is added;
            posenc itself never scales tokens.
    """

    name: str
    groups: tuple[Group, ...]
    token_scale: float = 1.0

    def to_dict(self, length: int | None = None) -> dict[str, Any]:
        """The part as plain JSON data."""
        groups = [group.to_dict(length) for group in self.groups]
        return {"name": self.name, "token_scale": self.token_scale, "groups": groups}


@dataclass(frozen=True, kw_only=True, repr=False)
class Reading:
    """All that a config says about positions, and all that is odd about it.

    Its repr is a summary; ``to_dict`` has all of it, the evidence included.

    Attributes:
        source: The path that was read, or "mapping".
        dialect: "huggingface-v5" (``rope_parameters``), "huggingface-legacy" (``rope_scaling``,
            ``rope_theta``), or "huggingface" where the file uses neither.
        parts: The model's stacks.
        findings: Worst first.
    """

    source: str
    dialect: str
    parts: tuple[Part, ...]
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        lines = [f"Reading of {self.source} ({self.dialect})"]
        for part in self.parts:
            lines += [f"  {part.name}: {group.summary()}" for group in part.groups]
        lines += [f"  {f.code} {f.severity} {f.where}: {f.message}" for f in self.findings]
        return "\n".join(lines)

    def to_dict(self, length: int | None = None) -> dict[str, Any]:
        """The reading as plain JSON data.

        Args:
            length: Tokens in the run, for frequencies that depend on it.
        """
        return {
            "source": self.source,
            "dialect": self.dialect,
            "parts": [part.to_dict(length) for part in self.parts],
            "findings": [finding.to_dict() for finding in self.findings],
        }


def _length(where: str, length: int | None) -> int | None:
    read: int | None = Whole(optional=True).read(f"{where}: length", length)
    return read
