"""WuTheFWasThat's information strategy (hanabi.rs), with two players.

Hat guessing (see :mod:`hoad.agents.bots.hat_guessing`). Deterministic. Fractions are in single
precision where rounding decides. The original knows colours by their letters, and some ties go by
these: card and move ids of the original's logs, which count the colours R, Y, G, B, W, have to be
translated.

The original stops when a partner breaks its conventions. Here the player forgets all numbers
instead, and begins again from what hints said directly, as soon as it sees that a number was wrong.

The tables have, for every card of both hands, which identities numbers have excluded: the memory
holds one set for each player and slot. What hints say directly and which copies are played or
discarded is in the public record; it is added where a hand is looked at.

The number of a hint or a discard answers questions that both players derive in the same way from
the public hand, one after the other: each is chosen when the answers before it are known. The first
question is the least significant digit. ``numbers`` are left in the beginning; an answer leaves
those that give it. The number says whether the hint names a colour or a rank, and whether it
touches the key card, the card that the receiver knows least about.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import (
    SET_BYTES,
    Piles,
    cards_in,
    hand_length,
    load_cards,
    look,
    only_colour,
    only_rank,
    slot_at,
    store_cards,
)
from hoad.agents.bots.hat_guessing import (
    count_numbers,
    has_few_discards,
    number_shown,
    play_card,
    position_of,
    split,
    useless_positions,
)
from hoad.agents.bots.weights import (
    CardWeights,
    is_determined,
    narrow_at,
    possible_at,
    put_weights_at,
    share,
    sum_of_values,
    total,
    unrevealed,
    weight,
    weights_at,
)
from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    NO_MOVE,
    RANKS,
    SLOTS,
    cards_named,
    count_cards,
    pack_cards,
    plausible_cards,
    unseen_copies,
)
from hoad.game.moves import COLOUR_HINT, PLAY

EXCLUDED_BYTES: Final = 2 * SLOTS * SET_BYTES


@njit(cache=True, nogil=True)
def _possible_of(table: Table, memory: Memory, player: int, slot: int) -> int:
    """Return the set of identities that a card can be, those that are gone included."""
    excluded = load_cards(memory, (player * SLOTS + slot) * SET_BYTES)
    return plausible_cards(table, player, slot) & ~excluded


@njit(cache=True, nogil=True)
def public_hand(table: Table, memory: Memory, player: int) -> np.ndarray:
    """Return a hand's weights by position, as both players know them."""
    hand = np.empty((hand_length(table, player), 3), np.int64)
    for position in range(len(hand)):
        possible = _possible_of(table, memory, player, slot_at(table, player, position))
        put_weights_at(hand, position, unrevealed(table, possible))
    return hand


@njit(cache=True, nogil=True)
def private_hand(table: Table, memory: Memory, hands: Hands, me: int) -> np.ndarray:
    """Return my hand's weights by position, as I know them from seeing the partner's hand."""
    once, twice, thrice = unseen_copies(table, pack_cards(hands[1 - me]))
    hand = np.empty((hand_length(table, me), 3), np.int64)
    for position in range(len(hand)):
        cards = _possible_of(table, memory, me, slot_at(table, me, position))
        put_weights_at(hand, position, CardWeights(cards & once, cards & twice, cards & thrice))
    return hand


@njit(cache=True, nogil=True)
def cards_by_position(table: Table, hands: Hands, player: int) -> np.ndarray:
    """Return the cards of a hand that is seen, oldest first."""
    cards = np.empty(hand_length(table, player), np.int64)
    for position in range(len(cards)):
        cards[position] = hands[player, slot_at(table, player, position)]
    return cards


@njit(cache=True, nogil=True)
def keep_hand(table: Table, memory: Memory, player: int, hand: np.ndarray) -> None:
    """Exclude for the cards of a player all identities that ``hand`` does not leave possible."""
    for position in range(len(hand)):
        first = (player * SLOTS + slot_at(table, player, position)) * SET_BYTES
        excluded = load_cards(memory, first) | ALL_CARDS & ~int(hand[position, 0])
        store_cards(memory, first, excluded)


