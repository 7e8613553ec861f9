"""Ctrl-C while modules are imported, which takes seconds and may drop a KeyboardInterrupt.

The package imports this module first. In programs of HOAD, but in no others, Ctrl-C and SIGTERM
then end the process at once, with one line, until :func:`hoad.core.signals.interruptible`.
"""

import _signal  # type: ignore[import-not-found] # signal needs long to name its numbers
import os
import sys

INTERRUPTED = 130
"""Exit status of a program that Ctrl-C or SIGTERM has ended."""

_ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir))
"""The folder of the scripts."""


def end_at_once() -> None:
    """Let Ctrl-C and SIGTERM end this process with one line, unless they are ignored."""

    def end(number: int, frame: object) -> None:
        os.write(2, b"error: interrupted\n")
        os._exit(INTERRUPTED)

    for one in (_signal.SIGINT, _signal.SIGTERM):
        if _signal.getsignal(one) != _signal.SIG_IGN:
            _signal.signal(one, end)


def is_program() -> bool:
    """Return whether this process runs a script at the top, or ``hoad``."""
    main = getattr(sys.modules["__main__"], "__file__", None)
    if not main:
        return sys.orig_argv[1:3] == ["-m", "hoad"]
    return os.path.dirname(os.path.realpath(main)) == _ROOT or os.path.basename(main) == "hoad"


if is_program():
    end_at_once()
