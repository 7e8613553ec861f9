"""The game for people: stepping by id or text, what it shows, what it refuses."""

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.game import Game, full_game, small_game
from hoad.game.observation import encode
from tests.game.examples import deck_from

OPENING = deck_from([5, 15, 0, 8, 21, 0, 9, 4, 20, 14])


def test_ids_and_text_make_the_same_moves_on_the_deck_of_the_seed() -> None:
    by_text, by_id = Game(deck=OPENING), Game(deck=OPENING)

    by_text.step("play 1")
    by_id.step(6)

    assert by_text.state == by_id.state
    assert (by_text.score, by_text.current_player) == (1, 1)
    assert repr(by_id) == (
        "<Game turn 1, player 1 to move: score 1, 3 lives, 8 hint tokens, 39 cards in the deck>"
    )
    assert Game(seed=3).state == Game(seed=3).state != Game(seed=4).state


def test_render_shows_cards_above_their_hints_and_hides_the_observers_own() -> None:
    game = Game(deck=OPENING)
    game.step("hint blue")
    game.step("play 1")

    lines = game.render(player=0).splitlines()

    assert lines == [
        "turn 2, player 0 to move: score 0, 2 lives, 7 hint tokens, 39 cards in the deck",
        "fireworks  R0 Y0 G0 W0 B0",
        "discards   Y5",
        "player 0   ??           ??           ??           ??           ??",
        "  hints    " + "  ".join(["RYGWB/12345"] * 5),
        "player 1   R1           R5           B1           G5           R1",
        "  hints    RYGW/12345   RYGW/12345   B/12345      RYGW/12345   RYGWB/12345",
        "last move  player 1: play 1",
    ]
    assert "player 0   Y1" in game.render()


def test_observations_are_those_of_the_encoder_by_default_of_the_player_to_move() -> None:
    game, packed = Game(full_game(3), seed=1), np.empty(120, np.uint8)
    game.step("play 0")

    for player in range(3):
        bits = game.observation(player)
        encode(game.state.table, game.state.hands, player, packed)
        assert bits.shape == (956,)
        assert np.array_equal(np.packbits(bits), packed)
        assert np.array_equal(game.observation(), bits) == (player == 1)


def test_three_misplays_leave_the_lenient_score_and_a_strict_score_of_zero() -> None:
    game = Game(deck=deck_from([0, 4, 4 + 5, 1, 1, 14, 19, 2, 2, 3]))

    for _ in range(4):
        game.step("play 0")

    assert game.is_over
    assert game.legal_moves == []
    assert (game.score, game.strict_score) == (1, 0)
    assert repr(game).startswith("<Game over after 4 turns: score 1, 0 lives")
    with pytest.raises(HoadError, match="the game is over"):
        game.step("play 0")


def test_illegal_moves_impossible_decks_and_players_are_refused() -> None:
    game = Game(deck=OPENING)

    with pytest.raises(HoadError, match=r"'discard 0': illegal in turn 0; .* play 0, .* hint red"):
        game.step("discard 0")
    with pytest.raises(HoadError, match="move 20: illegal in turn 0"):
        game.step(20)
    assert game.state.table.turn == 0
    with pytest.raises(HoadError, match="these 50 card ids are not the 50 cards"):
        Game(deck=[0] * 50)
    with pytest.raises(HoadError, match="these 50 card ids are not the 20 cards"):
        Game(small_game(), deck=OPENING)
    with pytest.raises(HoadError, match="player 2: players are 0 to 1"):
        game.observation(2)
