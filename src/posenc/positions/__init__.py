"""Where each token is, as an explicit array: the only source of positions in this library.

Every function here says who stands where; nothing else guesses. Positions are integers of shape
``(n,)`` or ``(*batch, n)``, with the coordinates on one more last axis where there are several.
Where attention has to know more than positions, such as which tokens are padding, the function
returns that with them.
"""

from posenc.positions._augmented import augmented
from posenc.positions._check import bring as bring
from posenc.positions._check import carried as carried
from posenc.positions._check import check_positions as check_positions
from posenc.positions._detr import Pixels, detr
from posenc.positions._digits import digits
from posenc.positions._drawn import random_offset, randomized
from posenc.positions._grid import centres, grid, middle, rescaled
from posenc.positions._grouped import Grouped, grouped
from posenc.positions._hunyuan import mrope_hunyuan_vl
from posenc.positions._images import boxes, fractional
from posenc.positions._joint import (
    Joint,
    joint_flux,
    joint_flux2,
    joint_lumina2,
    joint_qwen_image,
)
from posenc.positions._packing import Packed, packed
from posenc.positions._padding import Padded, from_mask
from posenc.positions._parallel import Rank, rank
from posenc.positions._ranges import arange
from posenc.positions._times import timestamps
from posenc.positions._videorope import mrope_videorope
from posenc.positions._vision import (
    Image,
    Mrope,
    Video,
    mrope_glm4v,
    mrope_qwen2_5_vl,
    mrope_qwen2_vl,
    mrope_qwen3_vl,
)
from posenc.positions._window import Window, moving_window

__all__ = [
    "Grouped",
    "Image",
    "Joint",
    "Mrope",
    "Packed",
    "Padded",
    "Pixels",
    "Rank",
    "Video",
    "Window",
    "arange",
    "augmented",
    "boxes",
    "centres",
    "detr",
    "digits",
    "fractional",
    "from_mask",
    "grid",
    "grouped",
    "joint_flux",
    "joint_flux2",
    "joint_lumina2",
    "joint_qwen_image",
    "middle",
    "moving_window",
    "mrope_glm4v",
    "mrope_hunyuan_vl",
    "mrope_qwen2_5_vl",
    "mrope_qwen2_vl",
    "mrope_qwen3_vl",
    "mrope_videorope",
    "packed",
    "random_offset",
    "randomized",
    "rank",
    "rescaled",
    "timestamps",
]
