"""Command lines of a little script; in a process of its own where that is what is tested."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from hoad import __version__
from hoad.core import cli
from hoad.core.errors import HoadError
from tests.core import little_script
from tests.scripts import ROOT

PROGRAM = [sys.executable, "-m", "tests.core.little_script"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "good.toml").write_text(
        'agents = ["iggi", "rules:8,13"]\ngames = 20\n[network]\nwidth = 64\n'
    )
    (tmp_path / "binary.toml").write_bytes(b"\x89HDF\xff")
    return tmp_path


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "PYTHONUNBUFFERED": ""}


def script(
    folder: Path, *words: str, command: cli.CommandGroup | Callable[..., Any] = little_script.GROUP
) -> subprocess.CompletedProcess[str]:
    """Run the script in this process, in this folder."""
    out, errors = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(errors):
        status = cli.main(command, words, "script.py")
    return subprocess.CompletedProcess(words, status, out.getvalue(), errors.getvalue())


def start(folder: Path, *words: str, **options: Any) -> subprocess.Popen[str]:
    """Start the script in a process of its own."""
    command = [*PROGRAM, *words]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(command, cwd=folder, env=environment(), text=True, **streams)


def refusal(folder: Path, *words: str) -> str:
    """Run the script, which is to refuse in one line with status 2; return that line."""
    done = script(folder, *words)
    assert done.returncode == 2, done
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_recipe_and_options_give_the_arguments_to_a_command_or_one_of_a_group(folder: Path) -> None:
    done = script(folder, "play", "good.toml")
    alone = script(folder, "good.toml", command=little_script.play)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == alone.stdout == "iggi rules:8,13 20 64 True here False\n"
    assert script(folder, "work", "dig", "--threads", "2").stdout == "2 threads\n"
    words = "--games 7 --network.width 8 --no-colour-ties --out there --resume --agents piers"
    overridden = script(folder, "play", "good.toml", *words.split())
    assert overridden.stdout == "piers 7 8 False there True\n"
    assert " there " in script(folder, "play", "--out", "there", "good.toml").stdout


def test_agents_are_separate_arguments_and_the_result_is_the_status(folder: Path) -> None:
    done = script(folder, "crossplay", "iggi", "rules:8,13", "--json")

    assert done.stdout == "('iggi', 'rules:8,13') 10 True\n"
    assert done.returncode == 3
    dug = script(folder, "work", "dig", "--threads", "3", "--backend", "loky")
    assert dug.stdout == "3 loky\n"  # workers stand for their options


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('agents = ["iggi"]\ngmes = 3', "unknown key gmes (did you mean games?)"),
        ('agents = ["iggi"]\n[network]\nwdth = 3', "network.wdth (did you mean width?)"),
        ('agents = ["iggi"]\ngames = "7"', "games = '7': should be a valid integer"),
        ('agents = ["iggi"]\ngames = 1001', "games = 1001: should be less than or equal to 1000"),
        ('agents = ["iggi"]\nsource = "x"', "source = 'x': should be 'originals' or 'imitators'"),
        ('agents = "iggi"', "agents = 'iggi': should be a valid array"),
        ("games = 3", "key agents is missing"),
        ("games = 0\nagents = []", "agents = []: "),
        ("games = 0\nagents = []", "games = 0: "),  # every mistake is named
        ("games =", "not a TOML file"),
    ],
)
def test_a_wrong_recipe_is_refused_by_key_and_value(folder: Path, text: str, expected: str) -> None:
    (folder / "wrong.toml").write_text(text)

    line = refusal(folder, "play", "wrong.toml")

    assert line.startswith("error: wrong.toml: ")
    assert expected in line


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ('agents = ["iggi"]\nsource = "imitators"', "--games=50"),  # 100 is more than they play
        ("games = 50", "--agents=iggi"),
    ],
)
def test_options_complete_a_recipe_before_its_whole_check(
    folder: Path, text: str, option: str
) -> None:
    (folder / "draft.toml").write_text(text)

    assert refusal(folder, "play", "draft.toml").startswith("error: draft.toml: ")
    assert script(folder, "play", "draft.toml", option).stdout.startswith("iggi 50 ")
    assert "width = 0" in refusal(folder, "play", "draft.toml", option, "--network.width", "0")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("crossplay", ("agents = (): ",)),
        ("crossplay iggi --games 0", ("games = 0: should be greater than or equal to 1",)),
        ("play good.toml --network.width 0", ("network.width = 0: should be greater than",)),
        ("play absent.toml", ("absent.toml: there is no such recipe",)),
        ("play binary.toml", ("binary.toml: not a TOML file",)),
        ("play", ("no recipe given",)),
        ("play --games 3", ("no recipe given",)),
        ("work dig --threads 0", ("threads = 0: should be",)),
        ("work dig --threads 100000", ("threads = 100000: should be",)),
        ("work dig --backend dask", ("needs --scheduler",)),
        ("play good.toml --gmes 3", ("--gmes", "--games", "script.py play --help")),
        ("play good.toml --netwrk.width 3", ("--netwrk.width", "--network.width")),
        ("play --gmes 3 good.toml", ("unknown option --gmes; did", "--games")),
        ("play good.toml --zzzz 3", ("unknown option --zzzz (see",)),
        ("play good.toml --ct 3", ("unknown option --ct; did you mean --colour-ties?",)),
        ("choose", ("--one", "--other", "required")),
        ("choose --one 1 --other 2", ("--one", "--other", "not allowed")),
        ("play good.toml more", ("unexpected words: more (see",)),
        ("play good.toml --games many", ("--games", "many")),
        ("play good.toml --source x", ("--source", "'x'", "originals", "imitators")),
        ("fail", ("--how",)),
        ("paly good.toml", ("paly", "play")),
        ("work dg", ("dg", "dig")),
        ("work", ("dig",)),
        ("", ("crossplay",)),
    ],
)
def test_wrong_words_are_refused(folder: Path, words: str, named: tuple[str, ...]) -> None:
    line = refusal(folder, *words.split())

    assert all(name in line for name in named), line


def test_help_shows_every_command_the_recipe_and_every_key_and_what_must_be_given(
    folder: Path,
) -> None:
    group, of_play = script(folder, "--help"), script(folder, "play", "--help")
    alone = script(folder, "--help", command=little_script.play)

    assert (group.returncode, group.stderr) == (0, "")
    assert group.stdout.startswith(
        "usage: script.py [-h] {play,crossplay,work,choose,fail,absent} ...\n"
    )
    for text in ("Do things.", "play", "Play every pair of agents.", "(dig)"):
        assert text in group.stdout
    keys = ("--games INT", "Games of each agent.", "--network.width", "Units of each hidden")
    for done in (of_play, alone):
        assert done.returncode == 0
        for text in ("RECIPE", "Play games and record", "--resume", "Folder of the record", *keys):
            assert text in done.stdout
    assert "usage: script.py play [options] RECIPE" in of_play.stdout
    assert "Agents that play. (in the recipe)" in of_play.stdout
    assert "usage: script.py fail --how " in script(folder, "fail", "--help").stdout
    page = script(folder, "choose", "--help").stdout
    assert "usage: script.py choose --one | --other [options]" in page
    assert "One. (one of --one and --other is required)" in page


@pytest.mark.parametrize("words", [[], ["play"], ["work"], ["work", "dig"], ["absent"]])
def test_every_command_has_a_version(folder: Path, words: list[str]) -> None:
    assert script(folder, *words, "--version").stdout == f"hoad {__version__}\n"


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("hoad", "error: game 7, turn 3: action 12 is not legal\n"),
        ("missing", "error: /no/such/file: No such file or directory\n"),
        ("memory", "error: not enough memory"),
        ("torch_memory", "error: not enough memory"),
    ],
)
def test_a_failure_is_one_line(folder: Path, how: str, said: str) -> None:
    assert refusal(folder, "fail", "--how", how).startswith(said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    assert "No space left on device" in refusal(folder, "fail", "--how", "no_space")
    with open("/dev/full", "w") as full, start(folder, "crossplay", "iggi", stdout=full) as running:
        _, errors = running.communicate()

    assert (running.returncode, errors) == (2, "error: No space left on device\n")


def test_a_closed_pipe_is_silent(folder: Path) -> None:
    with start(folder, "fail", "--how", "pipe") as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()

        assert running.stderr.read() == ""
        assert running.wait() == cli.READER_GONE


def ignore_ctrl_c() -> None:
    """Be as a program that a shell starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize(
    ("how", "before"),
    [
        *((how, None) for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
        (signal.SIGTERM, ignore_ctrl_c),
    ],
)
def test_ctrl_c_sigterm_or_sighup_is_one_line_and_status_130(
    folder: Path, how: signal.Signals, before: Callable[[], None] | None
) -> None:
    with start(folder, "fail", "--how", "sleep", preexec_fn=before) as running:
        assert running.stdout is not None and running.stderr is not None
        assert running.stdout.readline() == "asleep\n"
        running.send_signal(how)
        message = running.stderr.read()

    assert running.returncode == 130
    assert message.startswith("error: interrupted") and message.count("\n") == 1


def test_ctrl_c_that_ends_a_server_is_no_failure(folder: Path) -> None:
    with start(folder, "fail", "--how", "serve") as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "serving\n"
        running.send_signal(signal.SIGINT)

    assert running.returncode == 0


def test_progress_bars_are_silent_without_a_terminal(folder: Path) -> None:
    done = script(folder, "fail", "--how", "bar")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bug_keeps_its_traceback_and_an_error_shows_it_if_asked(folder: Path) -> None:
    with start(folder, "fail", "--how", "bug") as running:
        _, errors = running.communicate()

    assert "Traceback" in errors and "ZeroDivisionError" in errors
    done = script(folder, "fail", "--traceback", "--how", "hoad")
    assert done.returncode == 2
    assert "little_script.py" in done.stderr
    assert done.stderr.endswith("\nerror: game 7, turn 3: action 12 is not legal\n")


@pytest.mark.parametrize("closed", ["stdout", "stderr", "stdin"])
def test_a_closed_stream_shows_no_traceback(folder: Path, closed: str) -> None:
    number = ("stdin", "stdout", "stderr").index(closed)
    with start(folder, "crossplay", "iggi", preexec_fn=lambda: os.close(number)) as running:
        out, errors = running.communicate()

    if closed == "stdout":
        assert (running.returncode, errors.count("\n")) == (2, 1)
        assert errors.startswith("error: standard output is closed")
    else:
        assert (running.returncode, errors) == (3, "")
        assert out == "('iggi',) 10 False\n"


def test_an_encoding_without_a_character_gets_another_one(folder: Path) -> None:
    code = (
        "import sys; sys.argv = ['x']; from hoad.core import cli; cli.run(lambda: print('1 ± 2'))"
    )
    environ = environment() | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"1 +- 2\n", b"")


