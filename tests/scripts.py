"""The scripts at the top: in this process, or in one of their own.

`run_here` is quick. `run_in_fork` is for limits of the system, which a process cannot lift again;
a fork has loaded all modules already. `run` is for what only a new process shows: what is loaded,
and how it ends. All return the same.
"""

import io
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch

from hoad.core import cli

ROOT = Path(__file__).parents[1]

Finished = subprocess.CompletedProcess[str]


def command_of(script: str) -> Any:
    """Return what a script gives to ``cli.run``."""
    given: list[Any] = []
    with mock.patch.object(cli, "run", given.append):
        runpy.run_path(str(ROOT / script), run_name="__main__")
    return given[0]


def run_here(script: str, *words: object, **environment: str) -> Finished:
    """Run a script's command line in this process, with these environment variables set.

    The folder, the command line that provenance records, and torch's and numpy's global random
    numbers are afterwards what they were.
    """
    given = [script, *map(str, words)]
    out, errors = io.StringIO(), io.StringIO()
    with (
        chdir(ROOT),
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "argv", given),
        redirect_stdout(out),
        redirect_stderr(errors),
        _same_random_numbers(),
    ):
        status = cli.main(command_of(script), given[1:], script)
    return subprocess.CompletedProcess(given, status, out.getvalue(), errors.getvalue())


@contextmanager
def _same_random_numbers() -> Iterator[None]:
    numbers = np.random.get_state()
    with torch.random.fork_rng():
        yield
    np.random.set_state(numbers)


def run_in_fork(prepare: Callable[[], None], script: str, *words: object) -> Finished:
    """Run a script's command line in a fork of this process, after ``prepare()`` there."""
    with ProcessPoolExecutor(1, get_context("fork"), initializer=prepare) as fork:
        return fork.submit(run_here, script, *words).result()


def command(script: str, *words: object) -> list[str]:
    """Return the command line of a script, such as ``record.py``."""
    return [sys.executable, str(ROOT / script), *map(str, words)]


def run(script: str, *words: object, **environment: str) -> Finished:
    """Run a script in a process of its own, with these environment variables set."""
    return subprocess.run(
        command(script, *words),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
    )


def runner_here(script: str) -> Callable[..., Finished]:
    """Return :func:`run_here` for one script."""
    return partial(run_here, script)


def assert_refused(result: Finished, *named: object) -> None:
    """Status 2 and one line that names all this."""
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert "Traceback" not in result.stderr
    for name in named:
        assert str(name) in result.stderr


def start_and_wait_for(file: Path, script: str, *words: object) -> subprocess.Popen[bytes]:
    """Start a script and return its process as soon as it has written this file."""
    process = subprocess.Popen(command(script, *words), cwd=ROOT, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not file.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


def printed(program: str, **environment: str) -> str:
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
    return printed(program, NUMBA_DISABLE_JIT="1") == printed(program)


def show_wrong(lines: Iterable[str], what: str) -> int:
    """Print what is wrong, line by line, and how many lines there are; return the exit status."""
    wrong = 0
    for line in lines:
        wrong += 1
        print(line, flush=True)
    print(f"{wrong} {what}")
    return 1 if wrong else 0
