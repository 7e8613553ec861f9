"""Scripts as their users see them: real little scripts, run by the real Python."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCRIPT = '''
import os, sys, time
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.core.recipe import Recipe


class Network(Recipe):
    """The network."""

    width: int = Field(512, ge=1, description="Units of each hidden layer.")


class Play(Recipe):
    """What to play."""

    agents: tuple[str, ...] = Field(min_length=1, description="Who plays.")
    games: int = Field(100, ge=1, le=1000, description="Games of each agent.")
    source: Literal["originals", "imitators"] = Field("originals", description="Whose games.")
    colour_ties: bool = Field(True, description="Whether ties go by colour.")
    network: Network = Field(Network(), description="The network.")


def play(recipe: Play, *, out: Path = Path("here"), resume: bool = False) -> None:
    """Play games and record them.

    Args:
        recipe: What to play.
        out: Folder of the recordings.
        resume: Go on after an interruption.
    """
    print(*recipe.agents, recipe.games, recipe.network.width, recipe.colour_ties, out, resume)


def crossplay(
    agents: Annotated[
        tuple[str, ...], cli.Positional, cli.arg(metavar="AGENT..."), Field(min_length=1)
    ],
    games: Annotated[int, Field(ge=1)] = 10,
    json: bool = False,
) -> int:
    """Let everybody play with everybody.

    Args:
        agents: Names of agents.
        games: Games of each pair.
        json: End with one JSON object.
    """
    print(agents, games, json)
    return 3


def dig(crew: cli.Crew = cli.DEFAULT_CREW) -> None:
    """Dig.

    Args:
        crew: Who digs.
    """
    with crew.at_work():
        print(crew.threads, crew.backend)


def fail(how: Literal["hoad", "missing", "no_space", "pipe", "sleep", "bar", "bug"]) -> None:
    """Fail in one of many ways.

    Args:
        how: In which way.
    """
    if how == "hoad":
        raise HoadError("game 7, turn 3: action 12\\nis not legal")
    if how == "missing":
        open("/no/such/file")
    if how == "no_space":
        Path("/dev/full").write_text("full")
    if how == "pipe":
        for line in range(100_000):
            print(line)
    if how == "sleep":
        print("asleep", flush=True)
        time.sleep(60)
    if how == "bar":
        for _ in progress(range(3), "counting"):
            pass
        with progress(3, "counting", unit="games") as bar:
            bar.update(3)
    if how == "bug":
        raise ZeroDivisionError


if __name__ == "__main__":
    if sys.argv[1:2] == ["alone"]:
        del sys.argv[1]
        cli.run(play)
    cli.run({"play": play, "crossplay": crossplay, "dig": dig, "fail": fail}, "Do things.")
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "good.toml").write_text(
        'agents = ["iggi", "rules:8,13"]\ngames = 20\n[network]\nwidth = 64\n'
    )
    return tmp_path


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "PYTHONUNBUFFERED": ""}


def script(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "script.py", *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
    )


def refusal(folder: Path, *words: str) -> str:
    """Run the script, which is to refuse in one line with status 2; return that line."""
    done = script(folder, *words)
    assert done.returncode == 2, done
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_recipe_gives_the_arguments(folder: Path) -> None:
    done = script(folder, "play", "good.toml")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "iggi rules:8,13 20 64 True here False\n"


def test_one_command_needs_no_name(folder: Path) -> None:
    assert script(folder, "alone", "good.toml").stdout == "iggi rules:8,13 20 64 True here False\n"


def test_options_override_the_recipe(folder: Path) -> None:
    options = "--games 7 --network.width 8 --no-colour-ties --out there --resume --agents piers"
    done = script(folder, "play", "good.toml", *options.split())

    assert done.stdout == "piers 7 8 False there True\n"


def test_options_may_stand_before_the_recipe(folder: Path) -> None:
    assert " there " in script(folder, "play", "--out", "there", "good.toml").stdout


def test_agents_are_separate_arguments_and_the_result_is_the_status(folder: Path) -> None:
    done = script(folder, "crossplay", "iggi", "rules:8,13", "--json")

    assert done.stdout == "('iggi', 'rules:8,13') 10 True\n"
    assert done.returncode == 3


def test_a_list_of_agents_must_not_be_empty(folder: Path) -> None:
    assert "agents = (): " in refusal(folder, "crossplay")


def test_arguments_have_bounds_too(folder: Path) -> None:
    line = refusal(folder, "crossplay", "iggi", "--games", "0")

    assert "games = 0: should be greater than or equal to 1" in line


def test_a_crew_stands_for_its_options(folder: Path) -> None:
    done = script(folder, "dig", "--threads", "3", "--backend", "loky")

    assert done.stdout == "3 loky\n"
    assert "threads = 0: should be" in refusal(folder, "dig", "--threads", "0")
    assert "needs --scheduler" in refusal(folder, "dig", "--backend", "dask")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('agents = ["iggi"]\ngmes = 3', "unknown key gmes (did you mean games?)"),
        (
            'agents = ["iggi"]\n[network]\nwdth = 3',
            "unknown key network.wdth (did you mean width?)",
        ),
        ('agents = ["iggi"]\ngames = "7"', "games = '7': should be a valid integer"),
        ('agents = ["iggi"]\ngames = 1001', "games = 1001: should be less than or equal to 1000"),
        ('agents = ["iggi"]\nsource = "x"', "source = 'x': should be 'originals' or 'imitators'"),
        ('agents = "iggi"', "agents = 'iggi': should be a valid array"),
        ("games = 3", "key agents is missing"),
        ("games = 0\nagents = []", "agents = []"),
        ("games =", "not a TOML file"),
    ],
)
def test_a_wrong_recipe_is_refused_by_file_key_and_value(
    folder: Path, text: str, expected: str
) -> None:
    (folder / "wrong.toml").write_text(text)

    line = refusal(folder, "play", "wrong.toml")

    assert line.startswith("error: wrong.toml: ")
    assert expected in line


def test_every_mistake_of_a_recipe_is_named(folder: Path) -> None:
    (folder / "wrong.toml").write_text("games = 0\nagents = []")

    line = refusal(folder, "play", "wrong.toml")

    assert "games = 0: " in line and "agents = []: " in line


def test_a_recipe_that_is_not_text_is_refused(folder: Path) -> None:
    (folder / "wrong.toml").write_bytes(b"\x89HDF\xff")

    assert "wrong.toml: not a TOML file" in refusal(folder, "play", "wrong.toml")


def test_a_recipe_that_is_absent_is_refused(folder: Path) -> None:
    assert "absent.toml: cannot read this recipe" in refusal(folder, "play", "absent.toml")


@pytest.mark.parametrize("words", [["play"], ["play", "--games", "3"], ["alone"]])
def test_a_recipe_must_be_given(folder: Path, words: list[str]) -> None:
    assert "no recipe given" in refusal(folder, *words)


def test_an_option_out_of_range_is_refused_by_name(folder: Path) -> None:
    line = refusal(folder, "play", "good.toml", "--network.width", "0")

    assert "network.width = 0: should be greater than or equal to 1" in line


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["play", "good.toml", "--gmes", "3"], "--gmes"),
        (["play", "good.toml", "--games", "many"], "--games"),
        (["play", "good.toml", "--source", "x"], "--source"),
        (["paly", "good.toml"], "paly"),
        ([], "crossplay"),
    ],
)
def test_a_wrong_option_is_refused_without_traceback(
    folder: Path, words: list[str], named: str
) -> None:
    done = script(folder, *words)

    assert done.returncode == 2
    assert named in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["play", "--help"], ["alone", "--help"]])
def test_help_shows_the_recipe_and_every_key(folder: Path, words: list[str]) -> None:
    done = script(folder, *words)

    assert done.returncode == 0
    for text in ("RECIPE.toml", "Play games and record them.", "--resume", "Folder of the record"):
        assert text in done.stdout
    for text in ("--games INT", "Games of each agent.", "--network.width", "Units of each hidden"):
        assert text in done.stdout


def test_help_shows_every_command(folder: Path) -> None:
    done = script(folder, "--help")

    for text in ("Do things.", "play", "Let everybody play with everybody."):
        assert text in done.stdout


def test_a_failure_is_one_line(folder: Path) -> None:
    line = refusal(folder, "fail", "--how", "hoad")

    assert line == "error: game 7, turn 3: action 12 is not legal\n"


def test_a_missing_file_is_named(folder: Path) -> None:
    line = refusal(folder, "fail", "--how", "missing")

    assert line == "error: /no/such/file: No such file or directory\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    assert "No space left on device" in refusal(folder, "fail", "--how", "no_space")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
def test_standard_output_on_a_full_disk_is_one_line(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "script.py", "crossplay", "iggi"],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )

    assert (done.returncode, done.stderr) == (2, "error: No space left on device\n")


def test_a_closed_pipe_is_silent(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "script.py", "fail", "--how", "pipe"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()

        assert running.stderr.read() == ""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_is_one_line_and_status_130(folder: Path, how: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "script.py", "fail", "--how", "sleep"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        assert running.stdout.readline() == "asleep\n"
        running.send_signal(how)
        message = running.stderr.read()

    assert running.returncode == 130
    assert message.startswith("error: interrupted") and message.count("\n") == 1


def test_sigterm_ends_what_a_shell_started_in_the_background(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "script.py", "fail", "--how", "sleep"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "asleep\n"
        running.send_signal(signal.SIGTERM)

    assert running.returncode == 130


def test_progress_bars_are_silent_without_a_terminal(folder: Path) -> None:
    done = script(folder, "fail", "--how", "bar")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bug_keeps_its_traceback(folder: Path) -> None:
    done = script(folder, "fail", "--how", "bug")

    assert "Traceback" in done.stderr and "ZeroDivisionError" in done.stderr
