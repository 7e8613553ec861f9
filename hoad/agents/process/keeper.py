"""A program that ends other programs when the one that started them has ended, however it did.

HOAD starts it with the first agent in another program. When a program begins, HOAD writes the
number of its process group and its mark to the standard input of this one, and minus that number
when the group is gone. At the end of the file, which also comes when HOAD is killed, the remaining
groups may end by themselves for a moment. Then all processes of these groups, or with their marks,
are killed.

It is run as a script, and imports nothing of HOAD, so that it starts in some 20 milliseconds.
"""

import os
import signal
import sys
import time
from collections.abc import Collection
from contextlib import suppress

MARK = "HOAD_CHILD"
"""Environment variable with the marks of the programs that a process descends from. It stays when
the process leaves its group or its session, or outlives its parent."""

_SECONDS_TO_END = 0.5


def main() -> None:
    """Read numbers and marks of groups until the end of the file; then kill what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends after the others
    groups: dict[int, str] = {}
    for line in sys.stdin:
        group, *mark = line.split()
        if mark:
            groups[int(group)] = mark[0]
        else:
            groups.pop(-int(group), None)
    deadline = time.monotonic() + _SECONDS_TO_END
    while any(map(_send, groups)) and time.monotonic() < deadline:
        time.sleep(0.01)
    for remaining in groups:
        _send(remaining, signal.SIGKILL)
    kill_marked(groups.values())


def kill_marked(marks: Collection[str]) -> None:
    """Kill all processes with one of these marks; on Linux, elsewhere nothing is done."""
    deadline = time.monotonic() + _SECONDS_TO_END
    while (found := _marked(marks)) and time.monotonic() < deadline:  # they may have forked
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _marked(marks: Collection[str]) -> list[int]:
    """Return the numbers of the running processes with one of these marks."""
    processes = []
    for process in os.listdir("/proc") if marks and os.path.isdir("/proc") else ():
        try:
            with open(f"/proc/{int(process)}/environ", "rb") as file:
                environment = file.read()
        except (ValueError, OSError):  # no process, another user's, or it has ended
            continue
        if any(mark.encode() in environment for mark in marks):
            processes.append(int(process))
    return processes


def _send(group: int, number: int = 0) -> bool:
    """Send a signal to a group; return whether there is such a group."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    main()
