"""O'Dwyer's SmartBot: it reasons about all that a card can be, and about what was not said.

For every card of both hands it keeps the set of identities that both players can exclude. A hint
whose direct information makes no card playable means the newest touched card that may be; a
missing warning means that the next discard is no last copy; and the discard of a playable card
means that the newest card of the other player is the same. Deterministic.

A partner that breaks these conventions may leave a card without any possible identity. All that
its hints allow is then possible again.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import (
    SET_BYTES,
    Copies,
    Piles,
    add_copy,
    add_hand,
    exhausted,
    hand_length,
    is_reclaim,
    load_cards,
    look,
    name_oldest,
    newest_slot,
    no_copies,
    only_rank,
    slot_at,
    store_cards,
)
from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    HINTS,
    NO_MOVE,
    RANKS,
    SLOTS,
    cards_named,
    cards_of_rank,
    count_cards,
    held_slots,
    only_value,
    plausible_cards,
)
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT
from hoad.game.state import NO_CARD

# The memory: by player and slot the set of excluded identities, then the turn (from 1) for which
# conclusions were drawn.
_CONCLUDED: Final = 2 * SLOTS * SET_BYTES
MEMORY: Final = _CONCLUDED + 1

_UNSURE: Final = 100


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Warn, else play, else hint at plays, else gamble near the end, else discard."""
    _conclude(table, memory)
    piles = look(table)
    seen = _seen_cards(table, memory, hands, me)
    move = _play(table, memory, me, piles, seen) if table.deck_left == 0 else NO_MOVE
    if move == NO_MOVE and table.deck_left == 0:
        move = _gamble(table, memory, me, piles, seen)
    if move == NO_MOVE:
        move = _warn_play_or_hint(table, memory, hands, me, piles, seen)
    if move == NO_MOVE:
        move = _gamble(table, memory, me, piles, seen)
    if move == NO_MOVE and table.tokens == table.max_tokens:
        move = name_oldest(table, hands, 1 - me)
    return move if move != NO_MOVE else _discard(table, memory, me, piles, seen)


@njit(cache=True, nogil=True)
def _warn_play_or_hint(
    table: Table, memory: Memory, hands: Hands, me: int, piles: Piles, seen: int
) -> int:
    """Warn of the loss of a last copy, else play, else hint at plays, or ``NO_MOVE``."""
    partner = 1 - me
    slot = _next_discard(table, memory, partner, piles)
    card = int(hands[partner, slot]) if slot >= 0 else NO_CARD
    endangered = table.tokens > 0 and card != NO_CARD and piles.valuable >> card & 1 == 1
    if not endangered:
        move = _hand_over(table, memory, hands, me, piles)
        if move == NO_MOVE:
            move = _play(table, memory, me, piles, seen)
        if move != NO_MOVE or not table.tokens:
            return move
    warns = slot >= 0 and _is_warning(_possible_of(memory, partner, slot), card % RANKS, piles)
    avoided = card % RANKS if warns else -1
    hint = _best_hint(table, memory, hands, me, piles, avoided)
    return RANK_HINT + card % RANKS if endangered and hint == NO_MOVE else hint


@njit(cache=True, nogil=True)
def _hand_over(table: Table, memory: Memory, hands: Hands, me: int, piles: Piles) -> int:
    """Discard a known playable card if the partner's newest card is the same."""
    if table.tokens == table.max_tokens:
        return NO_MOVE
    same = 1 << int(hands[1 - me, newest_slot(table, 1 - me)])
    if same & piles.playable & ~piles.valuable:
        for position in range(hand_length(table, me)):
            if _possible_of(memory, me, slot_at(table, me, position)) == same:
                return position
    return NO_MOVE


@njit(cache=True, nogil=True)
def _play(table: Table, memory: Memory, me: int, piles: Piles, seen: int) -> int:
    """Play a card that is surely playable: first what the partner does not know of, then low."""
    chosen, best = NO_MOVE, 0
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        public = _possible_of(memory, me, slot)
        private = _private_cards(table, memory, me, slot, seen)
        if public & piles.playable and _is_only(private, piles.playable):
            rank = only_rank(private)
            fitness = RANKS - rank if rank >= 0 else RANKS + 2
            if not _is_only(public, piles.playable):
                fitness += _UNSURE
            if fitness > best:
                chosen, best = PLAY + position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _gamble(table: Table, memory: Memory, me: int, piles: Piles, seen: int) -> int:
    """Near the end of the deck play the likeliest card, the newest of several, or ``NO_MOVE``."""
    chosen, best = NO_MOVE, 0.0
    if int(table.deck_left) > (3 if table.lives == table.max_lives else 1):
        return chosen
    for position in range(hand_length(table, me) - 1, -1, -1):
        private = _private_cards(table, memory, me, slot_at(table, me, position), seen)
        if _is_open(private, piles.playable):
            share = _share_of(private, piles.playable)
            if share > best:
                chosen, best = PLAY + position, share
    return chosen


