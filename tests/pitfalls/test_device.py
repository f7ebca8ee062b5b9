"""Another device than the host, whose part torch's "meta" plays: it has shapes and no numbers."""

from __future__ import annotations

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import posenc
import posenc.torch
from posenc.torch import Encoding

ROPE = posenc.Rope(dim=10, layout="half")
X = torch.zeros(2, 3, 5, 10, device="meta")
AT = torch.arange(5, device="meta")


class Watch(TorchDispatchMode):
    """What crosses to another device, and which dtypes are made on it."""

    def __init__(self) -> None:
        super().__init__()
        self.moved: list[int] = []
        self.dtypes: set[torch.dtype] = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for made in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(made, torch.Tensor) and made.is_meta:
                self.dtypes.add(made.dtype)
        if func is torch.ops.aten._to_copy.default and args[0].device != out.device:
            self.moved.append(args[0].numel())
        return out


ASKED = {
    "scheme": lambda: posenc.bind(ROPE).query(X, AT),
    "tables": lambda: posenc.tables(ROPE, AT)[0],
    "code": lambda: posenc.bind(posenc.Sinusoidal(dim=10)).embed(AT),
    "bias": lambda: posenc.bind(posenc.Alibi(heads=3)).bias(AT),
    "attend": lambda: posenc.attend(X, X, X, ROPE, q_positions=AT),
    "torch.attend": lambda: posenc.torch.attend(X, X, X, ROPE, q_positions=AT),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_only_the_small_vector_crosses_and_nothing_is_float64(ask) -> None:
    """B179, B180: tables made on the host follow late; float64 does not exist on every device."""
    with Watch() as seen:
        assert ask().device.type == "meta"
    assert max(seen.moved) <= 5  # one number a pair, or a head
    assert torch.float64 not in seen.dtypes


def test_a_module_has_everything_where_its_tokens_are() -> None:
    """B179."""
    enc = Encoding(posenc.Stack(ROPE, posenc.Alibi(heads=3))).to("meta")
    with Watch() as seen:
        q, _ = enc(X, X, AT)
        y = posenc.torch.attend(X, X, X, enc, q_positions=AT)
    assert q.device == y.device == X.device
    assert seen.moved == []


def test_autocast_is_turned_off_for_the_kind_of_device_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """B181: the guard was for one kind; and some kinds, as this one, know no autocast."""
    kinds = []
    guard = torch.autocast

    def counted(kind: str, *given, **options):
        kinds.append(kind)
        return guard(kind, *given, **options)

    monkeypatch.setattr(torch, "autocast", counted)
    here = torch.zeros(2, 3, 5, 10)
    posenc.attend(here, here, here, ROPE, q_positions=torch.arange(5))
    assert set(kinds) == {"cpu"}
    kinds.clear()
    posenc.attend(X, X, X, ROPE, q_positions=AT)
    assert kinds == []
