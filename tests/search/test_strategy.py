"""What a searching player learns of a partner, and how far it trusts search with it."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.knowledge import HeldOut
from hoad.partners.agents import PredictedPartner
from hoad.partners.kinds import Knowledge
from hoad.partners.logit.prior import prior_without
from hoad.search import strategy
from hoad.search.agent import SearchAgent
from hoad.search.blueprint import best_response
from hoad.search.strategy import WAYS, Strategy, compiled_in
from tests.partners.observed import self_play

pytestmark = pytest.mark.usefixtures("quick_choices")

KNOWN = Knowledge(tuple(map(get_agent, ("valuebot", "iggi", "flawed"))), "rainbow")


def games_of(name: str, games: int = 2) -> GameLogs:
    return play([get_agent(name)] * 2, games, seed=1)


@pytest.fixture(scope="module")
def of_a_rule_list(quick_choices):
    return Strategy(games_of("van-den-bergh", 4), KNOWN)


@pytest.fixture(scope="module")
def without_games(quick_choices):
    return Strategy(games_of("van-den-bergh", 0), KNOWN)


def test_search_is_free_with_a_partner_that_programs_explain_or_held_by_the_mixture(of_a_rule_list):
    player = of_a_rule_list.player("search")

    assert of_a_rule_list.way == "free"
    assert isinstance(player, SearchAgent)
    assert not player.least
    held = of_a_rule_list.playing("held", "search")
    assert held.least == strategy.HELD
    assert held.blueprint.plays_as == KNOWN.names


@pytest.mark.parametrize(("pool", "way"), [(("flawed",), "model"), (("flawed", "iggi"), "pool")])
def test_with_a_partner_that_nothing_explains_it_plays_as_what_rehearsed_better(
    quick_choices, pool, way
):
    known = Strategy(games_of("infobot", 4), Knowledge(tuple(map(get_agent, pool)), "rainbow"))
    choices = self_play("infobot", 4, seed=1).choices

    by_chance = np.exp(np.log(choices.made(choices.uniform)).mean())
    assert by_chance < known.likelihood < 3 * by_chance
    assert (known.promised >= strategy.PROMISED) == (way == "pool")
    assert known.way == way


def test_hypotheses_have_the_shares_of_the_moves_that_their_models_explain(of_a_rule_list):
    hypotheses, shares = of_a_rule_list.hypotheses(), of_a_rule_list.shares

    of_programs = [agent.name.startswith("program") for agent in hypotheses.agents]
    assert len(hypotheses.agents) <= strategy.HYPOTHESES
    assert hypotheses.probabilities[of_programs].sum() == pytest.approx(
        shares[1] / shares[:3].sum(), abs=1 / strategy.HYPOTHESES
    )


def test_without_games_the_pool_is_all_that_is_known(without_games):
    names = {agent.name for agent in without_games.hypotheses().agents}

    assert names == {"valuebot", "iggi", "flawed"}
    assert without_games.way == "pool"


def test_without_games_a_prior_says_what_the_partner_may_be_and_how_to_respond(quick_choices):
    known = Knowledge(KNOWN.pool, "rainbow", prior_without(HeldOut("van-den-bergh")))

    stranger = Strategy(games_of("van-den-bergh", 0), known)

    assert [agent.name for agent in stranger.hypotheses().agents] == ["logit"]
    assert stranger.way == "pool"
    agents = [*compiled_in(KNOWN.pool), stranger.logit.agent(greedy=True)]
    partner = PredictedPartner("partner", stranger.hypotheses())
    assert stranger.player("search").name == best_response(agents, partner).name


def test_it_learns_nothing_from_cards_that_the_player_never_saw(of_a_rule_list):
    logs = play([get_agent("valuebot"), get_agent("smartbot")], 1, seed=2)
    actions = logs.actions
    end = np.flatnonzero(actions < 10)  # plays and discards, each of which draws a card
    drawn = min(10 + len(end), 50)
    first, second = of_a_rule_list.copy(), of_a_rule_list.copy()
    deck = logs.decks[0].copy()
    deck[drawn:] = deck[drawn:][::-1]
    assert (deck != logs.decks[0]).any()

    first.watch(logs, 0)
    second.watch(logs_of(2, [deck], [actions]), 0)

    assert np.array_equal(first.shares, second.shares)


def test_a_game_with_the_player_changes_a_copy_alone(of_a_rule_list):
    before, copy = of_a_rule_list.shares, of_a_rule_list.copy()
    logs = play([get_agent("valuebot"), get_agent("smartbot")], 1, seed=2)

    copy.watch(logs, 0)

    assert copy.shares[1] < before[1]
    assert np.array_equal(of_a_rule_list.shares, before)


@pytest.mark.parametrize(
    ("points", "games", "stays"),
    [(0.0, 8, False), (8 * 18.0, 8, True), (6.0, 1, True)],  # one game does not decide
)
def test_a_way_to_play_is_left_when_games_are_lost(of_a_rule_list, points, games, stays):
    known = of_a_rule_list.copy()

    known._played[WAYS.index("free")] = points, games

    assert (known.way == "free") == stays


def test_a_pool_of_networks_alone_is_refused():
    with pytest.raises(HoadError, match="needs a rule list or bot"):
        Strategy(games_of("iggi", 0), Knowledge((get_agent("rainbow"),), "rainbow"))
