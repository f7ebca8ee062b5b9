"""Learned arrays as parameters, named as the spec names them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from posenc.specs import Spec


class Learned(nn.Module):
    """The learned arrays of a spec, or those of them whose names begin with ``under``.

    A dot in a name, as in a stack's, is a module between, which can draw its own arrays: loaders
    ask that of the modules that hold what a checkpoint lacks.
    """

    def __init__(self, spec: Spec, device: torch.device | str | None, under: str = "") -> None:
        super().__init__()
        self._spec, self._under = spec, under
        for name, shape in spec.learned().items():
            if not name.startswith(under):
                continue
            first, dot, _ = name.removeprefix(under).partition(".")
            if not dot:
                values = torch.empty(shape, dtype=torch.float32, device=device)
                self.register_parameter(first, nn.Parameter(values))
            elif first not in self._modules:
                self.add_module(first, Learned(spec, device, f"{under}{first}."))
        if not under:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw every array anew as the spec prescribes, by torch's own generator.

        While transformers fills in what a checkpoint lacks, what it has read stays.
        """
        named = dict(self.named_parameters())
        if not named or any(array.is_meta for array in named.values()):
            return
        seed = int(torch.randint(2**62, ()).item())
        drawn = self._spec.init(np.random.default_rng(seed))
        read = {n for n, array in named.items() if getattr(array, "_is_hf_initialized", False)}
        with torch.no_grad():
            for name in named if len(read) == len(named) else named.keys() - read:
                array = named[name]
                array.copy_(_shared_out(torch.from_numpy(drawn[self._under + name]), array))

    def arrays(self) -> dict[str, Tensor]:
        """What the attributes hold, by the spec's names: parameters, or what replaced them."""
        return {name: self._held(name) for name in self._spec.learned()}

    def _held(self, name: str) -> Tensor:
        path, _, last = name.rpartition(".")
        return getattr(self.get_submodule(path), last)  # type: ignore[no-any-return]


def _shared_out(values: Tensor, like: Any) -> Tensor:
    """The values among ranks as ``like`` is, all of them from the first rank's draw."""
    if not hasattr(like, "device_mesh"):  # no DTensor, whose module takes long to import
        return values
    from torch.distributed.tensor import distribute_tensor

    return distribute_tensor(values, like.device_mesh, like.placements)
