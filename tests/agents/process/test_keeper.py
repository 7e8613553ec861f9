"""No child is left behind, however HOAD ends; what was recorded stays."""

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from hoad.replay.dataset import read_dataset
from tests.agents.process.bots import PYTHON_BOT, misbehaving, processes, wait_until_gone
from tests.scripts import assert_refused, command, run_here

ROOT = Path(__file__).parents[3]


def words(folder: Path, name: str, games: int, *more: object) -> list[object]:
    """The words of a command that records games of an agent in a folder of this one."""
    path = folder / "play.toml"
    path.write_text(f"games = {games}\nagents = [{json.dumps(name)}]\n")
    return ["play", path, "--out", folder / "games", *more]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_children_and_their_daemons_end_with_the_program(tmp_path, number):
    mark = f"mark-{uuid4().hex}"  # another worker may run this test with the other signal
    given = words(tmp_path, misbehaving("hangs with a daemon", mark=mark), 50)
    program = subprocess.Popen(command("record.py", *given), cwd=ROOT, stderr=subprocess.PIPE)
    while processes(mark) < 2:  # the bot and its daemon
        assert program.poll() is None
        time.sleep(0.02)

    program.send_signal(number)
    program.communicate(timeout=30)

    assert program.returncode == (-number if number == signal.SIGKILL else 130)
    wait_until_gone(mark)
    assert not list(tmp_path.glob("**/*.h5"))


@pytest.mark.parametrize("moment", [0, 2, 5])
def test_workers_and_their_children_end_with_a_program_that_is_killed(tmp_path, moment):
    bot, mark = misbehaving("hangs with a daemon", mark=f"mark-{uuid4().hex}"), uuid4().hex
    program = subprocess.Popen(
        command("record.py", *words(tmp_path, bot, 50, "--backend", "loky", "--threads", 3)),
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOAD_TEST_MARK": mark},
    )
    while len(marked(mark)) < 2 + moment:  # while workers start; then their bots, and daemons
        assert program.poll() is None
        time.sleep(0.005)

    program.kill()
    program.wait()

    deadline = time.monotonic() + 20
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def marked(mark: str) -> list[int]:
    """The processes with a mark in their environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.status() != "zombie" and process.environ().get("HOAD_TEST_MARK") == mark:
                found.append(process.pid)
    return found


def test_a_child_that_fails_costs_no_recorded_game(tmp_path):
    # It dies after more than a hundred games.
    given = words(tmp_path, misbehaving("dies", times=250), 150, "--threads", 1)

    assert_refused(run_here("record.py", *given), "status 3")
    kept = list(tmp_path.glob("games/*.parts/*.h5"))
    resumed = run_here("record.py", *given, "--resume")

    assert len(kept) == 1
    assert resumed.returncode == 0
    [path] = tmp_path.glob("games/*.h5")
    assert len(read_dataset(path).logs) == 150


def test_games_do_not_depend_on_threads_or_on_the_number_of_children(tmp_path):
    actions: list[list[int]] = []
    for options in (["--threads", 1], ["--threads", 3], ["--threads", 3, "--children", 1]):
        folder = tmp_path / str(len(actions))
        folder.mkdir()
        assert run_here("record.py", *words(folder, PYTHON_BOT, 12, *options)).returncode == 0
        [path] = folder.glob("games/*.h5")
        actions.append(read_dataset(path).logs.actions.tolist())

    assert actions[0] == actions[1] == actions[2]
