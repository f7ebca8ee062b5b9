"""Property tests run the same everywhere: no database, no clock, the same examples."""

from hypothesis import settings

settings.register_profile("ci", database=None, deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")
