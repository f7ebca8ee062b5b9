"""Timesteps and Fourier features of installed diffusers, transformers, timm and x-transformers.

Places are off the integers and far out too; grids are not square, widths no powers of two.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import mpmath
import pytest
import torch
from diffusers.models import embeddings
from diffusers.models.autoencoders.autoencoder_kl_mochi import FourierFeatures
from diffusers.models.transformers.stable_audio_transformer import (
    StableAudioGaussianFourierProjection,
)
from diffusers.models.transformers.transformer_minimax_music3 import MiniMaxMusic3FourierEmbedding
from diffusers.models.transformers.transformer_stable_audio3 import StableAudio3ExpoFourierFeatures
from torch import Tensor
from transformers import PI0Config, SamConfig, SamModel
from transformers.models.esmfold2.modeling_esmfold2 import EsmFold2FourierEmbedding
from transformers.models.perceiver.modeling_perceiver import PerceiverFourierPositionEncoding
from transformers.models.pi0.modeling_pi0 import PI0TimestepEmbeddings
from x_transformers.neo_mlp import RandomFourierEmbed

import posenc
from posenc import Fourier, Sinusoidal
from posenc.specs import Spec

pytestmark = pytest.mark.upstream

NEAR = torch.tensor([0.0, 0.5, 8.0, 41.25, 513.0, 999.0])
SHARES = torch.tensor([0.0, 0.0078125, 0.251953125, 0.5, 0.9990234375, 1.0])
ROWS, COLUMNS = 5, 9


def made(name: str, dim: int, **fields: Any) -> Spec:
    return posenc.encodings(plugins=False)[name].make(dim=dim, **fields)


def code(spec: Spec, at: Tensor, **arrays: Tensor) -> Tensor:
    found: Any = posenc.bind(spec, arrays or None).embed
    return found(at)  # type: ignore[no-any-return]


def off(got: Tensor, due: Tensor) -> float:
    assert got.shape == due.shape
    return (got.double() - due.double()).abs().max().item()


def drawn(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(3))


def grid() -> Tensor:
    """Coordinates from -1 to 1, rows and columns; (5 * 9, 2)."""
    sides = [torch.linspace(-1, 1, n) for n in (ROWS, COLUMNS)]
    return torch.stack(torch.meshgrid(*sides, indexing="ij"), -1).flatten(0, 1)


def true_flow_time(dim: int, at: Tensor, freqs: list[Any]) -> Tensor:
    """[cos, sin] of each time at each frequency, to the last bit of float64."""
    with mpmath.workprec(200):
        angles = [[mpmath.mpf(t) * w for w in freqs[: dim // 2]] for t in at.tolist()]
        halves = [[[float(f(a)) for a in row] for row in angles] for f in (mpmath.cos, mpmath.sin)]
    return torch.cat([torch.tensor(half, dtype=torch.float64) for half in halves], -1)


TIMESTEPS: dict[str, dict[str, Any]] = {
    "timestep-ddpm": {"flip_sin_to_cos": False, "downscale_freq_shift": 1},
    "timestep": {"flip_sin_to_cos": True, "downscale_freq_shift": 0},
    "timestep-dit": {"flip_sin_to_cos": True, "downscale_freq_shift": 1},
}


@pytest.mark.parametrize("dim", [6, 7, 10, 11, 64, 96, 256])
@pytest.mark.parametrize("name", TIMESTEPS)
def test_timesteps_of_diffusers(name: str, dim: int) -> None:
    """Their frequency and their angle are float32: the last place of 999 is 6e-5."""
    theirs, ours = embeddings.Timesteps(dim, **TIMESTEPS[name])(NEAR), code(made(name, dim), NEAR)
    assert off(theirs[:4], ours[:4]) < 5e-6
    assert off(theirs, ours) < 1e-4


@pytest.mark.parametrize("dim", [6, 10, 64, 256])
def test_far_timesteps_of_diffusers_are_the_ones_that_are_off(dim: int) -> None:
    at = torch.tensor([70_001, 131_071])
    with mpmath.workprec(200):
        freqs = [mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / dim) for i in range(dim // 2)]
    due = true_flow_time(dim, at, freqs)
    theirs = embeddings.get_timestep_embedding(at, dim, True, 0)
    assert off(code(made("timestep", dim), at), due) < 5e-7
    assert 1e-4 < off(theirs, due) < 2e-2


def test_ernie_image_has_sines_first_and_no_shift() -> None:
    theirs = embeddings.Timesteps(10, flip_sin_to_cos=False, downscale_freq_shift=0)(NEAR)
    assert off(theirs, code(Sinusoidal(dim=10, layout="half"), NEAR)) < 1e-4


def test_dit_in_diffusers_has_cosines_first_and_shift_one() -> None:
    """As no other model there; its authors' code has no shift, which `timestep` is."""
    layer = embeddings.CombinedTimestepLabelEmbeddings(10, 8)
    due = layer.time_proj(NEAR)
    assert off(due, code(made("timestep-dit", 256), NEAR)) < 1e-4
    assert off(due, code(made("timestep", 256), NEAR)) > 0.5


