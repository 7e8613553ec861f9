"""The root scripts, run as people run them."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1"}  # small matrices gain nothing from more

Finished = subprocess.CompletedProcess[str]


def command(script: str, *words: object) -> list[str]:
    """Return the command line of a script, such as ``record.py``."""
    return [sys.executable, str(ROOT / script), *map(str, words)]


def run(
    script: str,
    *words: object,
    prepare: Callable[[], None] | None = None,
    **environment: str,
) -> Finished:
    """Run a script, in a process that is prepared so and with these variables set."""
    return subprocess.run(
        command(script, *words),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=ONE_THREAD | environment,
        preexec_fn=prepare,
    )


def runner(script: str) -> Callable[..., Finished]:
    """Return :func:`run` for one script."""
    return partial(run, script)


def assert_refused(result: Finished, *named: object) -> None:
    """Status 2 and one line that names all this."""
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert "Traceback" not in result.stderr
    for name in named:
        assert str(name) in result.stderr


def start_and_wait_for(file: Path, script: str, *words: object) -> subprocess.Popen[bytes]:
    """Start a script and return its process as soon as it has written this file."""
    process = subprocess.Popen(
        command(script, *words), cwd=ROOT, env=ONE_THREAD, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 120
    while not file.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process
