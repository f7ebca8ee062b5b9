"""Settings that every test runs under."""

import os

from hypothesis import settings

# Read when JAX is imported, which tests without it never do. Ranks may differ: that a table
# broadcasts over the axes before it is what the library promises.
os.environ.setdefault("JAX_NUMPY_DTYPE_PROMOTION", "strict")

# A thread for each process where there are several: more would wait for one another, awake.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# Generated tests run the same everywhere: the same examples, no database, no clock.
settings.register_profile("ci", database=None, deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")
