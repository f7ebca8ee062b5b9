"""Runs cases: a process for each peer, answers compared first, then timed in turn."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from posenc.bench._case import PER, Case, Size, Unit
from posenc.bench._process import Process
from posenc.bench._result import Row, Side
from posenc.bench._sides import BESIDE_OURS, missing

TOLERANCE = {"float32": 2e-3, "float16": 0.03, "bfloat16": 0.12}
"""How far an answer may be from ours, for numbers of order one."""

DRIFT = 5e-7
"""And how much further for each position: the usual angle is a rounded float32 product."""


@dataclass(frozen=True)
class Effort:
    """How long a side is looked at."""

    rounds: int = 15
    processes: int = 3  # of ours, one after the other, where memory is the limit
    batch: float = 0.03  # seconds; shorter runs are repeated within a round
    budget: float = 10.0  # seconds, after which a side has had enough rounds
    pause: float = 0.005  # seconds in which threads of the side before fall asleep


_TRIED = Effort(rounds=1, processes=1, batch=0.0, budget=1.0, pause=0.0)


def run(
    cases: Iterable[Case], *, threads: int = 2, smoke: bool = False, memory: bool = False
) -> Iterator[Row]:
    """Every row of these cases, as soon as it is measured.

    Args:
        cases: From ``CASES``.
        threads: Processors that each process may run on.
        smoke: Try everything on tiny sizes; the numbers mean nothing.
        memory: After each row of times one of peak memory above what the work is given.
    """
    effort = _TRIED if smoke else Effort()
    with _Pool(lasting=smoke) as pool:
        for case in cases:
            for point, size in case.sizes(smoke=smoke):
                size = replace(size, threads=min(size.threads, threads))
                yield replace(_timed(case, point, size, pool, effort), tried=smoke)
                if memory and case.work not in ("processes", "graphs"):
                    yield replace(_weighed(case, point, size, pool), tried=smoke)


class _Pool:
    """The processes of a row, ended with it; to try things, two for all rows."""

    def __init__(self, *, lasting: bool) -> None:
        self._lasting, self._open, self._stack = lasting, {}, ExitStack()  # type: ignore[var-annotated]

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def process(self, side: str, *, threads: int, plain: bool) -> Process:
        """The process of a side."""
        key = ("ours/" in side if self._lasting else side), threads, plain
        if key not in self._open:
            self._open[key] = self._stack.enter_context(Process(threads=threads, plain=plain))
        return self._open[key]  # type: ignore[no-any-return]

    def end(self, process: Process) -> None:
        """One of them; the next that is asked for in its place is another."""
        process.close()
        self._open = {key: held for key, held in self._open.items() if held is not process}

    def row_ended(self) -> None:
        """What is not to last ends."""
        if not self._lasting:
            self._stack.close()
            self._open.clear()


def _sides(case: Case) -> dict[str, Side]:
    """The sides of a row by name; what is not installed says so."""
    limits = [f"limit/{case.limit}"] if case.limit else []
    found = {name: Side() for name in (f"ours/{case.ours}", *limits, *case.peers)}
    for name, side in found.items():
        if lacking := missing(name):
            side.note = f"{', '.join(lacking)} not installed"
    return found


def _row(case: Case, point: Mapping[str, int], size: Size, sides: dict[str, Side]) -> Row:
    ours, limit = sides[f"ours/{case.ours}"], sides.get(f"limit/{case.limit}")
    peers = {name: sides[name] for name in case.peers}
    dtype = size.dtype if case.work not in ("processes", "graphs") else ""
    return Row(case, dtype, case.unit, point, ours, limit, peers)


def _timed(case: Case, point: Mapping[str, int], size: Size, pool: _Pool, effort: Effort) -> Row:
    sides = _sides(case)
    ours = f"ours/{case.ours}"
    ready = _prepared(pool, case, size, sides, sides, effort)
    seen = ready[ours].answer.get("seen") if ours in ready else None
    for name in case.peers:
        if seen and name in ready and ready[name].answer.get("seen"):
            _compare(sides[name], ready[name].answer["seen"], seen, size)
    if ours in ready:
        takes = effort.processes if f"limit/{case.limit}" in BESIDE_OURS else 1
        rounds = 1 if case.unit == "graphs" else effort.rounds // takes
        spent = dict.fromkeys(ready, 0.0)
        for take in range(takes):
            if take:  # another process, which is given other pages
                pool.end(ready[ours].process)
                beside = [name for name in (ours, *BESIDE_OURS) if name in ready]
                ready |= _prepared(pool, case, size, sides, beside, effort)
            _rounds({name: one for name, one in ready.items() if _runs(sides[name])},
                    sides, case.unit, rounds, effort, spent)  # fmt: skip
    pool.row_ended()
    return _row(case, point, size, sides)


def _runs(side: Side) -> bool:
    return not (side.note or side.error)


class _Ready(NamedTuple):
    process: Process
    answer: dict[str, Any]


def _prepared(
    pool: _Pool,
    case: Case,
    size: Size,
    sides: Mapping[str, Side],
    names: Iterable[str],
    effort: Effort,
) -> dict[str, _Ready]:
    """Those of the named sides that can be timed; of the others, what keeps them from it."""
    names = [name for name in names if _runs(sides[name])]
    processes = {name: _process(pool, case, name, size) for name in names}
    for name, process in processes.items():
        given = {"work": case.work, "side": name, "size": size.to_dict()}
        process.send(do="prepare", **given, again=effort.batch > 0)
    ready = {}
    for name, process in processes.items():
        answer = process.receive()
        side = sides[name]
        side.note, side.error = answer.get("cannot", ""), answer.get("failed", "")
        if _runs(side):
            ready[name] = _Ready(process, answer)
        else:
            side.samples = []
    return ready


def _process(pool: _Pool, case: Case, side: str, size: Size) -> Process:
    own = f"ours/{case.ours}"
    where = own if side in BESIDE_OURS else side
    return pool.process(where, threads=size.threads, plain=case.plain and where == own)


def _compare(side: Side, theirs: Any, ours: Any, size: Size) -> None:
    """Whether a peer did the same work; else that is an error of the case."""
    if [len(array) for array in theirs] != [len(array) for array in ours]:
        side.error = f"answers {len(theirs)} arrays where ours are {len(ours)}"
        return
    scale = max(1.0, *(abs(b) for array in ours for b in array))
    pairs = (
        pair for arrays in zip(theirs, ours, strict=True) for pair in zip(*arrays, strict=True)
    )
    differences = [abs(a - b) for a, b in pairs]
    side.off = max(differences)
    allowed = TOLERANCE[size.dtype] + DRIFT * (size.offset + size.length)
    if not all(d <= allowed * scale for d in differences):  # NaN is no answer either
        side.error = f"its answer is off by {side.off:.2g}, more than {allowed * scale:.2g}"


def _rounds(
    ready: Mapping[str, _Ready],
    sides: Mapping[str, Side],
    unit: Unit,
    rounds: int,
    effort: Effort,
    spent: dict[str, float],
) -> None:
    """A B A B: in each round every side runs, for some time in a row.

    A side that has spent its budget is out for good, so that its samples are those of the first
    rounds.
    """
    for _ in range(rounds):
        for name, (process, answer) in ready.items():
            side = sides[name]
            if side.error or spent[name] > effort.budget:
                continue
            time.sleep(effort.pause)
            calls = max(1, round(effort.batch / max(answer["once"], 1e-7)))
            start = time.perf_counter()
            told = process.ask(do="time", side=name, calls=calls)
            spent[name] += time.perf_counter() - start
            if "seconds" in told:
                side.samples.append(told["seconds"] * PER[unit])
            else:
                side.error, side.samples = told["failed"], []


def _weighed(case: Case, point: Mapping[str, int], size: Size, pool: _Pool) -> Row:
    """The row of peak memory: a fresh process for each side, one after the other."""
    sides = _sides(case)
    # Whatever ours keeps from one run to the next must not be taken for held before.
    smaller = [replace(size, length=max(1, size.length // part)) for part in (4, 2)]
    for name, side in sides.items():
        if side.note:
            continue
        own = name == f"ours/{case.ours}"
        sizes = [s.to_dict() for s in (*(smaller if own else [size]), size)]
        process = pool.process(name, threads=size.threads, plain=case.plain and own)
        answer = process.ask(do="peak", work=case.work, side=name, sizes=sizes)
        side.note, side.error = answer.get("cannot", ""), answer.get("failed", "")
        if "mib" in answer:
            side.samples = [round(answer["mib"], 2)]  # a page or two are none
        pool.row_ended()
    return replace(_row(case, point, size, sides), unit="MiB")
