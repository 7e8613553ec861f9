"""A program in a process of its own, with and without compilation."""

import os
import subprocess
import sys

from tests.scripts import ROOT


def _printed(program: str, **environment: str) -> str:
    """Return what a Python program prints, with these environment variables set."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=os.environ | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def prints_the_same_without_compilation(program: str) -> bool:
    """Return whether a program prints the same where compiled functions are plain Python."""
    return _printed(program, NUMBA_DISABLE_JIT="1") == _printed(program)