@njit(cache=True, nogil=True)
def forget_card(memory: Memory, player: int, slot: int) -> None:
    """Exclude nothing for the card that is drawn into a slot."""
    store_cards(memory, (player * SLOTS + slot) * SET_BYTES, 0)


@njit(cache=True, nogil=True)
def recover(table: Table, memory: Memory, hands: Hands, me: int) -> None:
    """Forget all numbers if, as I see it, one of them was wrong.

    A partner with other conventions shows wrong numbers: nothing is then possible for a card of
    mine, or the real identity of one of the partner's is excluded.
    """
    partner, contradicts = 1 - me, False
    private, public = private_hand(table, memory, hands, me), public_hand(table, memory, partner)
    cards = cards_by_position(table, hands, partner)
    for position in range(len(private)):
        contradicts |= not private[position, 0]
    for position in range(len(public)):
        contradicts |= not public[position, 0] >> cards[position] & 1
    if contradicts:
        memory[:] = 0


_MOST_NUMBERS: Final = 5
"""Five useless cards to choose from; hints show four numbers at most."""

# The cards in the order in which the original sorts them: by the letter of the colour (B, G, R, W,
# Y), then by rank.
_BY_LETTER = np.array([RANKS * c + rank for c in (4, 2, 0, 3, 1) for rank in range(RANKS)])

# An item is a card's position, plus SLOTS if it asks whether the card is worthless.
_ITEMS: Final = 2 * SLOTS

# Single precision decides: the chances 1/2 and 9/10 are both near enough, and equally near.
_CHANCE: Final = np.float32(0.7)
_NEAR: Final = np.float32(0.2)


@njit(cache=True, nogil=True)
def answer(hand: np.ndarray, cards: np.ndarray, numbers: int, piles: Piles) -> int:
    """Return the number, of so many ``numbers``, that is true of a player's ``cards`` by position.

    ``hand`` has the public weights of the hand, in which the cards are possible.
    """
    known, left = hand.copy(), numbers
    answers = new_answers()
    number, unit = 0, 1
    while left > 1:
        size = ask(known, left, piles, answers)
        if not size:
            break
        answered = _true_answer(answers[:size], cards)
        _narrow(known, answers[answered])
        number, unit = number + unit * answered, unit * size
        left = _numbers_left(left, answered, size)
    return number


@njit(cache=True, nogil=True)
def learn_number(hand: np.ndarray, numbers: int, number: int, piles: Piles) -> bool:
    """Narrow a hand to what the ``number`` says; return whether it can be true.

    ``hand`` is as in :func:`answer`; it is changed.
    """
    left = numbers
    answers = new_answers()
    while left > 1:
        size = ask(hand, left, piles, answers)
        if not size:
            break
        answered = number % size
        if not _narrow(hand, answers[answered]):
            return False
        number, left = number // size, _numbers_left(left, answered, size)
    return number == 0


@njit(cache=True, nogil=True)
def _numbers_left(numbers: int, answered: int, size: int) -> int:
    """Return how many of the numbers below ``numbers`` have the last digit ``given``."""
    return (numbers - answered - 1) // size + 1


@njit(cache=True, nogil=True)
def _narrow(hand: np.ndarray, possible: np.ndarray) -> bool:
    """Narrow a hand to the identities that an answer leaves; return whether all cards have some."""
    consistent = True
    for position in range(len(hand)):
        consistent &= narrow_at(hand, position, int(possible[position]))
    return consistent


@njit(cache=True, nogil=True)
def _true_answer(answers: np.ndarray, cards: np.ndarray) -> int:
    """Return the answer that is true of the cards, which are all possible."""
    for answered in range(len(answers)):
        is_true = True
        for position in range(len(cards)):
            is_true &= answers[answered, position] >> cards[position] & 1 == 1
        if is_true:
            return answered
    return 0


@njit(cache=True, nogil=True)
def new_answers() -> np.ndarray:
    """Return room for :func:`ask`: by answer and position, which identities it leaves a card."""
    return np.empty((_MOST_NUMBERS, SLOTS), np.int64)


