"""ValueBot: a hint may warn of the loss of a last copy."""

from tests.agents.bot_games import decide

NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_it_warns_of_the_loss_of_a_last_copy() -> None:
    assert decide("valuebot", NO_PLAYS, "R5 Y3 G3 W4 B4", []) == "hint 5"


def test_a_hint_at_plays_saves_the_last_copy_too() -> None:
    assert decide("valuebot", NO_PLAYS, "R5 Y3 G1 W4 B4", []) == "hint green"


def test_it_keeps_the_card_that_it_was_warned_of() -> None:
    hands = ("R5 Y3 G3 W4 B4", "Y4 G4 W3 B3 Y2")

    assert decide("valuebot", *hands, ["hint 4", "hint 4"]) == "play 3"
    assert decide("valuebot", *hands, ["hint 4", "hint 5"]) == "discard 1"


def test_a_rank_hint_of_the_oldest_card_at_8_tokens_means_nothing() -> None:
    assert decide("valuebot", NO_PLAYS, "R1 Y4 G4 W4 B4", ["hint 1"]) == "discard 0"
    assert decide("valuebot", NO_PLAYS, "Y4 R1 G4 W4 B4", ["hint 1"]) == "play 1"


def test_it_throws_away_a_card_of_a_complete_firework() -> None:
    moves = ["play 0", "hint red"] * 4 + ["play 0", "hint 3", "hint red"]
    hands = ("R1 R2 R3 R4 R5", "Y4 G4 R1 W4 B4")

    assert decide("valuebot", *hands, moves, "Y3 G3 W3 B3 R3") == "discard 2"
