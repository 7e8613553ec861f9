"""InfoBot: hints and discards are numbers."""

from pathlib import Path

import pytest

from tests.agents.bot_games import (
    asking_twice_changes_nothing,
    copes_with_anybody,
    decide,
    disagreements,
    self_play_is_as_published,
)

NO_PLAYS = "R3 Y3 G3 W3 B3"


@pytest.mark.parametrize("players", ["infobot_selfplay"])
def test_it_makes_every_recorded_move(reference: Path, players: str) -> None:
    assert disagreements(reference / f"quux_{players}.jsonl.gz", "infobot") == []


def test_it_scores_as_published() -> None:
    self_play_is_as_published("infobot", 20.002, 20.002, games=100_000)


def test_games_do_not_depend_on_how_it_is_asked() -> None:
    asking_twice_changes_nothing("infobot")


def test_it_copes_with_anybody() -> None:
    copes_with_anybody("infobot")


def test_it_plays_what_the_number_of_a_hint_calls_playable() -> None:
    """With nothing known a hint has three numbers; the first question is about the oldest card."""
    hand = "R1 Y3 G3 W4 B4"
    hint = decide("infobot", NO_PLAYS, hand, [])

    assert decide("infobot", NO_PLAYS, hand, [hint]) == "play 0"
