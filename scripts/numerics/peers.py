"""cos of other libraries at given positions, as their own rotation or sum would use it.

Each takes the positions and the dtype that the module is cast to, as models are, and imports its
library itself: that takes seconds, and one row may be all that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from ours import DIM

MOST_ROWS = 2**17
"""Of positional-encodings, whose tables begin at 0: longer ones take gigabytes."""


def host(cos: torch.Tensor) -> np.ndarray:
    return cos.detach().double().numpy()


def llama(at: np.ndarray, dtype: torch.dtype) -> np.ndarray:
    from transformers.models.llama.configuration_llama import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    config = LlamaConfig(
        head_dim=DIM, rope_parameters={"rope_type": "default", "rope_theta": 10_000.0}
    )
    module = LlamaRotaryEmbedding(config).to(dtype)
    cos, _ = module(torch.empty(0, dtype=dtype), torch.from_numpy(at)[None])
    return host(cos[0, :, : DIM // 2])


def rotary_embedding_torch(at: np.ndarray, dtype: torch.dtype) -> np.ndarray:
    from rotary_embedding_torch import RotaryEmbedding

    module, first = RotaryEmbedding(DIM).to(dtype), int(at[0])
    seq = module.get_seq_pos(len(at), dtype=dtype, offset=first)
    return host(module(seq, seq_len=len(at), offset=first).cos()[:, ::2])


def x_transformers(at: np.ndarray, dtype: torch.dtype) -> np.ndarray:
    from x_transformers.x_transformers import RotaryEmbedding

    angles, _ = RotaryEmbedding(DIM).to(dtype)(torch.from_numpy(at))
    return host(angles.cos()[0, :, ::2])


def positional_encodings(at: np.ndarray, dtype: torch.dtype) -> np.ndarray | None:
    from positional_encodings.torch_encodings import PositionalEncoding1D

    rows = int(at[-1]) + 1
    if rows > MOST_ROWS + 1:
        return None
    module = PositionalEncoding1D(DIM).to(dtype)
    table = module(torch.empty((), dtype=dtype).expand(1, rows, DIM))[0]
    return host(table[int(at[0]) :, 1::2])


PEERS: dict[str, Callable[[np.ndarray, torch.dtype], np.ndarray | None]] = {
    "transformers, LlamaRotaryEmbedding": llama,
    "rotary-embedding-torch": rotary_embedding_torch,
    "x-transformers": x_transformers,
    "positional-encodings": positional_encodings,
}
