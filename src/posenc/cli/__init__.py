"""The command line: one file a command, one sentence an error, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from posenc.errors import EncodingError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    0 is fine, 1 an error-level finding or a mismatch, 2 bad usage or unreadable input.
    """
    import typer

    from posenc.cli._app import app

    usage_error: Any = typer.BadParameter.__mro__[2]  # the base of what the parser raises
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without Chinese shows a sign in its place
            stream.reconfigure(errors="replace")
    try:
        command = typer.main.get_command(app)
        given = list(sys.argv[1:] if arguments is None else arguments)
        code = command.main(
            given or ["--help"],
            prog_name="posenc",
            standalone_mode=False,
        )
        sys.stdout.flush()
        return int(code or 0)
    except usage_error as error:
        return _refuse(_sentence(error.format_message()))
    except typer.Abort:
        return _refuse("Stopped.", 130)
    except KeyboardInterrupt:
        return _refuse("Stopped.", 130)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except EncodingError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(
            f"{error.filename or 'A file'} could not be used: {error.strerror or error}."
        )
    except Exception as error:
        if os.environ.get("POSENC_TRACEBACK"):
            raise
        reason = _sentence(f"{type(error).__name__}: {error}")
        return _refuse(f"This is a fault in posenc, please report it: {reason}")


def _sentence(text: str) -> str:
    return " ".join(text.split()).rstrip(".") + "."


def _refuse(sentence: str, code: int = 2) -> int:
    sys.stdout.flush()
    print(f"posenc: {sentence}", file=sys.stderr)
    return code
