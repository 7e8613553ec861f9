"""O'Dwyer's InfoBot: its hints and discards are numbers about the whole hand of the other player.

Hat guessing (see :mod:`hoad.agents.bots.hat_guessing`). Deterministic.

A partner that breaks these conventions may leave a card without any possible identity. All that
its hints allow is then possible again.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import Piles, cards_in, hand_length, look, name_oldest, slot_at
from hoad.agents.bots.hat_guessing import (
    has_few_discards,
    play_card,
    position_of,
    useless_positions,
)
from hoad.agents.bots.infobot.numbers import answer, learn_number, make_code, number_of
from hoad.agents.bots.infobot.tables import (
    WEIGHTS_BYTES,
    keep,
    private_hand,
    public_hand,
    put_weights,
    recover,
    remove_copy,
    weights_of,
)
from hoad.agents.bots.weights import (
    is_determined,
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
    held_slots,
)
from hoad.game.moves import COLOUR_HINT, PLAY

MEMORY: Final = WEIGHTS_BYTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Play, else hint or discard something useless, in an order that depends on the discards."""
    recover(table, memory)
    private = private_hand(table, memory, hands, me)
    piles, seen = look(table), cards_in(hands[1 - me])
    move = play_card(table, private, seen, piles)
    if move != NO_MOVE:
        return move
    if table.tokens == table.max_tokens:
        return _give_hint(table, memory, hands, 1 - me, piles)
    useless = _discard_useless(table, memory, private, hands, me, piles)
    if useless != NO_MOVE and has_few_discards(table):
        return useless
    if table.tokens and seen & piles.playable:
        return _give_hint(table, memory, hands, 1 - me, piles)
    return useless if useless != NO_MOVE else _discard(private, seen, piles)


@njit(cache=True, nogil=True)
def _discard_useless(
    table: Table, memory: Memory, private: np.ndarray, hands: Hands, me: int, piles: Piles
) -> int:
    """Discard the useless card whose number is true of the partner's hand, or ``NO_MOVE``.

    If at most one is publicly useless, discard the oldest that I know to be useless.
    """
    useless = useless_positions(public_hand(table, memory, me), piles)
    if count_cards(useless) > 1:
        number = answer(table, memory, 1 - me, count_cards(useless), hands[1 - me])
        return position_of(useless, number)
    return position_of(useless_positions(private, piles), 0)


@njit(cache=True, nogil=True)
def _discard(private: np.ndarray, seen: int, piles: Piles) -> int:
    """Prefer to discard what the partner has too, what is no last copy, what is high."""
    chosen, best = NO_MOVE, -1.0
    for position in range(len(private)):
        weights = weights_at(private, position)
        mean = sum_of_values(weights, ALL_CARDS) / total(weights)
        fitness = 20 * share(weights, seen) + 10 * share(weights, ~piles.valuable) + mean
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
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Update the tables of both hands by an action of either player."""
    action, touched, card = event
    recover(table, memory)
    actor = int(table.current)
    piles = look(table)
    if action >= COLOUR_HINT:
        _learn_hint(table, memory, 1 - actor, action - COLOUR_HINT, touched, piles)
        return 0
    if action < PLAY:
        useless = useless_positions(public_hand(table, memory, actor), piles)
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
