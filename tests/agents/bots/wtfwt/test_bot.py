"""WTFWT: hints and discards are numbers."""

import numpy as np
import pytest

from hoad.agents import get_agent
from hoad.agents.bots.wtfwt.tables import public_hand
from hoad.agents.situation import count_cards
from hoad.game.moves import move_id
from hoad.game.rules import apply
from hoad.game.state import full_game
from tests.agents.bot_games import decide
from tests.agents.positions import position

# The beginning of a recorded game, and for how many identities each card is then open.
FIRST, SECOND, DRAWS = "R1 Y3 W4 R5 G1", "G5 W4 R3 W3 Y2", "Y1 B1"
MOVES = ["hint 5", "hint red", "play 0", "hint 3", "hint 4", "hint 5", "play 4", "hint 1"]
OPEN_OF_FIRST = [
    [25, 25, 25, 25, 25],
    [1, 20, 20, 5, 20],
    [20, 20, 5, 20, 25],
    [4, 12, 4, 16, 20],
    [4, 12, 4, 16, 20],
    [4, 8, 1, 12, 5],
    [4, 8, 1, 12, 25],
    [4, 7, 1, 4, 3],
]
OPEN_OF_SECOND = [[5, 15, 20, 20, 20]] * 4 + [[5, 5, 10, 10, 15]] * 4


@pytest.mark.parametrize("turn", range(len(MOVES)))
def test_it_opens_a_game_as_recorded(turn: int) -> None:
    assert decide("wtfwt", FIRST, SECOND, MOVES[:turn], DRAWS) == MOVES[turn]


@pytest.mark.parametrize("observer", [0, 1])
def test_both_players_learn_the_same_from_each_move(observer: int) -> None:
    state = position(f"{FIRST} {SECOND} {DRAWS}").state
    states = np.array([state], state.dtype)
    agent = get_agent("wtfwt")
    memory = agent.new_memory(1)

    left = []
    for move in MOVES:
        action = move_id(full_game(), move)
        agent.observe(states, observer, memory, np.array([action], np.uint8))
        apply(states[0], action)
        hands = [public_hand(states[0].table, memory[0], player) for player in range(2)]
        left.append([[count_cards(int(card)) for card in hand[:, 0]] for hand in hands])

    assert left == [list(hands) for hands in zip(OPEN_OF_FIRST, OPEN_OF_SECOND, strict=True)]


def test_numbers_are_forgotten_when_one_was_wrong() -> None:
    """The red hint says that the oldest card is playable, which it turns out not to be."""
    state = position("R4 R3 Y3 G3 W3 W4 R3 G4 B4 Y4", "hint 3").state
    states = np.array([state], state.dtype)
    agent = get_agent("wtfwt")
    memory = agent.new_memory(1)
    hint, play = (
        np.array([move_id(full_game(), move)], np.uint8) for move in ("hint red", "play 0")
    )

    agent.observe(states, 0, memory, hint)
    learned = memory.copy()
    apply(states[0], hint[0])
    agent.observe(states, 0, memory, play)

    assert learned.any()
    assert not memory.any()
