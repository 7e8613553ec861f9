"""Ctrl-C and SIGTERM, during imports and during steps that must be finished first.

Programs import this module first: from then on Ctrl-C prints one line and no traceback, also
during the other imports. Later :func:`hoad.core.cli.run` handles it.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

INTERRUPTED = 130
"""Exit status of a program that Ctrl-C or SIGTERM has ended."""


def _end_quietly(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    print("error: interrupted", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED)  # Python would end by the signal, after a traceback of threads


sys.excepthook = _end_quietly


def interrupt_when_terminated() -> None:
    """Let SIGTERM, which batch systems and `kill` send, have the effect of Ctrl-C in this process.

    It also ends a program in which Ctrl-C is ignored, as in one that a script starts with ``&``.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)
        (handler if callable(handler) else signal.default_int_handler)(signal.SIGINT, frame)

    signal.signal(signal.SIGTERM, interrupt)


@contextmanager
def held_interrupt() -> Iterator[threading.Event]:
    """Let the caller finish a step before Ctrl-C takes effect; a second Ctrl-C does not wait.

    Yields:
        An event that the first Ctrl-C sets, in the main thread. The caller checks it when it is
        safe to stop, and raises KeyboardInterrupt.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
