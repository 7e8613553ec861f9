"""Beliefs and what is expected because of them."""

from hoad.agents.bots.fireflower.beliefs import (
    JUNK,
    PLAY_BELIEF,
    PROTECT,
    append,
    believe,
    believe_one,
    expected_plays,
    guess,
    is_playable_soon,
    next_discard,
    open_list,
)
from hoad.agents.bots.fireflower.mind import COMMON, LISTS, PRIVATE, sort_cards
from tests.agents.bots.fireflower.examples import belief, cards_of, mind_of_receiver

FIRST = "R3 Y3 G3 W3 B3"
SECOND = "R4 Y4 G4 W4 B4"


def test_the_last_belief_counts_and_the_lists_stay_as_they_were() -> None:
    mind = mind_of_receiver(FIRST, SECOND)
    newest, second, *_ = cards_of(mind, 0)
    plays = open_list(mind)
    for card in (newest, second):
        append(mind, plays, card)

    believe(mind, plays, PLAY_BELIEF)
    believe_one(mind, newest, JUNK)

    assert belief(mind, newest) == (JUNK, [newest])
    assert belief(mind, second) == (PLAY_BELIEF, [newest, second])
    assert mind.index[second] == 1


def test_lists_that_no_card_needs_are_used_again() -> None:
    mind = mind_of_receiver(FIRST, SECOND)

    for card in cards_of(mind, 0) * LISTS:
        believe_one(mind, card, PROTECT)

    assert all(belief(mind, card) == (PROTECT, [card]) for card in cards_of(mind, 0))


def test_plays_are_expected_of_the_first_card_of_a_list_and_later_of_the_others() -> None:
    mind = mind_of_receiver(FIRST, SECOND)
    plays = open_list(mind)
    for card in cards_of(mind, 0)[1:3]:
        append(mind, plays, card)
    believe(mind, plays, PLAY_BELIEF)

    assert expected_plays(mind, COMMON, 0, True) == 0b00010
    assert expected_plays(mind, COMMON, 0, False) == 0b00110


def test_the_oldest_plain_card_is_the_next_discard_unless_one_is_believed_to_be_junk() -> None:
    mind = mind_of_receiver(FIRST, SECOND)

    believe_one(mind, cards_of(mind, 0)[4], PROTECT)
    assert next_discard(mind, COMMON, 0) == (3, 4)

    mind.fireworks[0] = 1  # so that a card can be junk, the red 1
    sort_cards(mind)
    believe_one(mind, cards_of(mind, 0)[1], JUNK)
    assert next_discard(mind, COMMON, 0) == (1, 5)


def test_a_card_after_another_one_is_guessed_to_be_the_next_rank() -> None:
    mind = mind_of_receiver(FIRST, SECOND, draws="R1")
    first, second, *_ = cards_of(mind, 0)
    mind.hinted[first] = mind.hinted[second] = 0b11111  # red
    plays = open_list(mind)
    for card in (first, second):
        append(mind, plays, card)
    believe(mind, plays, PLAY_BELIEF)

    assert (guess(mind, first), guess(mind, second)) == (0, 1)
    assert is_playable_soon(mind, second)
    assert expected_plays(mind, PRIVATE, 0, True) & 0b11 == 0b01
