"""InfoBot: hints and discards are numbers."""

from tests.agents.bot_games import decide

NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_it_plays_what_the_number_of_a_hint_calls_playable() -> None:
    """With nothing known a hint has three numbers; the first question is about the oldest card."""
    hand = "R1 Y3 G3 W4 B4"
    hint = decide("infobot", NO_PLAYS, hand, [])

    assert decide("infobot", NO_PLAYS, hand, [hint]) == "play 0"
