"""What a page is told of a turn."""

import numpy as np
import pytest

from hoad.game.game import Game
from hoad.studies.watch.position import card_odds, moves_made, position
from tests.game.examples import deck_from

# Red 1, 2, 3, 4, 5 for player 0; white 1, 1, blue 1, yellow 1, green 1 for player 1; then red 1.
GAME = Game(deck=deck_from([0, 1, 2, 3, 4, 15, 15, 20, 5, 10, 0]))


def after(*moves: str) -> Game:
    game = Game(deck=GAME.state.deck)
    for move in moves:
        game.step(move)
    return game


def test_own_cards_are_hidden_and_without_an_observer_all_are_shown() -> None:
    seen, everything = position(GAME.view(0)), position(GAME.view())

    assert [held["card"] for held in seen["hands"][0]] == [None] * 5
    assert [held["card"] for held in seen["hands"][1]] == [15, 15, 20, 5, 10]
    assert [held["card"] for held in everything["hands"][0]] == [0, 1, 2, 3, 4]
    hand = position(after("play 0").view(1))["hands"][0]
    assert [held["id"] for held in hand] == [1, 2, 3, 4, 10]  # by index in the deck


def test_a_hint_narrows_the_cards_that_it_touches_and_those_that_it_does_not() -> None:
    hand = position(after("hint white").view(1))["hands"][1]

    assert [held["colours"] for held in hand] == [[3], [3], *[[0, 1, 2, 4]] * 3]
    assert [held["colour_hinted"] for held in hand] == [True, True, False, False, False]
    assert [held["touched"] for held in hand] == [True, True, False, False, False]
    assert all(held["ranks"] == [0, 1, 2, 3, 4] and not held["rank_hinted"] for held in hand)


def test_the_mark_of_a_hint_leaves_with_the_card_and_after_two_moves() -> None:
    played = position(after("hint white", "play 0").view())
    later = position(after("hint white", "hint red", "hint blue").view())

    assert [held["touched"] for held in played["hands"][1]] == [True, False, False, False, False]
    assert [held["drawn"] for held in played["hands"][1]] == [False] * 4 + [True]
    assert [held["touched"] for held in later["hands"][1]] == [False, False, True, False, False]


def test_moves_say_whether_a_card_fitted() -> None:
    moves = moves_made(after("play 0", "play 0", "play 4", "play 0").view())

    assert [(made["seat"], made["card"], made["fitted"]) for made in moves] == [
        (0, 0, True),
        (1, 15, True),
        (0, 0, False),  # red 1, which was drawn
        (1, 15, False),
    ]


def test_moves_that_are_not_possible_have_a_reason() -> None:
    choices = position(GAME.view(0))["choices"]
    refused = {choice["name"]: choice["refused"] for choice in choices if choice["refused"]}

    assert set(refused) == {*(f"discard {card}" for card in range(5)), "hint red"} | {
        f"hint {rank}" for rank in range(2, 6)
    }
    assert "red" in str(refused["hint red"])
    assert "tokens" in str(refused["discard 0"])
    partners_turn = position(GAME.view(1))["choices"]
    assert all(choice["refused"] for choice in partners_turn)
    assert position(GAME.view())["choices"] == []  # of nobody


def test_both_scores_are_shown_after_the_third_lost_life() -> None:
    game = after("play 0", "play 0", "play 1", "play 0", "play 1")

    seen = position(game.view())

    assert (seen["over"], seen["lives"], seen["strict"]) == (True, 0, 0)
    assert seen["score"] == game.score > 0


def test_the_last_copy_of_a_needed_card_is_critical() -> None:
    deck = deck_from([4, 0, 1, 2, 3, 15, 16, 16, 20, 10])  # red 5 first; player 1 has both white 2
    game = Game(deck=deck)
    for move in ("hint 1", "hint 5", "discard 2"):
        game.step(move)

    mine, partners = (position(game.view(1))["hands"][seat] for seat in (1, 0))
    own = position(game.view(0))["hands"][0]

    assert [held["critical"] for held in partners] == [True, False, False, False, False]
    assert not any(held["critical"] for held in mine)  # which may still be other cards
    assert own[0]["card"] is None and own[0]["critical"]  # every 5 is a last copy


@pytest.mark.parametrize(("sees_partner", "share"), [(False, 3 / 50), (True, 1 / 45)])
def test_odds_are_shares_of_the_copies_that_are_not_seen_and_hints_leave_open(
    sees_partner: bool, share: float
) -> None:
    game = Game(deck=deck_from([0, 0, 1, 2, 3, 15, 15, 20, 5, 10]))  # two of the red 1s at 0

    odds = card_odds(game.state, 1, sees_partner)

    assert np.shape(odds) == (5, 25)
    assert [card[0] for card in odds] == pytest.approx([share] * 5)
    game.step("hint white")
    first, *_, last = card_odds(game.state, 1, sees_partner)
    assert np.flatnonzero(first).tolist() == [15, 16, 17, 18, 19]
    assert not any(last[15:20])
