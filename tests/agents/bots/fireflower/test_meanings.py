"""What plays and discards make both players believe."""

from hoad.agents.bots.fireflower.beliefs import PLAIN, PLAY_BELIEF, PROTECT
from tests.agents.bots.fireflower.examples import belief, mind_of_receiver

PLAIN_HAND = "R3 Y3 G3 W3 B3"


def test_after_a_play_the_others_of_its_list_remain() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R4 Y1 G4 W1 B4", "hint 1", "play 3")

    assert belief(mind, 6) == (PLAY_BELIEF, [6])
    assert mind.index[6] == 0


def test_a_misplay_of_a_useful_card_protects_its_list_and_all_older_cards() -> None:
    mind = mind_of_receiver(PLAIN_HAND, "R4 Y1 B4 W4 W1", "hint white", "play 4", "hint white")
    failed = mind_of_receiver(
        *(PLAIN_HAND, "R4 Y1 B4 W4 W1", "hint white", "play 4", "hint white", "play 2")
    )

    assert mind.fireworks[3] == 1
    assert failed.misplays == 1
    assert all(belief(failed, card)[0] in (PROTECT, PLAIN) for card in range(5, 9))


def test_the_discard_of_an_expected_play_hands_the_play_over() -> None:
    """The first player shows the second its red 1, which discards it for the one of the first."""
    first, second = "R3 Y3 R1 W3 B3", "R4 Y4 R1 W4 B4"

    mind = mind_of_receiver(first, second, "hint 1", "discard 2")

    assert belief(mind, 4) == (PLAY_BELIEF, [4])  # the newest card that can be a 1


def test_a_card_is_protected_whose_loss_a_player_without_tokens_could_not_prevent() -> None:
    hints = ["hint 3", "hint 4"] * 3 + ["hint 1", "hint 3"]

    mind = mind_of_receiver(PLAIN_HAND, "R4 Y4 R1 W4 B4", *hints)

    assert mind.tokens == 0
    assert belief(mind, 4)[0] in (PROTECT, PLAIN)
