"""WTFWT's questions: numbers tell the truth about a hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.bots.card_sets import Piles, look
from hoad.agents.bots.wtfwt.questions import answer, ask, learn_number, new_answers
from hoad.agents.bots.wtfwt.tables import EXCLUDED_BYTES, cards_by_position, public_hand
from hoad.game.moves import COLOUR_LETTERS
from hoad.game.state import full_game
from tests.game.examples import random_position

seeds = st.integers(0, 10_000)
turns = st.integers(0, 60)
sizes = st.integers(2, 5)

ALL = 2**25 - 1
ONES = sum(1 << 5 * colour for colour in range(5))


def _hand(state: np.record) -> np.ndarray:
    """Player 1's hand for somebody who knows what hints say and which cards are gone."""
    return public_hand(state.table, np.zeros(EXCLUDED_BYTES, np.uint8), 1)


def _cards(text: str) -> int:
    """A set of cards: ``R1 Y3 ...``."""
    return sum(1 << 5 * COLOUR_LETTERS.index(c[0]) + int(c[1]) - 1 for c in text.split())


def _open_to(*cards: str) -> np.ndarray:
    """The weights of a hand whose cards can be these, at the beginning of a game."""
    copies = sum(_cards(f"{c}1 {c}2 {c}3 {c}4") for c in COLOUR_LETTERS)
    sets = np.array([_cards(text) for text in cards])
    return np.stack([sets, sets & copies, sets & ONES], axis=1)


def _question(hand: np.ndarray, numbers: int, piles: Piles) -> list[list[int]]:
    answers = new_answers()
    size = ask(hand, numbers, piles, answers)
    return answers[:size, : len(hand)].tolist()


@settings(deadline=None)
@given(seeds, turns, sizes)
def test_the_true_number_leaves_the_true_cards(seed: int, turn: int, numbers: int) -> None:
    state = random_position(full_game(), seed, turn)
    hand, piles = _hand(state), look(state.table)
    cards = cards_by_position(state.table, state.hands, 1)

    number = answer(hand, cards, numbers, piles)
    fits = learn_number(hand, numbers, number, piles)

    assert 0 <= number < numbers
    assert fits
    assert all(hand[:, 0] >> cards & 1)


@settings(deadline=None)
@given(seeds, turns, sizes)
def test_no_hand_has_two_numbers(seed: int, turn: int, numbers: int) -> None:
    state = random_position(full_game(), seed, turn)
    piles = look(state.table)

    hands_left = []
    for number in range(numbers):
        hand = _hand(state)
        if learn_number(hand, numbers, number, piles):
            hands_left.append(hand[:, 0])

    for index, left in enumerate(hands_left):
        assert all((left & other == 0).any() for other in hands_left[:index])


def test_of_a_new_hand_it_asks_which_of_the_oldest_cards_is_playable() -> None:
    piles = Piles(playable=ONES, valuable=0, worthless=0)
    everything = " ".join(f"{c}{v}" for c in COLOUR_LETTERS for v in range(1, 6))

    question = _question(_open_to(*[everything] * 5), 3, piles)

    none, first, second = (ALL & ~ONES, *[ALL] * 4), (ONES, *[ALL] * 4), (ALL & ~ONES, ONES)
    expected = [[*none], [*first], [*second, *[ALL] * 3]]
    expected[0][1] = ALL & ~ONES
    assert [[cards & ALL for cards in given] for given in question] == expected


def test_the_unlikely_of_the_likeliest_come_first() -> None:
    piles = Piles(playable=ONES, valuable=0, worthless=0)

    question = _question(_open_to("R1 R2", "R1 R2 R3 R4", "R1 R2 R3", "R5 Y5"), 3, piles)

    assert [given[2] & ALL == ONES for given in question] == [False, True, False]
    assert [given[0] & ALL == ONES for given in question] == [False, False, True]
    assert {given[1] for given in question} == {ALL}


def test_after_playable_cards_it_asks_for_worthless_ones() -> None:
    piles = Piles(playable=_cards("R2"), valuable=0, worthless=_cards("R1"))

    question = _question(_open_to("Y1 R1", "R2 R3"), 4, piles)

    assert [given[1] & piles.playable for given in question] == [0, piles.playable, 0]
    assert question[2][0] & ALL == piles.worthless


def test_chances_of_a_half_and_of_nine_tenths_are_equally_near() -> None:
    """In double precision 9/10 would not be near enough."""
    piles = Piles(playable=ONES, valuable=0, worthless=0)
    hand = _open_to("R1", "R1 Y1 G1 R5", "R1 R2 Y5", "R4 R3")

    question = _question(hand, 2, piles)

    assert question == [[ALL, ~ONES, ALL, ALL], [ALL, ONES, ALL, ALL]]


def test_identities_are_dealt_to_blocks_by_the_letters_of_their_colours() -> None:
    piles = Piles(playable=ONES, valuable=0, worthless=_cards("R2 R3"))
    hand = _open_to("R1", "Y4 W4 R3 R4 R2 G4 B4")

    question = _question(hand, 3, piles)

    blocks = [_cards("B4 R4 Y4"), _cards("G4 W4"), _cards("R2 R3")]
    assert [given[1] for given in question] == blocks


def test_of_a_known_hand_nothing_is_asked() -> None:
    piles = Piles(playable=ONES, valuable=0, worthless=_cards("Y2 Y3"))

    assert _question(_open_to("R1", "G5", "Y2 Y3"), 4, piles) == []
