"""Fast bodies of the formulas in ``posenc.functional``: same arguments, same answers.

Compiled loops where Numba is installed, over arrays of NumPy and tensors of PyTorch on the CPU.
Everywhere else, and wherever a compiler or a transformation has to see the operations, the plain
body answers.
"""

from posenc.kernels._angles import angles
from posenc.kernels._direct import direct
from posenc.kernels._rotate import rotate
from posenc.kernels._rotate_at import Counted, counted, rotate_at

__all__ = ["Counted", "angles", "counted", "direct", "rotate", "rotate_at"]
