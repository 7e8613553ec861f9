"""What a searching player learns of a partner, and how far it trusts search with it."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs, logs_of, replay
from hoad.partners.pool import PoolPosterior
from hoad.search import strategy
from hoad.search.strategy import Strategy

pytestmark = pytest.mark.usefixtures("quick_choices")

POOL = [get_agent(name) for name in ("valuebot", "iggi", "flawed")]


def games_of(name: str, games: int = 2) -> GameLogs:
    return play([get_agent(name)] * 2, games, seed=1)


@pytest.fixture(scope="module")
def of_a_rule_list(quick_choices):
    return Strategy(games_of("van-den-bergh"), POOL)


@pytest.fixture(scope="module")
def with_a_relative(quick_choices):
    return Strategy(games_of("holmesbot"), POOL)


@pytest.fixture(scope="module")
def without_relatives(quick_choices):
    return Strategy(games_of("smartbot"), POOL)


def test_search_is_trusted_with_a_partner_that_rules_can_say(of_a_rule_list):
    assert of_a_rule_list.way.margin < np.inf
    assert of_a_rule_list.player("search").margin == of_a_rule_list.way.margin


def test_it_keeps_to_the_blueprint_where_a_further_model_knows_better_than_search():
    further = PoolPosterior([get_agent("holmesbot")])

    known = Strategy(games_of("holmesbot"), POOL, [lambda: further])

    assert known.way.margin == np.inf
    assert known.player("search") is known.way.blueprint
    assert known.way.blueprint.name == "model"
    assert "holmesbot" in known.way.blueprint.plays_as
    assert [model.name for model in known.models.models] == ["pool", "program"]


@pytest.mark.parametrize("margin", [0.5, np.inf])
def test_a_given_margin_is_kept(margin):
    partner = Strategy(games_of("van-den-bergh", 0), POOL[:1], margin=margin)

    [way] = partner.ways
    assert way.margin == margin
    assert (partner.player("search") is way.blueprint) == (margin == np.inf)


def test_only_models_that_are_needed_are_rolled_out(of_a_rule_list):
    [programs] = of_a_rule_list.hypotheses()

    assert len(programs.agents) <= strategy.HYPOTHESES
    assert all(agent.name.startswith("program") for agent in programs.agents)


def test_the_blueprint_responds_to_the_models(of_a_rule_list):
    assert of_a_rule_list.ways[0].blueprint.name not in ("valuebot", "flawed")


def test_the_blueprint_is_safe_with_a_partner_that_no_model_knows(
    with_a_relative, without_relatives
):
    safe, relative = (one.ways[0].blueprint for one in (without_relatives, with_a_relative))

    assert safe.name == "iggi"  # which plays what it knows to be playable
    assert relative.name == "valuebot"  # the relative's own best partner


def test_it_learns_nothing_from_cards_that_the_player_never_saw(of_a_rule_list):
    logs = play([get_agent("iggi"), get_agent("van-den-bergh")], 1, seed=2)
    actions = logs.actions
    end = np.flatnonzero(actions < 10)  # plays and discards, each of which draws a card
    drawn = min(10 + len(end), 50)
    first, second = of_a_rule_list.copy(), of_a_rule_list.copy()
    deck = logs.decks[0].copy()
    deck[drawn:] = deck[drawn:][::-1]

    first.watch(logs, 0)
    second.watch(logs_of(2, [deck], [actions]), 0)

    assert np.array_equal(first.models.shares, second.models.shares)


def test_a_game_with_the_player_changes_a_copy_alone(of_a_rule_list):
    before, copy = of_a_rule_list.models.shares, of_a_rule_list.copy()
    logs = play([get_agent("valuebot"), get_agent("smartbot")], 1, seed=2)

    copy.watch(logs, 0)

    assert copy.models.shares[1] < before[1]
    assert np.array_equal(of_a_rule_list.models.shares, before)


@pytest.mark.parametrize(("players", "stays"), [("legal-random", False), ("smartbot", True)])
def test_a_way_to_play_is_left_when_games_are_lost(of_a_rule_list, players, stays):
    partner, logs = of_a_rule_list.copy(), games_of(players, 4)

    for game in range(4):
        partner.watch(logs.select(np.array([game])), 0)

    assert (partner.way == of_a_rule_list.way) == stays


def test_a_game_counts_a_third_as_much_as_the_rehearsals(of_a_rule_list):
    known = of_a_rule_list.copy()
    before, played = known.scores, known.ways.index(known.way)
    logs = play([known.player("search"), get_agent("van-den-bergh")], 1, seed=3)

    known.watch(logs, seat=0)

    expected = before.copy()
    expected[played] = (3 * before[played] + replay(logs).strict[0]) / 4
    np.testing.assert_allclose(known.scores, expected)


def test_it_may_start_without_any_game_of_the_partner():
    partner = Strategy(games_of("van-den-bergh", 0), POOL)
    before = partner.models.shares

    partner.watch(play([get_agent("iggi"), get_agent("van-den-bergh")], 1, seed=2), 0)

    assert partner.way.blueprint.name == "iggi"
    assert before == pytest.approx(1 / 3)
    assert partner.models.shares[1] > before[1]


def test_a_further_model_changes_nothing_that_search_believes(with_a_relative):
    further = PoolPosterior([get_agent("smartbot")])

    known = Strategy(games_of("holmesbot"), POOL, [lambda: further])

    assert known.models.shares == pytest.approx(with_a_relative.models.shares, rel=1e-12)
