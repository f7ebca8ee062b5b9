"""Our own entries as plain data; a new encoding adds a row here and its spec, nothing else."""

from posenc._catalog import _absolute, _bias, _context, _naive, _rotary

ENTRIES = [
    *_naive.ENTRIES,
    *_absolute.ENTRIES,
    *_rotary.ENTRIES,
    *_bias.ENTRIES,
    *_context.ENTRIES,
]
"""Every entry, in the order of the list."""
