"""What bots share: sets of cards and slots, hints and discards that are numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.bots.card_sets import (
    Piles,
    add_copy,
    colours_of,
    exhausted,
    hand_length,
    last_copies,
    newest_slot,
    no_copies,
    only_colour,
    only_rank,
    played_cards,
    ranks_of,
)
from hoad.agents.bots.hat_guessing import (
    count_numbers,
    hints_to,
    number_shown,
    play_card,
    position_of,
    split,
    useless_positions,
)
from hoad.agents.situation import NO_MOVE, held_slots, oldest
from hoad.game.state import NO_CARD, copies_of, full_game
from tests.agents.positions import position
from tests.game.examples import random_position

R1, R2, R3, Y1, Y2 = (1 << card for card in (0, 1, 2, 5, 6))
PILES = Piles(playable=R2 | Y1, valuable=0, worthless=R1)
TABLE = position("R1 R2 R3 R4 R5 Y1 Y2 Y3 Y4 Y5").state.table


def _hand(*cards: int) -> np.ndarray:
    """A hand whose cards can be these, with two copies of each."""
    return np.array([[card, card, 0] for card in cards])


def test_worthless_cards_and_doubles_are_useless() -> None:
    hand = _hand(R3, R1, R2 | R3, R3, R3)

    assert useless_positions(hand, PILES) == 0b11011


def test_the_low_card_is_played_first() -> None:
    assert play_card(TABLE, _hand(R3, R2, Y1), 0, PILES) == 7


def test_what_the_partner_holds_too_is_played_later() -> None:
    assert play_card(TABLE, _hand(R3, R2, Y1), Y1, PILES) == 6


def test_a_probable_play_is_risked_if_the_card_is_of_no_use_otherwise() -> None:
    likely = np.array([[R1 | R2, R2, R2]])

    assert play_card(TABLE, likely, 0, PILES._replace(playable=Y1)) == NO_MOVE
    assert play_card(TABLE, np.array([[R1 | R2, R2, 0]]), 0, PILES) == NO_MOVE
    assert play_card(TABLE, np.array([[R1 | R2 | Y1, R2 | Y1, Y1]]), 0, PILES) == 5


@pytest.mark.parametrize(("index", "expected"), [(0, 1), (1, 3), (2, NO_MOVE)])
def test_positions_are_counted_from_the_oldest(index: int, expected: int) -> None:
    assert position_of(0b01010, index) == expected


def test_identities_are_dealt_in_turn_and_worthless_ones_are_together() -> None:
    answers = np.zeros(4, np.int64)
    order = np.array([6, 5, 2, 1, 0])

    size = split(R1 | R2 | R3 | Y1 | Y2, R1 | R2, 3, order, answers)

    assert size == 3
    assert answers.tolist() == [Y2 | R3, Y1, R1 | R2, 0]


def test_there_are_as_many_answers_as_identities_at_most() -> None:
    answers = np.zeros(4, np.int64)

    assert split(R1 | R2, 0, 4, np.arange(25), answers) == 2
    assert answers.tolist() == [R1, R2, 0, 0]


def test_every_kind_of_hint_shows_its_number() -> None:
    kinds = [(False, True), (True, True), (False, False), (True, False)]

    assert [number_shown(4, *kind) for kind in kinds] == [0, 1, 2, 3]
    assert [number_shown(3, *kind) for kind in kinds] == [0, 1, 2, 2]


def test_there_are_three_numbers_if_one_hint_may_touch_all_cards() -> None:
    assert count_numbers(_hand(R1 | Y2, R2 | Y1, R3)) == 3
    assert count_numbers(_hand(R1 | Y2, R2 | Y1, R3, Y2)) == 4


def test_hints_to_cards_are_their_colours_and_ranks() -> None:
    assert hints_to(R1 | Y2) == 0b00011_00011


# Sets of cards and of slots.


cards = st.sets(st.integers(0, 24))
positions = st.builds(
    lambda seed, turns: random_position(full_game(), seed, turns),
    st.integers(0, 10_000),
    st.integers(0, 80),
)


def _members(bits: int) -> set[int]:
    return {card for card in range(25) if bits >> card & 1}


@settings(deadline=None)
@given(cards)
def test_colours_and_ranks_of_a_set(members: set[int]) -> None:
    bits = sum(1 << card for card in members)
    colours, ranks = {card // 5 for card in members}, {card % 5 for card in members}

    assert _members(colours_of(bits)) == colours
    assert _members(ranks_of(bits)) == ranks
    assert only_colour(bits) == (min(colours) if len(colours) == 1 else -1)
    assert only_rank(bits) == (min(ranks) if len(ranks) == 1 else -1)


@settings(deadline=None)
@given(positions)
def test_played_cards_and_last_copies(state: np.record) -> None:
    table = state.table
    played = {card for card in range(25) if card % 5 < table.fireworks[card // 5]}
    last = {card for card in range(25) if table.discards[card] == copies_of(card % 5, 5) - 1}

    assert _members(played_cards(table)) == played
    assert _members(last_copies(table)) == last - played


@settings(deadline=None)
@given(positions, st.lists(st.integers(0, 24), max_size=10))
def test_cards_are_exhausted_if_as_many_copies_are_counted_as_are_left(
    state: np.record, counted: list[int]
) -> None:
    copies = no_copies()
    for card in counted:
        copies = add_copy(copies, 1 << card)
    left = [sum(int(plane) >> card & 1 for plane in state.table.left) for card in range(25)]

    expected = {card for card in range(25) if counted.count(card) == left[card]}

    assert _members(exhausted(state.table, copies)) == expected


@settings(deadline=None)
@given(positions)
def test_hands_by_slot_and_by_age(state: np.record) -> None:
    table = state.table
    for player in range(2):
        held = [slot for slot in range(5) if state.hands[player, slot] != NO_CARD]
        by_age = [int(slot) for slot in table.order[player, : len(held)]]

        assert _members(held_slots(table, player)) == set(held) == set(by_age)
        assert hand_length(table, player) == len(held)
        assert newest_slot(table, player) == by_age[-1]
        assert [oldest(table, player, 1 << slot) for slot in by_age] == list(range(len(held)))
