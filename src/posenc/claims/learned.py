"""Chapter 6: learned tables, and what happens at and past their last row."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Chapter
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
from posenc.specs._naive import OneHot

chapter = Chapter("learned")


@chapter.claim(
    "gpt2-table",
    equal=786_432,
    source="A25 D17 N9",
    plain="""
        table = np.arange(1024 * 768).reshape(1024, 768)
        value = np.unique(table[np.arange(1024)]).size
    """,
)
def _gpt2_table() -> float:
    return numbers_read(Learned(rows=1024, dim=768))


@chapter.claim(
    "bert-table",
    equal=393_216,
    source="D17 N9",
    plain="""
        table = np.arange(512 * 768).reshape(512, 768)
        value = np.unique(table[np.arange(512)]).size
    """,
)
def _bert_table() -> float:
    return numbers_read(Learned(rows=512, dim=768))


@chapter.claim(
    "gpt2-limit",
    equal=1024,
    source="A25 D17",
    plain="""
        table = np.zeros((1024, 768))
        value = max(n for n in range(1100) if len(table[:n]) == n)
    """,
)
def _gpt2_limit() -> float:
    return longest_text(Learned(rows=1024, dim=768))


@chapter.claim(
    "one-hot",
    at_most=1e-12,
    source="B12 C27 W12",
    plain="""
        table = np.random.RandomState(7).randn(64, 16)
        value = np.abs(np.eye(64) @ table - table[np.arange(64)]).max()
    """,
)
def _one_hot() -> float:
    table = np.random.RandomState(7).randn(64, 16)
    multiplied = code(OneHot(rows=64), 64) @ table
    read = code(Learned(rows=64, dim=16), 64, arrays={"table": table})
    return max(farthest(multiplied, table), farthest(read, table))


@chapter.claim(
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


@chapter.claim(
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


@chapter.claim(
    "out-of-range",
    equal=4,
    source="D15 W23",
    plain="""
        table = np.zeros((8, 4))
        missing = [p for p in range(12) if p >= len(table)]
        value = len(missing) if missing == [8, 9, 10, 11] else -1
    """,
)
def _out_of_range() -> float:
    missing = named_missing(refusal(Learned(rows=8, dim=4), range(12)))
    return len(missing) if missing == {8, 9, 10, 11} else -1


@chapter.claim(
    "formula-goes-on",
    equal=math.sqrt(32),
    within=1e-9,
    source="A22 W11 W23 V14",
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


@chapter.claim(
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


@chapter.claim(
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


@chapter.claim(
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


@chapter.claim(
    "rows-of-bert",
    equal=0,
    source="A25 transformers-5.24",
    plain="""
        value = np.abs(np.arange(3) - [0, 1, 2]).max()
    """,
)
def _rows_of_bert() -> float:
    return farthest(rows_read(Learned(rows=512, dim=1), range(3)), [0, 1, 2])


@chapter.claim(
    "rows-of-bart",
    equal=0,
    source="transformers-5.24",
    plain="""
        value = np.abs(np.arange(3) + 2 - [2, 3, 4]).max()
    """,
)
def _rows_of_bart() -> float:
    return farthest(rows_read(Learned(rows=1026, dim=1, offset=2), range(3)), [2, 3, 4])


@chapter.claim(
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


@chapter.claim(
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


@chapter.claim(
    "roberta-length",
    equal=514,
    verdict="false",
    actual=512,
    source="transformers-5.24",
    plain="""
        rows = np.arange(514)
        value = len(rows[2:])
    """,
)
def _roberta_length() -> float:
    return longest_text(Learned(rows=514, dim=1, offset=2))
