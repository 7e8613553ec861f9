"""Names of agents, and their families."""

from importlib import import_module

import pytest

import hoad.agents
from hoad.agents import agent_descriptions, agent_names, get_agent, get_fair_agent, play, same_agent
from hoad.agents.families import name_in, original_name
from hoad.agents.registry import _agents, _prefixes, loads_code
from hoad.core.errors import HoadError
from tests.scripts import printed


def test_every_name_is_described_and_gives_an_agent_of_that_name() -> None:
    assert {*agent_names(), "rules:"} <= set(agent_descriptions())
    assert [get_agent(name).name for name in agent_names()] == list(agent_names())
    for entry in [*_agents.values(), *_prefixes.values()]:
        assert isinstance(entry.load, str)
        module, _, function = entry.load.partition(":")
        assert callable(getattr(import_module(module), function))


def test_names_are_listed_without_loading_what_they_name() -> None:
    told = printed(
        "import sys; from hoad.agents import agent_descriptions; agent_descriptions();"
        "print({'numba', 'torch', 'hoad.learning'} & sys.modules.keys())"
    )

    assert told == "set()\n"


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
        *(
            (name, "has the control character")
            for name in ("iggi\0", "logit:a\0.h5", "rules:8,\t13", "process:a\nb", "maml:a\x9f")
        ),
        *(
            (name, "is not a number; write it with 0 to 9")
            for name in ("rules:٣", "rules:8,13,٣", "rainbow:１", "noisy:٠:iggi")
        ),
        *(
            (f"noisy:{bad}", "expected noisy:E:AGENT with E from 0 to 1")
            for bad in ("iggi", "0.1", "2:iggi", "nan:iggi")
        ),
        ("noisy:0.1:" * 1000 + "iggi", "more than 20 agents within each other"),
        ("risky:much", "risky:much: 'much' should be a probability"),
        ("risky:1.5", "'1.5' should be a probability from 0 to 1"),
        ("risky:0.1234", "at most three decimals"),
        ("van-den-bergh:0.6", "expected van-den-bergh:WP:WD:HINT:DISCARD"),
        ("van-den-bergh:0.6:1.0:ALWAYS:RANDOM", "'ALWAYS' should be one of RANDOM, MOST_CARDS"),
        ("van-den-bergh:0.6:1.0:RANDOM:NEVER", "'NEVER' should be one of RANDOM, LONGEST_HELD"),
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
    assert get_fair_agent("noisy:0.1:" * 20 + "iggi").fair  # as many within each other as there may

    with pytest.raises(HoadError, match="agent cheatbot sees its own hand"):
        get_fair_agent("cheatbot")


def test_names_that_load_code_are_known() -> None:
    code = "python:a.py:A"
    for name in (code, f"noisy:0.1:{code}", f"bayes-moves:iggi+{code}", f"imitator:{code}"):
        assert loads_code(name)
    assert not loads_code("iggi") and not loads_code("imitator:pythonic.safetensors")


def test_an_imitator_plays_for_an_agent_if_the_source_says_so_and_stands_for_it() -> None:
    file = "imitator:my.safetensors"
    assert name_in("originals", "iggi") == "iggi"
    for name, imitator in (("iggi", "imitator:iggi"), ("imitator:iggi", "imitator:iggi")):
        assert name_in("imitators", name) == imitator
        assert original_name(name) == original_name(f"imitator:{imitator}") == "iggi"
    assert name_in("imitators", file) == original_name(file) == file
    assert original_name("imitator:iggi.1") == "iggi"  # of another seed
