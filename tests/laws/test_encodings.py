"""Every law, over every encoding and every array library."""

from collections.abc import Iterator

import array_api_strict
import jax
import pytest

import posenc
from posenc import (
    Alibi,
    Axial,
    Cope,
    CrossedRope,
    Deberta,
    Decomposed,
    DualChunk,
    DynamicBias,
    DynamicNtk,
    Fire,
    Fourier,
    GatedTiles,
    GridSinusoidal,
    HighPass,
    Kerple,
    Learned,
    LearnedAxes,
    LearnedGrid,
    LearnedRope,
    Linear,
    Llama3,
    LogitScale,
    LongRope,
    MixedNtk,
    Ntk,
    Polar,
    Proportional,
    RandomFourier,
    ReRope,
    Rope,
    Sandwich,
    ScalableSoftmax,
    Sections,
    SelfExtend,
    Shaw,
    Sinusoidal,
    Stack,
    SwinBias,
    SwinV2Bias,
    T5Bias,
    Temperature,
    Time2Vec,
    TransformerXL,
    Tupe,
    XPos,
    Yarn,
)
from posenc.specs import Spec
from posenc.testing import check_encoding, laws

DIMS = (6, 10, 64, 96)
HARD: dict[str, Spec] = {
    "front": Rope(dim=6, head_dim=10, layout="half"),
    "front-interleaved": Rope(dim=4, head_dim=10, layout="interleaved"),
    "back": Rope(dim=6, head_dim=10, at="back", layout="half"),
    "back-interleaved": Rope(dim=64, head_dim=96, at="back", layout="interleaved"),
    "one-pair": Rope(dim=2, layout="interleaved"),
    "linear": Rope(dim=10, layout="interleaved", scaling=Linear(factor=8.0)),
    "ntk": Rope(dim=6, layout="half", scaling=Ntk(factor=3.0)),
    "dynamic-ntk": Rope(dim=10, layout="half", scaling=DynamicNtk(factor=2.0, trained_length=512)),
    "yarn-part": Rope(
        dim=6,
        head_dim=10,
        at="back",
        layout="half",
        scaling=Yarn(factor=40.0, trained_length=4096, mscale=1.0, mscale_all_dim=0.5),
    ),
    "yarn-real-band": Rope(
        dim=64,
        layout="half",
        base=150_000.0,
        scaling=Yarn(factor=32.0, trained_length=4096, truncate=False),
    ),
    "longrope": Rope(
        dim=6,
        layout="half",
        scaling=LongRope(
            short=[1.0, 1.5, 2.0], long=[2.0, 5.0, 9.0], trained_length=4096, factor=32.0
        ),
    ),
    "longrope-part": Rope(
        dim=6,
        head_dim=10,
        layout="interleaved",
        scaling=LongRope(
            short=[1.0, 1.5, 2.0],
            long=[2.0, 5.0, 9.0],
            trained_length=4096,
            short_mscale=1.1,
            long_mscale=0.9,
        ),
    ),
    "llama3": Rope(
        dim=10,
        layout="interleaved",
        scaling=Llama3(factor=32.0, low_freq_factor=2.0, high_freq_factor=8.0, trained_length=4096),
    ),
    "proportional": Rope(dim=10, layout="half", scaling=Proportional(share=0.5, factor=4.0)),
    "sections": Rope(dim=10, layout="half", axes=Sections(sizes=(1, 2, 2))),
    "sections-interleaved": Rope(
        dim=10,
        head_dim=16,
        layout="interleaved",
        scaling=Yarn(factor=4.0, trained_length=4096),
        axes=Sections(sizes=(3, 1, 1), order="interleaved"),
    ),
    "sections-first-last": Rope(
        dim=10, layout="half", axes=Sections(sizes=(1, 2, 2), order="first-last")
    ),
    "axial": Rope(dim=10, head_dim=12, layout="half", axes=Axial(dims=(2, 4, 4), bases=(5, 9, 7))),
    "axial-alternate": Rope(
        dim=12, layout="interleaved", axes=Axial(dims=(6, 6), order="alternate")
    ),
    "axial-strided": Rope(dim=12, layout="half", axes=Axial(dims=(6, 6), order="strided")),
    "axial-turns": Rope(
        dim=8, layout="half", base=100.0, axes=Axial(dims=(4, 4), ladder="turns", halves="axis")
    ),
    "axial-pixels": Rope(
        dim=12, layout="interleaved", base=10.0, axes=Axial(dims=(6, 6), ladder="linear")
    ),
    "axial-rising": Rope(dim=12, layout="interleaved", axes=Axial(dims=(6, 6), ladder="rising")),
    "mixed-line": LearnedRope(dim=6, heads=2, layout="half"),
    "mixed-odd": LearnedRope(dim=10, heads=5, layout="interleaved", coordinates=4, base=100.0),
    "mixed-shared": LearnedRope(dim=6, layout="half", coordinates=3),
    "crossed-text": CrossedRope(dim=10, head_dim=12, layout="half", axes=Sections(sizes=(1, 2, 2))),
    "crossed-apart": CrossedRope(
        dim=14, layout="half", base=100.0, axes=Axial(dims=(4, 6, 4), halves="axis")
    ),
    "sinusoid-half-cos": Sinusoidal(dim=10, layout="half", first="cos", scale=0.125),
    "sinusoid-tensor2tensor": Sinusoidal(dim=6, ladder="tensor2tensor", base=100.0),
    "sinusoid-7-learned-scale": Sinusoidal(
        dim=7, layout="half", odd="zero", scale=0.5, trained=True
    ),
    "sinusoid-7-zero": Sinusoidal(dim=7, layout="half", odd="zero"),
    "sinusoid-7-cut": Sinusoidal(dim=7, odd="cut"),
    "sinusoid-7-ceil": Sinusoidal(dim=7, layout="half", first="cos", odd="ceil"),
    "fourier-steep": Fourier(bands=3, start=250.0, stop=40_000.0, unit="turns", first="cos"),
    "fourier-one-band": Fourier(
        bands=1, coordinates=2, stop=5.5, spacing="linear", order="coordinate-band-wave"
    ),
    "fourier-uneven": Fourier(
        bands=3,
        coordinates=3,
        start=0.5,
        stop=(3.5, 56.0, 7.25),
        spacing="open",
        order="wave-band-coordinate",
        identity=True,
    ),
    "fourier-of-six": Fourier(bands=2, coordinates=6, order="band-wave-coordinate"),
    "random-fourier-3": RandomFourier(dim=6, coordinates=3, waves="cos", centered=True),
    "time2vec-7": Time2Vec(dim=7),
    "grid-uneven": GridSinusoidal(dims=(2, 6, 4), bases=(5, 100, 1e4), scales=(1, 0.5, 7)),
    "grid-cut": GridSinusoidal(dims=(4, 4), dim=5, rest="cut"),
    "grid-zero": GridSinusoidal(dims=(2, 4), dim=11, rest="zero", ladder="tensor2tensor"),
    "grid-cos-first": GridSinusoidal(dims=(4, 4), layout="interleaved", first="cos"),
    "grid-halves-of-all": GridSinusoidal(dims=(4, 6), dim=7, rest="cut", halves="all"),
    "grid-of-five": GridSinusoidal(dims=(2, 2, 2, 2, 2)),
    "alibi-6": Alibi(heads=6),
    "alibi-12": Alibi(heads=12, slopes="geometric", symmetric=True),
    "alibi-given": Alibi(heads=3, slopes=[0.5, 0.0, 0.3]),
    "t5-6": T5Bias(heads=6, bidirectional=True, buckets=20, max_distance=100),
    "t5-12": T5Bias(heads=12, bidirectional=False, buckets=9, max_distance=33),
    "t5-in-steps": T5Bias(heads=6, bidirectional=True, max_distance=100, step=7),
    "selfextend-part": SelfExtend(
        rope=Rope(dim=6, head_dim=10, layout="interleaved"), group=3, window=7
    ),
    "selfextend-yarn": SelfExtend(
        rope=Rope(dim=10, layout="half", scaling=Yarn(factor=4.0, trained_length=4096)), window=11
    ),
    "rerope-near": ReRope(rope=Rope(dim=10, layout="half"), window=6),
    "rerope-near-leaky": ReRope(rope=Rope(dim=10, layout="interleaved"), window=6, factor=3),
    "rerope-dynamic-ntk": ReRope(
        rope=Rope(dim=10, layout="half", scaling=DynamicNtk(factor=2.0, trained_length=512)),
        window=6,
        factor=8,
    ),
    "dual-chunk-small": DualChunk(rope=Rope(dim=10, layout="half"), chunk=9, local=3),
    "cope-of-two-heads": Cope(dim=10, rows=5, heads=2, scale=0.25),
    "cope-in-a-stack": Stack(Cope(dim=10, rows=5, heads=3), Sinusoidal(dim=6), Alibi(heads=3)),
    "alibi-falcon": Alibi(heads=6, head_dim=10, bias_max=4.0),
    "t5-page": T5Bias(heads=6, bidirectional=True, scale=0.125, coordinates=2, axis=1),
    "kerple-power": Kerple(heads=6, form="power"),
    "sandwich": Sandwich(heads=6, dim=10, base=500.0),
    "fire": Fire(heads=6, hidden=5, threshold=20.0),
    "dynamic-bias": DynamicBias(heads=6, dim=5, depth=1, log_distance=True),
    "swin-wide": SwinBias(heads=6, window=(5, 13)),
    "swin-video": SwinBias(heads=6, window=(3, 4, 6)),
    "beit-wide": SwinBias(heads=6, window=(6, 13), class_token=True),
    "levit-wide": SwinBias(heads=6, window=(5, 14), offsets="absolute", class_token=True),
    "swin-v2-wide": SwinV2Bias(heads=6, window=(5, 13), hidden=7),
    "swin-v2-pretrained": SwinV2Bias(heads=6, window=(5, 13), hidden=7, pretrained_window=(3, 8)),
    "swin-v2-cr": SwinV2Bias(heads=6, window=(5, 13), hidden=7, form="cr"),
    "learned-tight": Learned(rows=64, dim=10),
    "grid-tight": LearnedGrid(sizes=(5, 13), dim=10),
    "grid-gated": LearnedGrid(sizes=(9, 13), dim=6, prefix=3, gated=True),
    "grid-video": LearnedGrid(sizes=(3, 4, 6), dim=7, prefix=2),
    "axes-video": LearnedAxes(sizes=(9, 4, 7), dim=10, join="added"),
    "axes-shared": LearnedAxes(
        sizes=(9, 13, 9), dim=11, join="concatenated", dims=(4, 3, 4), tables=(0, 1, 0)
    ),
    "tiles": GatedTiles(aspects=3, tiles=4, rows=6, dim=10),
    "shaw-both": Shaw(head_dim=10, left=3, right=2, heads=6, order="query-key", keys=True),
    "xl-clipped": TransformerXL(heads=6, head_dim=10, left=5, right=2, clip=True),
    "deberta-p2c": Deberta(heads=6, head_dim=10, span=8, max_distance=20, c2p=False),
    "tupe-tied": Tupe(heads=6, head_dim=10, rows=64, untied=False),
    "decomposed-frames": Decomposed(head_dim=10, sizes=(3, 4, 6)),
    "stack-tupe": Stack(
        Tupe(heads=6, head_dim=10, rows=64), T5Bias(heads=6, bidirectional=True, buckets=20)
    ),
    "stack": Stack(Learned(rows=1024, dim=10), Alibi(heads=6)),
    "stack-of-points": Stack(
        Fourier(bands=2, coordinates=2, identity=True), RandomFourier(dim=10, coordinates=2)
    ),
    "stack-of-grids": Stack(
        GridSinusoidal(dims=(6, 4)),
        Rope(dim=10, head_dim=12, layout="half", axes=Axial(dims=(4, 6))),
    ),
    "mixed-ntk-one-pair": Rope(dim=2, layout="half", scaling=MixedNtk(factor=8.0, beta=0.625)),
    "dynamic-ntk-doubling": Rope(
        dim=10,
        layout="half",
        scaling=DynamicNtk(factor=3.0, trained_length=100, doubling=True),
    ),
    "high-pass": Rope(dim=10, layout="half", scaling=HighPass(trained_length=256, turns=2.0)),
    "xpos-half": XPos(dim=10, layout="half", centre=4095, scale_base=700.0, gamma=1.5),
    "xpos-one-pair": XPos(dim=2, layout="interleaved", centre=-7),
    "polar-odd": Polar(dim=7, heads=3, base=100.0),
    "learned-rope-part": LearnedRope(dim=6, head_dim=10, layout="half", heads=3),
    "learned-rope-exponents": LearnedRope(
        dim=10,
        layout="half",
        form="exponents",
        heads=3,
        scaling=Yarn(factor=4.0, trained_length=512),
    ),
    "learned-rope-plane-behind": LearnedRope(
        dim=6, head_dim=10, at="back", layout="interleaved", heads=3, coordinates=2
    ),
    "temperature-early": Temperature(rule="llama4", trained_length=7, strength=2.0),
    "temperature-in-a-stack": Stack(
        Rope(dim=6, head_dim=10, at="back", layout="interleaved"),
        Temperature(rule="ministral", trained_length=9),
        ScalableSoftmax(heads=3, bias=True),
        LogitScale(factor=0.5),
    ),
    "stack-of-three": Stack(
        Sinusoidal(dim=6), Rope(dim=10, layout="half"), T5Bias(heads=6, bidirectional=True)
    ),
}


