"""WuTheFWasThat's information strategy (hanabi.rs), with two players.

Hat guessing (see :mod:`hoad.agents.bots.hat_guessing`). Deterministic. Fractions are in single
precision where rounding decides. The original knows colours by their letters, and some ties go by
these: card and move ids of the original's logs, which count the colours R, Y, G, B, W, have to be
translated.

The original stops when a partner breaks its conventions. Here the player forgets all numbers
instead, and begins again from what hints said directly, as soon as it sees that a number was wrong.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import Piles, cards_in, look, slot_at
from hoad.agents.bots.hat_guessing import (
    count_numbers,
    has_few_discards,
    number_shown,
    play_card,
    position_of,
    useless_positions,
)
from hoad.agents.bots.weights import (
    narrow_at,
    possible_at,
    sum_of_values,
    total,
    weight,
    weights_at,
)
from hoad.agents.bots.wtfwt.hints import give_hint, key_position
from hoad.agents.bots.wtfwt.questions import answer, learn_number
from hoad.agents.bots.wtfwt.tables import (
    EXCLUDED_BYTES,
    cards_by_position,
    forget_card,
    keep_hand,
    private_hand,
    public_hand,
    recover,
)
from hoad.agents.situation import ALL_CARDS, COLOURS, NO_MOVE, SLOTS, count_cards
from hoad.game.moves import COLOUR_HINT, PLAY

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
