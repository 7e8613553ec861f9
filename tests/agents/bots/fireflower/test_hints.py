"""What a hint makes its receiver believe."""

from hoad.agents.bots.fireflower.beliefs import PLAIN, PLAY_BELIEF, PROTECT
from tests.agents.bots.fireflower.examples import belief, mind_of_receiver

PLAIN_HAND = "R3 Y3 G3 W3 B3"


def test_touched_cards_are_to_be_played_newest_first() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R4 Y1 G4 W1 B4", "hint 1")

    assert belief(mind, 8) == (PLAY_BELIEF, [8, 6])
    assert (mind.index[8], mind.index[6]) == (0, 1)


def test_surely_playable_cards_come_first() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R1 Y4 G4 W4 R4", "hint 1", "hint 3", "hint red")

    assert belief(mind, 5) == (PLAY_BELIEF, [5])
    assert belief(mind, 9)[0] == PROTECT  # linked to the red 1, which it cannot follow


def test_a_hint_at_the_next_discard_is_a_warning_if_that_can_be_dangerous() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R5 Y4 G4 W4 B4", "hint 5")

    assert belief(mind, 5) == (PROTECT, [5])


def test_a_hint_at_cards_that_cannot_be_played_yet_protects_them() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R3 Y4 G4 W4 B4", "hint 4")

    assert belief(mind, 6)[0] == PROTECT
    assert belief(mind, 5) == (PLAIN, [])


def test_a_hint_at_junk_protects_all_older_cards() -> None:
    hand = "Y4 G4 R1 W4 R1"

    mind = mind_of_receiver(PLAIN_HAND, hand, "hint 1", "play 4", "hint red", draws="Y2")

    assert [belief(mind, card) for card in (6, 5)] == [(PROTECT, [6, 5])] * 2
    assert belief(mind, 8) == (PLAIN, [])
