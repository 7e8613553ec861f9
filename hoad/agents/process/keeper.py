"""A program that ends other programs when the one that started them has ended, however it did.

HOAD starts it with the first agent in another program, and writes the number of each process group
to its standard input when the group begins, and minus that number when the group is gone. At the
end of the file, which also comes when HOAD is killed, the groups that remain are given a moment to
end by themselves, and are killed then.

It is run as a script, and imports nothing of HOAD, so that it starts in some 20 milliseconds.
"""

import os
import signal
import sys
import time

_SECONDS_TO_END = 0.5


def main() -> None:
    """Read numbers of groups until the end of the file; then kill what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends after the others
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        group = int(line)
        (groups.add if group > 0 else groups.discard)(abs(group))
    deadline = time.monotonic() + _SECONDS_TO_END
    while any(map(_send, groups)) and time.monotonic() < deadline:
        time.sleep(0.01)
    for group in groups:
        _send(group, signal.SIGKILL)


def _send(group: int, number: int = 0) -> bool:
    """Send a signal to a group; return whether there is such a group."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    main()
