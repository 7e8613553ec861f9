"""SimpleBot: every hint means "play these cards"."""

from tests.agents.bot_games import decide

NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_it_names_the_colour_or_rank_of_most_playable_cards() -> None:
    assert decide("simplebot", NO_PLAYS, "R1 Y1 G3 W3 B3", []) == "hint 1"


def test_of_equal_hints_the_first_colour_comes_first() -> None:
    assert decide("simplebot", NO_PLAYS, "R4 Y3 B1 W3 G1", []) == "hint 1"
    assert decide("simplebot", NO_PLAYS, "R4 Y3 B1 W3 G4", []) == "hint blue"


def test_it_plays_what_a_hint_touched_in_order_of_value() -> None:
    hints = ["hint 2", "hint 3", "hint red", "hint 3"]

    assert decide("simplebot", NO_PLAYS, "Y4 Y2 G4 R1 B4", hints[:1]) == "play 1"
    assert decide("simplebot", NO_PLAYS, "Y4 Y2 G4 R1 B4", hints[:3]) == "play 3"


def test_a_rank_hint_of_the_oldest_card_at_8_tokens_means_nothing() -> None:
    assert decide("simplebot", NO_PLAYS, "R1 Y4 G4 W4 B4", ["hint 1"]) == "discard 0"


def test_a_card_that_may_be_a_copy_of_the_one_just_played_is_no_longer_played() -> None:
    moves = ["hint 2", "hint 3", "hint 1", "play 1"]
    hand = "Y4 R1 G2 Y1 B4"

    assert decide("simplebot", NO_PLAYS, hand, ["hint 2", "hint 3", "hint 1"]) == "play 1"
    assert decide("simplebot", NO_PLAYS, hand, [*moves, "discard 0"]) == "play 1"


def test_a_card_on_a_complete_firework_is_played_first() -> None:
    reds = "R1 R2 R3 R4 R5"
    rounds = ["play 0", "hint red", "play 0", "hint red", "play 0", "hint red", "play 0"]
    moves = [*rounds, "hint red", "play 0", "hint 3", "hint 1", "hint 3", "hint red"]

    assert decide("simplebot", reds, "Y4 G1 R1 W4 B4", moves, "Y3 G3 W3 B3 R3") == "play 2"
