"""Process groups that end when HOAD ends: a keeper knows number and mark (:mod:`.keeper`)."""

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


def group_begins(number: int, mark: str) -> None:
    """Let a process group end when HOAD ends, with all that have its mark.

    The number is that of its first process.
    """
    _tell(f"{number} {mark}")


def group_is_gone(number: int) -> None:
    """Let the keeper forget a group, before the system gives its number to another one."""
    _tell(f"{-number}")


def _tell(line: str) -> None:
    global _keeper
    with _starting:
        if _keeper is None:
            command = [sys.executable, "-I", "-S", str(_SCRIPT)]
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
            _keeper.stdin.write(f"{line}\n".encode())


@atexit.register
def _stop_keeper() -> None:
    if _keeper is not None and _keeper.stdin:
        _keeper.stdin.close()
        _keeper.wait()


def _forget_keeper() -> None:
    """In a fork, which has started none of the groups."""
    global _keeper
    if _keeper is not None and _keeper.stdin:
        _keeper.stdin.close()
        _keeper.returncode = 0  # not a child of this process
    _keeper = None


os.register_at_fork(after_in_child=_forget_keeper)
