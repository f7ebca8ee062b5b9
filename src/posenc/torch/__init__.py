"""Every encoding as one PyTorch module."""

from posenc.torch._encoding import Encoding

__all__ = ["Encoding"]
