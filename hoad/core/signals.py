"""Ctrl-C and SIGTERM during a command, and during steps that must be finished first."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_AGAIN: Final = 0.05  # seconds until an interrupt that was dropped, or waits, comes again
_LONGEST_IMPORT: Final = 5.0  # seconds that an interrupt waits; torch needs 3

_interrupted: Final = threading.Event()


def interruptible() -> None:
    """Let Ctrl-C, and SIGTERM, raise KeyboardInterrupt in the main thread from now on.

    SIGTERM, which batch systems and `kill` send, also ends a program in which Ctrl-C is ignored, as
    in one that a script starts with ``&``. Python drops an exception that is raised while an object
    is being finalised; the interrupt comes again then. Compiled modules may drop it without a word
    while they are imported; it waits until they are.
    """
    waited = 0.0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal waited
        if waited < _LONGEST_IMPORT and _is_importing(frame):
            waited += _AGAIN
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
            return
        _interrupted.set()
        signal.default_int_handler(number, frame)

    def interrupt(number: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)
        (handler if callable(handler) else stop)(signal.SIGINT, frame)

    def dropped(failure: "sys.UnraisableHookArgs") -> None:
        if issubclass(failure.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        else:
            sys.__unraisablehook__(failure)

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, stop)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, interrupt)
    sys.unraisablehook = dropped


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def was_interrupted() -> bool:
    """Return whether such an interrupt has been raised; if so, it does not come again.

    An exception that follows may be its consequence: what was interrupted is incomplete, such as a
    function that numba was compiling when the interrupt was dropped.
    """
    if _interrupted.is_set():
        signal.setitimer(signal.ITIMER_REAL, 0)
    return _interrupted.is_set()


def is_interrupt(error: BaseException) -> bool:
    """Return whether an exception is Ctrl-C or SIGTERM, or may be its consequence."""
    return was_interrupted() or isinstance(error, KeyboardInterrupt)


@contextmanager
def held_interrupt() -> Iterator[threading.Event]:
    """Let the caller finish a step before Ctrl-C takes effect; a second Ctrl-C does not wait.

    Yields an event that the first Ctrl-C sets, in the main thread. The caller checks it when it is
    safe to stop, and raises KeyboardInterrupt. Where Ctrl-C is ignored, SIGTERM asks.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    asking = signal.SIGTERM if ignored else signal.SIGINT

    def note(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.signal(asking, before)

    before = signal.signal(asking, note)
    try:
        yield asked
    finally:
        signal.signal(asking, before)
