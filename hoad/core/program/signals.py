"""Ctrl-C, SIGTERM and SIGHUP do the same: one handler for all.

Batch systems and `kill` send SIGTERM. A terminal that is closed sends SIGHUP, which a program that
was started by `nohup` ignores.

The package imports this module first. In programs of HOAD, but in no others, an interrupt ends the
process at once, with one line, while modules are imported; :func:`interruptible` lets it raise
KeyboardInterrupt during a command.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130
"""Exit status of a program that one of the ``_SIGNALS`` has ended."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN: Final = 3.0  # seconds until an interrupt that nobody has noticed comes again

_ROOT: Final = os.path.realpath(os.path.join(os.path.dirname(__file__), *3 * [os.pardir]))
"""The folder of the scripts."""

SCRIPTS: Final = frozenset(
    {
        "agents.py",
        "compare.py",
        "evaluate.py",
        "evolve.py",
        "hanab_live.py",
        "play.py",
        "record.py",
        "train_imitator.py",
        "train_maml.py",
        "train_rainbow.py",
    }
)
"""HOAD's own; a script of somebody else may be in the same folder."""

_during_command: Final = threading.Event()
_interrupted: Final = threading.Event()


def is_program() -> bool:
    """Return whether this process runs one of the ``SCRIPTS``, or ``hoad``."""
    main = getattr(sys.modules["__main__"], "__file__", None)
    if not main:
        return sys.orig_argv[1:3] == ["-m", "hoad"]
    folder, name = os.path.split(os.path.realpath(main))
    return (folder == _ROOT and name in SCRIPTS) or os.path.basename(main) == "hoad"


def end_at_once() -> None:
    """Let Ctrl-C and the like end this process with one line, unless they are ignored."""
    _during_command.clear()
    for number in _SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _handle)


def interruptible() -> None:
    """Let Ctrl-C and the like raise KeyboardInterrupt in the main thread from now on.

    Python drops an exception that is raised while an object is being finalised, and compiled
    modules may drop it while they are imported. So it is raised again every few seconds until
    :func:`was_interrupted` is asked.
    """
    end_at_once()
    signal.signal(signal.SIGALRM, _handle)
    sys.unraisablehook = _say_what_is_dropped
    _during_command.set()


def _say_what_is_dropped(failure: "sys.UnraisableHookArgs") -> None:
    # An interrupt that was dropped comes again, and leaves half-made objects, which fail to end.
    if not (issubclass(failure.exc_type, KeyboardInterrupt) or _interrupted.is_set()):
        sys.__unraisablehook__(failure)


def _handle(number: int, frame: FrameType | None) -> None:
    if not _during_command.is_set():
        os.write(2, b"error: interrupted\n")
        os._exit(INTERRUPTED)
    _interrupted.set()
    signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    raise KeyboardInterrupt


def was_interrupted() -> bool:
    """Return whether such an interrupt has been raised; if so, it does not come again.

    An exception that follows may be its consequence: what was interrupted is incomplete, such as a
    function that numba was compiling when the interrupt was dropped.
    """
    if _interrupted.is_set():
        signal.setitimer(signal.ITIMER_REAL, 0)
    return _interrupted.is_set()


def is_interrupt(error: BaseException) -> bool:
    """Return whether an exception is Ctrl-C or the like, or may be its consequence."""
    return was_interrupted() or isinstance(error, KeyboardInterrupt)


@contextmanager
def held_interrupt() -> Iterator[threading.Event]:
    """Let the caller finish a step before an interrupt takes effect; a second one does not wait.

    Yields an event that the first interrupt sets, in the main thread. The caller checks it when it
    is safe to stop, and raises KeyboardInterrupt.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    raising = {number: handler for number, handler in before.items() if callable(handler)}

    def note(number: int, frame: FrameType | None) -> None:
        asked.set()
        restore()

    def restore() -> None:
        for number, handler in raising.items():
            signal.signal(number, handler)

    for number in raising:
        signal.signal(number, note)
    try:
        yield asked
    finally:
        restore()


def require_threads() -> None:
    """End this process with one line if the system lets it start no thread.

    OpenBLAS starts threads while numpy is imported, and otherwise interrupts the process.
    """
    if os.environ.get("OMP_NUM_THREADS") == "1":
        return
    try:
        threading.Thread(target=os.getpid).start()
    except RuntimeError:
        os.write(
            2,
            b"error: the system lets this user start no more threads (ulimit -u); "
            b"end other programs, raise the limit, or set OMP_NUM_THREADS=1\n",
        )
        os._exit(2)


if is_program():
    end_at_once()
    require_threads()
