"""WTFWT: hints and discards are numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.agents import Agent, get_agent
from hoad.agents.agent import new_view, see
from hoad.agents.bots import wtfwt
from hoad.agents.bots.card_sets import Piles, look
from hoad.agents.bots.hat_guessing import count_numbers, number_shown
from hoad.agents.bots.wtfwt import (
    answer,
    ask,
    give_hint,
    in_hash_order,
    key_position,
    learn_number,
    new_answers,
)
from hoad.agents.situation import COLOURS, cards_named, count_cards
from hoad.game.moves import COLOUR_HINT, COLOUR_LETTERS, move_id
from hoad.game.rules import apply
from hoad.game.state import full_game
from tests.agents.bot_games import decide
from tests.agents.positions import position
from tests.game.examples import positions, random_position


def _seen_by(state: np.record, player: int) -> np.ndarray:
    hands = new_view()
    see(state, player, hands)
    return hands


def new_memory() -> np.ndarray:
    return np.zeros(wtfwt.EXCLUDED_BYTES, np.uint8)


@given(positions(), st.integers(0, 1))
def test_real_cards_are_possible(state, me):
    cards = wtfwt.cards_by_position(state.table, state.hands, me)
    public = wtfwt.public_hand(state.table, new_memory(), me)
    private = wtfwt.private_hand(state.table, new_memory(), _seen_by(state, me), me)

    assert all(public[:, 0] >> cards & 1)
    assert all(private[:, 0] >> cards & 1)
    assert not (private & ~public).any()


STATE = random_position(full_game(), seed=3, turns=0)
CARD = 1 << int(STATE.hands[1, 2])


def told(player: int, position: int, left: int) -> np.ndarray:
    """A memory in which a number has left only these cards for one of a player."""
    memory = new_memory()
    hand = wtfwt.public_hand(STATE.table, memory, player)
    hand[position] &= left
    wtfwt.keep_hand(STATE.table, memory, player, hand)
    np.testing.assert_array_equal(wtfwt.public_hand(STATE.table, memory, player), hand)
    return memory


def test_what_numbers_exclude_is_kept_until_the_card_leaves():
    memory = told(1, 2, 0b110)

    wtfwt.forget_card(memory, 1, 2)

    assert not memory.any()


@pytest.mark.parametrize(
    ("player", "position", "left", "me", "kept"),
    [
        (1, 2, CARD, 0, True),  # true numbers are remembered
        (1, 2, CARD, 1, True),
        (1, 2, ~CARD, 1, True),  # player 1 cannot see that its card is excluded
        (1, 2, ~CARD, 0, False),
        (0, 4, 0, 0, False),  # a card can be nothing
    ],
)
def test_whoever_sees_that_a_number_is_wrong_forgets_all(player, position, left, me, kept):
    memory = told(player, position, left)

    wtfwt.recover(STATE.table, memory, _seen_by(STATE, me), me)

    assert memory.any() == kept


ALL = 2**25 - 1
ONES = sum(1 << 5 * colour for colour in range(5))


def _hand(state: np.record) -> np.ndarray:
    """Player 1's hand for somebody who knows what hints say and which cards are gone."""
    return wtfwt.public_hand(state.table, new_memory(), 1)


def _cards(text: str) -> int:
    """A set of cards: ``R1 Y3 ...``."""
    return sum(1 << 5 * COLOUR_LETTERS.index(c[0]) + int(c[1]) - 1 for c in text.split())


def _open_to(*cards: str) -> np.ndarray:
    """The weights of a hand whose cards can be these, at the beginning of a game."""
    copies = sum(_cards(f"{c}1 {c}2 {c}3 {c}4") for c in COLOUR_LETTERS)
    sets = np.array([_cards(text) for text in cards])
    return np.stack([sets, sets & copies, sets & ONES], axis=1)


def _question(
    numbers: int, *cards: str, playable: int = ONES, worthless: str = ""
) -> list[list[int]]:
    answers, hand = new_answers(), _open_to(*cards)
    piles = Piles(playable=playable, valuable=0, worthless=_cards(worthless))
    size = ask(hand, numbers, piles, answers)
    return answers[:size, : len(hand)].tolist()


@given(positions(), st.integers(2, 5))
def test_the_true_number_leaves_the_true_cards(state, numbers):
    hand, piles = _hand(state), look(state.table)
    cards = wtfwt.cards_by_position(state.table, state.hands, 1)

    number = answer(hand, cards, numbers, piles)
    fits = learn_number(hand, numbers, number, piles)

    assert 0 <= number < numbers
    assert fits
    assert all(hand[:, 0] >> cards & 1)


@given(positions(), st.integers(2, 5))
def test_no_hand_has_two_numbers(state, numbers):
    hands_left = []
    for number in range(numbers):
        hand = _hand(state)
        if learn_number(hand, numbers, number, look(state.table)):
            hands_left.append(hand[:, 0])

    for index, left in enumerate(hands_left):
        assert all((left & other == 0).any() for other in hands_left[:index])


def test_of_a_new_hand_it_asks_which_of_the_oldest_cards_is_playable():
    everything = " ".join(f"{c}{v}" for c in COLOUR_LETTERS for v in range(1, 6))

    question = _question(3, *[everything] * 5)

    none = ALL & ~ONES
    expected = [[none, none, *[ALL] * 3], [ONES, *[ALL] * 4], [none, ONES, *[ALL] * 3]]
    assert [[cards & ALL for cards in given] for given in question] == expected


