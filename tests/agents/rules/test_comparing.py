"""Rules that compare hints by what they would touch or show."""

import pytest

from tests.agents.positions import choice, position, weights

CARDS = "W1 W2 W3 W4 W5  Y4 R1 G1 G1 B5"


def test_the_hint_that_touches_most_may_be_repeated_or_not() -> None:
    ones_known = position(CARDS, "hint 1", "hint 5")

    assert choice(19, position(CARDS)) == "hint 1"
    assert choice(19, ones_known) == "hint 1"
    assert choice(125, position(CARDS)) == "hint 1"
    assert choice(125, ones_known) == "hint green"


def test_ties_go_to_ranks_then_to_lower_ones() -> None:
    assert choice(19, position("W1 W2 W3 W4 W5  B2 B3 G2 G3 R4")) == "hint 2"


def test_every_hint_that_says_something_new_is_as_likely() -> None:
    ones_known = position(CARDS, "hint 1", "hint 5")

    hints = ["hint red", "hint yellow", "hint green", "hint blue", "hint 4", "hint 5"]
    assert weights("rules:126", ones_known) == pytest.approx(dict.fromkeys(hints, 1 / 6))


def test_a_hint_on_playable_cards_alone() -> None:
    assert choice(128, position(CARDS)) == "hint 1"
    assert choice(128, position("W1 W2 W3 W4 W5  R1 R2 R3 Y1 G2")) == "hint 1"
    assert choice(128, position("W1 W2 W3 W4 W5  R1 R2 R3 Y2 G2")) == "hint 1"
    assert choice(128, position("W1 W2 W3 W4 W5  Y2 R2 R3 Y2 G2")) is None
    assert choice(128, position(CARDS, "hint 1", "hint 5")) == "hint green"


def test_confusion_with_playable_cards_is_sought_or_with_others_avoided() -> None:
    """A 1 would be told together with the other playable 1 and with the dead red 1."""
    game = position("R1 W2 W3 W4 W5  R1 Y1 G1 W4 B5", "play 0", "hint 5")

    assert choice(67, game) == "hint 1"
    assert choice(68, game) == "hint yellow"


@pytest.mark.parametrize("rule", [67, 68])
def test_nothing_known_is_told_again(rule: int) -> None:
    cards = "W1 W2 W3 W4 W5  Y4 R1 R4 G4 B5"
    game = position(cards, "hint 1", "hint 5", "hint red", "hint 4")

    assert choice(rule, game) is None


@pytest.mark.parametrize("rule", [69, 70, 71])
def test_playable_cards_are_made_to_look_playable_even_again(rule: int) -> None:
    ones_known = position(CARDS, "hint 1", "hint 5")

    assert choice(rule, position(CARDS)) == "hint 1"
    assert choice(69, ones_known) == "hint 1"


def test_the_weight_of_other_cards_matters() -> None:
    """Player 1 knows its red 2: only how the others look can still change."""
    moves = ("hint 2", "hint 5", "play 0", "hint 4", "hint red", "hint 2")
    game = position("R1 W1 W2 W4 W5  R2 B3 W3 Y3 G4", *moves)

    assert choice(69, game) == "hint 2"
    assert choice(70, game) == "hint 3"
    assert choice(71, game) == "hint 3"


def test_useless_cards_are_shown_by_the_last_hint_that_does() -> None:
    game = position("R1 W2 W3 W4 W5  R1 G4 G4 G5 Y3", "hint 1", "hint 5", "play 0", "hint 4")

    assert choice(78, game) == "hint red"


def test_of_two_hints_that_show_a_useless_card_the_last_is_given() -> None:
    """Player 1 knows a dead card's rank to be 1, and another one's colour to be yellow."""
    plays = ("play 0", "hint 4", "play 0", "hint 4", "play 0", "hint 4")
    moves = ("hint 1", "hint 5", *plays, "hint yellow", "hint 4")
    game = position("R1 Y1 Y2 W4 W5  R1 Y2 G4 G4 B3", *moves)

    assert choice(78, game) == "hint red"


def test_useless_cards_are_not_shown_if_there_are_too_few_or_one_is_known() -> None:
    """Where the published program aborts the game, the rule does not fire."""
    moves = ("hint 1", "hint 5", "play 0", "hint 4")
    game = position("R1 W2 W3 W4 W5  R1 G4 G4 G5 Y3", *moves)
    known = position("R1 W2 W3 W4 W5  R1 G4 G4 G5 Y3", *moves, "hint red", "hint 3")

    assert choice(79, game) is None
    assert choice(78, known) is None


@pytest.mark.parametrize("rule", [67, 68, 69, 70, 71, 78])
def test_a_missing_card_stops_some_published_rules(rule: int) -> None:
    game = position("R1 W2 W3 W4 W5  R1 Y1 G1 W4 B5", "hint 1", "hint 5", "play 0", "hint 4")
    assert choice(rule, game) is not None

    game.state.table.hand_length[1] = 4

    assert choice(rule, game) is None
