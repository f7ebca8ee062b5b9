"""Learned arrays as parameters, named as the spec names them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from posenc.specs import Spec


class Learned(nn.Module):
    """The learned arrays of a spec; a dot in a name, as in a stack's, is a module between."""

    def __init__(self, spec: Spec, device: torch.device | str | None) -> None:
        super().__init__()
        self._spec = spec
        for name, shape in spec.learned().items():
            *path, last = name.split(".")
            home: nn.Module = self
            for step in path:
                if step not in home._modules:
                    home.add_module(step, nn.Module())
                home = home.get_submodule(step)
            values = torch.empty(shape, dtype=torch.float32, device=device)
            home.register_parameter(last, nn.Parameter(values))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw every array anew as the spec prescribes, by torch's own generator."""
        named = self.arrays()
        if not named or any(array.is_meta for array in named.values()):
            return
        seed = int(torch.randint(2**62, ()).item())
        drawn = self._spec.init(np.random.default_rng(seed))
        with torch.no_grad():
            for name, array in named.items():
                array.copy_(_shared_out(torch.from_numpy(drawn[name]), array))

    def arrays(self) -> dict[str, Tensor]:
        """The parameters by the spec's names."""
        return dict(self.named_parameters())


def _shared_out(values: Tensor, like: Any) -> Tensor:
    """The values among ranks as ``like`` is, all of them from the first rank's draw."""
    if not hasattr(like, "device_mesh"):  # no DTensor, whose module takes long to import
        return values
    from torch.distributed.tensor import distribute_tensor

    return distribute_tensor(values, like.device_mesh, like.placements)