@pytest.mark.parametrize(("given", "used"), [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "x"}, "x")])
def test_waiting_threads_leave_the_processor_to_others(given: dict[str, str], used: str) -> None:
    code = (
        "import os\n"
        "from hoad.core import cli\n"
        "def show() -> None:\n"
        "    '''Show it.'''\n"
        "    print(os.environ['OMP_WAIT_POLICY'])\n"
        "cli.run(show)\n"
    )
    others = {key: value for key, value in os.environ.items() if key != "OMP_WAIT_POLICY"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=others | given, cwd=ROOT, capture_output=True, text=True)

    assert (done.stdout, done.stderr) == (f"{used}\n", "")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (HoadError("a\x1b[31mred\x9b5m\x07.h5: bad"), r"a\x1b[31mred\x9b5m\x07.h5: bad"),
        (ValueError("embedded null byte"), "the name of a file holds a NUL character"),
        (RuntimeError("can't start new thread"), "the system allows no more threads"),
        (BlockingIOError(11, "Resource temporarily unavailable"), "Resource temporarily"),
    ],
)
def test_errors_are_one_printable_line(folder: Path, error: Exception, said: str) -> None:
    def fail() -> None:
        """Fail."""
        raise error

    done = script(folder, command=fail)

    assert done.returncode == 2
    assert done.stderr.startswith("error: ") and said in done.stderr
    assert done.stderr[:-1].isprintable() and done.stderr.endswith("\n")


def test_a_terminal_of_two_columns_does(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "2")

    assert script(folder, "play", "good.toml").returncode == 0
    assert script(folder, "play", "--help").returncode == 0
