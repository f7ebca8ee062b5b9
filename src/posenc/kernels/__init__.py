"""Fast bodies of the formulas in ``posenc.functional``: same arguments, same answers.

Compiled loops where Numba is installed, over arrays of NumPy and tensors of PyTorch on the CPU.
Everywhere else, and wherever a compiler or a transformation has to see the operations, the plain
body answers. What costs most on a CPU is memory: ``posenc.rotate(..., out=)`` and ``workspace``
save it.
"""

from posenc.kernels._angles import angles
from posenc.kernels._direct import direct
from posenc.kernels._memory import has_own_places as has_own_places
from posenc.kernels._memory import overlap as overlap
from posenc.kernels._rotate import again as again
from posenc.kernels._rotate import rotate
from posenc.kernels._rotate_at import Counted, counted, rotate_at
from posenc.kernels._workspace import Workspace, workspace

__all__ = [
    "Counted",
    "Workspace",
    "angles",
    "counted",
    "direct",
    "rotate",
    "rotate_at",
    "workspace",
]
