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

from hoad.agents.agent import CompiledAgent
from hoad.agents.bots.card_sets import (
    cards_named,
    cards_of_rank,
    only_rank,
)
from hoad.agents.bots.hand_slots import (
    hand_length,
    is_reclaim,
    name_oldest,
    newest_slot,
    slot_at,
)
from hoad.agents.bots.smartbot.knowledge import (
    MEMORY,
    Piles,
    conclude,
    is_known,
    is_only,
    is_open,
    is_warning,
    look,
    narrow,
    next_discard,
    possible_of,
    private_cards,
    seen_cards,
    set_possible,
    share_of,
)
from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    HINTS,
    NO_MOVE,
    RANKS,
    SLOTS,
    count_cards,
    plausible_cards,
)
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT
from hoad.game.state import NO_CARD

_UNSURE: Final = 100

CODE: Final = ("choose", "hoad.agents.smartbot")  # an identity of the code, not a path


def smartbot() -> CompiledAgent:
    """Return SmartBot."""
    return CompiledAgent("smartbot", CODE, choose, observe, memory_size=MEMORY)


@njit(cache=True, nogil=True)
def choose(
    parameters: np.ndarray,
    table: np.record,
    hands: np.ndarray,
    me: int,
    memory: np.ndarray,
    weights: np.ndarray,
) -> int:
    """Warn, else play, else hint at plays, else gamble near the end, else discard."""
    conclude(table, memory)
    piles = look(table)
    seen = seen_cards(table, memory, hands, me)
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
    table: np.record, memory: np.ndarray, hands: np.ndarray, me: int, piles: Piles, seen: int
) -> int:
    """Warn of the loss of a last copy, else play, else hint at plays, or ``NO_MOVE``."""
    partner = 1 - me
    slot = next_discard(table, memory, partner, piles)
    card = int(hands[partner, slot]) if slot >= 0 else NO_CARD
    endangered = table.tokens > 0 and card != NO_CARD and piles.valuable >> card & 1 == 1
    if not endangered:
        move = _hand_over(table, memory, hands, me, piles)
        if move == NO_MOVE:
            move = _play(table, memory, me, piles, seen)
        if move != NO_MOVE or not table.tokens:
            return move
    avoided = -1
    if slot >= 0 and is_warning(possible_of(memory, partner, slot), card % RANKS, piles):
        avoided = card % RANKS
    hint = _best_hint(table, memory, hands[partner], partner, piles, avoided)
    return RANK_HINT + card % RANKS if endangered and hint == NO_MOVE else hint


@njit(cache=True, nogil=True)
def _hand_over(
    table: np.record, memory: np.ndarray, hands: np.ndarray, me: int, piles: Piles
) -> int:
    """Discard a known playable card if the partner's newest card is the same."""
    if table.tokens == table.max_tokens:
        return NO_MOVE
    same = 1 << int(hands[1 - me, newest_slot(table, 1 - me)])
    if same & piles.playable & ~piles.valuable:
        for position in range(hand_length(table, me)):
            if possible_of(memory, me, slot_at(table, me, position)) == same:
                return position
    return NO_MOVE


@njit(cache=True, nogil=True)
def _play(table: np.record, memory: np.ndarray, me: int, piles: Piles, seen: int) -> int:
    """Play a card that is surely playable: first what the partner does not know of, then low."""
    chosen, best = NO_MOVE, 0
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        public = possible_of(memory, me, slot)
        private = private_cards(table, memory, me, slot, seen)
        if public & piles.playable and is_only(private, piles.playable):
            rank = only_rank(private)
            fitness = RANKS - rank if rank >= 0 else RANKS + 2
            if not is_only(public, piles.playable):
                fitness += _UNSURE
            if fitness > best:
                chosen, best = PLAY + position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _gamble(table: np.record, memory: np.ndarray, me: int, piles: Piles, seen: int) -> int:
    """Near the end of the deck play the likeliest card, the newest of several, or ``NO_MOVE``."""
    chosen, best = NO_MOVE, 0.0
    if int(table.deck_left) > (3 if table.lives == table.max_lives else 1):
        return chosen
    for position in range(hand_length(table, me) - 1, -1, -1):
        private = private_cards(table, memory, me, slot_at(table, me, position), seen)
        if is_open(private, piles.playable):
            share = share_of(private, piles.playable)
            if share > best:
                chosen, best = PLAY + position, share
    return chosen


@njit(cache=True, nogil=True)
def _discard(table: np.record, memory: np.ndarray, me: int, piles: Piles, seen: int) -> int:
    """Discard a worthless card, else the one that the partner expects, else the highest."""
    chosen, best = -1, 0.0
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        public = possible_of(memory, me, slot)
        private = private_cards(table, memory, me, slot, seen)
        surely = is_only(public, piles.worthless) or is_only(private, piles.worthless)
        if public & piles.worthless and surely:
            fitness = 2.0 - share_of(public, piles.worthless)
            if fitness > best:
                chosen, best = position, fitness
    if chosen >= 0:
        return chosen
    expected = next_discard(table, memory, me, piles)
    highest = -2
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        if slot == expected:
            return position
        rank = only_rank(possible_of(memory, me, slot))
        if rank > highest:
            chosen, highest = position, rank
    return chosen


