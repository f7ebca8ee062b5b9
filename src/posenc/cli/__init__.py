"""The command line: one file a command, one sentence an error, never a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

from posenc.errors import EncodingError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    0 is fine, 1 an error-level finding or a mismatch, 2 bad usage or unreadable input.
    """
    import typer

    from posenc.cli._app import app

    if sys.stdout is None:  # started with its output closed
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without Chinese shows a sign in its place
            stream.reconfigure(errors="replace")
    with contextlib.suppress(OSError):  # package.module:object of the folder one stands in
        sys.path.append(os.getcwd())
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        command = typer.main.get_command(app)
        code = command.main(given or ["--help"], prog_name="posenc", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except (KeyboardInterrupt, typer.Abort):
        return _refuse("Stopped.", 130)
    except BrokenPipeError:
        return _closed_pipe()
    except SystemExit as error:
        if isinstance(error.__context__, OSError):  # the parser's own answer to a closed pipe
            return _closed_pipe()
        return _refuse("Code that was loaded asked Python to exit.")
    except EncodingError as error:
        return _refuse(str(error))
    except OSError as error:
        name = error.filename or "The output"
        return _refuse(f"{name} could not be used: {error.strerror or error}.")
    except Exception as error:
        if hasattr(error, "format_message"):  # what the parser refuses
            return _refuse(_sentence(error.format_message()))
        if os.environ.get("POSENC_TRACEBACK"):  # for those who mend posenc
            raise
        reason = _sentence(f"{type(error).__name__}: {error}")
        return _refuse(f"This is a fault in posenc, please report it: {reason}")


def _closed_pipe() -> int:
    """The reader of a pipe has seen enough, which is no error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _sentence(text: str) -> str:
    return " ".join(text.replace("Value error, ", "").split()).rstrip(".") + "."


def _refuse(sentence: str, code: int = 2) -> int:
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    plain = "".join(sign if sign.isprintable() else " " for sign in sentence)
    print(f"posenc: {plain}", file=sys.stderr)
    return code
