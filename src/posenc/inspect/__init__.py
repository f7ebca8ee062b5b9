"""What a model's config says about positions, where each value came from, and what is odd.

    >>> from posenc import inspect
    >>> config = {"model_type": "mistral", "rope_theta": 1e6, "hidden_size": 4096}
    >>> inspect.read(config).parts[0].groups[0].spec.base
    1000000.0

Needs neither torch nor transformers, and runs no code of a model.
"""

from posenc.inspect._codes import CODES, Code
from posenc.inspect._findings import ConfigError, Finding
from posenc.inspect._read import read
from posenc.inspect.reading import Evidence, Group, Part, Reading

__all__ = [
    "CODES",
    "Code",
    "ConfigError",
    "Evidence",
    "Finding",
    "Group",
    "Part",
    "Reading",
    "read",
]
