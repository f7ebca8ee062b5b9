"""What a spec determines, on the module's device, where nothing that fills a module comes by."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from posenc._typing import Arrays


class Derived:
    """Constants as tensors that are neither parameters nor buffers.

    Casts, loaders, broadcasts and state dicts walk over those, and what a loader does not find in
    a checkpoint it fills with memory that nobody wrote. Here there is nothing to fill. Of a module
    that is built on the meta device, or filled past its own methods, they stay behind on the host
    and are taken along by each call.
    """

    def __init__(self, constants: Arrays, device: torch.device) -> None:
        self._host = {n: torch.from_numpy(np.array(value)) for n, value in constants.items()}
        self.move(torch.device("cpu") if device.type == "meta" else device)

    def move(self, device: torch.device) -> None:
        """Hold them on this device."""
        self.device = device
        self._held = {name: value.to(device) for name, value in self._host.items()}

    def arrays(self) -> dict[str, Tensor]:
        """The constants by name."""
        return self._held