@njit(cache=True, nogil=True)
def _best_hint(
    table: np.record,
    memory: np.ndarray,
    cards: np.ndarray,
    partner: int,
    piles: Piles,
    avoided: int,
) -> int:
    """Return the hint that excludes most identities and does not mislead, or ``NO_MOVE``.

    Ties go to colours before ranks, and to the lower one; the rank ``avoided`` is not named.
    """
    chosen, best = NO_MOVE, 0
    for hint in range(HINTS):
        if hint != COLOURS + avoided or avoided < 0:
            news = _news(table, memory, cards, partner, piles, cards_named(hint))
            if news > best:
                chosen, best = COLOUR_HINT + hint, news
    return chosen


@njit(cache=True, nogil=True)
def _news(
    table: np.record, memory: np.ndarray, cards: np.ndarray, partner: int, piles: Piles, named: int
) -> int:
    """Return how many identities a hint excludes, or -1 if it names no card or would mislead."""
    news, reveals, undecided, touches, good = 0, False, True, False, False
    for position in range(hand_length(table, partner) - 1, -1, -1):
        slot = slot_at(table, partner, position)
        card = 1 << int(cards[slot])
        old = possible_of(memory, partner, slot)
        direct = named if card & named else ~named
        new = old & direct or plausible_cards(table, partner, slot) & direct
        news += count_cards(old) - count_cards(new)
        touches |= card & named != 0
        if is_open(old, piles.playable):
            if is_only(new, piles.playable):
                reveals = True
            elif undecided and card & named and is_open(new, piles.playable):
                undecided, good = False, card & piles.playable != 0
    return news if touches and (reveals or good) else -1


@njit(cache=True, nogil=True)
def observe(
    parameters: np.ndarray,
    table: np.record,
    hands: np.ndarray,
    me: int,
    memory: np.ndarray,
    action: int,
    touched: int,
    card: int,
) -> int:
    """Update what can be excluded for both hands by an action of either player."""
    conclude(table, memory)
    actor = int(table.current)
    piles = look(table)
    if action < COLOUR_HINT:
        if table.tokens and table.deck_left:
            _note_missing_warning(table, memory, 1 - actor, piles)
        if action < PLAY:
            _note_hand_over(table, memory, hands, me, touched, card, piles)
        for slot in range(SLOTS):
            if touched >> slot & 1:
                set_possible(memory, actor, slot, ALL_CARDS)
    elif action < RANK_HINT:
        named = cards_named(action - COLOUR_HINT)
        _learn(table, memory, 1 - actor, touched, named, piles, True)
    else:
        _learn_rank(table, memory, 1 - actor, touched, action - RANK_HINT, piles)
    return 0


@njit(cache=True, nogil=True)
def _note_missing_warning(table: np.record, memory: np.ndarray, player: int, piles: Piles) -> None:
    """Exclude that the next discard of a player without a warning is a last copy."""
    slot = next_discard(table, memory, player, piles)
    if slot >= 0:
        hinted = plausible_cards(table, player, slot)
        narrow(memory, player, slot, ~piles.valuable, hinted)


@njit(cache=True, nogil=True)
def _note_hand_over(
    table: np.record,
    memory: np.ndarray,
    hands: np.ndarray,
    me: int,
    slots: int,
    card: int,
    piles: Piles,
) -> None:
    """If a known playable card is discarded, the other player's newest card is the same.

    Where I discard it and see that it is not so, it is my own newest card.
    """
    actor = int(table.current)
    for slot in range(SLOTS):
        if slots >> slot & 1:
            possible = possible_of(memory, actor, slot)
            if not (is_known(possible) and is_only(possible, piles.playable)):
                return
    player = 1 - actor
    if actor == me and int(hands[player, newest_slot(table, player)]) != card:
        player = me
    set_possible(memory, player, newest_slot(table, player), 1 << card)


@njit(cache=True, nogil=True)
def _learn_rank(
    table: np.record, memory: np.ndarray, player: int, touched: int, rank: int, piles: Piles
) -> None:
    """Take a rank hint for a warning, for nothing but its direct information, or for a play."""
    slot = next_discard(table, memory, player, piles)
    reclaim = is_reclaim(table, player, touched)
    warning = not reclaim and slot >= 0 and touched >> slot & 1 == 1
    warning = warning and is_warning(possible_of(memory, player, slot), rank, piles)
    if warning:
        narrow(memory, player, slot, piles.valuable, 0)
    named = cards_of_rank(rank)
    _learn(table, memory, player, touched, named, piles, not warning and not reclaim)


@njit(cache=True, nogil=True)
def _learn(
    table: np.record,
    memory: np.ndarray,
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
        was_open = is_open(possible_of(memory, player, slot), piles.playable)
        direct = named if touches else ~named
        narrow(memory, player, slot, direct, plausible_cards(table, player, slot) & direct)
        possible = possible_of(memory, player, slot)
        if was_open and is_only(possible, piles.playable):
            revealed = True
        if was_open and touches and meant < 0 and is_open(possible, piles.playable):
            meant = slot
    if means_play and not revealed and meant >= 0:
        narrow(memory, player, meant, piles.playable, 0)
