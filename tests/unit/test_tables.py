"""Learned tables of several coordinates: which row is read, and which position has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc import Axial, GatedTiles, LearnedAxes, LearnedGrid, Rope, Stack, positions, resize
from posenc.errors import EncodingError, EncodingTypeError

GRID = LearnedGrid(sizes=(5, 8), dim=6, prefix=2)
NUMBERED = np.arange(42.0)[:, None] * np.ones(6)  # every row holds its own number
AXES = LearnedAxes(sizes=(5, 8), dim=6, join="added")


def read(spec: posenc.specs.Spec, at: Any, **arrays: Any) -> Any:
    return posenc.bind(spec, arrays or None).embed(np.asarray(at))


def test_cell_k_reads_row_prefix_plus_k_and_tokens_in_front_their_own() -> None:
    at = positions.grid(h=5, w=8, order="hw", prefix=2)
    assert at[:3].tolist() == [[0, -2], [0, -1], [0, 0]]
    assert read(GRID, at, table=NUMBERED)[:, 0].tolist() == [*range(42)]


def test_a_crop_reads_the_rows_of_its_cells() -> None:
    at = positions.grid(h=2, w=3, order="hw") + np.array([1, 4])
    assert read(GRID, at, table=NUMBERED)[:, 0].tolist() == [14, 15, 16, 22, 23, 24]


def test_positions_of_few_bits_do_not_wrap() -> None:
    spec = LearnedGrid(sizes=(200, 200), dim=1)
    at = np.array([[199, 199], [100, 3]], np.uint8)
    table = np.arange(40_000.0)[:, None]
    assert read(spec, at, table=table)[:, 0].tolist() == [39_999, 20_003]


def test_a_table_for_each_axis_reads_height_and_width_apart() -> None:
    tables = {"table_0": np.arange(5.0)[:, None], "table_1": 10 * np.arange(8.0)[:, None]}
    added = LearnedAxes(sizes=(5, 8), dim=1, join="added")
    assert read(added, [[4, 7], [3, 1]], **tables)[:, 0].tolist() == [74, 13]
    beside = LearnedAxes(sizes=(5, 8), dim=2, join="concatenated")
    assert read(beside, [[4, 7], [3, 1]], **tables).tolist() == [[4, 70], [3, 10]]


def test_coordinates_share_a_table() -> None:
    spec = LearnedAxes(sizes=(9, 7, 9), dim=3, join="concatenated", tables=(0, 1, 0))
    assert spec.learned() == {"table_0": (9, 1), "table_1": (7, 1)}
    assert spec.parameters() == 16
    tables = {"table_0": np.arange(9.0)[:, None], "table_1": -np.arange(7.0)[:, None]}
    assert read(spec, [[8, 6, 2]], **tables).tolist() == [[8, -6, 2]]


def test_boxes_of_a_page() -> None:
    corners = np.array([[[10, 20, 40, 25], [0, 0, 1000, 1000]]])
    due = [[[10, 20, 40, 25, 5, 30], [0, 0, 1000, 1000, 1000, 1000]]]
    assert positions.boxes(corners).tolist() == due
    assert positions.boxes(torch.tensor(corners)).tolist() == due
    small = positions.boxes(corners[:, :1].astype(np.uint8)[..., [2, 3, 0, 1]])
    assert small.tolist() == [[[40, 25, 10, 20, -5, -30]]]  # not 251 and 226


def test_an_image_of_any_shape_on_a_square_table() -> None:
    at = positions.fractional(h=3, w=140, order="wh", cells=70)
    assert at[:4].tolist() == [[0, 0], [0, 0], [1, 0], [1, 0]]
    assert at[-1].tolist() == [69, 46]
    same = positions.fractional(h=70, w=70, order="hw", cells=70)
    assert (same == positions.grid(h=70, w=70, order="hw")).all()


TILES = GatedTiles(aspects=2, tiles=3, rows=4, dim=6)


def test_a_closed_gate_leaves_the_plain_table_and_an_open_one_the_tiles() -> None:
    drawn = TILES.init(np.random.default_rng(0))
    assert drawn["gate"].tolist() == [0]
    at = positions.grid(a=2, t=3, p=4, order="atp")
    assert (read(TILES, at, **drawn).reshape(6, 4, 6) == drawn["table"]).all()
    opened = read(TILES, at, **(drawn | {"gate": np.array([30.0], np.float32)}))
    np.testing.assert_allclose(opened, drawn["tiles"].reshape(24, 6), atol=1e-6)


def test_a_gated_grid_starts_at_nothing() -> None:
    spec = LearnedGrid(sizes=(9, 4), dim=6, gated=True)
    at = positions.grid(a=9, t=4, order="at")
    assert not read(spec, at, **spec.init(np.random.default_rng(0))).any()


SPECS = [GRID, AXES, TILES, LearnedGrid(sizes=(2, 3, 4), dim=5)]


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_fresh_tables_are_filled_from_the_seed(spec: posenc.specs.Spec) -> None:
    one, same, other = (spec.init(np.random.default_rng(seed)) for seed in (7, 7, 8))
    for name, shape in spec.learned().items():
        assert one[name].shape == shape
        assert one[name].dtype == np.float32
        assert np.isfinite(one[name]).all()
        assert (one[name] == same[name]).all()
        if name != "gate":
            assert (one[name] != other[name]).any()


def test_a_fresh_table_has_the_deviation_of_vits() -> None:
    table = LearnedGrid(sizes=(64, 64), dim=64).init(np.random.default_rng(0))["table"]
    assert table.std() == pytest.approx(0.02, rel=0.01)
    assert abs(table.mean()) < 1e-4


@pytest.mark.parametrize("spec", [GRID, AXES], ids=["cells", "axes"])
def test_what_is_prepared_does_not_move_with_the_callers_positions(
    spec: posenc.specs.Spec,
) -> None:
    scheme, at = posenc.bind(spec), np.array([[1, 2], [4, 7], [0, 3]])
    placed = scheme.prepare(at)
    due = scheme.embed(at)
    at += 1
    assert (scheme.embed(placed) == due).all()


OFF = [[5, 0], [0, 8], [-1, 0], [0, -3], [3, -1], [2**62, 2**62]]


def missing(code: Any) -> list[bool]:
    return np.isnan(np.asarray(code)).any(-1).tolist()


def test_compiled_code_has_nan_for_every_position_off_the_grid() -> None:
    at = np.array([*OFF, [4, 7], [0, -2]])
    known = [True] * len(OFF) + [False] * 2
    embed = torch.compile(posenc.bind(GRID, xp="torch").embed, fullgraph=True)
    assert missing(embed(torch.from_numpy(at))) == known
    small = np.clip(at, -100, 100).astype("int32")
    assert missing(jax.jit(posenc.bind(GRID, xp="jax").embed)(small)) == known
    axes = torch.compile(posenc.bind(AXES, xp="torch").embed, fullgraph=True)
    assert missing(axes(torch.from_numpy(at))) == [*known[:-1], True]


def test_a_coordinate_past_its_end_is_not_the_next_cell_of_the_one_before() -> None:
    spec = LearnedGrid(sizes=(2, 3, 4), dim=1)
    embed = torch.compile(posenc.bind(spec, xp="torch").embed, fullgraph=True)
    assert missing(embed(torch.tensor([[0, 3, 0], [0, 0, 4], [0, 2, 3]]))) == [True, True, False]


def test_a_table_beside_a_rotation_of_the_same_coordinates() -> None:
    rope = Rope(dim=8, layout="half", axes=Axial(dims=(4, 4)))
    scheme = posenc.bind(Stack(AXES, rope))
    at = positions.grid(h=5, w=8, order="hw")
    assert scheme.embed(at).shape == (40, 6)
    assert scheme.query(np.ones((3, 40, 8), np.float32), at).shape == (3, 40, 8)
    with pytest.raises(EncodingError, match="positions have as many coordinates"):
        Stack(AXES, Rope(dim=8, layout="half"))


def test_a_resized_table_goes_into_the_module_of_the_new_size() -> None:
    old = posenc.torch.Encoding(GRID)
    new = posenc.torch.Encoding(LearnedGrid(sizes=(9, 4), dim=6, prefix=2))
    table = old.state_dict()["learned.table"]
    resized = resize.grid(table, old=(5, 8), new=(9, 4), method="cubic", prefix=2)
    new.load_state_dict({"learned.table": resized})
    at = torch.from_numpy(positions.grid(h=9, w=4, order="hw", prefix=2))
    code = new(at)
    torch.testing.assert_close(code, resized, atol=0, rtol=0)
    code.sum().backward()
    assert (dict(new.named_parameters())["learned.table"].grad == 1).all()


REFUSED: list[tuple[Callable[[], object], type[EncodingError], str]] = [
    (
        lambda: read(LearnedGrid(sizes=(5, 8), dim=6), [[0, 3], [4, 8]]),
        EncodingError,
        "embed(): positions must be between 0 and 7, what coordinate 1 has; got '3..8'. "
        "There is nothing for 8: resize the table, as posenc.resize does.",
    ),
    (
        lambda: read(GRID, [[0, -3]]),
        EncodingError,
        "embed(): positions must be between -2 and 7, what coordinate 1 has; got -3. "
        "There is nothing for -3: resize the table, as posenc.resize does.",
    ),
    (
        lambda: read(GRID, [[1, 3], [3, -1]]),
        EncodingError,
        "embed(): positions must be cells, or 0 on every coordinate but the last in front of "
        "them; got [3, -1]. Those are the rows of the prefix.",
    ),
    (
        lambda: read(AXES, [[[0, 0]], [[-1, 2]]]),
        EncodingError,
        "embed(): positions[1] must be between 0 and 4, what coordinate 0 has; got -1. "
        "There is nothing for -1: resize the table, as posenc.resize does.",
    ),
    (
        lambda: read(GRID, [[0.5, 1.0]]),
        EncodingTypeError,
        "embed(): positions must be integers for this encoding; got 'float64'. It counts tokens; "
        "round real positions yourself if that is what they mean.",
    ),
    (
        lambda: read(GRID, [8, 9, 10]),
        EncodingError,
        "embed(): positions must be of shape (n, 2) or (*batch, n, 2); got (3,).",
    ),
    (
        lambda: LearnedGrid(sizes=(5,), dim=6),
        EncodingError,
        "LearnedGrid.sizes must be of 2 to 8 numbers; got 1.",
    ),
    (
        lambda: LearnedGrid(sizes=(50_000, 50_000), dim=6),
        EncodingError,
        "LearnedGrid must be of at most 268435456 numbers; got 15000000000.",
    ),
    (
        lambda: LearnedAxes(sizes=(5, 4), dim=5, join="concatenated"),
        EncodingError,
        "LearnedAxes.dim must be a multiple of 2 to be shared evenly; got 5. "
        "Or state dims, the channels of each coordinate.",
    ),
    (
        lambda: LearnedAxes(sizes=(5, 4), dim=6, join="concatenated", dims=(2, 2)),
        EncodingError,
        "LearnedAxes.dims must be 6 in all, as dim; got (2, 2).",
    ),
    (
        lambda: LearnedAxes(sizes=(5, 4), dim=6, join="added", dims=(2, 4)),
        EncodingError,
        "LearnedAxes.dims must be None with 'added'; got (2, 4).",
    ),
    (
        lambda: LearnedAxes(sizes=(5, 4), dim=6, join="added", tables=(0, 1, 2)),
        EncodingError,
        "LearnedAxes.tables must be 2 numbers, one a coordinate; got (0, 1, 2).",
    ),
    (
        lambda: LearnedAxes(sizes=(5, 4), dim=6, join="added", tables=(1, 0)),
        EncodingError,
        "LearnedAxes.tables must be numbered from 0 on as they first come; got (1, 0).",
    ),
    (
        lambda: LearnedAxes(sizes=(5, 4), dim=6, join="added", tables=(0, 0)),
        EncodingError,
        "LearnedAxes.tables must be of coordinates that read one table of one size and width; "
        "got (0, 0).",
    ),
    (
        lambda: GatedTiles(aspects=1024, tiles=1024, rows=1024, dim=64),
        EncodingError,
        "GatedTiles must be of at most 268435456 numbers; got 68719542273.",
    ),
    (
        lambda: positions.boxes(np.zeros((3, 5), np.int64)),
        EncodingError,
        "boxes(): corners must be of shape (*batch, n, 4); got (3, 5).",
    ),
    (
        lambda: positions.fractional(h=3, w=2, order="hw", cells=0),
        EncodingError,
        "fractional(): cells must be at least 1; got 0.",
    ),
    (
        lambda: positions.grid(h=3, w=2, order="hw", prefix=-1),
        EncodingError,
        "grid(): prefix must be between 0 and 2147483648; got -1.",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED, ids=[m for *_, m in REFUSED])
def test_refused_in_one_sentence(
    call: Callable[[], object], error: type[EncodingError], message: str
) -> None:
    with pytest.raises(EncodingError) as caught:
        call()
    assert (type(caught.value), str(caught.value)) == (error, message)
