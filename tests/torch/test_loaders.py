"""Whoever fills a model from outside: checkpoints, loaders, sharding."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import PretrainedConfig, PreTrainedModel

import posenc
from posenc.specs import Spec
from posenc.torch import Encoding

PLACES = torch.tensor([8, 9, 40, 70_001, 70_002])
ROPE = posenc.Rope(dim=10, layout="half", base=5e5)
T5 = posenc.T5Bias(heads=3, bidirectional=True)
LEARNED = posenc.Stack(posenc.Alibi(heads=3), T5)
X = torch.randn(2, 3, 5, 10, generator=torch.Generator().manual_seed(0))
DTYPES = [torch.float32, torch.bfloat16]


class Model(PreTrainedModel):
    config_class = PretrainedConfig
    spec: Spec

    def __init__(self, config: PretrainedConfig) -> None:
        super().__init__(config)
        self.proj = nn.Linear(10, 10)
        self.enc = Encoding(self.spec)
        self.post_init()


class Rotary(Model):
    spec = ROPE


class Biased(Model):
    spec = LEARNED


class Drawing(Model):
    """One that draws what its checkpoint lacks, as transformers asks of parameters of one's own."""

    spec = T5

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()


def saved(model: PreTrainedModel, folder: Path) -> Path:
    model.save_pretrained(folder)
    return folder / "model.safetensors"


@pytest.mark.parametrize("dtype", DTYPES)
def test_from_pretrained_derives_what_no_file_has(tmp_path: Path, dtype: torch.dtype) -> None:
    """B75, B78: it builds on no device, and fills buffers with memory that nobody wrote."""
    file = saved(Rotary(PretrainedConfig()), tmp_path)
    assert set(load_file(file)) == {"proj.weight", "proj.bias"}
    model = Rotary.from_pretrained(tmp_path, dtype=dtype)
    assert model.proj.weight.dtype == dtype
    due = posenc.bind(ROPE).query(X, PLACES)
    torch.testing.assert_close(model.enc(X, X, PLACES)[0], due, atol=5e-7, rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_from_pretrained_loads_what_is_learned(tmp_path: Path, dtype: torch.dtype) -> None:
    torch.manual_seed(1)
    first = Biased(PretrainedConfig())
    file = saved(first, tmp_path)
    assert set(load_file(file)) == {"proj.weight", "proj.bias", "enc.learned.1.table"}
    model = Biased.from_pretrained(tmp_path, dtype=dtype)
    due, got = first.enc(PLACES, PLACES), model.enc(PLACES, PLACES)
    torch.testing.assert_close(got, due, rtol=0, atol=0)


def test_from_pretrained_draws_what_a_checkpoint_lacks(tmp_path: Path) -> None:
    torch.manual_seed(2)
    first = Drawing(PretrainedConfig())
    file = saved(first, tmp_path)
    again = Drawing.from_pretrained(tmp_path)
    assert torch.equal(*(m.enc.learned.arrays()["table"] for m in (first, again)))
    stored = load_file(file)
    del stored["enc.learned.table"]
    save_file(stored, file, metadata={"format": "pt"})
    drawn = Drawing.from_pretrained(tmp_path).enc.learned.arrays()["table"]
    due = Encoding(T5).learned.arrays()["table"].std()
    assert drawn.std().item() == pytest.approx(due.item(), rel=0.5)


class DrawingOneOfTwo(Drawing):
    spec = posenc.Stack(T5, posenc.Learned(rows=50, dim=10))


@pytest.mark.parametrize("lost", ["0.table", "1.table"])
def test_from_pretrained_draws_what_one_part_lacks(tmp_path: Path, lost: str) -> None:
    first = DrawingOneOfTwo(PretrainedConfig())
    file = saved(first, tmp_path)
    stored = load_file(file)
    del stored[f"enc.learned.{lost}"]
    save_file(stored, file, metadata={"format": "pt"})
    due = first.enc.learned.arrays()
    for name, array in DrawingOneOfTwo.from_pretrained(tmp_path).enc.learned.arrays().items():
        assert torch.equal(array, due[name]) == (name != lost)
        assert array.std().item() == pytest.approx(due[name].std().item(), rel=0.5)


def test_what_transformers_has_read_stays_while_it_draws_the_rest() -> None:
    enc = Encoding(DrawingOneOfTwo.spec)
    before = {n: p.detach().clone() for n, p in enc.learned.arrays().items()}
    enc.learned.arrays()["1.table"]._is_hf_initialized = True
    enc.reset_parameters()
    after = enc.learned.arrays()
    assert torch.equal(after["1.table"], before["1.table"])
    assert not torch.equal(after["0.table"], before["0.table"])


def placed(enc: Encoding, name: str, value: Tensor) -> None:
    """A tensor put in place by its name, past every method of the module, as accelerate does."""
    *path, last = name.split(".")
    enc.get_submodule(".".join(path))._parameters[last] = nn.Parameter(value)


@pytest.mark.parametrize("spec", [ROPE, posenc.Alibi(heads=3)])
def test_a_module_built_on_no_device_and_never_moved(spec: Spec) -> None:
    """It has no tensor for a loader to move, so none can be left behind."""
    enc = Encoding(spec, device="meta")
    scheme = posenc.bind(spec)
    got = enc(PLACES, PLACES) if scheme.bias else enc(X, X, PLACES)[0]
    due = scheme.bias(PLACES, PLACES) if scheme.bias else scheme.query(X, PLACES)
    torch.testing.assert_close(got, due, atol=5e-7, rtol=1e-6)


def test_learned_arrays_set_by_name_or_assigned() -> None:
    first = Encoding(LEARNED)
    due = first(PLACES, PLACES)
    by_name, assigned = Encoding(LEARNED, device="meta"), Encoding(LEARNED, device="meta")
    for name, value in first.state_dict().items():
        placed(by_name, name, value)
    assigned.load_state_dict(first.state_dict(), assign=True)
    for enc in (by_name, assigned):
        torch.testing.assert_close(enc(PLACES, PLACES), due, rtol=0, atol=0)


def test_parameters_that_are_swapped_on_conversion() -> None:
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        enc = Encoding(LEARNED)
        table = enc.learned.arrays()["1.table"]
        due = table.detach().bfloat16()
        enc.to(torch.bfloat16)
    finally:
        torch.__future__.set_swap_module_params_on_conversion(False)
    assert enc.learned.arrays()["1.table"] is table
    assert torch.equal(table, due)
    alone = posenc.bind(T5, {"table": due}).bias(PLACES, PLACES)
    alibi = posenc.bind(posenc.Alibi(heads=3)).bias(PLACES, PLACES)
    torch.testing.assert_close(enc(PLACES, PLACES), alibi + alone, rtol=0, atol=0)


def test_a_flat_vector_of_parameters() -> None:
    first, second = Encoding(LEARNED), Encoding(LEARNED)
    vector = nn.utils.parameters_to_vector(first.parameters())
    assert len(vector) == 32 * 3
    nn.utils.vector_to_parameters(vector, second.parameters())
    torch.testing.assert_close(second(PLACES, PLACES), first(PLACES, PLACES), rtol=0, atol=0)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("way", ["ddp", "fsdp"])
def test_two_processes_take_the_step_of_one(way: str, dtype: str, tmp_path: Path) -> None:
    script = Path(__file__).with_name("two_ranks.py")
    ranks = [
        subprocess.Popen(
            [sys.executable, script, str(rank), tmp_path, way, dtype],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        said = [rank.communicate(timeout=120)[0] for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    assert [rank.returncode for rank in ranks] == [0, 0], "\n".join(said)
