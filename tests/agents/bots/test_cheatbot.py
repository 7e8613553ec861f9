"""CheatBot: it sees both hands, and is marked so."""

from tests.agents.bot_games import decide

NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_it_plays_what_it_was_never_told_of() -> None:
    assert decide("cheatbot", "R3 Y3 G1 W3 B3", NO_PLAYS, []) == "play 2"


def test_it_plays_first_what_the_partner_can_continue() -> None:
    assert decide("cheatbot", "R3 Y1 G1 W3 B3", "R4 Y4 G2 W4 B4", []) == "play 2"


def test_the_next_colour_does_not_continue_a_five() -> None:
    """Red 5 and yellow 1 have neighbouring numbers."""
    moves = ["play 0", "hint red"] * 4

    assert decide("cheatbot", "R1 R2 R3 R4 R5", "Y1 Y4 G4 W4 B4", moves, "Y1 G3 W3 B3") == "play 1"