@njit(cache=True, nogil=True)
def _discard(table: Table, memory: Memory, me: int, piles: Piles, seen: int) -> int:
    """Discard a worthless card, else the one that the partner expects, else the highest."""
    chosen, best = -1, 0.0
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        public = _possible_of(memory, me, slot)
        private = _private_cards(table, memory, me, slot, seen)
        surely = _is_only(public, piles.worthless) or _is_only(private, piles.worthless)
        if public & piles.worthless and surely:
            fitness = 2.0 - _share_of(public, piles.worthless)
            if fitness > best:
                chosen, best = position, fitness
    if chosen >= 0:
        return chosen
    expected = _next_discard(table, memory, me, piles)
    highest = -2
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        if slot == expected:
            return position
        rank = only_rank(_possible_of(memory, me, slot))
        if rank > highest:
            chosen, highest = position, rank
    return chosen


@njit(cache=True, nogil=True)
def _best_hint(
    table: Table, memory: Memory, hands: Hands, me: int, piles: Piles, avoided: int
) -> int:
    """Return the hint that excludes most identities and does not mislead, or ``NO_MOVE``.

    Ties go to colours before ranks, and to the lower one; the rank ``avoided`` is not named.
    """
    chosen, best = NO_MOVE, 0
    for hint in range(HINTS):
        if hint != COLOURS + avoided or avoided < 0:
            news = _news(table, memory, hands[1 - me], 1 - me, piles, cards_named(hint))
            if news > best:
                chosen, best = COLOUR_HINT + hint, news
    return chosen


