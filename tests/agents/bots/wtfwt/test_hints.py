"""WTFWT's hints: some hint shows each number."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.bots.card_sets import look
from hoad.agents.bots.hat_guessing import count_numbers, number_shown
from hoad.agents.bots.wtfwt.hints import give_hint, in_hash_order, key_position
from hoad.agents.bots.wtfwt.questions import answer
from hoad.agents.bots.wtfwt.tables import EXCLUDED_BYTES, cards_by_position, public_hand
from hoad.agents.situation import COLOURS, cards_named
from hoad.game.moves import COLOUR_HINT
from hoad.game.state import full_game
from tests.agents.positions import position
from tests.game.examples import random_position

RED, YELLOW, WHITE, BLUE = 0, 1, 3, 4
ONE, TWO, THREE = 5, 6, 7


def _hand(state: np.record) -> np.ndarray:
    """Player 1's hand for somebody who knows what hints say and which cards are gone."""
    return public_hand(state.table, np.zeros(EXCLUDED_BYTES, np.uint8), 1)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 60))
def test_the_hint_shows_the_true_number(seed: int, turns: int) -> None:
    state = random_position(full_game(), seed, turns)
    hand, piles = _hand(state), look(state.table)
    cards = cards_by_position(state.table, state.hands, 1)
    numbers, key = count_numbers(hand), int(cards[key_position(hand, piles)])

    hint = give_hint(hand, cards, piles) - COLOUR_HINT
    touched = [card for card in cards if cards_named(hint) >> int(card) & 1]

    shown = number_shown(numbers, hint < COLOURS, key in touched)
    assert touched
    assert shown == answer(hand, cards, numbers, piles)


def test_the_key_card_is_the_one_that_is_least_known() -> None:
    state = position("R1 Y3 W4 R5 G1 G5 W4 R3 W3 Y2", "hint 5").state

    assert key_position(_hand(state), look(state.table)) == 1


def test_worthless_cards_are_no_key_cards() -> None:
    state = position("R1 Y3 W4 R5 G1 G5 W4 R3 W3 Y2").state
    hand, piles = _hand(state), look(state.table)
    hand[0] &= 0b11

    assert key_position(hand, piles._replace(worthless=0b11)) == 1


def test_ties_go_by_the_cells_of_a_hash_set() -> None:
    found = in_hash_order(np.array([RED, WHITE, THREE])).tolist()

    assert found == [THREE, -1, WHITE, RED]  # THREE finds its cell occupied, and wraps around


def test_repetitions_make_the_hash_set_larger() -> None:
    found = in_hash_order(np.array([ONE, YELLOW, ONE, BLUE])).tolist()

    assert found == [-1, -1, -1, -1, YELLOW, ONE, -1, BLUE]


def test_the_largest_hash_set_has_sixteen_cells() -> None:
    found = in_hash_order(np.array([RED, TWO, BLUE, TWO, RED, THREE, YELLOW, TWO])).tolist()

    assert found == [*[-1] * 6, TWO, RED, BLUE, THREE, -1, -1, YELLOW, -1, -1, -1]
