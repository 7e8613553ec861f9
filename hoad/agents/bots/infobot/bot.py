"""O'Dwyer's InfoBot: its hints and discards are numbers about the whole hand of the other player.

Hat guessing, after Cox et al. 2015 ("How to make the perfect fireworks display"): a player that
hints, or discards one of several useless cards, has a choice, and the choice is a number that
answers questions about the other player's hand. Deterministic.

A partner that breaks these conventions may leave a card without any possible identity. All that
its hints allow is then possible again.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import (
    Piles,
    cards_in,
    hand_length,
    held_slots,
    look,
    name_oldest,
    slot_at,
)
from hoad.agents.bots.infobot.numbers import answer, learn_number, make_code, number_of
from hoad.agents.bots.infobot.weights import (
    WEIGHTS_BYTES,
    is_determined,
    keep,
    possible_of,
    private_memory,
    put_weights,
    recover,
    remove_copy,
    share,
    sum_of_values,
    total,
    unrevealed,
    weight,
    weights_of,
)
from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    NO_MOVE,
    RANKS,
    SLOTS,
    cards_named,
    count_cards,
)
from hoad.game.moves import COLOUR_HINT, PLAY

_MANY_DISCARDS: Final = 15
_GOOD_CHANCE: Final = 0.75

MEMORY: Final = WEIGHTS_BYTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Play, else hint or discard something useless, in an order that depends on the discards."""
    recover(table, memory)
    private = private_memory(table, memory, hands, me)
    piles = look(table)
    few_discards = table.discards.sum() <= _MANY_DISCARDS
    move = _play(table, private, hands, me, piles)
    if move == NO_MOVE and table.lives > 1 and few_discards:
        move = _gamble(table, private, me, piles)
    if move != NO_MOVE:
        return move
    if table.tokens == table.max_tokens:
        return _give_hint(table, memory, hands, 1 - me, piles)
    useless = _discard_useless(table, memory, private, hands, me, piles)
    if useless != NO_MOVE and few_discards:
        return useless
    if table.tokens and cards_in(hands[1 - me]) & piles.playable:
        return _give_hint(table, memory, hands, 1 - me, piles)
    return useless if useless != NO_MOVE else _discard(table, private, hands, me, piles)


@njit(cache=True, nogil=True)
def _play(table: Table, private: Memory, hands: Hands, me: int, piles: Piles) -> int:
    """Play a surely playable card: low ones first, those that the partner has too later."""
    chosen, best = NO_MOVE, -1.0
    shared = cards_in(hands[1 - me]) if table.deck_left else 0
    for position in range(hand_length(table, me)):
        weights = weights_of(private, me, slot_at(table, me, position))
        if not weights.once & ~piles.playable:
            doubled = 20 * total(weights) - 2 * sum_of_values(weights, ALL_CARDS)
            doubled -= 10 * weight(weights, shared) - sum_of_values(weights, shared)
            fitness = doubled / 2 / total(weights)
            if fitness > best:
                chosen, best = PLAY + position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _gamble(table: Table, private: Memory, me: int, piles: Piles) -> int:
    """Play the likeliest card that is probably playable and otherwise worthless, or ``NO_MOVE``."""
    chosen, best = NO_MOVE, _GOOD_CHANCE
    for position in range(hand_length(table, me)):
        weights = weights_of(private, me, slot_at(table, me, position))
        chance = share(weights, piles.playable)
        if chance > best and not weights.once & ~(piles.playable | piles.worthless):
            chosen, best = PLAY + position, chance
    return chosen


@njit(cache=True, nogil=True)
def _useless(table: Table, memory: Memory, player: int, piles: Piles) -> int:
    """Return the set of positions whose cards are worthless, or known and held twice."""
    useless = 0
    for position in range(hand_length(table, player)):
        cards = possible_of(memory, player, slot_at(table, player, position))
        if not cards & ~piles.worthless:
            useless |= 1 << position
        elif is_determined(cards):
            for earlier in range(position):
                if possible_of(memory, player, slot_at(table, player, earlier)) == cards:
                    useless |= 1 << earlier | 1 << position
    return useless


