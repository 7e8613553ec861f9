"""SmartBot: what was not said counts too."""

from tests.agents.bot_games import decide

NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_a_hint_means_the_newest_touched_card_that_may_be_playable() -> None:
    assert decide("smartbot", NO_PLAYS, "R4 Y3 R1 W3 B3", ["hint red"]) == "play 2"


def test_it_gives_no_hint_that_would_be_taken_for_the_wrong_card() -> None:
    assert decide("smartbot", NO_PLAYS, "R1 Y3 R4 W3 B3", []) == "hint 1"


def test_it_hands_a_playable_card_over_to_the_partner_who_has_it_as_newest() -> None:
    hands = ("Y3 R1 G3 W3 B3", "Y4 G4 W4 B3 R1")
    moves = ["hint 3", "hint red"]

    assert decide("smartbot", *hands, moves) == "discard 1"
    assert decide("smartbot", *hands, [*moves, "discard 1"], "W2") == "play 4"


def test_it_warns_of_the_loss_of_a_last_copy() -> None:
    assert decide("smartbot", NO_PLAYS, "R5 Y3 G3 W4 B4", []) == "hint 5"
