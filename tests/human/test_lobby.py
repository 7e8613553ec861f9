"""The agents of the lobby."""

from hoad.agents.registry import RULE_LISTS, agent_descriptions
from hoad.human.lobby import listed_agents


def test_all_agents_and_prefixes_are_listed_the_best_first_and_prefixes_last() -> None:
    listed = listed_agents()

    assert {agent["name"] for agent in listed} == set(agent_descriptions())
    scores = [agent["score"] for agent in listed if agent["family"]]
    assert scores == sorted(scores, reverse=True)
    assert all(agent["name"].endswith(":") == (not agent["family"]) for agent in listed)


def test_scores_are_those_of_the_published_table_and_no_rule_numbers_are_shown() -> None:
    listed = {agent["name"]: agent for agent in listed_agents()}

    assert 17 < listed["iggi"]["score"] < 17.3
    assert listed["forgiving"]["score"] == 0
    assert all(listed[name]["about"] == "" for name in RULE_LISTS)
