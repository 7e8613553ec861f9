import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.check import rearranged
from hoad.agents.imagined import last_states
from hoad.game.log import GameLogs, logs_of
from hoad.search.past import past_of


def cut(logs: GameLogs, turns: int) -> GameLogs:
    actions = [logs.actions_of(game)[:turns] for game in range(len(logs))]
    return logs_of(2, list(logs.decks), actions)


@pytest.mark.parametrize("turns", [0, 9, 52])
def test_every_turn_is_replayed_as_it_was(turns):
    logs = cut(play([get_agent("iggi"), get_agent("internal")], 1, seed=5), turns)
    seat = turns % 2

    past = past_of(last_states(logs), seat)

    assert len(past.states) == turns + 1
    for turn in range(turns + 1):
        [was] = last_states(cut(logs, turn))
        assert past.states[turn].table == was.table
        assert (past.states[turn].hands[1 - seat] == was.hands[1 - seat]).all()
        known = past.since > turn  # cards that have left the hand since
        assert (past.states[turn].hands[seat, :5] == was.hands[seat, :5])[known].all()


def test_a_card_is_held_since_it_was_drawn():
    logs = play([get_agent("iggi"), get_agent("internal")], 1, seed=5)
    turns = len(logs.actions)
    state = last_states(cut(logs, turns - 2))

    past = past_of(state, turns % 2)

    hands = np.stack([last_states(cut(logs, turn))[0].hands for turn in range(turns - 1)])
    for slot in np.flatnonzero(past.since < turns):
        held = hands[past.since[slot] :, past.seat, slot]
        assert (held == logs.decks[0, past.places[slot]]).all()
        drawn = past.states[past.since[slot]].table
        assert past.since[slot] == 0 or 49 - drawn.deck_left == past.places[slot]


def test_it_depends_on_nothing_hidden():
    played = play([get_agent("iggi"), get_agent("internal")], 20, seed=5)
    pair = rearranged(played, 21, np.random.default_rng(1))
    states, others = (last_states(cut(logs, 21)) for logs in pair)
    assert (states["hands"][:, 1] != others["hands"][:, 1]).any()

    for game in range(len(states)):
        past, other = (past_of(each[game : game + 1], 1) for each in (states, others))
        assert past.key == other.key
        assert (past.states == other.states).all()
