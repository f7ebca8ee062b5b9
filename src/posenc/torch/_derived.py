"""What a spec determines, on the module's device, out of the reach of casts and loaders.

Integers are held as they are and real numbers as their bits, in integer buffers: ``.half()`` and
autocast leave integers alone. Whoever puts something else in their place, as loaders do that fill
what they did not find in a checkpoint, is found out by identity, and the host's truth comes back.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from posenc._typing import Arrays

_BITS = {torch.float32: torch.int32, torch.float64: torch.int64}


class Derived(nn.Module):
    """Constants as non-persistent integer buffers, derived again whenever they are not ours."""

    def __init__(self, constants: Arrays, device: torch.device | str | None) -> None:
        super().__init__()
        self._host: dict[str, Tensor] = {}
        self._ours: dict[str, tuple[Tensor, int]] = {}
        self._names: dict[str, str] = {}
        for given, value in constants.items():
            name = given.replace(".", "_")  # a stack's names have dots, buffers may not
            self._names[given] = name
            self._host[name] = torch.from_numpy(np.ascontiguousarray(value))
            self.register_buffer(name, None, persistent=False)
        self.derive(torch.empty(0, device=device).device)

    @property
    def device(self) -> torch.device:
        """Where the buffers are; the host if there are none."""
        return next((b.device for b in self.buffers()), torch.device("cpu"))

    def derive(self, device: torch.device) -> None:
        """Fill every buffer from the host."""
        for name, value in self._host.items():
            buffer = _bits(value).to(device, copy=True)
            self._buffers[name] = buffer
            self._ours[name] = (buffer, buffer._version)

    def settle(self) -> bool:
        """Derive again what somebody else has put here; True, for ``assume_constant_result``."""
        for name, buffer in self._buffers.items():
            mine, version = self._ours[name]
            if buffer is not mine or buffer is None:
                self.derive(mine.device if buffer is None else buffer.device)
                break
            if buffer._version != version:  # written over in place, as a broadcast does
                with torch.no_grad():
                    buffer.copy_(_bits(self._host[name]))
                self._ours[name] = (buffer, buffer._version)
        return True

    def arrays(self) -> dict[str, Tensor]:
        """The constants by name, as what they are."""
        held: Any = self._buffers
        return {given: _read(held[n], self._host[n]) for given, n in self._names.items()}

    def _apply(self, fn: Any, recurse: bool = True) -> Derived:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self.derive(self.device)
        return self


def _bits(host: Tensor) -> Tensor:
    return host.view(_BITS.get(host.dtype, host.dtype))


def _read(buffer: Tensor, host: Tensor) -> Tensor:
    """The numbers whose bits a buffer holds."""
    if host.dtype not in _BITS:
        return buffer
    if torch.compiler.is_exporting():  # ONNX has no operator that reads bits as another number
        return host.to(buffer.device)
    return buffer.view(host.dtype)
