"""A Chromium of the machine, the page as a file, and a tab that reports whatever goes wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from posenc import explorer

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")


def lacking(said: str) -> NoReturn:
    """Skip, with the reason; fail where whoever runs the tests has promised that it is there."""
    if os.environ.get("POSENC_BROWSER") == "required":
        pytest.fail(said)
    pytest.skip(said)


def _executable() -> str:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or lacking(f"no Chromium on this machine (looked for {', '.join(NAMES)})")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    executable = _executable()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=executable, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(explorer.build(), encoding="utf-8")
    return path


def until(page: Any, expression: str) -> None:
    """Wait until it is true; the page's policy forbids the evaluation that playwright would use."""
    for _ in range(200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(expression)


Tab = Callable[..., Any]


@pytest.fixture
def tab(browser: Any, file: Path) -> Iterator[Tab]:
    """Opens the page in a context of its own, without a network; nothing may go wrong in it."""
    contexts, faults = [], []

    def opened(address: str = "", *, path: Path = file, wait: bool = False, **options: Any) -> Any:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: said.type == "error" and faults.append(said.text))
        page.on("request", lambda asked: asked.url.startswith("http") and faults.append(asked.url))
        page.goto(f"{path.as_uri()}#{address}")
        if wait:  # until everything is measured, which takes a second or two
            page.evaluate("posenc.ready()")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults
