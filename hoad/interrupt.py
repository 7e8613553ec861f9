"""Ctrl-C while a script is still importing: one line, as :func:`hoad.cli.run` has it later.

Scripts import this first, because the other imports take a second or two.
"""

import os
import sys
from types import TracebackType

INTERRUPTED = 130
"""Exit status of a script that Ctrl-C has ended."""


def _end_quietly(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    print("error: interrupted", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED)  # Python would end by the signal, after a traceback of threads


sys.excepthook = _end_quietly
