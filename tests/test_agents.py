"""The script ``agents.py``."""

import re

import pytest

from tests.scripts import assert_refused, runner_here

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


def test_an_unknown_agent_is_refused() -> None:
    assert_refused(run("check", "igi"), "igi", "iggi")
