"""Chapter 6: learned tables, and what happens at and past their last row."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import code, farthest, sinusoid
from posenc.claims._tables import (
    counted,
    decayed,
    longest_text,
    named_missing,
    numbers_read,
    refusal,
    row_gradients,
    rows_read,
)
from posenc.specs._learned import Learned

part = Part("learned")


@part.claim(
    "gpt2-table",
    equal=786_432,
    source="A25 D17 N9",
    plain="""
        d, layers, words = 768, 12, 50257
        block = 4 * d * d + 8 * d * d + 13 * d  # attention, feed-forward, biases and norms
        value = 124_439_808 - words * d - layers * block - 2 * d  # all numbers of GPT-2, less these
    """,
)
def _gpt2_table() -> float:
    return numbers_read(Learned(rows=1024, dim=768))


@part.claim(
    "bert-table",
    equal=393_216,
    source="D17 N9",
    plain="""
        d, layers, words = 768, 12, 30522
        block = 4 * d * d + 8 * d * d + 13 * d  # attention, feed-forward, biases and norms
        before, after = (words + 2 + 2) * d, d * d + d  # words, segments, a norm, the pooler
        value = 109_482_240 - before - layers * block - after  # all numbers of BERT, less these
    """,
)
def _bert_table() -> float:
    return numbers_read(Learned(rows=512, dim=768))


@part.claim(
    "gpt2-limit",
    equal=1024,
    source="A25 D17",
    plain="""
        table, value = np.zeros((1024, 768)), 0
        try:
            while True:
                table[value]
                value += 1
        except IndexError:
            pass
    """,
)
def _gpt2_limit() -> float:
    return longest_text(Learned(rows=1024, dim=768))


@part.claim(
    "most-flexible",
    at_most=1e-12,
    source="C6 W23",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        table = np.sin(np.arange(512)[:, None] * w)
        positions = np.array([0, 8, 500])
        value = np.abs(table[positions] - np.sin(positions[:, None] * w)).max()
    """,
)
def _most_flexible() -> float:
    formula = sinusoid(512)
    return farthest(code(Learned(rows=512, dim=64), 512, arrays={"table": formula}), formula)


@part.claim(
    "fits",
    equal=13,
    source="D15",
    plain="""
        table = np.arange(8.0)
        value = sum((table[np.arange(n)] == np.arange(n)).sum() for n in (5, 8))
    """,
)
def _fits() -> float:
    spec = Learned(rows=8, dim=4)
    return sum(int((rows_read(spec, range(n)) == np.arange(n)).sum()) for n in (5, 8))


@part.claim(
    "out-of-range",
    equal=4,
    source="D15 W23",
    plain="""
        table, missing = np.zeros((8, 4)), []
        for p in range(12):
            try:
                table[p]
            except IndexError:
                missing.append(p)
        value = len(missing) if missing == [8, 9, 10, 11] else -1
    """,
)
def _out_of_range() -> float:
    missing = named_missing(refusal(Learned(rows=8, dim=4), range(12)))
    return len(missing) if missing == {8, 9, 10, 11} else -1


@part.claim(
    "formula-goes-on",
    equal=math.sqrt(32),
    within=1e-9,
    source="A19 A22 W11 W23",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        table = np.zeros((1024, 64))
        size = np.sqrt(np.sum(np.sin(1e6 * w) ** 2 + np.cos(1e6 * w) ** 2))
        value = -1 if 1_000_000 in range(len(table)) else size
    """,
)
def _formula_goes_on() -> float:
    missing = named_missing(refusal(Learned(rows=1024, dim=64), [1_000_000]))
    return float(np.linalg.norm(sinusoid([1_000_000]))) if missing == {1_000_000} else -1


@part.claim(
    "formula-extrapolates",
    equal=0,
    verdict="false",
    actual=14,
    source="B14 A22 W11 W21",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        value = sum(1023 * w < 2 * np.pi)
    """,
)
def _formula_extrapolates() -> float:
    sines, cosines = np.moveaxis(sinusoid(1024).reshape(1024, 32, 2), -1, 0)
    turned = np.unwrap(np.arctan2(sines, cosines), axis=0)[-1]
    return int((turned < math.tau).sum())


