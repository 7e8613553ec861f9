"""Nothing is compiled, and no large package is imported, before a command line is understood.

Each command line runs in a process of its own with an empty cache of compiled functions.
"""

import inspect
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoad import __version__
from hoad.commands import HOAD
from hoad.core.cli import Command, CommandGroup
from hoad.core.recipe import Recipe
from hoad.core.recipe_files import RECIPE_FOLDERS
from tests.scripts import ROOT, run_here, runner_here

SCRIPTS = sorted(path.name for path in ROOT.glob("*.py"))


def commands_of(group: CommandGroup, name: str = "hoad") -> Iterator[tuple[str, Command]]:
    for word, command in group.commands.items():
        if isinstance(command, CommandGroup):
            yield from commands_of(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


COMMANDS = dict(commands_of(HOAD))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_the_first_line_of_the_docstring(name: str) -> None:
    docstring = COMMANDS[name].load().__doc__

    assert docstring is not None
    assert docstring.splitlines()[0] == COMMANDS[name].summary


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_finds_the_recipes_that_come_with_hoad(name: str) -> None:
    parameters = inspect.signature(COMMANDS[name].load(), eval_str=True).parameters.values()
    kinds = [each.annotation for each in parameters if isinstance(each.annotation, type)]

    assert all(kind.folder in RECIPE_FOLDERS for kind in kinds if issubclass(kind, Recipe))


def test_the_program_has_the_commands_of_all_scripts() -> None:
    listed = run_here("evaluate.py", "--help").stdout
    names = [name for name in COMMANDS if name.startswith("hoad evaluate ")]

    assert all(re.search(rf"^  {name.split()[-1]} ", listed, re.MULTILINE) for name in names)
    assert len(COMMANDS) == 40


run = runner_here("agents.py")


def test_agents_and_rules_are_listed() -> None:
    agents, rules = run("list").stdout, run("rules").stdout

    for name in ("van-den-bergh", "maml:", "elite:"):
        assert re.search(f"^{name} +\\w", agents, re.MULTILINE)
    assert re.search("^8 PlaySafeCard +play a card", rules, re.MULTILINE)


@pytest.mark.parametrize(("agent", "peeks"), [("iggi", False), ("cheatbot", True)])
def test_check_says_whether_peeking_was_checked(agent: str, peeks: bool) -> None:
    result = run("check", agent)

    assert result.returncode == 0, result.stderr
    first, *more = result.stdout.splitlines()
    assert agent in first
    assert len(more) == peeks


SECONDS = 1.5
"""Processor time until a user reads help or an error."""

PROGRAM = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*sys.modules, file=sys.stderr)
"""
MANY = """
import json, os, runpy, sys, time
import hoad.commands, hoad.core.cli
first = time.process_time()
for words in json.loads(sys.argv[2]):
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == 0, words
        continue
    sys.argv = [sys.argv[1], *words]
    print(end="\\0", flush=True)
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        print(first + time.process_time(), *sys.modules, file=sys.stderr)
print(*sys.modules, file=sys.stderr)
"""
"""One command line after another in forks; the processor time and modules of each are errors."""
HEAVY = {"matplotlib", "numba", "scipy", "torch"}

RECIPES = {
    "play.toml": 'agents = ["iggi"]\ngames = 6\n',
    "imitator.toml": "steps = 2\nvalidate_every = 2\n",
    "maml.toml": 'agents = ["iggi", "piers"]\nsteps = 2\nvalidate_every = 2\n',
    "rainbow.toml": "steps = 20\nvalidate_every = 10\n",
    "evolve.toml": 'name = "small"\n',
    "adhoc.toml": 'partners = ["iggi"]\nplayers = ["self-play"]\nepisodes = 20\nout = "table"\n',
    "search.toml": 'agents = ["iggi"]\nrollouts = 1\nout = "table"\n',
    "imitators.toml": 'agents = ["iggi"]\nout = "table"\n',
    "prediction.toml": 'partners = ["iggi"]\nout = "table"\n',
    "meta-agents.toml": 'players = ["oracle"]\nout = "table"\n[[pools]]\nname = "a"\n'
    'agents = ["iggi"]\n',
    "no.toml": "games =",
    "keys.toml": 'partners = ["iggi"]\nplayers = ["self-play"]\nepisodse = 20\nout = "new"\n',
}
"""Recipes in the folder where the command lines run; the last two are wrong."""

MISTAKES = [
    ("evaluate.py", "unknown command 'adhok'; did you mean adhoc?", "adhok"),
    ("evaluate.py", "no recipe given", "adhoc"),
    ("evaluate.py", "unknown option --episode; did you", "adhoc adhoc.toml --episode 3"),
    ("evaluate.py", "--episodes = 1: should be", "adhoc adhoc.toml --episodes 1"),
    ("evaluate.py", "nosuch.toml: there is no such recipe", "adhoc nosuch.toml"),
    ("evaluate.py", "no.toml: not a TOML file", "adhoc no.toml"),
    ("evaluate.py", "keys.toml: key episodes is missing; unknown key episodse", "adhoc keys.toml"),
    ("evaluate.py", "--join goes with --resume", "adhoc adhoc.toml --join a"),
    ("evaluate.py", "unknown player 'lowshot'", "adhoc adhoc.toml --players lowshot"),
    ("evaluate.py", "unknown agent 'igggi'", "adhoc adhoc.toml --partners igggi"),
    ("evaluate.py", "unknown agent 'igggi'", "crossplay iggi igggi"),
    ("evaluate.py", "unknown agent 'igggi'", "search search.toml --agents igggi"),
    ("evaluate.py", "unknown agent 'igggi'", "imitators imitators.toml --agents igggi"),
    ("evaluate.py", "unknown agent 'igggi'", "prediction prediction.toml --others igggi"),
    ("evaluate.py", "no meta-agent", "meta-agents meta-agents.toml --players naive"),
    ("evaluate.py", "table: holds the report of", "adhoc adhoc.toml"),
    ("evaluate.py", "table: holds the report of", "search search.toml"),
    ("evaluate.py", "table: holds the report of", "behaviour --agents iggi --out table"),
    ("record.py", "unknown agent 'igggi'", "play play.toml --agents igggi"),
    ("evaluate.py", "nosuch.h5: cannot read this file", "agreement nosuch.h5 --agent iggi"),
    ("evaluate.py", "nosuch.h5: cannot read this file", "predict nosuch.h5"),
    ("evaluate.py", "population 'nosuch'", "populations nosuch"),
    ("evaluate.py", "population 'nosuch'", "matchups nosuch"),
    ("record.py", "nosuch.h5: cannot read this file", "info nosuch.h5"),
    ("record.py", "iggi.h5: exists; keep it with --resume", "play play.toml --out ."),
    ("train_imitator.py", "iggi: holds a training already", "imitator.toml --agent iggi --out ."),
    ("train_imitator.py", "did you mean --learning-rate?", "imitator.toml --agent iggi --lr 1"),
    ("train_maml.py", "iggi: holds a training already", "maml.toml --held-out iggi --out ."),
    ("train_maml.py", "--held-out --held-out-family --people is required", "maml.toml"),
    ("train_rainbow.py", "0: holds a training already", "rainbow.toml --out ."),
    ("evolve.py", "small: holds a run already", "evolve.toml --out ."),
    ("agents.py", "unknown agent 'igggi'", "check igggi"),
    ("play.py", "unknown agent 'igggi'", "--agent igggi"),
    ("hanab_live.py", "--site", "iggi"),
]
"""Scripts, what their errors say, and the words that are wrong."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first contact")
    for name, text in RECIPES.items():
        (folder / name).write_text(text)
    (folder / "iggi.h5").touch()
    for training in ("imitator/iggi", "maml/iggi", "rainbow/0"):
        (folder / training).mkdir(parents=True)
        (folder / training / "last.safetensors").touch()
    (folder / "populations" / "small").mkdir(parents=True)
    (folder / "populations" / "small" / "progress.json").touch()
    (folder / "table").mkdir()
    report = {"made_with": {"command": "evaluate.py adhoc other.toml"}}
    (folder / "table" / "results.json").write_text(json.dumps(report))
    return folder