ENTRIES = posenc.encodings(plugins=False)


def widths(name: str) -> tuple[int, ...]:
    """The widths to try; a quarter of six channels is no pair, and four of them are four pairs."""
    few = ("rope-proportional", "rope-flux-2", "rope-atoms", "detr-boxes")
    return DIMS[1:] if name in few else DIMS


def listed(*, every: bool) -> dict[str, Spec]:
    """Entries of the registry, each in every awkward width or in one, which differs by entry."""
    made = {}
    for number, (name, entry) in enumerate(ENTRIES.items()):
        dims = widths(name)
        for dim in dims if every else (dims[number % len(dims)],):
            made[f"{name}-{dim}"] = entry.make(dim=dim, heads=3, length=1024)
    return made


def sort(spec: Spec) -> str:
    """What an encoding shows anew: its class, the words and flags among its fields, and its parts.

    Of rotations it is the rule and the axes; those that differ in numbers alone are of one sort.
    """
    if isinstance(spec, Stack):
        return " with ".join(map(sort, spec.parts))
    if isinstance(spec, Rope):
        return f"{spec.scaling.kind} {spec.axes.kind}"
    said = (str, bool, type(None))
    fields = [v for v in vars(spec).values() if isinstance(v, said) or hasattr(v, "kind")]
    return " ".join([spec.kind, *(sort(v) if isinstance(v, Spec) else str(v) for v in fields)])


