"""InfoBot's codes: whatever the number is, some hint shows it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.bots.infobot.codes import make_code, number_of
from hoad.agents.bots.infobot.questions import look
from hoad.agents.bots.infobot.weights import MEMORY, recover
from hoad.game.state import NO_CARD, full_game
from tests.game.examples import random_position


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 60))
def test_the_giver_can_show_every_number(seed: int, turns: int) -> None:
    state = random_position(full_game(), seed, turns)
    hand = [int(card) for card in state.hands[1] if card != NO_CARD]
    memory = np.zeros(MEMORY, np.uint8)
    recover(state.table, memory)

    code = make_code(state.table, memory, 1, look(state.table))
    focus = int(state.hands[1, code.focus])
    by_colour = {number_of(code, c // 5, c // 5 == focus // 5) for c in hand}
    by_rank = {number_of(code, 5 + c % 5, c % 5 == focus % 5) for c in hand}

    assert by_colour | by_rank == set(range(code.size))


def test_of_a_new_hand_nothing_can_be_pointed_at() -> None:
    state = random_position(full_game(), seed=0, turns=0)
    memory = np.zeros(MEMORY, np.uint8)
    recover(state.table, memory)

    code = make_code(state.table, memory, 1, look(state.table))

    assert (code.size, code.focus) == (3, 0)
