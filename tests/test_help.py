"""``--help`` of every command, and how quick it is."""

import re
import resource
import subprocess
import sys
from collections.abc import Iterator

import pytest

from hoad.commands import HOAD
from hoad.core.cli import Command, Group
from tests.scripts import ROOT, run_here

SCRIPTS = sorted(path.name for path in ROOT.glob("*.py"))
SLOW = ("torch", "matplotlib", "scipy.stats")


def commands_of(group: Group, name: str = "hoad") -> Iterator[tuple[str, Command]]:
    for word, command in group.commands.items():
        if isinstance(command, Group):
            yield from commands_of(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


COMMANDS = dict(commands_of(HOAD))


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_command_of_a_script_has_help(script: str) -> None:
    page = run_here(script, "--help")

    assert (page.returncode, page.stderr) == (0, "")
    names = re.search(r"^usage: .*\{([\w,-]+)\}", page.stdout)
    for name in names[1].split(",") if names else ():
        found = run_here(script, name, "--help", COLUMNS="200")
        assert (found.returncode, found.stderr) == (0, "")
        assert found.stdout.startswith(f"usage: {script} {name} ")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_the_first_line_of_the_docstring(name: str) -> None:
    docstring = COMMANDS[name].load().__doc__

    assert docstring is not None
    assert docstring.splitlines()[0] == COMMANDS[name].summary


def test_the_program_has_the_commands_of_all_scripts() -> None:
    listed = run_here("evaluate.py", "--help").stdout
    names = [name for name in COMMANDS if name.startswith("hoad evaluate ")]

    assert all(re.search(rf"^  {name.split()[-1]} ", listed, re.MULTILINE) for name in names)
    assert len(COMMANDS) == 33


def imported_by(*words: str) -> set[str]:
    """The packages that a program imports, by Python's own account."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"\| +(\S+)$", done.stderr, re.MULTILINE))


@pytest.mark.parametrize("words", [("evaluate.py", "--help"), ("-m", "hoad", "--help")])
def test_the_list_of_commands_takes_less_than_a_second(words: tuple[str, ...]) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    imported = imported_by(*words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    assert not imported & {"numpy", "numba", "joblib", *SLOW}
    assert after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime < 1


@pytest.mark.parametrize("name", ["adhoc", "imitators", "crossplay"])
def test_help_of_a_command_does_not_wait_for_torch(name: str) -> None:
    assert not imported_by("evaluate.py", name, "--help") & {*SLOW}
