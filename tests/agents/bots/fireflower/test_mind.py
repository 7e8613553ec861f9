"""The record of a game: it agrees with the table, and never excludes what is true."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hoad.agents.bots.fireflower.bot import aim
from hoad.agents.bots.fireflower.mind import COMMON, PRIVATE, is_consistent, possible, sort_cards
from hoad.game.state import full_game
from tests.agents.bots.fireflower.examples import cards_of, mind_after
from tests.game.examples import random_position

seeds = st.integers(0, 10_000)
turns = st.integers(0, 60)
seats = st.integers(0, 1)


@settings(deadline=None)
@given(seeds, turns, seats)
def test_it_keeps_the_books_as_the_table_does(seed: int, turn: int, seat: int) -> None:
    state = random_position(full_game(), seed, turn)
    table = state.table
    assume(not table.over)  # nobody draws after the end

    mind = mind_after(state, seat)

    assert mind.tokens == table.tokens
    assert mind.misplays == table.max_lives - table.lives
    assert mind.score == table.score
    assert mind.deck_left == table.deck_left
    assert mind.discarded == table.discards.sum()
    assert mind.current == table.current
    assert mind.fireworks.tolist() == table.fireworks.tolist()
    assert mind.left.tolist() == table.left.tolist()
    assert mind.hand_length.tolist() == table.hand_length[:2].tolist()
    if table.deck_left == 0:
        assert mind.final_turns == table.final_turns


@settings(deadline=None)
@given(seeds, turns, seats)
def test_a_card_can_always_be_what_it_is(seed: int, turn: int, seat: int) -> None:
    state = random_position(full_game(), seed, turn)
    assume(not state.table.over)

    mind = mind_after(state, seat)

    assert is_consistent(mind)
    for player in range(2):
        for card in cards_of(mind, player):
            private, common = (possible(mind, view, card) for view in (PRIVATE, COMMON))
            assert private >> int(state.deck[card]) & 1
            assert private & ~common == 0


@settings(deadline=None)
@given(seeds, turns)
def test_both_players_know_and_believe_the_same_in_common(seed: int, turn: int) -> None:
    state = random_position(full_game(), seed, turn)

    first, second = (mind_after(state, seat) for seat in range(2))

    for field in ("hands", "hinted", "list_of", "index", "later", "lists", "discard_then"):
        assert (first[field] == second[field]).all()
    assert (first.seen[COMMON] == second.seen[COMMON]).all()
    assert first.open == second.open == 0


def test_where_25_points_are_the_aim_nothing_is_junk_because_of_a_lost_card() -> None:
    mind = mind_after(random_position(full_game(), seed=0, turns=0), seat=0)
    ones = sum(1 << 5 * colour for colour in range(5))
    mind.left[:] = mind.left & ~2  # no red 2 is left

    sort_cards(mind)
    assert mind.useful == 2**25 - 1 & ~0b11100  # the red 2 itself would still fit

    mind.early = 1
    sort_cards(mind)
    assert mind.useful == 2**25 - 1
    assert mind.playable == ones


def test_it_aims_at_25_points_until_they_are_out_of_reach() -> None:
    mind = mind_after(random_position(full_game(), seed=0, turns=0), seat=0)

    aim(mind)
    assert mind.early == 1

    mind.left[:] = np.asarray(mind.left) & ~2
    aim(mind)
    assert mind.early == 0
