"""Ctrl-C and SIGTERM: while a script is importing, and while something must be finished first.

Scripts import this first, because the other imports take a second or two: until then Ctrl-C is
one line, as :func:`hoad.core.cli.run` has it later.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

INTERRUPTED = 130
"""Exit status of a script that Ctrl-C or SIGTERM has ended."""


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
    """Let SIGTERM, with which batch systems and `kill` end programs, do what Ctrl-C does.

    For the main thread of a script; its worker processes shall end at once. Where Ctrl-C is
    ignored, as in what a shell script starts in the background, SIGTERM still ends the script.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)
        (handler if callable(handler) else signal.default_int_handler)(signal.SIGINT, frame)

    signal.signal(signal.SIGTERM, interrupt)


@contextmanager
def held_interrupt() -> Iterator[threading.Event]:
    """Let the caller finish a step before Ctrl-C takes effect; a second Ctrl-C does not wait.

    Yields:
        What the first Ctrl-C sets. The caller looks at it when it is safe to stop, and raises
        KeyboardInterrupt. Outside of the main thread, which gets no signals, nothing sets it.
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