@njit(cache=True, nogil=True)
def ask(hand: np.ndarray, numbers: int, piles: Piles, answers: np.ndarray) -> int:
    """Write the ``answers`` of the next question and return how many there are; 0 for no question.

    ``hand`` has the public weights; at least 2 ``numbers`` are left: no question has more answers.
    """
    chances = np.zeros(_ITEMS)
    asked = 0
    knows_play, knows_useless = False, False
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        chances[position] = share(weights, piles.playable)
        chances[SLOTS + position] = share(weights, piles.worthless)
        knows_play |= not weights.once & ~piles.playable
        is_useless = not weights.once & ~piles.worthless
        knows_useless |= is_useless
        asked |= int(not is_useless and not is_determined(weights.once)) << position
    answers[:] = ALL_CARDS
    if not asked:
        return 0
    items = 0
    if not knows_play:
        worthless = 0 if knows_useless else asked
        items = _likeliest_items(chances, asked | worthless << SLOTS, numbers - 1)
    if items:
        return _ask_which(chances, items, piles, answers)
    position = _nearest_to_chance(hand, asked, piles)
    if position >= 0:
        answers[0, position], answers[1, position] = ~piles.playable, piles.playable
        return 2
    return _ask_for_block(hand, _least_worthless(chances, asked), numbers, piles, answers)


@njit(cache=True, nogil=True)
def _likeliest_items(chances: np.ndarray, items: int, most: int) -> int:
    """Return at most so many of a set of items: playable before worthless, likely ones first."""
    chosen, room = 0, most
    for first in (0, SLOTS):
        while room:
            best, highest = -1, 0.0
            for item in range(first, first + SLOTS):
                if items >> item & 1 and chances[item] > highest:
                    best, highest = item, chances[item]
            if best < 0:
                break
            items ^= 1 << best
            chosen |= 1 << best
            room -= 1
    return chosen


@njit(cache=True, nogil=True)
def _ask_which(chances: np.ndarray, items: int, piles: Piles, answers: np.ndarray) -> int:
    """Ask which item is the first that is true: playable before worthless, unlikely ones first.

    Answer 0: no item is true.
    """
    size = 1
    for first in (0, SLOTS):
        true = piles.worthless if first else piles.playable
        while True:
            least, lowest = -1, 2.0
            for item in range(first, first + SLOTS):
                if items >> item & 1 and chances[item] < lowest:
                    least, lowest = item, chances[item]
            if least < 0:
                break
            items ^= 1 << least
            answers[size] = answers[0]  # the items before are false
            answers[size, least - first] &= true
            answers[0, least - first] &= ~true
            size += 1
    return size


@njit(cache=True, nogil=True)
def _nearest_to_chance(hand: np.ndarray, asked: int, piles: Piles) -> int:
    """Return the position with the chance of being playable nearest to 0.7, if near, or -1."""
    chosen, nearest = -1, _NEAR
    for position in range(len(hand)):
        if asked >> position & 1:
            weights = weights_at(hand, position)
            chance = np.float32(weight(weights, piles.playable)) / np.float32(total(weights))
            distance = abs(chance - _CHANCE)
            if distance < nearest:
                chosen, nearest = position, distance
    return chosen


@njit(cache=True, nogil=True)
def _least_worthless(chances: np.ndarray, asked: int) -> int:
    """Return the position that is least likely to be worthless."""
    chosen, lowest = 0, 2.0
    for position in range(SLOTS):
        if asked >> position & 1 and chances[SLOTS + position] < lowest:
            chosen, lowest = position, chances[SLOTS + position]
    return chosen


@njit(cache=True, nogil=True)
def _ask_for_block(
    hand: np.ndarray, position: int, numbers: int, piles: Piles, answers: np.ndarray
) -> int:
    """Ask in which block of identities a card is; the worthless ones are a block."""
    answers[:, position] = 0
    possible = possible_at(hand, position)
    return split(possible, piles.worthless, numbers, _BY_LETTER, answers[:, position])


# Of equally good hints the original gives the one that comes first in a hash set (64-bit FNV-1a,
# linear probing). The hash of each hint, colours first, modulo the 16 cells of the largest set.
_HASHES = np.array([7, 12, 2, 2, 7, 5, 6, 7, 0, 1])
_EMPTY: Final = -1


