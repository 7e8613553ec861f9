from itertools import islice
from typing import Any

import numpy as np
import pytest

from hoad.agents import Batch, get_agent
from hoad.agents.follow import memory_at
from hoad.core.errors import HoadError
from hoad.game.moves import listed_moves
from hoad.game.rules import legal_moves
from hoad.partners.agents import ModelAgent
from hoad.partners.model import Ensemble
from hoad.partners.pool import PoolPosterior
from hoad.search.agent import SearchAgent
from hoad.search.decision import _Race
from hoad.search.effort import Effort
from tests.search.late_games import late_pasts, possible_hands, posterior, score_after, with_hand

EFFORT = Effort(rollouts=4_000)


def test_late_in_a_game_the_move_is_the_best_of_an_enumeration():
    agent = get_agent("smartbot")
    ensemble = Ensemble.of(agent, 0.01)
    late = late_pasts(("smartbot", "smartbot"), left=0)
    pasts = list(islice((past for past in late if 1 < len(possible_hands(past)) < 40), 5))
    assert len(pasts) == 5
    for past in pasts:
        moves = listed_moves(legal_moves(past.now[0].table, past.now[0].hands))
        values = dict.fromkeys(moves, 0.0)
        for (_, hand), probability in posterior(ensemble, past).items():
            deck = with_hand(past, hand).decks[0]
            for move in moves:
                values[move] += probability * score_after(past, deck, move, [agent, agent])

        chosen = SearchAgent("search", agent, ensemble, EFFORT).decide(past.now, past.seat).move

        assert values[chosen] > max(values.values()) - 0.1


@pytest.mark.parametrize("least", [0.2, 1.0])
def test_moves_that_the_blueprint_expects_less_than_the_least_share_are_not_tried(least):
    model, agent = PoolPosterior([get_agent("legal-random"), get_agent("iggi")]), get_agent("iggi")
    (past,) = islice(late_pasts(("smartbot", "smartbot"), left=20), 1)
    blueprint = ModelAgent("pool", model)
    batch = Batch(past.now, past.seat, memory_at(blueprint, past.now, past.seat))
    [expected] = blueprint.expected(batch)
    given = blueprint, Ensemble.of(agent, 0.01), Effort(rollouts=100), agent

    decision = SearchAgent("held", *given, least).decide(past.now, past.seat)

    tried = np.flatnonzero(expected >= least * expected.max())
    assert len(tried) < (expected > 0).sum()
    assert sorted(decision.moves) == tried.tolist()
    assert decision.move in tried


def test_another_agent_than_the_blueprint_may_play_on_in_rollouts():
    blueprint, partner = get_agent("smartbot"), get_agent("smartbot")
    model = Ensemble.of(partner, 0.01)
    (past,) = islice(late_pasts(("smartbot", "smartbot"), left=20), 1)

    well, badly = (
        SearchAgent("search", blueprint, model, EFFORT, agent).decide(past.now, past.seat).scores
        for agent in (None, get_agent("legal-random"))
    )

    assert np.max(well) > np.max(badly) + 1


@pytest.mark.parametrize("setting", ["rollouts", "round", "particles", "draws"])
def test_a_search_without_effort_is_refused(setting):
    nothing: dict[str, Any] = {setting: 0}

    with pytest.raises(HoadError, match=f"{setting} = 0: at least 1"):
        Effort(**nothing)


def test_the_best_of_the_moves_that_gain_is_made():
    race = _Race(np.arange(3), np.array([1.0, 0.0, 0.0]), Effort(rollouts=12, round=12))

    # The blueprint's move, one that gains, and one that gains more.
    race.add(np.array([[10, 10, 5, 5], [10, 11, 5, 5], [11, 11, 5.5, 5.5]]))

    assert race.winner == 2
    assert race.means == pytest.approx([7.5, 7.75, 8.25])


def test_a_move_that_dropped_out_may_keep_a_higher_mean():
    race = _Race(np.arange(2), np.array([1.0, 0.0]), Effort(rollouts=99))
    first, second, other = [9.0, 8, 9, 8], [2.0, 1, 2, 1], [7, 6, 7, 6.5]

    race.add(np.array([first, other]))  # and the other is out
    race.add(np.array([second]))

    assert race.rollouts.tolist() == [8, 4]
    errors = [np.std([*first, *second], ddof=1) / 8**0.5, np.std(other, ddof=1) / 2]
    assert race.errors == pytest.approx(errors)
    assert (race.winner, int(np.argmax(race.means))) == (0, 1)
