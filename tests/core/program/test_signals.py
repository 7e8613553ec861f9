"""Ctrl-C before a script has begun, and where Python drops it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoad.core.program.signals import SCRIPTS
from tests.scripts import ROOT, command


def run_code(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", code]
    environ = os.environ | environment
    return subprocess.run(words, cwd=ROOT, env=environ, capture_output=True, text=True)


DROPPED = """
import os, signal, sys, time, weakref
from hoad.core import cli

class Thing:
    pass

def interrupt(reference):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)

def run() -> None:
    '''Drop an interrupt in the callback of a weak reference.'''
    thing = Thing()
    reference = weakref.ref(thing, interrupt)
    del thing
    {then}

sys.argv = ["script.py"]
cli.run(run)
"""


@pytest.mark.parametrize("seconds", [0.3, 1.0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_of_imports_shows_no_traceback(seconds: float, number: signal.Signals) -> None:
    words = command("agents.py", "check", "iggi", "--games", "100000")  # so that it cannot be over
    process = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    process.send_signal(number)
    _, errors = process.communicate()

    assert process.returncode in (130, -signal.SIGTERM)  # the latter before Python has begun
    assert len(errors.splitlines()) <= 1


DROPPING = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)
except KeyboardInterrupt:  # as compiled modules do
    pass
"""
"""A module that drops an interrupt while it is imported."""


@pytest.mark.parametrize(
    "then",
    [
        "time.sleep(60)",
        "raise RuntimeError('no compiled object yet')",
        "import dropping; time.sleep(60)",
    ],
)
def test_an_interrupt_that_python_drops_ends_the_program(then: str, tmp_path: Path) -> None:
    (tmp_path / "dropping.py").write_text(DROPPING, encoding="utf-8")
    code = DROPPED.replace("{then}", then)
    if "dropping" in then:  # it alone drops one
        code = code.replace("del thing", "pass")

    done = run_code(code, PYTHONPATH=str(tmp_path))

    assert (done.returncode, done.stderr.count("\n")) == (130, 1)
    assert done.stderr.startswith("error: interrupted")


@pytest.mark.parametrize("handled", [True, False])
def test_a_step_is_finished_before_an_interrupt_which_may_be_ignored(handled: bool) -> None:
    code = f"""
import os, signal
from hoad.core.program.signals import held_interrupt, interruptible

signal.signal(signal.SIGINT, signal.default_int_handler if {handled} else signal.SIG_IGN)
interruptible()
with held_interrupt() as asked:
    for number in (signal.SIGINT, signal.SIGTERM):
        print(asked.is_set())
        os.kill(os.getpid(), number)
    print(asked.is_set())
"""
    done = run_code(code)

    if handled:  # the second one does not wait
        assert (done.stdout.split(), done.returncode != 0) == (["False", "True"], True)
    else:
        assert (done.stdout.split(), done.returncode) == (["False", "False", "True"], 0)


@pytest.mark.parametrize(("ignored", "status"), [(False, 130), (True, 0)])
def test_a_terminal_that_closes_interrupts_a_command_unless_it_was_started_by_nohup(
    ignored: bool, status: int
) -> None:
    code = f"""
import os, signal, sys
from hoad.core import cli

def run() -> None:
    '''Lose the terminal.'''
    os.kill(os.getpid(), signal.SIGHUP)

if {ignored}:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
sys.argv = ["script.py"]
os.dup2(os.open("/dev/full", os.O_WRONLY), 2)  # no line can be written, as on the terminal
cli.run(run)
"""
    assert run_code(code).returncode == status


def test_programs_that_import_hoad_keep_their_handler() -> None:
    done = run_code("import hoad, signal; print(signal.getsignal(signal.SIGINT).__name__)")

    assert done.stdout == "default_int_handler\n"


def copy_signals(folder: Path) -> None:
    """Make a copy of HOAD that consists of this module."""
    module = Path("hoad/core/program/signals.py")
    (folder / module).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / module, folder / module)
    for package in ("hoad", "hoad/core", "hoad/core/program"):
        (folder / package / "__init__.py").touch()


@pytest.mark.parametrize(
    ("name", "handler"), [("evaluate.py", "_handle"), ("cluster.py", "default_int_handler")]
)
def test_a_script_of_somebody_else_in_the_folder_of_the_scripts_keeps_its_handler(
    name: str, handler: str, tmp_path: Path
) -> None:
    copy_signals(tmp_path)
    (tmp_path / name).write_text(
        "import hoad.core.program.signals, signal\n"
        "print(signal.getsignal(signal.SIGINT).__name__)\n",
        encoding="utf-8",
    )

    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert done.stdout == handler + "\n"


def test_a_script_of_somebody_else_may_import_hoad_in_a_thread(tmp_path: Path) -> None:
    """As the scheduler of a program with dask-jobqueue does, for a command's first item."""
    copy_signals(tmp_path)
    (tmp_path / "cluster.py").write_text(
        "from importlib import import_module\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor() as executor:\n"
        "    executor.submit(import_module, 'hoad.core.program.signals').result()\n",
        encoding="utf-8",
    )

    subprocess.run([sys.executable, "cluster.py"], cwd=tmp_path, check=True)


def test_the_scripts_are_those_of_the_folder() -> None:
    scripts = {path.name for path in ROOT.glob("*.py") if "cli.run(" in path.read_text("utf-8")}

    assert scripts == SCRIPTS


@pytest.mark.parametrize(("threads", "status"), [("2", 2), ("1", 0)])
def test_a_system_without_threads_is_named_before_numpy_is_imported(
    threads: str, status: int
) -> None:
    code = (
        "import threading\n"
        "from hoad.core.program.signals import require_threads\n"
        'def refuse(thread): raise RuntimeError("can\'t start new thread")\n'
        "threading.Thread.start = refuse\n"
        "require_threads()\n"
    )
    done = run_code(code, OMP_NUM_THREADS=threads)

    assert done.returncode == status
    assert ("OMP_NUM_THREADS=1" in done.stderr) == (status == 2)
    assert len(done.stderr.splitlines()) == (status == 2)
