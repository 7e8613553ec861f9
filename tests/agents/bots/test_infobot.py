"""InfoBot: hints and discards are numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hoad.agents.bots.card_sets import look
from hoad.agents.bots.infobot import (
    WEIGHTS_BYTES,
    answer,
    ask,
    learn_number,
    make_code,
    number_of,
    possible_of,
    recover,
)
from hoad.game.state import NO_CARD, full_game
from tests.agents.bot_games import decide
from tests.game.examples import positions, random_position

sizes = st.integers(2, 10)


def _tables(state: np.record) -> np.ndarray:
    """The tables of somebody who knows what hints say and which cards are gone."""
    memory = np.zeros(WEIGHTS_BYTES, np.uint8)
    recover(state.table, memory)
    return memory


def _possible(memory: np.ndarray, hand: np.ndarray) -> list[int]:
    return [possible_of(memory, 1, slot) for slot in range(5) if hand[slot] != NO_CARD]


@given(positions(), sizes)
def test_the_true_number_leaves_the_true_cards(state, numbers):
    hand, memory = state.hands[1], _tables(state)

    number = answer(state.table, memory, 1, numbers, hand)
    learn_number(state.table, memory, 1, numbers, number)

    assert 0 <= number < numbers
    for slot in range(5):
        if hand[slot] != NO_CARD:
            assert possible_of(memory, 1, slot) >> int(hand[slot]) & 1


@given(positions(), sizes)
def test_different_numbers_leave_different_hands(state, numbers):
    """Some numbers may contradict themselves: they would be shown of no hand."""
    hand, memory = state.hands[1], _tables(state)
    questions, count = ask(state.table, memory, 1, numbers)
    told = int(np.prod(questions[:count, 1]))

    hands_left = []
    for number in range(told):
        learned = memory.copy()
        learn_number(state.table, learned, 1, numbers, number)
        hands_left.append(tuple(_possible(learned, hand)))
    consistent = [left for left in hands_left if all(left)]

    assert told <= numbers
    assert len(set(consistent)) == len(consistent) > 0


def test_of_a_new_hand_nothing_can_be_pointed_at_and_it_is_asked_for_its_oldest_playable_card():
    state = random_position(full_game(), seed=0, turns=0)
    memory = _tables(state)
    code = make_code(state.table, memory, 1, look(state.table))

    learn_number(state.table, memory, 1, 3, 1)

    ones = sum(1 << 5 * colour for colour in range(5))
    assert (code.size, code.focus) == (3, 0)
    assert _possible(memory, state.hands[1]) == [ones, *[2**25 - 1] * 4]


@given(positions())
def test_the_giver_can_show_every_number(state):
    hand = [int(card) for card in state.hands[1] if card != NO_CARD]
    memory = _tables(state)

    code = make_code(state.table, memory, 1, look(state.table))
    focus = int(state.hands[1, code.focus])
    by_colour = {number_of(code, c // 5, c // 5 == focus // 5) for c in hand}
    by_rank = {number_of(code, 5 + c % 5, c % 5 == focus % 5) for c in hand}

    assert by_colour | by_rank == set(range(code.size))


def test_it_plays_what_the_number_of_a_hint_calls_playable() -> None:
    """With nothing known a hint has three numbers; the first question is about the oldest card."""
    hands = "R3 Y3 G3 W3 B3", "R1 Y3 G3 W4 B4"
    hint = decide("infobot", *hands, [])

    assert decide("infobot", *hands, [hint]) == "play 0"
