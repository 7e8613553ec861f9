"""SmartBot: what was not said counts too."""

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


@pytest.mark.parametrize("players", ["smartbot_selfplay"])
def test_it_makes_every_recorded_move(reference: Path, players: str) -> None:
    assert disagreements(reference / f"quux_{players}.jsonl.gz", "smartbot") == []


def test_it_scores_as_published() -> None:
    self_play_is_as_published("smartbot", 23.107, 23.004, games=100_000)


def test_games_do_not_depend_on_how_it_is_asked() -> None:
    asking_twice_changes_nothing("smartbot")


def test_it_copes_with_anybody() -> None:
    copes_with_anybody("smartbot")


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
