"""What bots share: sets of cards and slots, hints and discards that are numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.agents.bots import card_sets, hat_guessing
from hoad.agents.situation import NO_MOVE, held_slots, oldest
from hoad.game.state import NO_CARD, copies_of
from tests.agents.positions import position
from tests.game.examples import positions

R1, R2, R3, Y1, Y2 = (1 << card for card in (0, 1, 2, 5, 6))
PILES = card_sets.Piles(playable=R2 | Y1, valuable=0, worthless=R1)
TABLE = position("R1 R2 R3 R4 R5 Y1 Y2 Y3 Y4 Y5").state.table


def _hand(*cards: int) -> np.ndarray:
    """A hand whose cards can be these, with two copies of each."""
    return np.array([[card, card, 0] for card in cards])


def test_worthless_cards_and_doubles_are_useless():
    hand = _hand(R3, R1, R2 | R3, R3, R3)

    assert hat_guessing.useless_positions(hand, PILES) == 0b11011


@pytest.mark.parametrize(
    ("hand", "partners", "playable", "move"),
    [
        # The low card is played first, and what the partner holds too later.
        (_hand(R3, R2, Y1), 0, R2 | Y1, 7),
        (_hand(R3, R2, Y1), Y1, R2 | Y1, 6),
        # A probable play is risked if the card is of no use otherwise.
        ([[R1 | R2, R2, R2]], 0, Y1, NO_MOVE),
        ([[R1 | R2, R2, 0]], 0, R2 | Y1, NO_MOVE),
        ([[R1 | R2 | Y1, R2 | Y1, Y1]], 0, R2 | Y1, 5),
    ],
)
def test_which_card_is_played(hand, partners, playable, move):
    piles = PILES._replace(playable=playable)

    assert hat_guessing.play_card(TABLE, np.array(hand), partners, piles) == move


def test_positions_are_counted_from_the_oldest():
    assert [hat_guessing.position_of(0b01010, index) for index in range(3)] == [1, 3, NO_MOVE]


@pytest.mark.parametrize(
    ("cards", "worthless", "numbers", "order", "answers"),
    [
        # Identities are dealt in turn, and worthless ones are together.
        (R1 | R2 | R3 | Y1 | Y2, R1 | R2, 3, [6, 5, 2, 1, 0], [Y2 | R3, Y1, R1 | R2]),
        # There are as many answers as identities at most.
        (R1 | R2, 0, 4, range(25), [R1, R2]),
    ],
)
def test_identities_are_split_into_answers(cards, worthless, numbers, order, answers):
    found = np.zeros(4, np.int64)

    size = hat_guessing.split(cards, worthless, numbers, np.array(order), found)

    assert size == len(answers)
    assert found.tolist() == answers + [0] * (4 - size)


def test_every_kind_of_hint_shows_its_number():
    kinds = [(False, True), (True, True), (False, False), (True, False)]

    assert [hat_guessing.number_shown(4, *kind) for kind in kinds] == [0, 1, 2, 3]
    assert [hat_guessing.number_shown(3, *kind) for kind in kinds] == [0, 1, 2, 2]


def test_hints_to_cards_are_their_colours_and_ranks_three_numbers_if_one_may_touch_all():
    assert hat_guessing.count_numbers(_hand(R1 | Y2, R2 | Y1, R3)) == 3
    assert hat_guessing.count_numbers(_hand(R1 | Y2, R2 | Y1, R3, Y2)) == 4
    assert hat_guessing.hints_to(R1 | Y2) == 0b00011_00011


cards = st.sets(st.integers(0, 24))


def _members(bits: int) -> set[int]:
    return {card for card in range(25) if bits >> card & 1}


@given(cards)
def test_colours_and_ranks_of_a_set(members):
    bits = sum(1 << card for card in members)
    colours, ranks = {card // 5 for card in members}, {card % 5 for card in members}

    assert _members(card_sets.colours_of(bits)) == colours
    assert _members(card_sets.ranks_of(bits)) == ranks
    assert card_sets.only_colour(bits) == (min(colours) if len(colours) == 1 else -1)
    assert card_sets.only_rank(bits) == (min(ranks) if len(ranks) == 1 else -1)


@given(positions(80))
def test_played_cards_and_last_copies(state):
    table = state.table
    played = {card for card in range(25) if card % 5 < table.fireworks[card // 5]}
    last = {card for card in range(25) if table.discards[card] == copies_of(card % 5, 5) - 1}

    assert _members(card_sets.played_cards(table)) == played
    assert _members(card_sets.last_copies(table)) == last - played


@given(positions(80), st.lists(st.integers(0, 24), max_size=10))
def test_cards_are_exhausted_if_as_many_copies_are_counted_as_are_left(state, counted):
    copies = card_sets.no_copies()
    for card in counted:
        copies = card_sets.add_copy(copies, 1 << card)
    left = [sum(int(plane) >> card & 1 for plane in state.table.left) for card in range(25)]

    expected = {card for card in range(25) if counted.count(card) == left[card]}

    assert _members(card_sets.exhausted(state.table, copies)) == expected


@given(positions(80))
def test_hands_by_slot_and_by_age(state):
    table = state.table
    for player in range(2):
        held = [slot for slot in range(5) if state.hands[player, slot] != NO_CARD]
        by_age = [int(slot) for slot in table.order[player, : len(held)]]

        assert _members(held_slots(table, player)) == set(held) == set(by_age)
        assert card_sets.hand_length(table, player) == len(held)
        assert card_sets.newest_slot(table, player) == by_age[-1]
        assert [oldest(table, player, 1 << slot) for slot in by_age] == list(range(len(held)))
