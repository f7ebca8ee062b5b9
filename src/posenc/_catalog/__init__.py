"""Our own entries as plain data; a new encoding adds a row here and its spec, nothing else."""

from posenc._catalog import _absolute, _bias, _naive, _rotary, _rotary_models, _temperature

ENTRIES = [
    *_naive.ENTRIES,
    *_absolute.ENTRIES,
    *_rotary.ENTRIES,
    *_rotary_models.ENTRIES,
    *_temperature.ENTRIES,
    *_bias.ENTRIES,
]
"""Every entry, in the order of the list."""
