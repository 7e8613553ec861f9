"""What the page shows of a turn."""

from hoad.game.game import Game
from hoad.human.position import position
from tests.game.examples import deck_from

# Red 1, 2, 3, 4, 5 for player 0; white 1, 1, blue 1, yellow 1, green 1 for player 1; then red 1.
GAME = Game(deck=deck_from([0, 1, 2, 3, 4, 15, 15, 20, 5, 10, 0]))


def after(*moves: str) -> Game:
    game = Game(deck=GAME.state.deck)
    for move in moves:
        game.step(move)
    return game


def test_own_cards_are_hidden_and_the_partners_are_shown() -> None:
    seen = position(GAME.view(0))

    assert [held["card"] for held in seen["hands"][0]] == [None] * 5
    assert [held["card"] for held in seen["hands"][1]] == [15, 15, 20, 5, 10]


def test_without_an_observer_all_cards_are_shown_and_no_move_is_offered() -> None:
    seen = position(GAME.view())

    assert [held["card"] for held in seen["hands"][0]] == [0, 1, 2, 3, 4]
    assert seen["choices"] == []


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
    moves = position(after("play 0", "play 0", "play 4", "play 0").view())["made"]

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


def test_no_move_is_possible_in_the_partners_turn() -> None:
    assert all(choice["refused"] for choice in position(GAME.view(1))["choices"])


def test_both_scores_are_shown_after_the_third_lost_life() -> None:
    game = after("play 0", "play 0", "play 1", "play 0", "play 1")

    seen = position(game.view())

    assert (seen["over"], seen["lives"], seen["strict"]) == (True, 0, 0)
    assert seen["score"] == game.score > 0
