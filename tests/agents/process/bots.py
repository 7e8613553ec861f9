"""Names of bots in other programs, and the processes that are left of them."""

import shlex
import sys
import time
from pathlib import Path

from tests.scripts import ROOT

PYTHON_BOT = f"process:{sys.executable} {ROOT / 'examples' / 'simple_bot.py'}"


def misbehaving(how: str, times: int = 3, mark: str = "mark") -> str:
    """Return a bot that misbehaves when it is asked this often; ``mark`` ends its command line."""
    script = Path(__file__).with_name("misbehaving.py")
    return f"process:{shlex.join([sys.executable, str(script), how, str(times), mark])}"


def processes(mark: str) -> int:
    """Return how many processes have a command line that ends with this word (on Linux)."""
    found = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                words = (folder / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            except OSError:  # it has ended
                continue
            found += words[-1] == mark.encode()
    return found


def wait_until_gone(mark: str, seconds: float = 5.0) -> None:
    """Fail if such processes are still there after a time."""
    deadline = time.monotonic() + seconds
    while processes(mark):
        assert time.monotonic() < deadline, f"{processes(mark)} processes are left"
        time.sleep(0.02)