@njit(cache=True, nogil=True)
def key_position(hand: np.ndarray, piles: Piles) -> int:
    """Return the first position with the least public knowledge of its colour and rank.

    Cards that are worthless or known count as known.
    """
    chosen, most = 0, 0
    for position in range(len(hand)):
        cards = possible_at(hand, position)
        if cards & ~piles.worthless and not is_determined(cards):
            unknown = 1 + int(only_colour(cards) < 0) + int(only_rank(cards) < 0)
            if unknown > most:
                chosen, most = position, unknown
    return chosen


@njit(cache=True, nogil=True)
def give_hint(hand: np.ndarray, cards: np.ndarray, piles: Piles) -> int:
    """Give, of the hints that show the true number, the one that says most directly.

    ``hand`` is the partner's hand, publicly; ``cards`` are its cards by position.
    """
    numbers = count_numbers(hand)
    key = int(cards[key_position(hand, piles)])
    number = answer(hand, cards, numbers, piles)
    hints = np.empty(2 * len(cards), np.int64)  # with repetitions
    count = 0
    for card in cards:
        for hint in (card // RANKS, COLOURS + card % RANKS):
            touches = cards_named(hint) >> key & 1 == 1
            if number_shown(numbers, hint < COLOURS, touches) == number:
                hints[count] = hint
                count += 1
    return COLOUR_HINT + _best_hint(hints[:count], hand, cards, piles)


@njit(cache=True, nogil=True)
def _best_hint(hints: np.ndarray, hand: np.ndarray, cards: np.ndarray, piles: Piles) -> int:
    """Return the hint that says most; ties go to the first one in the original's hash set."""
    chosen, best = NO_MOVE, np.float32(-1)
    for hint in in_hash_order(hints):
        if hint != _EMPTY:
            goodness = _goodness(hand, cards, cards_named(hint), piles)
            if goodness > best:
                chosen, best = int(hint), goodness
    return chosen


@njit(cache=True, nogil=True)
def in_hash_order(hints: np.ndarray) -> np.ndarray:
    """Return the cells of the original's hash set: the hints, each once, and empty cells.

    The list's length, repetitions included, determines how many cells there are.
    """
    cells = 4 if len(hints) < 4 else 8 if len(hints) < 8 else 16
    ordered = np.full(cells, _EMPTY)
    for hint in hints:
        cell = _HASHES[hint] % cells
        while ordered[cell] != _EMPTY and ordered[cell] != hint:
            cell = (cell + 1) % cells
        ordered[cell] = hint
    return ordered


@njit(cache=True, nogil=True)
def _goodness(hand: np.ndarray, cards: np.ndarray, named: int, piles: Piles) -> np.float32:
    """Return the factor by which a hint narrows the hand, twice for each card that it settles.

    In single precision, which decides some ties.
    """
    goodness = np.float32(1)
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        if is_determined(weights.once) or not weights.once & ~piles.worthless:
            continue
        direct = named if named >> cards[position] & 1 else ~named
        left = weights.once & direct
        settled = is_determined(left) or not left & ~piles.worthless
        narrowed = np.float32(total(weights)) / np.float32(weight(weights, direct))
        goodness *= np.float32(2 if settled else 1) * narrowed
    return goodness


_MANY_TOKENS: Final = 5

MEMORY: Final = EXCLUDED_BYTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Play, else hint or discard, depending on who knows of playable and of useless cards."""
    recover(table, memory, hands, me)
    private, piles = private_hand(table, memory, hands, me), look(table)
    seen = cards_in(hands[1 - me])
    move = play_card(table, private, seen, piles)
    if move != NO_MOVE:
        return move
    partner, cards = public_hand(table, memory, 1 - me), cards_by_position(table, hands, 1 - me)
    useless = useless_positions(private, piles)
    if _prefers_hint(table, partner, seen & piles.playable != 0, useless != 0, piles):
        return give_hint(partner, cards, piles)
    choice = useless_positions(public_hand(table, memory, me), piles)
    if count_cards(choice) > 1:
        _assume_no_hint_needed(table, partner, piles)
        number = answer(partner, cards, count_cards(choice), piles)
        return position_of(choice, number)
    return position_of(useless, 0) if useless else _discard(private, seen, piles)


@njit(cache=True, nogil=True)
def _prefers_hint(
    table: Table, partner: np.ndarray, has_playable: bool, has_useless: bool, piles: Piles
) -> bool:
    """Return whether to hint rather than to discard.

    ``partner`` is the partner's hand, publicly, which ``has_playable`` cards or not; I know whether
    mine ``has_useless`` ones.
    """
    if table.tokens == 0 or table.tokens == table.max_tokens:
        return table.tokens != 0
    if has_playable and not _knows_play(partner, piles):
        return True
    if has_useless and has_few_discards(table):
        return False
    return has_playable or table.tokens >= _MANY_TOKENS


@njit(cache=True, nogil=True)
def _knows_play(hand: np.ndarray, piles: Piles) -> bool:
    """Return whether one of a hand's cards is surely playable."""
    knows = False
    for position in range(len(hand)):
        knows |= not possible_at(hand, position) & ~piles.playable
    return knows


@njit(cache=True, nogil=True)
def _assume_no_hint_needed(table: Table, hand: np.ndarray, piles: Piles) -> bool:
    """Narrow a hand by that the other player discards: no card is playable, unless one surely is.

    Without hint tokens this says nothing. Return whether all cards can still be something.
    """
    consistent = True
    if table.tokens and not _knows_play(hand, piles):
        for position in range(len(hand)):
            consistent &= narrow_at(hand, position, ~piles.playable)
    return consistent


@njit(cache=True, nogil=True)
def _discard(private: np.ndarray, seen: int, piles: Piles) -> int:
    """Prefer to discard what the partner has too, what is no last copy, what is high.

    In single precision, which decides some ties.
    """
    chosen, best = NO_MOVE, np.float32(-1)
    for position in range(len(private)):
        weights = weights_at(private, position)
        copies = np.float32(total(weights))
        shared = np.float32(20) * (np.float32(weight(weights, seen)) / copies)
        safe = np.float32(10) * (np.float32(weight(weights, ~piles.valuable)) / copies)
        fitness = (shared + safe) + np.float32(sum_of_values(weights, ALL_CARDS)) / copies
        if fitness > best:
            chosen, best = position, fitness
    return chosen


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Exclude what an action of either player shows by its number; forget all if it cannot be."""
    action, touched, card = event
    recover(table, memory, hands, me)
    actor, piles = int(table.current), look(table)
    receiver = 1 - actor
    hand = public_hand(table, memory, receiver)
    if action >= COLOUR_HINT:
        consistent = _learn_hint(table, hand, receiver, action - COLOUR_HINT, touched, piles)
    else:
        own, position = public_hand(table, memory, actor), action % SLOTS
        consistent = possible_at(own, position) >> card & 1 == 1
        if action < PLAY:
            consistent &= _assume_no_hint_needed(table, hand, piles)
            consistent = consistent and _learn_discard(own, hand, position, piles)
    if not consistent:
        memory[:] = 0
        return 0
    keep_hand(table, memory, receiver, hand)
    if action < COLOUR_HINT:
        for slot in range(SLOTS):
            if touched >> slot & 1:
                forget_card(memory, actor, slot)
    return 0


@njit(cache=True, nogil=True)
def _learn_hint(
    table: Table, hand: np.ndarray, player: int, hint: int, touched: int, piles: Piles
) -> bool:
    """Narrow the hand of ``player`` by the number of a hint; return whether that can be true."""
    numbers, key = count_numbers(hand), slot_at(table, player, key_position(hand, piles))
    number = number_shown(numbers, hint < COLOURS, touched >> key & 1 == 1)
    return learn_number(hand, numbers, number, piles)


@njit(cache=True, nogil=True)
def _learn_discard(own: np.ndarray, hand: np.ndarray, position: int, piles: Piles) -> bool:
    """Narrow a hand by which of several useless cards of ``own`` the other player discards.

    Return whether that can be true.
    """
    useless = useless_positions(own, piles)
    if count_cards(useless) < 2:
        return True
    number = count_cards(useless & ((1 << position) - 1))
    return useless >> position & 1 == 1 and learn_number(hand, count_cards(useless), number, piles)
