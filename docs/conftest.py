"""The examples in these pages run with the tests."""

from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser()], patterns=["*.md"], excludes=["_build/**"]
).pytest()
