"""A child process that answers lines with lines, each in a limited time.

Its three pipes are read and written without blocking: whatever it does with them, nobody waits for
it longer than for an answer.
"""

import atexit
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final, NoReturn

import psutil

from hoad.agents.process.keeper import kill_family
from hoad.core.errors import HoadError
from hoad.core.files import describe, one_line
from hoad.core.workers import number_setting

_SECONDS_TO_ANSWER: Final = 10.0  # what a program may take for an answer, without ``--timeout``

_LONGEST_LINE: Final = 65_536
_SECONDS_TO_LOOK: Final = 0.5
"""How often to look whether a program that does not answer is still there."""

_KEPT_OF_ERRORS: Final = 2_000
_SHOWN: Final = 200
_SECONDS_TO_END: Final = 0.5
"""What a program may take to end when its standard input has ended; then it is killed."""

_SCRIPT: Final = Path(__file__).with_name("keeper.py")
"""The program that ends the others when HOAD has ended, however it did."""

_keeper: subprocess.Popen[bytes] | None = None
_starting = Lock()


class Child:
    """A program in a process group of its own; a HoadError if it cannot be started.

    ``name`` is what errors call it, ``command`` the program and its arguments.
    """

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self._name, self._started_by = name, os.getpid()
        _start_keeper()  # first, or nothing would end the program
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            problem = f"cannot start {command[0]!r}: {describe(error)}"
            raise HoadError(f"{name}: {problem}") from error
        _end_with_hoad(self._process.pid)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._files = self._process.stdin, self._process.stdout, self._process.stderr
        self._in, self._out, self._errors = (file.fileno() for file in self._files)
        self._poll = select.poll()
        for number in (self._in, self._out, self._errors):
            os.set_blocking(number, False)
            if number != self._in:
                self._poll.register(number, select.POLLIN)
        self._unsent, self._received, self._complaints = b"", b"", b""

    def say(self, line: bytes) -> None:
        """Send a line, which may wait in a buffer while the child does not read."""
        if self._unsent:
            self._unsent += line
        else:
            self._unsent = line
            self._send()

    def ask(self, line: bytes) -> bytes:
        """Send a line and return the line that the child answers, without its end.

        Raises:
            HoadError: the child wrote something before it was asked, gives no answer in time, ends,
                or writes an endless line. It is stopped; the end of its standard error is shown.
        """
        self._read_answers()
        if self._received:
            self.fail(f"wrote {quote(self._received)} before it was asked for a move")
        self.say(line)
        seconds = number_setting("timeout") or _SECONDS_TO_ANSWER
        deadline = time.monotonic() + seconds
        while b"\n" not in self._received:
            if len(self._received) > _LONGEST_LINE:
                size = f"more than {_LONGEST_LINE:,} bytes"
                self.fail(f"wrote a line of {size}, {quote(self._received)}")
            left = deadline - time.monotonic()
            if left <= 0:
                partial = f" but {quote(self._received)}" if self._received else ""
                asked = line.decode().strip()
                limit = f"{seconds:g} seconds (--timeout or HOAD_TIMEOUT)"
                self.fail(f"no answer to {asked}{partial} in {limit}")
            self._wait(left)
        answer, _, self._received = self._received.partition(b"\n")
        return answer

    def fail(self, problem: str) -> NoReturn:
        """Stop the child and raise a HoadError with the problem and the end of standard error."""
        self.stop(seconds=0.0)
        self._read_errors()  # what the pipe still holds
        shown = self._complaints.decode(errors="backslashreplace").strip()
        tail = f"; its standard error ends with '{one_line(shown[-_SHOWN:])}'" if shown else ""
        self._close()
        raise HoadError(f"{self._name}: {problem}{tail}")

    def stop(self, seconds: float = _SECONDS_TO_END) -> None:
        """End its input, wait so long, and kill it, its descendants and its process group.

        A fork of the process that started the child leaves it alone.
        """
        if self._process.returncode is not None or self._started_by != os.getpid():
            return
        if seconds:
            self._files[0].close()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self._has_ended():
            time.sleep(0.002)
        with suppress(psutil.NoSuchProcess):
            kill_family(psutil.Process(self._process.pid))
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # not reaped: the number is its own
        self._process.wait()

    def _close(self) -> None:
        for file in self._files:
            file.close()
        self._in = self._out = self._errors = -1  # another file may get these numbers

    def __del__(self) -> None:
        if hasattr(self, "_files"):
            self.stop(seconds=0.0)
            self._close()

    def _has_ended(self) -> bool:
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def _wait(self, seconds: float) -> None:
        """Wait until a pipe is ready, and read or write it."""
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)
        ready = {number for number, _ in self._poll.poll(min(seconds, _SECONDS_TO_LOOK) * 1_000)}
        if not ready and self._has_ended():  # and has left its pipes to another process
            self._fail_because_it_ended()
        if self._unsent:
            self._poll.unregister(self._in)
        if self._in in ready:
            self._send()
        if self._errors in ready:
            self._read_errors()
        if self._out in ready:
            self._read_answers()

    def _send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # it has ended, or will answer nothing: ask finds out

    def _read_answers(self) -> None:
        try:
            received = os.read(self._out, _LONGEST_LINE)
        except BlockingIOError:
            return
        self._received += received
        if not received:
            self._fail_because_it_ended()

    def _fail_because_it_ended(self) -> NoReturn:
        """Say how it ended; or that it has closed its output, but goes on."""
        deadline = time.monotonic() + _SECONDS_TO_END
        while not (has_ended := self._has_ended()) and time.monotonic() < deadline:
            time.sleep(0.002)
        self.stop(seconds=0.0)
        status = self._process.returncode
        how = f"ended with status {status}" if status >= 0 else f"ended by signal {-status}"
        how = how if has_ended else "closed its standard output"
        partial = f" after {quote(self._received)}" if self._received else ""
        self.fail(f"{how}{partial} without an answer")

    def _read_errors(self) -> None:
        with suppress(BlockingIOError):
            while written := os.read(self._errors, _LONGEST_LINE):
                self._complaints = (self._complaints + written)[-_KEPT_OF_ERRORS:]
                if len(written) == _LONGEST_LINE:
                    return  # there may be no end of it
            with suppress(KeyError):
                self._poll.unregister(self._errors)


def quote(answer: bytes) -> str:
    """Return what a child wrote, for an error message: one short line."""
    return f"'{one_line(answer.decode(errors='backslashreplace'), _SHOWN)}'"


def _start_keeper() -> None:
    """Start the keeper, if it has not been started yet; a HoadError if that fails."""
    global _keeper
    with _starting:
        if _keeper is None:
            command = [sys.executable, "-I", str(_SCRIPT)]
            try:
                _keeper = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except OSError as error:
                problem = f"cannot start the program that ends bots: {describe(error)}"
                raise HoadError(f"{_SCRIPT}: {problem}") from error


def _end_with_hoad(number: int) -> None:
    """Let a process, and its descendants, end when HOAD ends."""
    assert _keeper and _keeper.stdin
    with _starting, suppress(BrokenPipeError, ValueError):  # it was killed, or HOAD is ending
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