def test_the_unlikely_of_the_likeliest_come_first():
    question = _question(3, "R1 R2", "R1 R2 R3 R4", "R1 R2 R3", "R5 Y5")

    assert [given[2] & ALL == ONES for given in question] == [False, True, False]
    assert [given[0] & ALL == ONES for given in question] == [False, False, True]
    assert {given[1] for given in question} == {ALL}


def test_after_playable_cards_it_asks_for_worthless_ones_and_of_a_known_hand_for_nothing():
    red_2 = _cards("R2")

    question = _question(4, "Y1 R1", "R2 R3", playable=red_2, worthless="R1")

    assert [given[1] & red_2 for given in question] == [0, red_2, 0]
    assert question[2][0] & ALL == _cards("R1")
    assert _question(4, "R1", "G5", "Y2 Y3", worthless="Y2 Y3") == []


def test_chances_of_a_half_and_of_nine_tenths_are_equally_near():
    """In double precision 9/10 would not be near enough."""
    question = _question(2, "R1", "R1 Y1 G1 R5", "R1 R2 Y5", "R4 R3")

    assert question == [[ALL, ~ONES, ALL, ALL], [ALL, ONES, ALL, ALL]]


def test_identities_are_dealt_to_blocks_by_the_letters_of_their_colours():
    question = _question(3, "R1", "Y4 W4 R3 R4 R2 G4 B4", worthless="R2 R3")

    blocks = [_cards("B4 R4 Y4"), _cards("G4 W4"), _cards("R2 R3")]
    assert [given[1] for given in question] == blocks


RED, YELLOW, WHITE, BLUE = 0, 1, 3, 4
ONE, TWO, THREE = 5, 6, 7


@given(positions())
def test_the_hint_shows_the_true_number(state):
    hand, piles = _hand(state), look(state.table)
    cards = wtfwt.cards_by_position(state.table, state.hands, 1)
    numbers, key = count_numbers(hand), int(cards[key_position(hand, piles)])

    hint = give_hint(hand, cards, piles) - COLOUR_HINT
    touched = [card for card in cards if cards_named(hint) >> int(card) & 1]

    shown = number_shown(numbers, hint < COLOURS, key in touched)
    assert touched
    assert shown == answer(hand, cards, numbers, piles)


def test_the_key_card_is_the_one_that_is_least_known_and_not_worthless():
    cards = "R1 Y3 W4 R5 G1 G5 W4 R3 W3 Y2"
    told, new = position(cards, "hint 5").state, position(cards).state
    hand = _hand(new)
    hand[0] &= 0b11

    assert key_position(_hand(told), look(told.table)) == 1
    assert key_position(hand, look(new.table)._replace(worthless=0b11)) == 1


@pytest.mark.parametrize(
    ("facts", "order"),
    [
        # THREE finds its cell occupied, and wraps around.
        ([RED, WHITE, THREE], [THREE, -1, WHITE, RED]),
        # Repetitions make the set larger, to sixteen cells at most.
        ([ONE, YELLOW, ONE, BLUE], [-1, -1, -1, -1, YELLOW, ONE, -1, BLUE]),
        (
            [RED, TWO, BLUE, TWO, RED, THREE, YELLOW, TWO],
            [*[-1] * 6, TWO, RED, BLUE, THREE, -1, -1, YELLOW, -1, -1, -1],
        ),
    ],
)
def test_ties_go_by_the_cells_of_a_hash_set(facts, order):
    assert in_hash_order(np.array(facts)).tolist() == order


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
def test_it_opens_a_game_as_recorded(turn):
    assert decide("wtfwt", FIRST, SECOND, MOVES[:turn], DRAWS) == MOVES[turn]


def observing(cards: str, *moves: str) -> tuple[Agent, np.ndarray, np.ndarray]:
    """WTFWT, the state of a game, and a memory of none of it."""
    state, agent = position(cards, *moves).state, get_agent("wtfwt")
    return agent, np.array([state], state.dtype), agent.new_memory(1)


@pytest.mark.parametrize("observer", [0, 1])
def test_both_players_learn_the_same_from_each_move(observer):
    agent, states, memory = observing(f"{FIRST} {SECOND} {DRAWS}")

    left = []
    for move in MOVES:
        action = move_id(full_game(), move)
        agent.observe(states, observer, memory, np.array([action], np.uint8))
        apply(states[0], action)
        hands = [wtfwt.public_hand(states[0].table, memory[0], player) for player in range(2)]
        left.append([[count_cards(int(card)) for card in hand[:, 0]] for hand in hands])

    assert left == [list(hands) for hands in zip(OPEN_OF_FIRST, OPEN_OF_SECOND, strict=True)]


def test_numbers_are_forgotten_when_one_was_wrong():
    """The red hint says that the oldest card is playable, which it turns out not to be."""
    agent, states, memory = observing("R4 R3 Y3 G3 W3 W4 R3 G4 B4 Y4", "hint 3")
    hint, play = (
        np.array([move_id(full_game(), move)], np.uint8) for move in ("hint red", "play 0")
    )

    agent.observe(states, 0, memory, hint)
    learned = memory.copy()
    apply(states[0], hint[0])
    agent.observe(states, 0, memory, play)

    assert learned.any()
    assert not memory.any()