# JAX compiles each operation anew for every shape: there all encodings share a few. Tokens are ten
# channels wide where an encoding names no width; of those of one sort the first stands for all but
# in the slow tests.
PRESETS = {name: ENTRIES[name].make(dim=10, heads=3, length=1024) for name in ENTRIES}
FIRST = {sort(PRESETS[name]): name for name in reversed(PRESETS)}.values()
IN_JAX = {name: PRESETS[name] for name in ENTRIES if name in FIRST} | {
    "front": ENTRIES["rope-partial"].make(dim=40),
    "back": Rope(dim=10, head_dim=40, at="back", layout="interleaved"),
    "yarn-part": Rope(
        dim=10, head_dim=40, layout="half", scaling=Yarn(factor=40.0, trained_length=4096)
    ),
    "sinusoid-11-zero": Sinusoidal(dim=11, odd="zero"),
    "alibi-given": Alibi(heads=3, slopes=[0.5, 0.0, 0.3]),
    "fourier-steep": HARD["fourier-steep"],
    "stack": Stack(Learned(rows=1024, dim=10), Alibi(heads=3)),
}


def over(specs: dict[str, Spec]) -> pytest.MarkDecorator:
    """One test for each."""
    return pytest.mark.parametrize("spec", specs.values(), ids=list(specs))


