"""Every encoding as one PyTorch module, and attention under it."""

from posenc.torch._attend import attend
from posenc.torch._encoding import Encoding

__all__ = ["Encoding", "attend"]
