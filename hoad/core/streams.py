"""Standard output and standard error that can take everything that programs print."""

import codecs
import io
import os
import sys
from typing import Final

from hoad.core.run_log import LoggedStream

_PLAIN: Final = {"±": "+-", "→": "->", "…": "...", "–": "-", "—": "-", "×": "x"}
_NAME: Final = "hoad-plain"


def plain(error: UnicodeError) -> tuple[str, int]:
    """Return characters in place of those that an encoding does not have, as codecs ask for."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char, "?") for char in text), error.end


def prepare_streams() -> None:
    """Let the standard streams print everything, and log it.

    What a closed standard error gets is dropped.
    """
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)  # or the first file to be opened would take its place
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (as long as the process)
    codecs.register_error(_NAME, plain)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, LoggedStream.like(stream, _NAME))
