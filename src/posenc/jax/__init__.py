"""Every encoding as one JAX pytree, and specs that jit takes as they are.

Importing this makes every spec, a plug-in's later ones too, a pytree without leaves: an argument
of a transformed function, or a field of any tree, that is compared rather than traced.
"""

from posenc.attention import attend
from posenc.jax._encoding import Encoding
from posenc.jax._static import register
from posenc.specs._record import every_record

__all__ = ["Encoding", "attend"]

every_record(register)