def test_the_two_tables_of_timesteps_are_not_each_other() -> None:
    names = ("timestep-ddpm", "timestep")
    first, second = (code(made(name, 64), NEAR[3:]) for name in names)
    halves = torch.cat([second[:, 32:], second[:, :32]], -1)
    assert off(first, second) > 1
    assert off(first, halves) > 0.5  # nor with the halves exchanged: the ladder differs


@pytest.mark.parametrize("dim", [6, 10, 64, 256])
def test_flow_times_of_diffusers(dim: int) -> None:
    options: dict[str, Any] = {"flip_sin_to_cos": True, "downscale_freq_shift": 0}
    theirs = embeddings.Timesteps(dim, **options, scale=1000)(SHARES)
    ours = code(made("timestep-flow", dim), SHARES)
    assert off(theirs, ours) < 1.1e-4
    # Models that multiply before the table get the plain one, at times of float32.
    assert off(code(made("timestep", dim), SHARES * 1000), ours) < 1e-6


def test_six_numbers_of_sdxl_are_six_codes_in_a_row() -> None:
    """Heights and widths as they were, where the crop begins, and as they shall be."""
    ids = torch.tensor(
        [[1024.0, 768.0, 0.0, 13.0, 1024.0, 1024.0], [70.0, 90.0, 3.0, 0.0, 8.0, 9.0]]
    )
    table = embeddings.Timesteps(10, flip_sin_to_cos=True, downscale_freq_shift=0)
    theirs = table(ids.flatten()).reshape(2, -1)
    assert off(theirs, code(made("timestep", 10), ids).flatten(1)) < 1e-4


@pytest.mark.parametrize("dim", [6, 64, 1024])
def test_pi0(dim: int) -> None:
    config = PI0Config(dit_config={"model_type": "gemma", "hidden_size": dim})
    theirs = PI0TimestepEmbeddings(config)(SHARES)
    assert off(theirs, code(made("timestep-pi0", dim), SHARES)) < 3e-4