@njit(cache=True, nogil=True)
def _news(
    table: Table, memory: Memory, cards: np.ndarray, partner: int, piles: Piles, named: int
) -> int:
    """Return how many identities a hint excludes, or -1 if it names no card or would mislead."""
    news, reveals, undecided, touches, good = 0, False, True, False, False
    for position in range(hand_length(table, partner) - 1, -1, -1):
        slot = slot_at(table, partner, position)
        card = 1 << int(cards[slot])
        old = _possible_of(memory, partner, slot)
        direct = named if card & named else ~named
        new = old & direct or plausible_cards(table, partner, slot) & direct
        news += count_cards(old) - count_cards(new)
        touches |= card & named != 0
        if _is_open(old, piles.playable):
            if _is_only(new, piles.playable):
                reveals = True
            elif undecided and card & named and _is_open(new, piles.playable):
                undecided, good = False, card & piles.playable != 0
    return news if touches and (reveals or good) else -1


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Update what can be excluded for both hands by an action of either player."""
    action, touched, card = event
    _conclude(table, memory)
    actor = int(table.current)
    piles = look(table)
    if action < COLOUR_HINT:
        partner = 1 - actor
        slot = _next_discard(table, memory, partner, piles)
        if slot >= 0 and table.tokens and table.deck_left:  # it was not warned of a last copy
            hinted = plausible_cards(table, partner, slot)
            _narrow(memory, partner, slot, ~piles.valuable, hinted)
        if action < PLAY:
            _note_hand_over(table, memory, hands, me, only_value(touched), card, piles)
        _set_possible(memory, actor, only_value(touched), ALL_CARDS)
    elif action < RANK_HINT:
        named = cards_named(action - COLOUR_HINT)
        _learn(table, memory, 1 - actor, touched, named, piles, True)
    else:
        _learn_rank(table, memory, 1 - actor, touched, action - RANK_HINT, piles)
    return 0


@njit(cache=True, nogil=True)
def _note_hand_over(
    table: Table, memory: Memory, hands: Hands, me: int, slot: int, card: int, piles: Piles
) -> None:
    """If a known playable card is discarded, the other player's newest card is the same.

    Where I discard it and see that it is not so, it is my own newest card.
    """
    actor = int(table.current)
    possible = _possible_of(memory, actor, slot)
    if not (_is_known(possible) and _is_only(possible, piles.playable)):
        return
    player = 1 - actor
    if actor == me and int(hands[player, newest_slot(table, player)]) != card:
        player = me
    _set_possible(memory, player, newest_slot(table, player), 1 << card)


@njit(cache=True, nogil=True)
def _learn_rank(
    table: Table, memory: Memory, player: int, touched: int, rank: int, piles: Piles
) -> None:
    """Take a rank hint for a warning, for nothing but its direct information, or for a play."""
    slot = _next_discard(table, memory, player, piles)
    reclaim = is_reclaim(table, player, touched)
    warning = not reclaim and slot >= 0 and touched >> slot & 1 == 1
    warning = warning and _is_warning(_possible_of(memory, player, slot), rank, piles)
    if warning:
        _narrow(memory, player, slot, piles.valuable, 0)
    named = cards_of_rank(rank)
    _learn(table, memory, player, touched, named, piles, not warning and not reclaim)


@njit(cache=True, nogil=True)
def _learn(
    table: Table,
    memory: Memory,
    player: int,
    touched: int,
    named: int,
    piles: Piles,
    means_play: bool,
) -> None:
    """Narrow a hand by a hint; if it made no card playable it may mean the newest that can be."""
    revealed, meant = False, -1
    for position in range(hand_length(table, player) - 1, -1, -1):
        slot = slot_at(table, player, position)
        touches = touched >> slot & 1
        was_open = _is_open(_possible_of(memory, player, slot), piles.playable)
        direct = named if touches else ~named
        _narrow(memory, player, slot, direct, plausible_cards(table, player, slot) & direct)
        possible = _possible_of(memory, player, slot)
        if was_open and _is_only(possible, piles.playable):
            revealed = True
        if was_open and touches and meant < 0 and _is_open(possible, piles.playable):
            meant = slot
    if means_play and not revealed and meant >= 0:
        _narrow(memory, player, meant, piles.playable, 0)


@njit(cache=True, nogil=True)
def _possible_of(memory: Memory, player: int, slot: int) -> int:
    """Return what a card can be, as both players know."""
    return ALL_CARDS & ~load_cards(memory, SET_BYTES * (player * SLOTS + slot))


@njit(cache=True, nogil=True)
def _set_possible(memory: Memory, player: int, slot: int, cards: int) -> None:
    """Write what a card can be."""
    store_cards(memory, SET_BYTES * (player * SLOTS + slot), ALL_CARDS & ~cards)


@njit(cache=True, nogil=True)
def _narrow(memory: Memory, player: int, slot: int, cards: int, hinted: int) -> None:
    """Narrow a card to ``cards``; where nothing is left of it, widen it to ``hinted``."""
    possible = _possible_of(memory, player, slot) & cards
    _set_possible(memory, player, slot, possible or hinted)


@njit(cache=True, nogil=True)
def _is_only(possible: int, kind: int) -> bool:
    """Return whether all possible identities are of a kind."""
    return not possible & ~kind


@njit(cache=True, nogil=True)
def _is_open(possible: int, kind: int) -> bool:
    """Return whether some possible identities are of a kind and some are not."""
    return possible & kind != 0 and possible & ~kind != 0


@njit(cache=True, nogil=True)
def _is_known(possible: int) -> bool:
    """Return whether a single identity is possible."""
    return not possible & (possible - 1)


@njit(cache=True, nogil=True)
def _share_of(possible: int, kind: int) -> float:
    """Return the share of the possible identities that are of a kind; copies do not count."""
    return count_cards(possible & kind) / count_cards(possible)


@njit(cache=True, nogil=True)
def _next_discard(table: Table, memory: Memory, player: int, piles: Piles) -> int:
    """Return the slot that a player without a better move would discard, or -1."""
    chosen, best = -1, -1.0
    for position in range(hand_length(table, player)):
        slot = slot_at(table, player, position)
        possible = _possible_of(memory, player, slot)
        if _is_only(possible, piles.playable) or _is_only(possible, piles.worthless):
            return -1
        share = _share_of(possible, piles.worthless)
        if share > best and not _is_only(possible, piles.valuable):
            chosen, best = slot, share
    return chosen


@njit(cache=True, nogil=True)
def _is_warning(possible: int, rank: int, piles: Piles) -> bool:
    """Return whether naming the rank of the next discard, which can be this, is a warning."""
    may_be = possible & piles.valuable
    return may_be & cards_of_rank(rank) != 0 and may_be != possible


@njit(cache=True, nogil=True)
def _conclude(table: Table, memory: Memory) -> None:
    """Exclude the identities of which all copies are gone or located, once a turn."""
    now = int(table.turn) + 1
    if memory[_CONCLUDED] == now:
        return
    memory[_CONCLUDED] = now
    held_0, held_1 = held_slots(table, 0), held_slots(table, 1)
    located = True
    while located:
        copies = _add_known(_add_known(no_copies(), memory, 0, held_0), memory, 1, held_1)
        others = ~exhausted(table, copies)
        located = _leave(table, memory, 0, held_0, others)
        located |= _leave(table, memory, 1, held_1, others)


@njit(cache=True, nogil=True)
def _add_known(copies: Copies, memory: Memory, player: int, held: int) -> Copies:
    for slot in range(SLOTS):
        possible = _possible_of(memory, player, slot)
        if held >> slot & 1 and _is_known(possible):
            copies = add_copy(copies, possible)
    return copies


@njit(cache=True, nogil=True)
def _leave(table: Table, memory: Memory, player: int, held: int, cards: int) -> bool:
    """Narrow the unknown cards of a hand; return whether one became known."""
    located = False
    for slot in range(SLOTS):
        if held >> slot & 1 and not _is_known(_possible_of(memory, player, slot)):
            _narrow(memory, player, slot, cards, plausible_cards(table, player, slot))
            located |= _is_known(_possible_of(memory, player, slot))
    return located


@njit(cache=True, nogil=True)
def _seen_cards(table: Table, memory: Memory, hands: Hands, me: int) -> int:
    """Return the cards of which all copies are gone, in the partner's hand or known in mine."""
    copies = _add_known(no_copies(), memory, me, held_slots(table, me))
    return exhausted(table, add_hand(copies, hands[1 - me]))


@njit(cache=True, nogil=True)
def _private_cards(table: Table, memory: Memory, me: int, slot: int, seen: int) -> int:
    """Return what my card can be, as I know from seeing the partner's hand."""
    possible = _possible_of(memory, me, slot)
    if _is_known(possible):
        return possible
    return possible & ~seen or plausible_cards(table, me, slot)
