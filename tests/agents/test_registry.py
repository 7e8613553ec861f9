"""Names of agents."""

import pytest

from hoad.agents import (
    agent_descriptions,
    agent_names,
    get_agent,
    get_fair_agent,
    same_agent,
)
from hoad.core.errors import HoadError


def test_every_name_gives_an_agent_of_that_name() -> None:
    for name in agent_names():
        assert get_agent(name).name == name


def test_every_name_and_prefix_is_described() -> None:
    assert set(agent_names()) < set(agent_descriptions())
    assert "rules:" in agent_descriptions()


def test_unknown_names_are_refused_with_the_nearest_ones() -> None:
    with pytest.raises(HoadError, match=r"unknown agent 'igi'; did you mean iggi"):
        get_agent("igi")


def test_where_nothing_is_near_the_list_is_named() -> None:
    with pytest.raises(HoadError, match=r"unknown agent 'xyz'; evaluate.py agents lists all"):
        get_agent("xyz")


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(HoadError, match="unknown rule 999"):
        get_agent("rules:8,999")


def test_nonsense_between_the_commas_is_refused() -> None:
    with pytest.raises(HoadError, match="expected rule numbers"):
        get_agent("rules:8,x")


def test_the_same_rule_list_is_the_same_agent_under_any_name() -> None:
    assert same_agent("iggi", "rules:2,8,13,38,27,22")
    assert same_agent("iggi", "rules:2,8,13,35,37,27,22,34")
    assert not same_agent("iggi", "piers")
    assert not same_agent("iggi", "cautious")
    assert not same_agent("iggi", "rules:2,8,13,38,27")


def test_who_sees_its_own_hand_is_refused_where_a_fair_agent_is_wanted() -> None:
    assert get_fair_agent("smartbot").fair

    with pytest.raises(HoadError, match="agent cheatbot sees its own hand"):
        get_fair_agent("cheatbot")
