"""WTFWT: hints and discards are numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent
from hoad.agents.agent import new_view, see
from hoad.agents.bots.card_sets import Piles, look
from hoad.agents.bots.hat_guessing import count_numbers, number_shown
from hoad.agents.bots.wtfwt.hints import give_hint, in_hash_order, key_position
from hoad.agents.bots.wtfwt.questions import answer, ask, learn_number, new_answers
from hoad.agents.bots.wtfwt.tables import (
    EXCLUDED_BYTES,
    cards_by_position,
    forget_card,
    keep_hand,
    private_hand,
    public_hand,
    recover,
)
from hoad.agents.situation import COLOURS, cards_named, count_cards
from hoad.game.moves import COLOUR_HINT, COLOUR_LETTERS, move_id
from hoad.game.rules import apply
from hoad.game.state import full_game
from tests.agents.bot_games import decide
from tests.agents.positions import position
from tests.game.examples import random_position

# WTFWT's tables.


seeds = st.integers(0, 10_000)
turns = st.integers(0, 60)


def _seen_by(state: np.record, player: int) -> np.ndarray:
    hands = new_view()
    see(state, player, hands)
    return hands


def _new_memory() -> np.ndarray:
    return np.zeros(EXCLUDED_BYTES, np.uint8)


@settings(deadline=None)
@given(seeds, turns, st.integers(0, 1))
def test_real_cards_are_possible(seed: int, turn: int, me: int) -> None:
    state, memory = random_position(full_game(), seed, turn), _new_memory()

    cards = cards_by_position(state.table, state.hands, me)
    public = public_hand(state.table, memory, me)
    private = private_hand(state.table, memory, _seen_by(state, me), me)

    assert all(public[:, 0] >> cards & 1)
    assert all(private[:, 0] >> cards & 1)
    assert not (private & ~public).any()


def test_what_numbers_exclude_is_kept_until_the_card_leaves() -> None:
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand = public_hand(state.table, memory, 1)
    hand[2] &= 0b110

    keep_hand(state.table, memory, 1, hand)
    kept = public_hand(state.table, memory, 1)
    forget_card(memory, 1, 2)

    np.testing.assert_array_equal(kept, hand)
    assert not memory.any()


@pytest.mark.parametrize("me", [0, 1])
def test_true_numbers_are_remembered(me: int) -> None:
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand, card = public_hand(state.table, memory, 1), int(state.hands[1, 2])
    hand[2] &= 1 << card
    keep_hand(state.table, memory, 1, hand)

    recover(state.table, memory, _seen_by(state, me), me)

    assert memory.any()


def test_whoever_sees_that_a_number_is_wrong_forgets_all() -> None:
    """Player 1 cannot see that its card is excluded."""
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand, card = public_hand(state.table, memory, 1), int(state.hands[1, 2])
    hand[2] &= ~(1 << card)
    keep_hand(state.table, memory, 1, hand)

    recover(state.table, memory, _seen_by(state, 1), 1)
    remembered = memory.any()
    recover(state.table, memory, _seen_by(state, 0), 0)

    assert remembered
    assert not memory.any()


def test_a_card_that_can_be_nothing_makes_its_holder_forget_all() -> None:
    state, memory = random_position(full_game(), seed=3, turns=0), _new_memory()
    hand = public_hand(state.table, memory, 0)
    hand[4] = 0
    keep_hand(state.table, memory, 0, hand)

    recover(state.table, memory, _seen_by(state, 0), 0)

    assert not memory.any()


# WTFWT's questions: numbers tell the truth about a hand.


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


# WTFWT's hints: some hint shows each number.


RED, YELLOW, WHITE, BLUE = 0, 1, 3, 4
ONE, TWO, THREE = 5, 6, 7


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 60))
def test_the_hint_shows_the_true_number(seed: int, turns: int) -> None:
    state = random_position(full_game(), seed, turns)
    hand, piles = _hand(state), look(state.table)
    cards = cards_by_position(state.table, state.hands, 1)
    numbers, key = count_numbers(hand), int(cards[key_position(hand, piles)])

    hint = give_hint(hand, cards, piles) - COLOUR_HINT
    touched = [card for card in cards if cards_named(hint) >> int(card) & 1]

    shown = number_shown(numbers, hint < COLOURS, key in touched)
    assert touched
    assert shown == answer(hand, cards, numbers, piles)


def test_the_key_card_is_the_one_that_is_least_known() -> None:
    state = position("R1 Y3 W4 R5 G1 G5 W4 R3 W3 Y2", "hint 5").state

    assert key_position(_hand(state), look(state.table)) == 1


def test_worthless_cards_are_no_key_cards() -> None:
    state = position("R1 Y3 W4 R5 G1 G5 W4 R3 W3 Y2").state
    hand, piles = _hand(state), look(state.table)
    hand[0] &= 0b11

    assert key_position(hand, piles._replace(worthless=0b11)) == 1


def test_ties_go_by_the_cells_of_a_hash_set() -> None:
    order = in_hash_order(np.array([RED, WHITE, THREE])).tolist()

    assert order == [THREE, -1, WHITE, RED]  # THREE finds its cell occupied, and wraps around


def test_repetitions_make_the_hash_set_larger() -> None:
    order = in_hash_order(np.array([ONE, YELLOW, ONE, BLUE])).tolist()

    assert order == [-1, -1, -1, -1, YELLOW, ONE, -1, BLUE]


def test_the_largest_hash_set_has_sixteen_cells() -> None:
    order = in_hash_order(np.array([RED, TWO, BLUE, TWO, RED, THREE, YELLOW, TWO])).tolist()

    assert order == [*[-1] * 6, TWO, RED, BLUE, THREE, -1, -1, YELLOW, -1, -1, -1]


# WTFWT: hints and discards are numbers.


# The beginning of a recorded game, and for how many identities each card is then open.
FIRST, SECOND, DRAWS = "R1 Y3 W4 R5 G1", "G5 W4 R3 W3 Y2", "Y1 B1"
MOVES = ["hint 5", "hint red", "play 0", "hint 3", "hint 4", "hint 5", "play 4", "hint 1"]
OPEN_OF_FIRST = [
    [25, 25, 25, 25, 25],
    [1, 20, 20, 5, 20],
    [20, 20, 5, 20, 25],
    [4, 12, 4, 16, 20],
    [4, 12, 4, 16, 20],
    [4, 8, 1, 12, 5],
    [4, 8, 1, 12, 25],
    [4, 7, 1, 4, 3],
]
OPEN_OF_SECOND = [[5, 15, 20, 20, 20]] * 4 + [[5, 5, 10, 10, 15]] * 4


@pytest.mark.parametrize("turn", range(len(MOVES)))
def test_it_opens_a_game_as_recorded(turn: int) -> None:
    assert decide("wtfwt", FIRST, SECOND, MOVES[:turn], DRAWS) == MOVES[turn]


@pytest.mark.parametrize("observer", [0, 1])
def test_both_players_learn_the_same_from_each_move(observer: int) -> None:
    state = position(f"{FIRST} {SECOND} {DRAWS}").state
    states = np.array([state], state.dtype)
    agent = get_agent("wtfwt")
    memory = agent.new_memory(1)

    left = []
    for move in MOVES:
        action = move_id(full_game(), move)
        agent.observe(states, observer, memory, np.array([action], np.uint8))
        apply(states[0], action)
        hands = [public_hand(states[0].table, memory[0], player) for player in range(2)]
        left.append([[count_cards(int(card)) for card in hand[:, 0]] for hand in hands])

    assert left == [list(hands) for hands in zip(OPEN_OF_FIRST, OPEN_OF_SECOND, strict=True)]


def test_numbers_are_forgotten_when_one_was_wrong() -> None:
    """The red hint says that the oldest card is playable, which it turns out not to be."""
    state = position("R4 R3 Y3 G3 W3 W4 R3 G4 B4 Y4", "hint 3").state
    states = np.array([state], state.dtype)
    agent = get_agent("wtfwt")
    memory = agent.new_memory(1)
    hint, play = (
        np.array([move_id(full_game(), move)], np.uint8) for move in ("hint red", "play 0")
    )

    agent.observe(states, 0, memory, hint)
    learned = memory.copy()
    apply(states[0], hint[0])
    agent.observe(states, 0, memory, play)

    assert learned.any()
    assert not memory.any()
