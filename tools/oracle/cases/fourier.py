"""Fourier features as shipped: times of diffusion, points in space, boxes, noise levels."""

from collections.abc import Iterator, Sequence
from typing import Any

from oracle.answers import answers
from oracle.exact import Data

TIMES: list[float] = [0.0, 0.25, 0.728515625, 1.0, 8.0, 70001.0]
POINTS = [[0.25, -0.625], [0.90625, 0.3125], [8.0, 13.0], [70001.0, 5.0]]
BOXES = [[0.125, 0.25, 0.8125, 0.96875], [8.0, 3.0, 9.0, 41.0]]
DRAWN = [[0.75, -1.5, 0.140625, 12.25], [-0.3125, 2.125, 0.5, 7.0]]
PHASES = [0.25, -0.4375, 1.125, 0.0625]


def fourier(
    bands: int,
    coordinates: int = 1,
    *,
    start: float = 1.0,
    stop: Sequence[float] | None = None,
    spacing: str = "geometric",
    unit: str = "radians",
    order: str = "wave-coordinate-band",
    first: str = "sin",
    identity: bool = False,
) -> Data:
    return {
        "kind": "fourier",
        "bands": bands,
        "coordinates": coordinates,
        "start": start,
        "stop": None if stop is None else list(stop),
        "spacing": spacing,
        "unit": unit,
        "order": order,
        "first": first,
        "identity": identity,
    }


def random_fourier(
    dim: int, coordinates: int, waves: str = "sin-cos", *, centered: bool = False
) -> Data:
    return {
        "kind": "random_fourier",
        "dim": dim,
        "coordinates": coordinates,
        "sigma": 1.0,
        "waves": waves,
        "centered": centered,
        "trained": False,
    }


def case(name: str, spec: Data, source: str, positions: list[Any]) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None}
    inputs |= {"reference": source, "positions": positions}
    return inputs | answers(inputs, ["frequencies", "embed"])


def given(name: str, spec: Data, source: str, positions: list[Any], arrays: Data) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None}
    inputs |= {"reference": source, "positions": positions, "arrays": arrays}
    return inputs | answers(inputs, ["embed"])


def cases() -> Iterator[Data]:
    spec = fourier(4, start=1000.0, stop=[0.1], spacing="open", first="cos")
    yield case("flow-times-1000", spec, "diffusers, Timesteps(scale=1000)", TIMES)
    spec = fourier(3, start=250.0, stop=[0.25], unit="turns")
    yield case("pi0", spec, "arXiv:2410.24164 and its code", TIMES)
    spec = fourier(3, start=0.5, stop=[10000.0], unit="turns", first="cos")
    yield case("stable-audio-3", spec, "diffusers, StableAudio3ExpoFourierFeatures", TIMES[:-1])

    nerf = "arXiv:2003.08934, eq. 4"
    spec = fourier(3, 2, unit="half-turns", order="coordinate-band-wave")
    yield case("nerf-paper", spec, nerf, POINTS)
    spec = fourier(3, 2, order="band-wave-coordinate", identity=True)
    yield case("nerf-code", spec, "run_nerf_helpers.py of NeRF", POINTS)
    spec = fourier(3, 2, order="wave-band-coordinate", identity=True)
    yield case("multinerf", spec, "coord.pos_enc of multinerf", POINTS)
    spec = fourier(16, unit="half-turns")
    yield case("nerf-16-octaves", spec, nerf, [0.3125, 0.999755859375, 8.0])
    spec = fourier(3, 2, stop=[2.0**2], spacing="linear", order="band-wave-coordinate")
    yield case("nerf-linear", spec, "run_nerf_helpers.py of NeRF, log_sampling=False", POINTS)

    perceiver = "arXiv:2103.03206, section 3.2"
    spec = fourier(3, 2, stop=[3.5, 6.5], spacing="linear", unit="half-turns", identity=True)
    yield case("perceiver-7-by-13", spec, perceiver, POINTS)
    spec = fourier(1, 2, stop=[112.0], spacing="linear", unit="half-turns", first="cos")
    yield case("one-band", spec, perceiver, POINTS)
    spec = fourier(3, 4, stop=[100.0], spacing="open", order="band-wave-coordinate")
    yield case("gligen", spec, "diffusers, get_fourier_embeds_from_boundingbox", BOXES)

    matrix: Data = {"frequencies": DRAWN}
    row: Data = {"frequencies": DRAWN[:1]}
    tancik = "arXiv:2006.10739"
    yield given("random", random_fourier(8, 2, "cos-sin"), tancik, POINTS, matrix)
    spec = random_fourier(8, 2, centered=True)
    yield given("sam", spec, "segment-anything, PositionEmbeddingRandom", POINTS, matrix)
    score = "arXiv:2011.13456 and its code; positions are logarithms"
    yield given("score", random_fourier(8, 1), score, [-2.5, 0.25, 8.0], row)
    spec = random_fourier(4, 1, "cos")
    phased = {**row, "phases": PHASES}
    yield given("phases", spec, "AlphaFold 3, supplement, algorithm 22", TIMES, phased)
    yield given(
        "time2vec",
        {"kind": "time2_vec", "dim": 4},
        "arXiv:1907.05321, eq. 1",
        [-3.0, 0.0, 0.25, 8.0, 70001.0],
        {"frequencies": DRAWN[0], "phases": PHASES},
    )