@part.claim(
    "unseen-rows",
    equal=8,
    source="D16 W23",
    plain="""
        words, table = np.random.RandomState(7).randn(2, 12, 4)
        nudges = np.eye(48).reshape(48, 12, 4) * 1e-3
        loss = lambda t: float(((words[:8] + t[np.arange(8)]) ** 4).sum())
        changed = [loss(table + n) != loss(table) for n in nudges]
        value = np.reshape(changed, (12, 4)).all(axis=1).sum()
    """,
)
def _unseen_rows() -> float:
    touched = row_gradients(rows=12, tokens=8) != 0
    return int(touched[:8].sum()) - int(touched[8:].sum())


@part.claim(
    "untouched-row",
    equal=1,
    within=1e-6,
    verdict="false",
    actual=0.941763,
    source="W23",
    plain="""
        row = np.random.RandomState(7).randn(64)
        size = np.linalg.norm(row)
        for step in range(1000):
            row = row - 6e-4 * (0.0 + 0.1 * row)
        value = np.linalg.norm(row) / size
    """,
)
def _untouched_row() -> float:
    unseen = float(row_gradients(rows=12, tokens=8)[8:].max())
    row = np.random.RandomState(7).randn(64)
    left = decayed(row, unseen, rate=6e-4, decay=0.1, steps=1000)
    return float(np.linalg.norm(left) / np.linalg.norm(row))


@part.claim(
    "rows-of-bert",
    equal=0,
    source="A25 transformers-5.24",
    plain="""
        table = np.random.RandomState(7).randn(512, 4)
        read = table[np.cumsum([1, 1, 1]) - 1]  # tokens counted from 0
        value = np.abs(read - table[[0, 1, 2]]).max()
    """,
)
def _rows_of_bert() -> float:
    return farthest(rows_read(Learned(rows=512, dim=1), range(3)), [0, 1, 2])


@part.claim(
    "rows-of-bart",
    equal=0,
    source="transformers-5.24",
    plain="""
        table = np.random.RandomState(7).randn(1026, 4)
        read = table[2:][np.cumsum([1, 1, 1]) - 1]  # counted from 0, past the two rows in front
        value = np.abs(read - table[[2, 3, 4]]).max()
    """,
)
def _rows_of_bart() -> float:
    return farthest(rows_read(Learned(rows=1026, dim=1, offset=2), range(3)), [2, 3, 4])


@part.claim(
    "rows-of-opt",
    equal=0,
    source="transformers-5.24",
    plain="""
        mask = np.array([0, 0, 1, 1, 1])
        rows = np.cumsum(mask) * mask - 1 + 2
        value = np.abs(rows - [1, 1, 2, 3, 4]).max()
    """,
)
def _rows_of_opt() -> float:
    positions = counted([0, 0, 1, 1, 1])
    return farthest(rows_read(Learned(rows=2050, dim=1, offset=2), positions), [1, 1, 2, 3, 4])


@part.claim(
    "rows-of-roberta",
    equal=0,
    source="transformers-5.24",
    plain="""
        real = (np.array([0, 5, 6, 1, 1]) != 1).astype(int)
        rows = np.cumsum(real) * real + 1
        value = np.abs(rows - [2, 3, 4, 1, 1]).max()
    """,
)
def _rows_of_roberta() -> float:
    positions = counted([1, 1, 1, 0, 0])
    return farthest(rows_read(Learned(rows=514, dim=1, offset=2), positions), [2, 3, 4, 1, 1])


@part.claim(
    "roberta-length",
    equal=514,
    verdict="false",
    actual=512,
    source="transformers-5.24",
    plain="""
        table = np.zeros((514, 4))
        def last_row(tokens):
            real = np.ones(tokens, int)
            return (np.cumsum(real) * real + 1)[-1]
        value = max(n for n in range(1, 600) if last_row(n) < len(table))
    """,
)
def _roberta_length() -> float:
    return longest_text(Learned(rows=514, dim=1, offset=2))
