"""Chapter 1 on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from posenc.claims._codes import Matrix, farthest, sinusoid
from posenc.claims._models import WORDS, X, attention, projections, recurrence, word_vectors
from posenc.claims.blind_attention import layers_across
from posenc.claims.blind_questions import TEXTS, nearest_pair, number_of, order_of
from posenc.specs._sinusoidal import Sinusoidal
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Grid, Prove, Say

_TOLD = Sinusoidal(dim=8)


def page(context: Context) -> Iterator[Block]:
    """What attention does, what it cannot see, and three questions that positions answer."""
    texts = [context.words] if context.words else TEXTS
    yield Say("question")
    yield from _three_steps(context)
    yield from _swap(context)
    yield from _texts(texts, context)
    yield from _readers_in_order()
    yield from _questions(texts[2 % len(texts)], context)


def _prove(*names: str) -> Prove:
    return Prove([f"blind.{name}" for name in names])


def _word(key: str, context: Context) -> str:
    return sentence("tour/blind", key, context.language)


def _three_steps(context: Context) -> Iterator[Block]:
    yield Say("three-steps")
    w_q, w_k, _ = projections()
    scores = X @ w_q @ (X @ w_k).T / math.sqrt(X.shape[-1])
    shares = attention(X, weights=True)
    marked = [f"{_word(kind, context)} {w}" for kind in ("score", "weight") for w in WORDS]
    rows = [(w, *s, *a) for w, s, a in zip(WORDS, scores.tolist(), shares.tolist(), strict=True)]
    yield Grid("steps", ("", *marked), rows, digits=4)
    yield _prove("outputs", "weighted-mean")


def _swap(context: Context) -> Iterator[Block]:
    yield Say("swap")
    before, after = attention(X), attention(X[::-1])[::-1]
    rows = [
        (word, f"{i} → {2 - i}", _vector(before[i]), _vector(after[i]), _same(before[i], after[i]))
        for i, word in enumerate(WORDS)
    ]
    yield Grid("swapped", ("", "p", "f(X)", "f(PX)", "="), rows)
    yield _prove("equivariance", "invariance", "pooled", "bit-for-bit")


def _vector(row: Matrix) -> str:
    return " ".join(f"{number:.6f}" for number in row)


def _same(one: Matrix, other: Matrix) -> str:
    return "✓" if np.allclose(one, other, rtol=0, atol=1e-12) else "✗"


def _texts(texts: Sequence[Sequence[str]], context: Context) -> Iterator[Block]:
    yield Say("sum")
    yield Say("texts")
    ways = [_word(key, context) for key in ("bare", "placed", "causal")]
    backwards = _word("backwards", context)
    rows = [(_joined(text), _joined(text[::-1]), *_backwards(text)) for text in texts]
    yield Grid("order", ("", backwards, *ways), rows)
    if texts is TEXTS:
        yield Say("capitals")
    if repeated := [(text, word) for text in texts for word in _repeated(text)]:
        yield Say("same-words")
        counted = [(_joined(t), f"{w} × {t.count(w)}", *_apart(t, w)) for t, w in repeated]
        yield Grid("apart", ("", _word("word", context), *ways), counted)
    yield Say("mask")
    yield _prove("dog-bites-man", "reversed-sentence", "four-roles", "with-positions")
    yield _prove("four-roles-placed", "any-mask", "four-roles-causal", "prefix-length")


def _joined(words: Sequence[str]) -> str:
    """Words as a reader writes them; long texts only begin."""
    text = ("" if all(len(w) == 1 and not w.isascii() for w in words) else " ").join(words)
    return text if len(text) <= 30 else f"{text[:29]}…"


def _repeated(words: Sequence[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if words.count(word) > 1]


def _outputs(x: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Without positions, with them, and without them under a causal mask."""
    return attention(x), attention(x, _TOLD), attention(x, causal=True)


def _backwards(words: Sequence[str]) -> list[float]:
    """What the three kinds of attention make of a text read backwards: f(Px) - P f(x)."""
    x = word_vectors(words)
    pairs = zip(_outputs(x[::-1]), _outputs(x), strict=True)
    return [farthest(turned, straight[::-1]) for turned, straight in pairs]


def _apart(words: Sequence[str], word: str) -> list[float]:
    """How far apart the outputs of a repeated word are, at least."""
    places = [i for i, w in enumerate(words) if w == word]
    return [nearest_pair(rows[places]) for rows in _outputs(word_vectors(words))]


def _readers_in_order() -> Iterator[Block]:
    x = np.ones((64, 4))
    paths = {
        "recurrent": len(recurrence(x)) - 1,
        "taps": layers_across(64, window=3),
        "attention": layers_across(64),
    }
    yield Say("readers", paths)
    yield _prove("recurrence", "path")


def _questions(words: Sequence[str], context: Context) -> Iterator[Block]:
    yield Say("questions")
    code = sinusoid(len(words))
    fit = code @ code.T
    np.fill_diagonal(fit, -math.inf)
    slowest = code[:, -2:]
    rows = [
        (
            word,
            float(number_of(slowest[p])),
            _named(words, order_of(slowest, slowest[p]) > 0),
            _named(words, fit[p] > fit[p].max() - 1e-9),
        )
        for p, word in enumerate(words)
    ]
    headings = [_word(key, context) for key in ("which", "before", "nearest")]
    yield Grid("read-outs", ("", *headings), rows, digits=9)
    yield _prove("which-number", "which-number-float32", "which-number-bfloat16")
    yield Say("linear")
    yield _prove("linear-read-out", "linear-read-out-beyond", "who-is-before", "who-is-nearest")
    yield Say("none-without")


def _named(words: Sequence[str], chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> str:
    """The chosen words, of many the last few."""
    found = [word for word, taken in zip(words, chosen.tolist(), strict=True) if taken]
    return " ".join(["…", *found[-6:]] if len(found) > 6 else found) or "-"
