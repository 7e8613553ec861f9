"""``--help`` of every command, and lists of agents; test_first_contact.py has how quick it is."""

import re
from collections.abc import Iterator

import pytest

from hoad.commands import HOAD
from hoad.core.cli import Command, CommandGroup
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
