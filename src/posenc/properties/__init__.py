"""What an encoding is, measured: ten properties of any spec, ours, a plug-in's or your own.

>>> from posenc import properties, Sinusoidal
>>> properties.measure(Sinusoidal(dim=64)).row("relative").holds
True
"""

from posenc.properties._measure import Property, Scorecard, measure
from posenc.properties._subject import subject

__all__ = ["Property", "Scorecard", "measure", "subject"]
