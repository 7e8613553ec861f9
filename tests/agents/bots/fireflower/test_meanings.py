"""What plays and discards make both players believe."""

from hoad.agents.bots.fireflower.beliefs import PLAIN, PLAY_BELIEF, PROTECT
from tests.agents.bots.fireflower.examples import belief, mind_of_receiver

PLAIN_HAND = "R3 Y3 G3 W3 B3"


def test_after_a_play_the_others_of_its_list_remain() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R4 Y1 G4 W1 B4", "hint 1", "play 3")

    assert belief(mind, 6) == (PLAY_BELIEF, [6])
    assert mind.index[6] == 0


def test_a_misplay_of_a_useful_card_protects_it_and_all_older_cards() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "Y4 G4 W4 B4 R3", "hint red", "play 4")

    assert mind.misplays == 1
    assert all(belief(mind, card) == (PROTECT, [8, 7, 6, 5]) for card in range(5, 9))


def test_the_discard_of_an_expected_play_hands_the_play_over() -> None:
    """The first player shows the second its red 1, which discards it for the one of the first."""
    first, second = "R3 Y3 R1 W3 B3", "R4 Y4 R1 W4 B4"

    mind = mind_of_receiver(first, second, "hint 1", "discard 2")

    assert belief(mind, 4) == (PLAY_BELIEF, [4])  # the newest card that can be a 1


def test_a_discard_instead_of_a_play_protects_what_the_partner_would_discard() -> None:
    """The second player is out of tokens and has a play, but makes the discard it would make."""
    moves = [*["hint 4", "hint 3"] * 3, "hint 4", "play 4", "hint 1"]
    hands = "R3 Y3 G3 W3 B2", "R4 Y4 R1 W4 B4"

    before = mind_of_receiver(*hands, *moves, draws="Y1")
    after = mind_of_receiver(*hands, *moves, "discard 0", draws="Y1")

    assert (before.tokens, after.tokens) == (0, 1)
    assert belief(before, 4) == (PLAIN, [])
    assert belief(after, 4) == (PROTECT, [4])
