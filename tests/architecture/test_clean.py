"""What the project ships works anywhere: no path of one machine, no address of one index."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Spelled so that this file does not contain what it looks for.
ELSEWHERE = re.compile(
    r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)/"
    r"|(?:extra-)?index[-_]url|find[-_]links"
    r"|\bpypi[.]org/simple|\bfiles[.]pythonhosted|\bdownload[.]pytorch|\bregistry[.]npmjs",
    re.IGNORECASE,
)


def tracked() -> list[Path]:
    """Every file that is in git or would be added to it; without git, every file not ignored."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return walked()
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def walked() -> list[Path]:
    """The files of the tree, but for what `.gitignore` names."""
    ignored = [".git", *(ROOT / ".gitignore").read_text("utf-8").split()]
    found, pending = [], [ROOT]
    while pending:
        for path in pending.pop().iterdir():
            if not any(path.match(pattern) for pattern in ignored):
                (pending if path.is_dir() else found).append(path)
    return found


def test_a_tree_without_git_is_searched_as_well() -> None:
    assert {*tracked()} <= {*walked()}
    assert not any(".venv" in path.parts for path in walked())


def test_no_file_names_one_machine() -> None:
    files = [path for path in tracked() if path != Path(__file__)]
    found = {
        str(path.relative_to(ROOT)): hit[0]
        for path in files
        if (hit := ELSEWHERE.search(path.read_text("utf-8", errors="replace")))
    }
    assert len(files) > 10
    assert found == {}


@pytest.mark.parametrize(
    "line", ["cd /{}/x", 'open("/{}/x")', "PIP_INDEX_{}=x", "pip --index-{} x"], ids=range(4)
)
def test_the_check_can_fail(line: str) -> None:
    assert ELSEWHERE.search(line.format("root" if "/{}" in line else "url"))
