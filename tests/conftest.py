"""Settings that every test runs under."""

import os

# Read when JAX is imported, which tests without it never do. Ranks may differ: that a table
# broadcasts over the axes before it is what the library promises.
os.environ.setdefault("JAX_NUMPY_DTYPE_PROMOTION", "strict")