@njit(cache=True, nogil=True)
def _discard_useless(
    table: Table, memory: Memory, private: Memory, hands: Hands, me: int, piles: Piles
) -> int:
    """Discard the useless card whose number is true of the partner's hand, or ``NO_MOVE``.

    If at most one is publicly useless, discard the oldest that I know to be useless.
    """
    useless, skipped = _useless(table, memory, me, piles), 0
    if count_cards(useless) > 1:
        partner = 1 - me
        skipped = answer(table, memory, partner, count_cards(useless), hands[partner])
    else:
        useless = _useless(table, private, me, piles)
    for position in range(SLOTS):
        if useless >> position & 1:
            if not skipped:
                return position
            skipped -= 1
    return NO_MOVE


@njit(cache=True, nogil=True)
def _discard(table: Table, private: Memory, hands: Hands, me: int, piles: Piles) -> int:
    """Prefer to discard what the partner has too, what is no last copy, what is high."""
    chosen, best = NO_MOVE, -1.0
    shared = cards_in(hands[1 - me])
    for position in range(hand_length(table, me)):
        weights = weights_of(private, me, slot_at(table, me, position))
        mean = sum_of_values(weights, ALL_CARDS) / total(weights)
        fitness = 20 * share(weights, shared) + 10 * share(weights, ~piles.valuable) + mean
        if fitness > best:
            chosen, best = position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _give_hint(table: Table, memory: Memory, hands: Hands, partner: int, piles: Piles) -> int:
    """Give, of the hints that show the true number, the one that excludes most."""
    cards = hands[partner]
    code = make_code(table, memory, partner, piles)
    number = answer(table, memory, partner, code.size, cards)
    tables = memory.copy()
    learn_number(table, tables, partner, 3, answer(table, memory, partner, 3, cards))
    chosen, best = NO_MOVE, -1.0
    for position in range(hand_length(table, partner)):
        card = int(cards[slot_at(table, partner, position)])
        for hint in (card // RANKS, COLOURS + card % RANKS):
            named = cards_named(hint)
            touches_focus = code.focus >= 0 and named >> int(cards[code.focus]) & 1 == 1
            if number_of(code, hint, touches_focus) == number:
                goodness = _goodness(table, tables, cards, partner, named, piles)
                if goodness > best:
                    chosen, best = COLOUR_HINT + hint, goodness
    return chosen if chosen != NO_MOVE else name_oldest(table, hands, partner)


@njit(cache=True, nogil=True)
def _goodness(
    table: Table, tables: np.ndarray, cards: np.ndarray, partner: int, named: int, piles: Piles
) -> float:
    """Return the factor by which the direct information of a hint narrows the partner's hand."""
    goodness = 1.0
    for position in range(hand_length(table, partner)):
        slot = slot_at(table, partner, position)
        weights = weights_of(tables, partner, slot)
        if is_determined(weights.once) or not weights.once & ~piles.worthless:
            continue
        direct = named if named >> int(cards[slot]) & 1 else ~named
        left = weights.once & direct
        if left:
            settled = is_determined(left) or not left & ~piles.worthless
            goodness *= (2 if settled else 1) * total(weights) / weight(weights, direct)
    return goodness


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters,
    table: Table,
    hands: Hands,
    me: int,
    memory: Memory,
    action: int,
    touched: int,
    card: int,
) -> int:
    """Update the tables of both hands by an action of either player."""
    recover(table, memory)
    actor = int(table.current)
    piles = look(table)
    if action >= COLOUR_HINT:
        _learn_hint(table, memory, 1 - actor, action - COLOUR_HINT, touched, piles)
        return 0
    if action < PLAY:
        useless = _useless(table, memory, actor, piles)
        if count_cards(useless) > 1 and useless >> action & 1:
            number = count_cards(useless & ((1 << action) - 1))
            learn_number(table, memory, 1 - actor, count_cards(useless), number)
    for slot in range(SLOTS):
        if touched >> slot & 1:
            put_weights(memory, actor, slot, unrevealed(table, ALL_CARDS))
        for player in range(2):
            remove_copy(memory, player, slot, card)
    return 0


@njit(cache=True, nogil=True)
def _learn_hint(
    table: Table, memory: Memory, player: int, hint: int, touched: int, piles: Piles
) -> None:
    """Learn the number that a hint shows, then its direct information."""
    code = make_code(table, memory, player, piles)
    touches_focus = code.focus >= 0 and touched >> code.focus & 1 == 1
    learn_number(table, memory, player, code.size, number_of(code, hint, touches_focus))
    named, held = cards_named(hint), held_slots(table, player)
    for slot in range(SLOTS):
        if held >> slot & 1:
            keep(memory, player, slot, named if touched >> slot & 1 else ~named)
