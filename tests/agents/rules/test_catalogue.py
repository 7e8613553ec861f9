"""The catalogue of rules, and when a rule is asked at all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.agents.rules.catalogue import CATALOGUE, Row, find_rule, rule_parameters
from hoad.agents.rules.conditions import condition_bits, requirements_met
from hoad.core.errors import HoadError
from hoad.game.game import Game
from hoad.game.log import replay

# The catalogue of rules.


def test_the_catalogue_has_the_numbers_of_the_archives() -> None:
    assert list(CATALOGUE) == [*range(135), *range(200, 431)]
    assert all(rule.number == number for number, rule in CATALOGUE.items())


def test_every_rule_has_a_name_of_its_own_and_a_line_of_words() -> None:
    assert len({rule.name for rule in CATALOGUE.values()}) == 135 + 231
    assert all(rule.words and "\n" not in rule.words for rule in CATALOGUE.values())


@pytest.mark.parametrize("same", [(13, 21), (28, 36), range(72, 78), (0, 1, 16, 41, 42)])
def test_rules_that_the_publication_has_twice_are_one(same: tuple[int, ...]) -> None:
    assert len({CATALOGUE[number].row for number in same}) == 1


@pytest.mark.parametrize("number", [-1, 135, 431])
def test_an_unknown_number_is_refused(number: int) -> None:
    with pytest.raises(
        HoadError, match=f"unknown rule {number}; the catalogue has 0 to 134 and 200 to 430"
    ):
        find_rule(number)


def test_rules_that_never_fire_are_left_out() -> None:
    assert np.array_equal(rule_parameters([0, 8, 41]), rule_parameters([8]))
    assert len(rule_parameters([16])) == 0


def test_a_rule_without_a_number_is_a_row() -> None:
    assert np.array_equal(rule_parameters([Row(*CATALOGUE[5].row), 8]), rule_parameters([5, 8]))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**63 - 1))
def test_every_rule_alone_plays_legal_games_to_the_end(seed: int) -> None:
    for rule in CATALOGUE:
        agent = get_agent(f"rules:{rule}")

        outcomes = replay(play([agent, agent], 10, seed))

        assert outcomes.over.all(), rule
        assert (outcomes.illegal_turn == -1).all(), rule


@settings(max_examples=100, deadline=None)
@given(
    rules=st.lists(st.sampled_from(list(CATALOGUE)), max_size=15), seed=st.integers(0, 2**63 - 1)
)
def test_rules_in_any_order_play_legal_games_to_the_end(rules: list[int], seed: int) -> None:
    agent = get_agent("rules:" + ",".join(map(str, rules or [8])))

    assert replay(play([agent, agent], 20, seed)).over.all()


# When a rule of the catalogue is asked at all.


def _asked(rule: int, lives: int = 3, tokens: int = 8, deck_left: int = 40, seat: int = 0) -> bool:
    table = Game().state.table
    table.lives, table.tokens, table.deck_left = lives, tokens, deck_left
    return not CATALOGUE[rule].row.condition & ~requirements_met(table, seat)


@pytest.mark.parametrize(
    ("rule", "table", "asked"),
    [
        (43, {"lives": 2}, True),
        (43, {"lives": 1}, False),
        (48, {"tokens": 3}, True),
        (48, {"tokens": 4}, False),
        (83, {"seat": 0}, True),
        (104, {"seat": 1}, False),
        (108, {"lives": 3}, True),
        (108, {"lives": 2}, False),
        (109, {"lives": 1}, True),
        (109, {"lives": 2}, False),
        (110, {"deck_left": 0}, True),
        (110, {"deck_left": 1}, False),
        (110, {"deck_left": 0, "lives": 1}, False),
        (111, {"deck_left": 10}, True),
        (111, {"deck_left": 11}, False),
        (112, {"tokens": 8}, True),
        (112, {"tokens": 7}, False),
        (130, {"tokens": 4}, True),
        (130, {"tokens": 3}, False),
    ],
)
def test_rules_are_asked_under_their_conditions(
    rule: int, table: dict[str, int], asked: bool
) -> None:
    assert _asked(rule, **table) == asked


def test_conditions_are_written_in_words() -> None:
    assert condition_bits("lives>1 and tokens=8") == CATALOGUE[112].row.condition
    assert CATALOGUE[112].name.startswith("If(lives>1 and tokens=8) ")
