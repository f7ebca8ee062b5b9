"""Every encoding as one PyTorch module, attention under it, and a cache to decode from."""

from posenc._arrays import library
from posenc._onnx import onnx_operators
from posenc.torch._attend import attend
from posenc.torch._cache import Cache
from posenc.torch._encoding import Encoding

library("torch")  # loaded here, since compiled code cannot import anything

__all__ = ["Cache", "Encoding", "attend", "onnx_operators"]
