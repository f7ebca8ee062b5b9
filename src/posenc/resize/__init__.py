"""Learned tables for another size: as the model that trained them resizes them, by name.

A table was trained for one grid, one window or one length, and every library that stretches it
has a convention of its own. Resizing is linear and goes axis by axis, so that a convention is a
matrix, ``weights(old, new, method=...)``. Its names, with who uses it:

====================  ============================================================================
nearest               TimeSformer
linear                transformers' BEiT and Data2Vec-vision for relative tables; SAM and ViTDet
                      for theirs of one axis
linear-antialias      SigLIP 2, NaFlex
linear-corners        Qwen3-VL, Qwen3.5; the JAX code of ViT, which zooms
cubic                 transformers' ViT, DeiT, DINOv2, Kimi-K2.5; Swin's authors for relative tables
cubic-antialias       DINOv2 with registers, timm
geometric-cubic       BEiT's authors, relative tables alone
geometric-linear      timm, relative tables alone
====================  ============================================================================

Along one axis "cubic" is what PyTorch calls bicubic of an image, "linear" its bilinear. With
``antialias`` its cubic kernel is another one, so that the two differ also where a table grows.

Sizes are always stated, old and new, one for each axis: a scale factor rounds down to one row too
few, and a table that is taken for square is scrambled where it is not.

Inside of ``jax.jit`` the matrices are constants; ``torch.compile`` breaks its graph around them.
"""

from posenc.resize._rows import hierarchical, rows, tiled
from posenc.resize._tables import grid, relative
from posenc.resize._weights import METHODS, weights

__all__ = ["METHODS", "grid", "hierarchical", "relative", "rows", "tiled", "weights"]
