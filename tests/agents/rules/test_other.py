"""The rules that are neither play, tell nor discard."""

import pytest

from hoad.game.moves import move_name
from hoad.game.state import full_game
from tests.agents.positions import choice, position, weights

CARDS = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2"
DEAD_RED_1 = ("hint 4", "hint 1", "play 0", "hint red")


def test_any_legal_move_is_as_likely() -> None:
    game = position(CARDS, "hint 4")
    legal = [move_name(full_game(2), move) for move in game.legal_moves]

    assert weights("rules:39", game) == pytest.approx(dict.fromkeys(legal, 1 / len(legal)))


def test_a_token_is_regained_for_a_partner_who_has_no_safe_move() -> None:
    game = position(CARDS, *DEAD_RED_1)

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
