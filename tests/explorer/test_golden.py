"""What the tests of the page's arithmetic read is what its script writes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "tools" / "page_golden.py"


def test_the_file_is_up_to_date() -> None:
    run = [sys.executable, "-B", str(SCRIPT), "--check"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_of_posenc_is_imported() -> None:
    assert not re.search(r"^\s*(import|from) posenc", SCRIPT.read_text("utf-8"), re.MULTILINE)
