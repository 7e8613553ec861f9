import numpy as np
import pytest

from hoad.agents import Agent, get_agent
from hoad.agents.agent import CompiledAgent
from hoad.agents.follow import memory_at
from hoad.game.moves import listed_moves
from hoad.game.rules import legal_moves
from hoad.partners.model import Ensemble
from hoad.search.belief import Belief
from hoad.search.rollouts import roll_out
from tests.search.late_games import late_pasts, score_after

NAMES = ("smartbot", "holmesbot")


def compiled_agent(name: str) -> CompiledAgent:
    agent = get_agent(name)
    assert isinstance(agent, CompiledAgent)
    return agent


@pytest.mark.parametrize("left", [0, 1])
def test_scores_are_those_of_games_played_on_by_both_agents(left):
    blueprint, partner = (compiled_agent(name) for name in NAMES)
    for past in list(late_pasts(NAMES, left, games=6)):
        belief = Belief(past, Ensemble([partner], np.ones(1), 0.1), 10, 20)
        moves = np.array(listed_moves(legal_moves(past.now[0].table, past.now[0].hands)))
        memory = memory_at(blueprint, past.now, past.seat)[0]

        scores = roll_out(past, belief, np.arange(10), blueprint, memory, moves, number=0)

        seats: list[Agent] = [blueprint, partner] if past.seat == 0 else [partner, blueprint]
        for (index, particle), score in np.ndenumerate(scores):
            deck = belief.particles.decks[particle]
            assert score == score_after(past, deck, int(moves[index]), seats)


def test_moves_meet_the_same_chance_and_other_numbers_another():
    blueprint = compiled_agent("iggi")
    past = next(late_pasts(("iggi", "iggi"), left=20))
    belief = Belief(past, Ensemble([blueprint], np.ones(1), 0.1), 30, 60)
    memory = np.zeros(0, np.uint8)

    def scores(*moves: int, number: int = 0) -> np.ndarray:
        given = past, belief, np.arange(30), blueprint, memory
        return roll_out(*given, np.array(moves), number)

    same = scores(5, 5, 6)
    assert (same[0] == same[1]).all()
    assert (same[0] != same[2]).any()
    assert (scores(5) == same[0]).all()
    assert (scores(5, number=1) != same[0]).any()


def test_a_lost_game_counts_nothing_unless_scores_are_lenient():
    blueprint = compiled_agent("rules:3")  # plays whatever it holds
    past = next(late_pasts(("iggi", "iggi"), left=20))
    belief = Belief(past, Ensemble([blueprint], np.ones(1), 0.1), 30, 60)
    given = past, belief, np.arange(30), blueprint, np.zeros(0, np.uint8), np.array([5])

    strict, lenient = roll_out(*given, number=0), roll_out(*given, number=0, strict=False)

    assert (strict == 0).any()
    assert (lenient >= past.now[0].table.score).all()
    assert (strict[strict > 0] == lenient[strict > 0]).all()
