"""HolmesBot: it knows what a card cannot be."""

from tests.agents.bot_games import decide

NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_it_does_not_play_a_card_of_known_colour_for_its_rank_alone() -> None:
    """Four colours were named, and the oldest card was none of them: it is blue, and no blue 1."""
    hands = (NO_PLAYS, "B2 R1 Y1 G1 W1")
    colours = ["hint red", "play 1", "hint yellow", "play 1", "hint green", "play 1"]
    moves = [*colours, "hint white", "play 1", "hint 2"]

    assert decide("valuebot", *hands, moves, "B4 R4 Y4 G4") == "play 0"
    assert decide("holmesbot", *hands, moves, "B4 R4 Y4 G4") == "discard 0"


def test_it_warns_of_the_loss_of_a_last_copy() -> None:
    assert decide("holmesbot", NO_PLAYS, "R5 Y3 G3 W4 B4", []) == "hint 5"


def test_it_copes_with_a_colour_hint_on_a_complete_firework() -> None:
    moves = ["play 0", "hint red"] * 4 + ["play 0", "hint 3", "hint red"]
    hands = ("R1 R2 R3 R4 R5", "Y4 G4 R1 W4 B4")

    assert decide("holmesbot", *hands, moves, "Y3 G3 W3 B3 R3") == "discard 2"
