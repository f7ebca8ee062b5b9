"""Our own entries as plain data; a new encoding adds a row here and its spec, nothing else."""

from posenc._catalog import (
    _absolute,
    _bias,
    _context,
    _grid,
    _naive,
    _relative,
    _rotary,
    _rotary_axes,
    _rotary_canvas,
    _rotary_images,
    _rotary_latent,
    _rotary_models,
    _tables,
    _temperature,
    _time,
    _window,
)

_FAMILIES = (
    _naive,
    _absolute,
    _tables,
    _time,
    _rotary,
    _rotary_models,
    _rotary_latent,
    _temperature,
    _rotary_axes,
    _rotary_images,
    _bias,
    _relative,
    _grid,
    _rotary_canvas,
    _window,
    _context,
)

ENTRIES = [values for family in _FAMILIES for values in family.ENTRIES]
"""Every entry, in the order of the list."""