def start(
    folder: Path, tmp_path: Path, script: str, *words: str, program: str = PROGRAM
) -> tuple[int, str, str, float]:
    """Return status, output, error and seconds of a program that compiles and imports little."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program, str(ROOT / script), *words]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    *errors, modules = done.stderr.splitlines()
    assert not HEAVY & {*modules.split()}
    assert not list(tmp_path.iterdir()), "functions were compiled"
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return done.returncode, done.stdout, "\n".join(errors), seconds


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_of_a_script_comes_at_once(folder: Path, tmp_path: Path, script: str) -> None:
    status, output, errors, seconds = start(folder, tmp_path, script, "--help")

    assert (status, errors) == (0, "") and seconds < SECONDS
    assert output.startswith(f"usage: {script} ")


def test_help_of_each_command_and_the_version_come_at_once(folder: Path, tmp_path: Path) -> None:
    lines = [["evaluate", "adhoc", "--version"], *([*n.split()[1:], "--help"] for n in COMMANDS)]
    script = "hoad/__main__.py"

    status, output, errors, _ = start(folder, tmp_path, script, json.dumps(lines), program=MANY)

    assert status == 0, errors
    version, *pages = output.split("\0")[1:]
    assert version == f"hoad {__version__}\n"
    for name, page in zip(COMMANDS, pages, strict=True):
        assert page.startswith(f"usage: {name} ")
    for _, line in zip(lines, errors.splitlines(), strict=True):
        seconds, *modules = line.split()
        assert float(seconds) < SECONDS and not HEAVY & {*modules}


@pytest.mark.parametrize(("script", "problem", "words"), MISTAKES)
def test_a_mistake_is_told_at_once(
    folder: Path, tmp_path: Path, script: str, problem: str, words: str
) -> None:
    before = sorted(folder.rglob("*"))

    status, output, errors, seconds = start(folder, tmp_path, script, *words.split())

    assert (status, output) == (2, "") and seconds < SECONDS
    assert errors.startswith("error: ") and errors.count("\n") == 0
    assert problem in errors
    assert sorted(folder.rglob("*")) == before
