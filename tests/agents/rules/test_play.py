"""Rules that play a card for what is known of it."""

import pytest

from hoad.game.game import Game
from tests.agents.positions import choice, position


def _five_twos() -> Game:
    """Player 0 knows to hold five 2s, sees none, and the red 1 lies: each fits in 2 of 10 cases."""
    cards = "R2 Y2 G2 W2 B2  R1 Y4 G4 W4 B4  R5"
    return position(cards, "hint 1", "play 0", "hint 4", "hint 2")


def test_a_card_is_certain_once_colour_and_rank_are_known() -> None:
    cards = "R1 Y2 G3 W4 B5  R2 Y1 G2 W2 B2"
    colour_known = position(cards, "hint 1", "hint red")
    both_known = position(cards, "hint 1", "hint red", "hint 2", "hint 1")

    assert choice(2, colour_known) is None
    assert choice(2, both_known) == "play 0"


def test_a_known_rank_is_safe_while_all_its_cards_fit() -> None:
    game = position("R3 Y1 G3 W4 B5  R2 Y1 G2 W2 B2", "hint 1", "hint 1")

    assert choice(2, game) is None
    assert choice(8, game) == "play 1"


def test_a_card_may_be_safe_only_because_the_others_are_seen() -> None:
    """My 2 is the red one: all others lie on the table, in the partner's hand or in the discard."""
    game = position("R1 R2 G3 W4 B5  R3 Y2 G2 W2 B2", "play 0", "hint 2")
    for card in (6, 11, 16, 21):
        game.state.table.left[1] &= ~(1 << card)  # as if its other copy had been discarded

    assert choice(8, game) == "play 0"


def test_safe_cards_are_taken_by_slot_or_the_newest_first() -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")

    assert choice(8, game) == "play 0"
    assert choice(116, game) == "play 1"


def test_a_slot_is_not_an_age() -> None:
    """The card drawn into slot 0 is the newest, and the first in slot order."""
    cards = "R3 Y1 G3 W4 B5  R2 R3 R4 W2 B2  G1"
    game = position(cards, "hint red", "hint 1", "discard 0", "hint 1")

    assert choice(8, game) == "play 4"
    assert choice(116, game) == "play 4"


def test_the_likeliest_card_is_the_highest_slot_where_they_are_alike() -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2")

    assert choice(3, game) == "play 4"


@pytest.mark.parametrize(("rule", "move"), [(3, "play 4"), (4, "play 4"), (44, "play 4")])
def test_a_chance_equal_to_the_threshold_is_enough(rule: int, move: str) -> None:
    assert choice(rule, _five_twos()) == move


@pytest.mark.parametrize("rule", [49, 5, 45, 105, 106, 107, 108])
def test_a_chance_below_the_threshold_is_not(rule: int) -> None:
    assert choice(rule, _five_twos()) is None


@pytest.mark.parametrize("rule", [43, 44, 110, 111, 112, 117, 118])
def test_some_rules_are_not_for_the_last_life(rule: int) -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2")
    game.state.table.lives = 1

    assert choice(rule, game) is None


def test_safe_cards_of_the_last_life() -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")

    assert choice(109, game) is None
    game.state.table.lives = 1
    assert choice(109, game) == "play 0"


@pytest.mark.parametrize("rule", [110, 111])
def test_some_rules_wait_until_the_deck_is_short(rule: int) -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")

    game.state.table.deck_left = 11
    assert choice(rule, game) is None
    game.state.table.deck_left = 0
    assert choice(rule, game) == "play 1"


def test_the_newest_card_is_played_if_it_may_fit() -> None:
    cards = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"
    nothing_known, five_known = position(cards), position(cards, "hint red", "hint 5")

    assert choice(117, nothing_known) == "play 4"
    assert choice(117, five_known) is None


def test_the_newest_untouched_card_is_played_if_likely_enough() -> None:
    cards = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"

    assert choice(118, position(cards)) == "play 4"
    assert choice(118, position(cards, "hint red", "hint 5")) == "play 3"


@pytest.mark.parametrize(
    ("partner", "move"), [("R2 R3 R4 W3 B3", "play 4"), ("R2 Y2 R4 W3 B3", None)]
)
def test_an_untouched_card_may_be_just_likely_enough(partner: str, move: str | None) -> None:
    """Of 45 unseen cards 9 or 8 are 2s."""
    game = position(f"R1 Y1 G3 W4 B5  {partner}")
    game.state.table.fireworks[:] = 1

    assert choice(118, game) == move


@pytest.mark.parametrize("rule", [0, 1, 16, 41, 42])
def test_some_published_rules_never_fire(rule: int) -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")
    game.state.table.deck_left = 0

    assert choice(rule, game) is None