def test_stable_audio_3_rounds_its_frequencies() -> None:
    """Ten thousand turns of a float32 frequency: the last places of its logarithm are 0.07."""
    dim = 1024
    with mpmath.workprec(200):
        shares = [mpmath.mpf(i) / (dim // 2 - 1) for i in range(dim // 2)]
        freqs = [mpmath.pi * mpmath.mpf(20_000) ** share for share in shares]
    due = true_flow_time(dim, SHARES, freqs)
    theirs = StableAudio3ExpoFourierFeatures(dim)(SHARES)
    assert off(code(made("timestep-stable-audio-3", dim), SHARES), due) < 5e-7
    assert 0.02 < off(theirs, due) < 0.2
    assert off(theirs[:, :64], due[:, :64]) < 1e-3


def test_gligen() -> None:
    box = torch.rand(2, 3, 4, generator=torch.Generator().manual_seed(0))
    theirs = embeddings.get_fourier_embeds_from_boundingbox(8, box)
    assert off(theirs, code(made("fourier-gligen", 64), box)) < 6e-6


def test_mochi() -> None:
    x = torch.rand(2, 4, 3, ROWS, COLUMNS, generator=torch.Generator().manual_seed(0)) * 2 - 1
    bands = {"bands": 2, "start": 64, "stop": 256, "spacing": "open", "unit": "turns"}
    spec = Fourier(coordinates=4, **bands, identity=True)
    ours = code(spec, x.movedim(1, -1)).movedim(-1, 1)
    assert off(FourierFeatures()(x), ours) < 1e-4


@pytest.mark.parametrize(("bands", "resolution"), [(6, (7, 13)), (64, (224, 224)), (1, (9, 5))])
def test_perceiver(bands: int, resolution: tuple[int, int]) -> None:
    layer = PerceiverFourierPositionEncoding(bands, resolution)
    theirs = layer([ROWS, COLUMNS], 1, torch.device("cpu"), torch.float32)[0]
    spec = made("fourier-perceiver", 10, bands=bands, stop=[side / 2 for side in resolution])
    assert layer.output_size() == spec.dim  # type: ignore[attr-defined]
    assert off(theirs, code(spec, grid())) < 5e-5


def test_timm(timm_layer: Callable[[str], ModuleType]) -> None:
    layer = timm_layer("pos_embed_sincos").FourierEmbed(max_res=30, num_bands=7)
    theirs = layer(torch.zeros(1, 3, ROWS, COLUMNS))[0, :, 3:]
    spec = Fourier(
        coordinates=2,
        bands=7,
        stop=15,
        spacing="linear",
        unit="half-turns",
        order="wave-band-coordinate",
        identity=True,
    )
    assert off(theirs, code(spec, grid())) < 1e-5


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("waves", ["sin-cos", "cos-sin"])
def test_gaussian_projection(waves: str, log: bool) -> None:
    layer = embeddings.GaussianFourierProjection(
        35, scale=16.0, log=log, flip_sin_to_cos=waves == "cos-sin"
    )
    layer.weight.data = 16 * drawn(35)
    levels = torch.tensor([0.01, 0.3, 1.7, 8.0])
    at = torch.log(levels) if log else levels
    spec = made("random-fourier-score", 70, waves=waves)
    assert off(layer(levels), code(spec, at, frequencies=layer.weight[None])) < 4e-4


def test_learned_waves_of_stable_audio_and_minimax() -> None:
    spec = made("random-fourier-learned", 10)
    audio = StableAudioGaussianFourierProjection(5, log=False, flip_sin_to_cos=True)
    audio.weight.data = drawn(5)
    assert off(audio(SHARES), code(spec, SHARES, frequencies=audio.weight[None])) < 3e-6
    music = MiniMaxMusic3FourierEmbedding(10)
    music.weight.data = drawn(5, 1)
    assert off(music(SHARES), code(spec, SHARES, frequencies=music.weight.T)) < 3e-6


def test_cosines_of_esmfold2_and_neo_mlp() -> None:
    at, spec = torch.tensor([-2.5, 0.3, 4.0, 8.0]), made("random-fourier-phases", 10)
    fold = EsmFold2FourierEmbedding(10)
    given = {"frequencies": fold.frequencies[None], "phases": fold.phases}
    assert off(fold(at), code(spec, at, **given)) < 1e-5
    layer = RandomFourierEmbed(10)
    given = {"frequencies": layer.proj.weight.T, "phases": layer.proj.bias}
    assert off(layer(at), code(spec, at, **given)) < 1e-5


@pytest.fixture(scope="module")
def sam() -> SamModel:
    tiny = {"num_hidden_layers": 1, "num_attention_heads": 2}
    vision = {**tiny, "hidden_size": 16, "image_size": 96, "patch_size": 16, "output_channels": 20}
    prompt = {"hidden_size": 20, "image_size": 96, "patch_size": 16}
    config = SamConfig(
        vision_config={**vision, "num_pos_feats": 10, "window_size": 0},
        prompt_encoder_config=prompt,
        mask_decoder_config={**tiny, "hidden_size": 20, "mlp_dim": 8, "iou_head_hidden_dim": 8},
    )
    torch.manual_seed(4)
    return SamModel(config).eval()


def test_sam_on_a_grid_that_is_not_square(sam: SamModel) -> None:
    """The grid is (i + 0.5) / n, the column first."""
    layer = sam.shared_image_embedding
    sides = [(torch.arange(n) + 0.5) / n for n in (ROWS, COLUMNS)]
    rows, columns = torch.meshgrid(*sides, indexing="ij")
    at = torch.stack([columns, rows], -1)
    spec = made("random-fourier-sam", 20)
    ours = code(spec, at, frequencies=layer.positional_embedding)
    assert off(layer(at), ours) < 2e-4

    size = sam.config.prompt_encoder_config.image_embedding_size
    middle = (torch.arange(size) + 0.5) / size
    square = torch.stack(torch.meshgrid(middle, middle, indexing="xy"), -1)
    theirs = sam.get_image_wide_positional_embeddings()[0].movedim(0, -1)
    ours = code(spec, square, frequencies=layer.positional_embedding)
    assert off(theirs, ours) < 2e-4


def test_points_of_sam_are_moved_by_half_a_pixel(sam: SamModel) -> None:
    encoder = sam.prompt_encoder
    points = torch.tensor([[[[3.0, 70.0], [95.0, 8.0], [41.0, 41.0]]]])
    labels = torch.ones(1, 1, 3, dtype=torch.int)
    theirs = encoder._embed_points(points, labels, pad=False) - encoder.point_embed[1].weight
    spec, matrix = made("random-fourier-sam", 20), sam.shared_image_embedding.positional_embedding
    assert off(theirs, code(spec, (points + 0.5) / 96, frequencies=matrix)) < 2e-4
    assert off(theirs, code(spec, points / 96, frequencies=matrix)) > 0.05
