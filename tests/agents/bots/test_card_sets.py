"""Sets of cards and of slots."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.bots.card_sets import (
    add_copy,
    colours_of,
    exhausted,
    hand_length,
    held_slots,
    last_copies,
    newest_slot,
    no_copies,
    only_colour,
    only_rank,
    played_cards,
    ranks_of,
)
from hoad.agents.situation import oldest
from hoad.game.state import NO_CARD, copies_of, full_game
from tests.game.examples import random_position

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
