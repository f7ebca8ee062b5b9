"""What belongs to a model's class and stands in no config: its layout, defaults and key names.

Defaults are those of transformers' configuration classes, layouts and what is rotated those of
its modeling files; the tests compare them with the installed ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from posenc._typing import Layout


@dataclass(frozen=True, kw_only=True)
class Rotary:
    """A decoder that turns queries and keys, all layers alike.

    Attributes:
        hidden, heads, layers, length: Defaults of the class.
        head_dim: Its default; None is hidden / heads.
        free_head_dim: Whether attention reads ``head_dim``, or always takes hidden / heads.
        fills_head_dim: Whether the class computes a ``head_dim`` that is null. Where it does not,
            transformers' dynamic, YaRN and LongRoPE rules fail on null.
        divides: Whether the class refuses a hidden size that is no multiple of the heads.
        share: Of the head that turns, by default; None where all of it turns whatever is said.
        share_key, base_key: Its words outside the scaling block.
        trained: Default of ``original_max_position_embeddings``, where the class has one.
        rules: Rule names that it accepts; None for all.
        old_rules: Former names of rules.
        scales_tokens: Whether token vectors are multiplied by sqrt(hidden).
    """

    hidden: int
    heads: int
    layers: int
    length: int
    layout: Layout = "half"
    head_dim: int | None = None
    free_head_dim: bool = True
    fills_head_dim: bool = False
    divides: bool = False
    share: float | None = None
    share_key: str = "partial_rotary_factor"
    base_key: str = "rope_theta"
    trained: int | None = None
    rules: frozenset[str] | None = None
    old_rules: Mapping[str, str] = field(default_factory=dict)
    scales_tokens: bool = False


@dataclass(frozen=True, kw_only=True)
class Biased:
    """A model that adds a bias by distance to its logits.

    Attributes:
        bias: "alibi" or "t5".
        heads, layers: Defaults of the class.
        heads_keys, layers_keys: Its words for them, in the order in which it looks.
        length_key: Where it says how long its training text was, if it does.
        length: The default of that.
        every_layer: T5's kind: whether each layer has its own table, or all read the first one's.
    """

    bias: str
    heads: int
    layers: int
    heads_keys: tuple[str, ...]
    layers_keys: tuple[str, ...]
    length_key: str = ""
    length: int | None = None
    every_layer: bool = False


Family = Rotary | Biased

# These classes cut the share off a head themselves; a rule that reaches across it fails there.
_WITHIN_THE_SHARE = frozenset({"default", "dynamic", "linear", "llama3", "longrope", "yarn"})


def _t5(*, heads: int, layers: int, every_layer: bool = False) -> Biased:
    return Biased(
        bias="t5",
        heads=heads,
        layers=layers,
        heads_keys=("num_heads", "num_attention_heads"),
        layers_keys=("num_layers", "num_hidden_layers"),
        every_layer=every_layer,
    )


FAMILIES: Mapping[str, Family] = {
    "llama": Rotary(
        hidden=4096, heads=32, layers=32, length=2048, fills_head_dim=True, divides=True
    ),
    "mistral": Rotary(hidden=4096, heads=32, layers=32, length=131_072, fills_head_dim=True),
    "qwen2": Rotary(hidden=4096, heads=32, layers=32, length=32_768),
    "qwen3": Rotary(hidden=4096, heads=32, layers=32, length=32_768, head_dim=128),
    "qwen3_moe": Rotary(hidden=2048, heads=32, layers=24, length=32_768),
    "olmo2": Rotary(hidden=4096, heads=32, layers=32, length=2048),
    "olmoe": Rotary(hidden=2048, heads=16, layers=16, length=4096),
    "phi3": Rotary(
        hidden=3072,
        heads=32,
        layers=32,
        length=4096,
        share=1.0,
        trained=4096,
        rules=frozenset({"default", "longrope"}),
        old_rules={"su": "longrope", "yarn": "longrope"},
    ),
    "phi": Rotary(
        hidden=2048, heads=32, layers=24, length=2048, share=0.5, rules=_WITHIN_THE_SHARE
    ),
    "gemma": Rotary(
        hidden=3072, heads=16, layers=28, length=8192, head_dim=256, scales_tokens=True
    ),
    "gemma2": Rotary(
        hidden=2304,
        heads=8,
        layers=26,
        length=8192,
        head_dim=256,
        divides=True,
        scales_tokens=True,
    ),
    "starcoder2": Rotary(hidden=3072, heads=24, layers=30, length=4096),
    "stablelm": Rotary(
        hidden=2560,
        heads=32,
        layers=32,
        length=4096,
        share=0.25,
        free_head_dim=False,
        rules=_WITHIN_THE_SHARE,
    ),
    "gpt_neox": Rotary(
        hidden=6144,
        heads=64,
        layers=44,
        length=2048,
        share=0.25,
        share_key="rotary_pct",
        base_key="rotary_emb_base",
        free_head_dim=False,
        divides=True,
    ),
    "bloom": Biased(
        bias="alibi",
        heads=8,
        layers=2,
        heads_keys=("n_head", "num_attention_heads"),
        layers_keys=("n_layer", "num_hidden_layers"),
        length_key="seq_length",
    ),
    "mpt": Biased(
        bias="alibi",
        heads=16,
        layers=24,
        heads_keys=("n_heads", "num_attention_heads"),
        layers_keys=("n_layers", "num_hidden_layers"),
        length_key="max_seq_len",
        length=2048,
    ),
    "t5": _t5(heads=8, layers=6),
    "mt5": _t5(heads=6, layers=8),
    "umt5": _t5(heads=6, layers=8, every_layer=True),
}
