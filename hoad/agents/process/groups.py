"""Programs that end when HOAD ends: a keeper knows their numbers (:mod:`.keeper`)."""

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

_SCRIPT: Final = Path(__file__).with_name("keeper.py")

_keeper: subprocess.Popen[bytes] | None = None
_starting = Lock()


def end_with_hoad(number: int) -> None:
    """Let a process, and its descendants, end when HOAD ends."""
    global _keeper
    with _starting:
        if _keeper is None:
            command = [sys.executable, "-I", str(_SCRIPT)]
            _keeper = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        assert _keeper.stdin
        with suppress(BrokenPipeError, ValueError):  # it was killed, or HOAD is ending
            _keeper.stdin.write(f"{number}\n".encode())


@atexit.register
def _stop_keeper() -> None:
    if _keeper is not None and _keeper.stdin:
        _keeper.stdin.close()
        _keeper.wait()


def _forget_keeper() -> None:
    """In a fork, which has started none of the programs."""
    global _keeper
    if _keeper is not None and _keeper.stdin:
        _keeper.stdin.close()
        _keeper.returncode = 0  # not a child of this process
    _keeper = None


os.register_at_fork(after_in_child=_forget_keeper)