def hold(spec: Spec, library: str) -> None:
    tried = check_encoding(spec, xp=library)
    assert {"shape-kept", "finite", "json-there-and-back"} <= set(tried)


@pytest.fixture(scope="module", autouse=True)
def strictest() -> Iterator[None]:
    """array-api-strict without the parts of the standard that no compiler can follow."""
    with array_api_strict.ArrayAPIStrictFlags(boolean_indexing=False, data_dependent_shapes=False):
        yield


class TestNumpy:
    """Classes, so that processes can share the libraries among them."""

    @over(listed(every=True))
    def test_laws_hold(self, spec: Spec) -> None:
        hold(spec, "numpy")


class TestHardInNumpy:
    @over(HARD)
    def test_laws_hold(self, spec: Spec) -> None:
        hold(spec, "numpy")


class TestReadOnly:
    @over(listed(every=False) | HARD)
    def test_laws_hold(self, spec: Spec) -> None:
        hold(spec, "numpy-readonly")


class TestStrict:
    @over(listed(every=False) | HARD)
    def test_laws_hold(self, spec: Spec) -> None:
        hold(spec, "array-api-strict")


class TestTorch:
    @over(listed(every=False) | HARD)
    def test_laws_hold(self, spec: Spec) -> None:
        hold(spec, "torch")


class TestJax:
    @over(IN_JAX)
    def test_laws_hold(self, spec: Spec) -> None:
        hold(spec, "jax")

    @pytest.mark.slow
    @over({name: spec for name, spec in PRESETS.items() if name not in FIRST})
    def test_laws_hold_of_the_other_presets(self, spec: Spec) -> None:
        hold(spec, "jax")


def test_jax_promotes_nothing_in_silence() -> None:
    assert jax.config.jax_numpy_dtype_promotion == "strict"


def test_no_law_goes_untried() -> None:
    tried = set(check_encoding(HARD["learned-tight"], xp="torch"))
    for spec in HARD.values():
        if tried != set(laws.LAWS):
            tried |= set(check_encoding(spec, xp="numpy"))
    assert tried == set(laws.LAWS)


@posenc.testing.parametrize([HARD["back"], HARD["alibi-6"]])
def test_laws_one_by_one(case: laws.Case, law: laws.Law) -> None:
    law.check(case)
