"""Rollouts, and what the past tells of the hands."""

import numpy as np
import pytest

from hoad.agents import Agent, get_agent, play
from hoad.agents.agent import CompiledAgent
from hoad.agents.check import rearranged
from hoad.agents.follow import memory_at
from hoad.agents.imagined import last_states
from hoad.game.moves import listed_moves
from hoad.game.rules import legal_moves
from hoad.partners.model import Ensemble
from hoad.search.belief import Belief
from hoad.search.past import past_of
from hoad.search.rollouts import roll_out
from tests.game.examples import up_to
from tests.search.late_games import late_pasts, score_after


@pytest.mark.parametrize("turns", [0, 9, 52])
def test_every_turn_is_replayed_as_it_was(turns):
    logs = up_to(play([get_agent("iggi"), get_agent("internal")], 1, seed=5), turns)
    seat = turns % 2

    past = past_of(last_states(logs), seat)

    assert len(past.states) == turns + 1
    for turn in range(turns + 1):
        [was] = last_states(up_to(logs, turn))
        assert past.states[turn].table == was.table
        assert (past.states[turn].hands[1 - seat] == was.hands[1 - seat]).all()
        known = past.since > turn  # cards that have left the hand since
        assert (past.states[turn].hands[seat, :5] == was.hands[seat, :5])[known].all()


def test_a_card_is_held_since_it_was_drawn():
    logs = play([get_agent("iggi"), get_agent("internal")], 1, seed=5)
    turns = len(logs.actions)
    state = last_states(up_to(logs, turns - 2))

    past = past_of(state, turns % 2)

    hands = np.stack([last_states(up_to(logs, turn))[0].hands for turn in range(turns - 1)])
    for slot in np.flatnonzero(past.since < turns):
        held = hands[past.since[slot] :, past.seat, slot]
        assert (held == logs.decks[0, past.places[slot]]).all()
        drawn = past.states[past.since[slot]].table
        assert past.since[slot] == 0 or 49 - drawn.deck_left == past.places[slot]


def test_it_depends_on_nothing_hidden():
    played = play([get_agent("iggi"), get_agent("internal")], 20, seed=5)
    pair = rearranged(played, 21, np.random.default_rng(1))
    states, others = (last_states(up_to(logs, 21)) for logs in pair)
    assert (states["hands"][:, 1] != others["hands"][:, 1]).any()

    for game in range(len(states)):
        past, other = (past_of(each[game : game + 1], 1) for each in (states, others))
        assert past.key == other.key
        assert (past.states == other.states).all()


NAMES = ("valuebot", "holmesbot")


def compiled_agent(name: str) -> CompiledAgent:
    agent = get_agent(name)
    assert isinstance(agent, CompiledAgent)
    return agent


@pytest.mark.parametrize("left", [0, 1])
def test_scores_are_those_of_games_played_on_by_both_agents(left):
    blueprint, partner = (compiled_agent(name) for name in NAMES)
    pasts = list(late_pasts(NAMES, left, games=6))
    assert pasts
    for past in pasts:
        belief = Belief(past, Ensemble.of(partner, 0.1), 10, 20)
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
    belief = Belief(past, Ensemble.of(blueprint, 0.1), 30, 60)
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
    belief = Belief(past, Ensemble.of(blueprint, 0.1), 30, 60)
    given = past, belief, np.arange(30), blueprint, np.zeros(0, np.uint8), np.array([5])

    strict, lenient = roll_out(*given, number=0), roll_out(*given, number=0, strict=False)

    assert (strict == 0).any()
    assert (lenient >= past.now[0].table.score).all()
    assert (strict[strict > 0] == lenient[strict > 0]).all()
