"""The way of a token into the first attention layer of GPT-2, in arrays of their true shapes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posenc._facade import bind
from posenc._typing import Array
from posenc.claims._geometry import linear
from posenc.claims._models import layer_norm
from posenc.specs._learned import Learned

VOCABULARY, ROWS, WIDTH, HEADS = 50_257, 1024, 768, 12
"""The smallest GPT-2: words and positions that it knows, channels, heads."""

TOKENS = (464, 3797, 3332, 319, 262, 2603)
"""Six rows of the table of words: a sentence."""


class Stage(NamedTuple):
    """Every array on the way, in order; named as in GPT-2's checkpoint where it has a name."""

    wte: Array
    wpe: Array
    words: Array
    places: Array
    x: Array
    normed: Array
    c_attn: Array
    qkv: Array


def gpt2_input() -> Stage:
    """The input stage for one sentence, with weights drawn as GPT-2 draws them."""
    rng = np.random.default_rng(7)
    n = len(TOKENS)
    wte = np.zeros((VOCABULARY, WIDTH), np.float32)  # only rows that are read need be filled
    wpe = np.zeros((ROWS, WIDTH), np.float32)
    wte[list(TOKENS)], wpe[:n] = rng.normal(0, 0.02, (2, n, WIDTH))
    c_attn = rng.standard_normal((WIDTH, 3 * WIDTH), np.float32) * np.float32(0.02)
    words, places = looked_up(wte, np.asarray(TOKENS)), looked_up(wpe, np.arange(n))
    x = words + places
    return Stage(wte, wpe, words, places, x, layer_norm(x), c_attn, first_layer(x, c_attn))


def first_layer(x: Array, c_attn: Array) -> Array:
    """Queries, keys and values side by side: first the norm, and only then a linear layer."""
    return linear(layer_norm(x), c_attn)


def heads(part: Array) -> Array:
    """A third of ``qkv`` by heads, ``(heads, n, head_dim)``."""
    return np.moveaxis(part.reshape(len(part), HEADS, -1), 1, 0)


def looked_up(table: Array, indices: Array) -> Array:
    """Rows of a table, by the library's own lookup."""
    scheme = bind(Learned(rows=table.shape[0], dim=table.shape[1]), {"table": table})
    return np.asarray(scheme.embed(indices))  # type: ignore[misc]
