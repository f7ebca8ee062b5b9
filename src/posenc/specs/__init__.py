"""Every encoding as plain, frozen data; one file per family.

``__all__`` holds the encodings and the records they are made of, which ``posenc`` shows as its
own. Besides them stands here what other packages need to write theirs: ``Spec``, fields that
carry their rules (``width``, ``whole``, ``number``, ``choice``, ``flag``), ``scheme_of``, and
``adopt``, which brings a constant to where the positions are.
"""

from posenc._arrays import adopt as adopt
from posenc._hooks import scheme_of as scheme_of
from posenc.specs._alibi import Alibi
from posenc.specs._axes import Axial, OneAxis, Sections
from posenc.specs._codec import from_dict as from_dict
from posenc.specs._cope import Cope
from posenc.specs._crossed import CrossedRope
from posenc.specs._deberta import Deberta
from posenc.specs._decomposed import Decomposed
from posenc.specs._fields import choice as choice
from posenc.specs._fields import field as field
from posenc.specs._fields import flag as flag
from posenc.specs._fields import number as number
from posenc.specs._fields import whole as whole
from posenc.specs._fields import width as width
from posenc.specs._fire import DynamicBias, Fire
from posenc.specs._fourier import Fourier
from posenc.specs._grid_sinusoidal import GridSinusoidal
from posenc.specs._kerple import Kerple
from posenc.specs._learned import Learned, RandomDirections
from posenc.specs._learned_grid import GatedTiles, LearnedAxes, LearnedGrid
from posenc.specs._learned_rope import LearnedRope
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._naive import Binary, Gray, Integer, NormalizedInteger, OneHot
from posenc.specs._none import NoPE
from posenc.specs._polar import Polar
from posenc.specs._random_fourier import RandomFourier, Time2Vec
from posenc.specs._record import Spec as Spec
from posenc.specs._remap import DualChunk, ReRope, SelfExtend
from posenc.specs._rope import Rope
from posenc.specs._sandwich import Sandwich
from posenc.specs._scaling import (
    DynamicNtk,
    HighPass,
    Linear,
    Llama3,
    MixedNtk,
    Ntk,
    Proportional,
    Unscaled,
)
from posenc.specs._scaling import Scaling as Scaling
from posenc.specs._shaw import Shaw
from posenc.specs._sinusoidal import Sinusoidal
from posenc.specs._stack import Stack
from posenc.specs._t5 import T5Bias
from posenc.specs._temperature import LogitScale, ScalableSoftmax, Temperature
from posenc.specs._transformer_xl import TransformerXL
from posenc.specs._tupe import Tupe
from posenc.specs._window import SwinBias, SwinV2Bias
from posenc.specs._xpos import XPos

__all__ = [
    "Alibi",
    "Axial",
    "Binary",
    "Cope",
    "CrossedRope",
    "Deberta",
    "Decomposed",
    "DualChunk",
    "DynamicBias",
    "DynamicNtk",
    "Fire",
    "Fourier",
    "GatedTiles",
    "Gray",
    "GridSinusoidal",
    "HighPass",
    "Integer",
    "Kerple",
    "Learned",
    "LearnedAxes",
    "LearnedGrid",
    "LearnedRope",
    "Linear",
    "Llama3",
    "LogitScale",
    "LongRope",
    "MixedNtk",
    "NoPE",
    "NormalizedInteger",
    "Ntk",
    "OneAxis",
    "OneHot",
    "Polar",
    "Proportional",
    "RandomDirections",
    "RandomFourier",
    "ReRope",
    "Rope",
    "Sandwich",
    "ScalableSoftmax",
    "Sections",
    "SelfExtend",
    "Shaw",
    "Sinusoidal",
    "Stack",
    "SwinBias",
    "SwinV2Bias",
    "T5Bias",
    "Temperature",
    "Time2Vec",
    "TransformerXL",
    "Tupe",
    "Unscaled",
    "XPos",
    "Yarn",
]
