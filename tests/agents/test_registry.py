"""Names of agents, and their families."""

import subprocess
import sys
from importlib import import_module

import pytest

import hoad.agents
from hoad.agents import agent_descriptions, agent_names, get_agent, get_fair_agent, play, same_agent
from hoad.agents.families import name_in, original_name
from hoad.agents.registry import _agents, _prefixes, loads_code
from hoad.core.errors import HoadError


def test_every_name_is_described_and_gives_an_agent_of_that_name() -> None:
    assert {*agent_names(), "rules:"} <= set(agent_descriptions())
    assert [get_agent(name).name for name in agent_names()] == list(agent_names())


def test_every_loader_is_there() -> None:
    for entry in [*_agents.values(), *_prefixes.values()]:
        assert isinstance(entry.load, str)
        module, _, function = entry.load.partition(":")
        assert callable(getattr(import_module(module), function))


def test_names_are_listed_without_loading_what_they_name() -> None:
    program = (
        "import sys; from hoad.agents import agent_descriptions; agent_descriptions();"
        "print({'numba', 'torch', 'hoad.learning'} & sys.modules.keys())"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert done.stdout.strip() == b"set()"


def test_names_of_the_package_are_what_they_say() -> None:
    names = [name for name in hoad.agents.__all__ if not name.isupper()]  # without constants
    assert all(getattr(hoad.agents, name).__name__ == name for name in names)
    with pytest.raises(AttributeError, match="nothing"):
        hoad.agents.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("igi", r"unknown agent 'igi'; did you mean iggi"),
        ("xyz", r"unknown agent 'xyz'; agents.py list shows all"),
        ("", "an agent's name is missing"),
        ("search:", "an agent's name is missing"),
        ("rules:8,999", "unknown rule 999"),
        ("rules:8,x", "expected rule numbers"),
        *((name, "has a NUL character") for name in ("iggi\0", "logit:a\0.h5", "maml:\0")),
        *(
            (name, "is not a number; write it with 0 to 9")
            for name in ("rules:٣", "rules:8,13,٣", "rainbow:１", "noisy:٠:iggi")
        ),
    ],
)
def test_names_of_no_agent_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(HoadError, match=complaint):
        get_agent(name)


def test_the_same_rule_list_is_the_same_agent_under_any_name() -> None:
    assert same_agent("iggi", "rules:2,8,13,38,27,22")
    assert same_agent("iggi", "rules:2,8,13,35,37,27,22,34")
    assert not same_agent("iggi", "piers")
    assert not same_agent("iggi", "cautious")
    assert not same_agent("iggi", "rules:2,8,13,38,27")


def test_no_two_plain_names_play_alike() -> None:
    agents = [get_agent(name) for name in agent_names() if name != "rainbow"]

    games = {play([agent, agent], games=10, seed=0).actions.tobytes() for agent in agents}

    assert len(games) == len(agents) > 20


def test_an_agent_that_sees_its_own_hand_is_refused_as_a_fair_agent() -> None:
    assert get_fair_agent("smartbot").fair

    with pytest.raises(HoadError, match="agent cheatbot sees its own hand"):
        get_fair_agent("cheatbot")


def test_agents_within_agents_have_a_limit() -> None:
    assert get_agent("noisy:0.1:" * 20 + "iggi").fair
    with pytest.raises(HoadError, match="more than 20 agents within each other"):
        get_agent("noisy:0.1:" * 1000 + "iggi")


@pytest.mark.parametrize(
    ("name", "is_code"),
    [
        ("python:a.py:A", True),
        ("noisy:0.1:python:a.py:A", True),
        ("bayes-moves:iggi+python:a.py:A", True),
        ("imitator:python:a.py:A", True),
        ("iggi", False),
        ("imitator:pythonic.safetensors", False),
    ],
)
def test_names_that_load_code_are_known(name: str, is_code: bool) -> None:
    assert loads_code(name) == is_code


def test_an_imitator_plays_for_an_agent_if_the_source_says_so() -> None:
    assert name_in("originals", "iggi") == "iggi"
    assert name_in("imitators", "iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:my.safetensors") == "imitator:my.safetensors"


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("iggi", "iggi"),
        ("imitator:iggi", "iggi"),
        ("imitator:imitator:iggi", "iggi"),
        ("imitator:my.safetensors", "imitator:my.safetensors"),
    ],
)
def test_imitators_of_imitators_stand_for_the_agent(name: str, original: str) -> None:
    assert original_name(name) == original
