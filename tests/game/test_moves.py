"""Moves as text: every id has one name, and nonsense is refused by name."""

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.game.moves import card_name, legal_bits, legal_flags, listed_moves, move_id, move_name
from hoad.game.state import HIDDEN, NO_CARD, Variant, full_game
from tests.game.examples import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_every_move_id_has_a_name_of_its_own_that_reads_back(variant: Variant) -> None:
    names = [move_name(variant, move) for move in range(variant.moves)]

    assert len(set(names)) == variant.moves
    assert [move_id(variant, name) for name in names] == list(range(variant.moves))


def test_moves_have_hles_ids_and_with_three_players_a_hint_names_how_many_seats_it_goes() -> None:
    two = {"discard 0": 0, "discard 4": 4, "play 0": 5, "play 3": 8, "hint red": 10}
    two |= {"hint yellow": 11, "hint green": 12, "hint white": 13, "hint blue": 14, "hint 1": 15}
    two |= {"hint 5": 19, "  Hint   RED ": 10, "hint red +1": 10}
    three = {"hint red": 10, "hint red +2": 15, "hint 1": 20, "hint 5 +2": 29}

    assert {text: move_id(full_game(2), text) for text in two} == two
    assert {text: move_id(full_game(3), text) for text in three} == three


@pytest.mark.parametrize(
    "text",
    [
        *("", "play", "play 5", "play -1", "discard x", "hint", "hint pink", "hint 6", "hint 0"),
        *("hint red +2", "hint red 1 +1", "resign"),
    ],
)
def test_nonsense_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(HoadError, match=r"no such move; moves are play 0\.\.4, discard 0\.\.4"):
        move_id(full_game(2), text)


@pytest.mark.parametrize("move", [-1, 20])
def test_an_id_out_of_range_is_refused_with_the_range(move: int) -> None:
    with pytest.raises(HoadError, match=f"move {move}: .* 0 to 19"):
        move_name(full_game(2), move)


def test_cards_are_named_by_letter_and_rank_and_a_set_of_moves_lists_ascending_ids() -> None:
    names = [card_name(full_game(), card) for card in (0, 9, 10, 16, 24, NO_CARD, HIDDEN)]

    assert names == ["R1", "Y5", "G1", "W2", "B5", "--", "??"]
    assert listed_moves(0) == []
    assert listed_moves(1 << 47 | 1 << 5 | 1) == [0, 5, 47]


def test_sets_of_moves_become_bools_and_come_back() -> None:
    legal = np.array([[0, 1], [1 << 19 | 1 << 5, (1 << 20) - 1]])

    flags = legal_flags(legal)

    assert flags.dtype == np.bool_ and flags.shape == (2, 2, 20)
    assert np.flatnonzero(flags[1, 0]).tolist() == [5, 19]
    np.testing.assert_array_equal(legal_bits(flags), legal)
