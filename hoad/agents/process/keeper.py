"""A program that ends other programs when the one that started them has ended, however it did.

HOAD starts it with the first agent in another program, and writes the number of each such process
to its standard input. At the end of the file, which also comes when HOAD is killed, these processes
and their descendants may end by themselves for a moment; then they are killed.

It is run as a script, and imports nothing of HOAD, so that it starts fast.
"""

import signal
import sys
from contextlib import suppress

import psutil

_SECONDS_TO_END = 0.5


def main() -> None:
    """Read numbers of processes until the end of the file; then kill what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends after the others
    started = []
    for line in sys.stdin:
        with suppress(psutil.NoSuchProcess):
            started.append(psutil.Process(int(line)))
    families = [process for root in started for process in family(root)]
    _, remaining = psutil.wait_procs(families, _SECONDS_TO_END)
    for process in remaining:
        kill_family(process)


def family(root: psutil.Process) -> list[psutil.Process]:
    """Return a process and its descendants; nothing if it has ended."""
    with suppress(psutil.Error):
        return [root, *root.children(recursive=True)]
    return []


def kill_family(root: psutil.Process) -> None:
    """Kill a process and its descendants."""
    for process in family(root):
        with suppress(psutil.Error):
            process.kill()


if __name__ == "__main__":
    main()
