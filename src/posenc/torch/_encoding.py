"""Any encoding as a PyTorch module."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch
from torch import Tensor, nn

from posenc._facade import check_bindable
from posenc._owner import mark_of, owned
from posenc._typing import Arithmetic, Arrays
from posenc.errors import check
from posenc.scheme import Placed, Scheme, answer
from posenc.specs import Spec
from posenc.torch._derived import Derived
from posenc.torch._learned import Learned
from posenc.torch._stored import drop_derived


class Encoding(nn.Module):
    """The one module for every spec, ours or a plug-in's.

        enc(p)            -> the code that is added to tokens
        enc(q, k, p)      -> q and k, turned; q times what the encoding multiplies logits by
        enc(p, p)         -> the bias of every query and key

    and whatever the encoding does, through ``posenc.torch.attend(q, k, v, enc, q_positions=p)``.

    Only what is learned is in the state dict, as ``learned.<name>``. What the spec determines is no
    buffer: casts, autocast, meta builds, loaders and checkpoints do not meet it.

    Args:
        spec: What to encode with.
        length: Tokens in the run, for specs whose rule depends on it; see ``for_length``.
        arithmetic: "exact" or "float32", as of ``posenc.bind``.
        device: Where parameters and constants are made.

    Raises:
        EncodingError: If ``spec`` is no spec, or a needed length is missing.

    Example:
        >>> import torch, posenc.torch
        >>> enc = posenc.torch.Encoding(posenc.Rope(dim=8, layout="half"))
        >>> q = k = torch.ones(2, 3, 5, 8)
        >>> enc(q, k, torch.arange(5))[0].shape
        torch.Size([2, 3, 5, 8])
    """

    def __init__(
        self,
        spec: Spec,
        *,
        length: int | None = None,
        arithmetic: Arithmetic = "exact",
        device: torch.device | str | None = None,
    ) -> None:
        super().__init__()
        self.length = check_bindable("Encoding", spec, length, arithmetic)
        self.spec, self.arithmetic = spec, arithmetic
        self.learned = Learned(spec, device)
        constants = spec.constants(length=self.length, arithmetic=arithmetic)
        self._derived = Derived(constants, torch.empty(0, device=device).device)
        self._mark = mark_of(spec, self.length, arithmetic)
        self._last: tuple[Arrays, Scheme] | None = None

    def forward(
        self,
        q: Any,
        k: Any = None,
        q_positions: Any = None,
        k_positions: Any = None,
        *,
        head_axis: int | None = -3,
        dtype: torch.dtype | None = None,
    ) -> Any:
        """What the encoding does; see the class for the three forms.

        Args:
            q: Queries, ``(*batch, heads, n, dim)``; or positions, alone for a code, and with
                those of keys as the second for a bias.
            k: Keys, with their heads and number.
            q_positions: Where the queries are, or what ``prepare`` made.
            k_positions: Where the keys are; None: where the queries are.
            head_axis: Where q and k have their heads: -3, -2, or None without heads.
            dtype: Of the code; float32 by default.

        Raises:
            EncodingError: If the encoding does not do this, or shapes do not fit.
        """
        given = self.scheme(), q, k, q_positions, k_positions
        return answer(*given, head_axis=head_axis, dtype=dtype)

    def prepare(
        self, q_positions: Tensor, k_positions: Tensor | None = None, *, float64: bool = False
    ) -> Placed:
        """What depends on positions alone, once for all layers that share this encoding."""
        made: Placed = self.scheme().prepare(q_positions, k_positions, float64=float64)
        return made

    def scheme(self) -> Scheme:
        """The scheme over the arrays that the module holds now."""
        learned = self.learned.arrays()
        for name, array in learned.items():
            hint = "Shard the layer that calls it, fully_shard(layer), and not the encoding alone."
            whole = not hasattr(array, "device_mesh")
            check(whole, f"Encoding(): learned.{name}", "whole where it is used", "shards", hint)
        derived = self._derived.arrays()
        if learned or torch.compiler.is_compiling():
            return self._bound_to({**derived, **learned})
        # What nothing can change is bound once, until the module moves.
        if self._last is None or self._last[0] is not derived:
            self._last = derived, self._bound_to(derived)
        return self._last[1]

    def _bound_to(self, arrays: Arrays) -> Scheme:
        return owned(self.spec.bind(arrays, length=self.length, xp=xp), self._mark)

    def __getstate__(self) -> dict[str, Any]:
        """What is bound is functions, which no copy needs: it binds again."""
        return {**self.__dict__, "_last": None}

    def for_length(self, length: int) -> Encoding:
        """This encoding for a run of another length; what is learned is shared.

        Cached keys that were turned for one length are wrong for another: turn them from raw.
        """
        other = Encoding(self.spec, length=length, arithmetic=self.arithmetic, device="meta")
        other.learned = self.learned
        other._derived.move(self._derived.device)
        return other.train(self.training)

    def reset_parameters(self) -> None:
        """Draw what is learned anew, as after ``to_empty``."""
        self.learned.reset_parameters()

    def extra_repr(self) -> str:
        length = "" if self.length is None else f", length={self.length}"
        exact = "" if self.arithmetic == "exact" else f", arithmetic={self.arithmetic!r}"
        return f"{self.spec!r}{length}{exact}"

    def _apply(self, fn: Any, recurse: bool = True) -> Encoding:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._derived.move(fn(torch.empty(0, device=self._derived.device)).device)
        return self

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        drop_derived(state_dict, prefix, self.spec, self.length)
        super()._load_from_state_dict(state_dict, prefix, *rest)
