"""WTFWT's tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.agent import new_view, see
from hoad.agents.bots.wtfwt.tables import (
    EXCLUDED_BYTES,
    cards_by_position,
    forget_card,
    keep_hand,
    private_hand,
    public_hand,
    recover,
)
from hoad.game.state import full_game
from tests.game.examples import random_position

seeds = st.integers(0, 10_000)
turns = st.integers(0, 60)


def _seen_by(state: np.record, player: int) -> np.ndarray:
    hands = new_view()[0]
    see(state, player, hands)
    return hands


def _new_memory() -> np.ndarray:
    return np.zeros(EXCLUDED_BYTES, np.uint8)


@settings(deadline=None)
@given(seeds, turns, st.integers(0, 1))
def test_real_cards_are_possible(seed: int, turn: int, me: int) -> None:
    state, memory = random_position(full_game(), seed, turn), _new_memory()

    cards = cards_by_position(state.table, state.hands, me)
    public = public_hand(state.table, memory, me)
    private = private_hand(state.table, memory, _seen_by(state, me), me)

    assert all(public[:, 0] >> cards & 1)
    assert all(private[:, 0] >> cards & 1)
    assert not (private & ~public).any()


def test_what_numbers_exclude_is_kept_until_the_card_leaves() -> None:
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand = public_hand(state.table, memory, 1)
    hand[2] &= 0b110

    keep_hand(state.table, memory, 1, hand)
    kept = public_hand(state.table, memory, 1)
    forget_card(memory, 1, 2)

    np.testing.assert_array_equal(kept, hand)
    assert not memory.any()


@pytest.mark.parametrize("me", [0, 1])
def test_true_numbers_are_remembered(me: int) -> None:
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand, card = public_hand(state.table, memory, 1), int(state.hands[1, 2])
    hand[2] &= 1 << card
    keep_hand(state.table, memory, 1, hand)

    recover(state.table, memory, _seen_by(state, me), me)

    assert memory.any()


def test_whoever_sees_that_a_number_is_wrong_forgets_all() -> None:
    """Player 1 cannot see that its card is excluded."""
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand, card = public_hand(state.table, memory, 1), int(state.hands[1, 2])
    hand[2] &= ~(1 << card)
    keep_hand(state.table, memory, 1, hand)

    recover(state.table, memory, _seen_by(state, 1), 1)
    remembered = memory.any()
    recover(state.table, memory, _seen_by(state, 0), 0)

    assert remembered
    assert not memory.any()


def test_a_card_that_can_be_nothing_makes_its_holder_forget_all() -> None:
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand = public_hand(state.table, memory, 0)
    hand[4] = 0
    keep_hand(state.table, memory, 0, hand)

    recover(state.table, memory, _seen_by(state, 0), 0)

    assert not memory.any()
