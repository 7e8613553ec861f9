"""Rules that discard a card, and the two that do neither this nor play nor tell."""

import pytest

from hoad.game.game import Game
from hoad.game.moves import move_name
from hoad.game.state import full_game
from tests.agents.positions import choice, position, weights

BLOCKED = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2"
DEAD_RED_1 = ("hint 4", "hint 1", "play 0", "hint red")


def _dead_red_1() -> Game:
    """Player 0 knows its card in slot 1, the oldest, to be a red 1; the red 1 lies."""
    cards = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2  G2"
    return position(cards, "hint 4", "hint 1", "play 0", "hint red", "hint 3", "hint 2")


@pytest.mark.parametrize("rule", [25, 29, 33, 35, 38, 131, 133])
def test_a_card_known_to_be_dead_is_discarded(rule: int) -> None:
    assert choice(rule, _dead_red_1()) == "discard 0"


@pytest.mark.parametrize("rule", [25, 30, 33, 35, 37, 38, 131, 133])
def test_no_card_is_dead_at_first(rule: int) -> None:
    assert choice(rule, position("R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 1")) is None


def test_cards_beyond_reach_are_discarded_where_their_colour_is_known() -> None:
    """Both blue 2s are gone, so that no blue card above 1 can be played."""
    cards = "B2 B2 B3 W4 R5  Y2 Y3 G4 W3 G2  G1 G1"
    discarded = ("hint 4", "hint 2", "discard 0", "hint 3", "discard 0", "hint 5")
    rank_known = position(cards, *discarded)
    both_known = position(cards, *discarded, "hint 3", "hint blue")

    assert choice(37, rank_known) is None
    assert choice(35, both_known) == "discard 0"
    assert choice(37, both_known) == "discard 0"


@pytest.mark.parametrize("rule", [24, 25, 26, 27, 28, 29, *range(30, 39), 131, 132, 133, 134])
def test_nothing_is_discarded_with_all_tokens(rule: int) -> None:
    game = _dead_red_1()
    game.state.table.tokens = 8

    assert weights(f"rules:{rule}", game) == weights("legal-random", game)


def test_the_oldest_card_is_discarded() -> None:
    game = _dead_red_1()

    assert choice(27, game) == "discard 0"
    game.state.table.tokens = 4
    assert choice(134, game) is None
    game.state.table.tokens = 3
    assert choice(134, game) == "discard 0"


def test_a_card_of_which_nothing_is_known_is_the_first_by_slot_or_by_age() -> None:
    """The card drawn into slot 0 is the newest."""
    cards = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2  G2"
    game = position(cards, "hint 4", "hint 5", "discard 0", "hint 5")

    assert choice(28, game) == "discard 4"
    assert choice(36, game) == "discard 4"
    assert choice(132, game) == "discard 0"


def test_the_card_of_the_highest_known_rank_is_discarded() -> None:
    cards = "R1 R5 G3 W4 B5  Y2 Y3 G4 W3 B2"

    assert choice(24, position(cards, "hint 4", "hint red")) is None
    assert choice(24, position(cards, "hint 4", "hint 3", "hint 2", "hint 5")) == "discard 1"


def test_the_card_least_likely_to_be_necessary_is_in_the_highest_slot_where_they_are_alike() -> (
    None
):
    five_known = position("R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 5")

    assert choice(26, five_known) == "discard 3"


def test_a_random_card_is_discarded() -> None:
    told = weights("rules:34", position("R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 5"))

    assert told == {f"discard {position}": 0.2 for position in range(5)}


def test_any_legal_move_is_as_likely() -> None:
    game = position(BLOCKED, "hint 4")
    legal = [move_name(full_game(2), move) for move in game.legal_moves]

    assert weights("rules:39", game) == pytest.approx(dict.fromkeys(legal, 1 / len(legal)))


def test_a_token_is_regained_for_a_partner_who_has_no_safe_move() -> None:
    game = position(BLOCKED, *DEAD_RED_1)

    assert choice(40, game) is None
    game.state.table.tokens = 0
    assert choice(40, game) == "discard 0"


def test_a_partner_who_knows_a_playable_card_is_not_blocked() -> None:
    cards = "R1 R1 G3 W4 B5  Y1 Y3 G4 W3 B2"
    game = position(cards, *DEAD_RED_1, "hint 1", "hint 3", "hint yellow", "hint 4")
    game.state.table.tokens = 0

    assert choice(40, game) is None


def test_a_five_that_completes_a_firework_regains_a_token_too() -> None:
    game = position("R5 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 5", "hint 3", "hint red")
    game.state.table.tokens = 0
    game.state.table.fireworks[0] = 4
    assert choice(40, game) == "play 0"

    game.state.table.fireworks[0] = 3

    assert choice(40, game) is None
