"""O'Dwyer's SmartBot: it reasons about all that a card can be, and about what was not said.

For every card of both hands it keeps the set of identities that everybody can exclude. A hint
whose direct information makes no card playable means the newest touched card that may be; a
player who does not warn tells that the next discard is no last copy; and who discards a playable
card tells that the partner's newest card is the same. Deterministic.

With a partner who breaks these conventions a card may be left without any possible identity. What
is possible is then again all that its hints allow.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import CompiledAgent
from hoad.agents.card_sets import (
    ALL_CARDS,
    Copies,
    add_copy,
    cards_of_colour,
    cards_of_rank,
    exhausted,
    no_copies,
    only_rank,
)
from hoad.agents.hand_slots import (
    hand_length,
    held_slots,
    is_reclaim,
    name_oldest,
    newest_slot,
    slot_at,
)
from hoad.agents.situation import (
    COLOUR_HINT,
    COLOURS,
    NO_MOVE,
    PLAY,
    RANK_HINT,
    RANKS,
    SLOTS,
    count_cards,
    necessary_cards,
    plausible_cards,
    playable_cards,
    useless_cards,
)
from hoad.game.state import NO_CARD

# The memory, in words of 32 bits: by player and slot the set of excluded identities, then the
# turn (from 1) for which conclusions were drawn.
_CARDS: Final = 2 * SLOTS
_CONCLUDED: Final = _CARDS
_MEMORY: Final = 4 * (_CARDS + 1)

_HINTS: Final = 10
_UNSURE: Final = 100


class _Piles(NamedTuple):
    """What cards are good for at the moment: sets of cards.

    Attributes:
        playable: those that would fit now.
        valuable: last copies of what can still be played.
        worthless: those that can never be played any more.
    """

    playable: int
    valuable: int
    worthless: int


def smartbot() -> CompiledAgent:
    """Return SmartBot."""
    return CompiledAgent("smartbot", choose, observe, np.zeros(0, np.int64), _MEMORY)


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
    words = memory.view(np.int32)
    _conclude(table, words)
    piles = _look(table)
    seen = _seen(table, words, hands, me)
    move = _play(table, words, me, piles, seen) if table.deck_left == 0 else NO_MOVE
    if move == NO_MOVE and table.deck_left == 0:
        move = _gamble(table, words, me, piles, seen)
    if move == NO_MOVE:
        move = _warn_play_or_hint(table, words, hands, me, piles, seen)
    if move == NO_MOVE:
        move = _gamble(table, words, me, piles, seen)
    if move == NO_MOVE and table.tokens == table.max_tokens:
        move = name_oldest(table, hands, 1 - me)
    return move if move != NO_MOVE else _discard(table, words, me, piles, seen)


@njit(cache=True, nogil=True)
def _look(table: np.record) -> _Piles:
    return _Piles(playable_cards(table), necessary_cards(table), useless_cards(table))


@njit(cache=True, nogil=True)
def _possible(words: np.ndarray, player: int, slot: int) -> int:
    """Return what a card can be, as both players know."""
    return ALL_CARDS & ~int(words[player * SLOTS + slot])


@njit(cache=True, nogil=True)
def _narrow(words: np.ndarray, player: int, slot: int, cards: int, hinted: int) -> None:
    """Narrow a card to ``cards``; where nothing is left of it, widen it to ``hinted``."""
    possible = _possible(words, player, slot) & cards
    words[player * SLOTS + slot] = ALL_CARDS & ~(possible or hinted)


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
    return not possible & (possible - 1)


@njit(cache=True, nogil=True)
def _share(possible: int, kind: int) -> float:
    """Return the share of the possible identities that are of a kind; copies do not count."""
    return count_cards(possible & kind) / count_cards(possible)


@njit(cache=True, nogil=True)
def _next_discard(table: np.record, words: np.ndarray, player: int, piles: _Piles) -> int:
    """Return the slot that a player would discard who has nothing better to do, or -1."""
    chosen, best = -1, -1.0
    for position in range(hand_length(table, player)):
        slot = slot_at(table, player, position)
        possible = _possible(words, player, slot)
        if _is_only(possible, piles.playable) or _is_only(possible, piles.worthless):
            return -1
        share = _share(possible, piles.worthless)
        if share > best and not _is_only(possible, piles.valuable):
            chosen, best = slot, share
    return chosen


@njit(cache=True, nogil=True)
def _is_warning(possible: int, rank: int, piles: _Piles) -> bool:
    """Return whether naming the rank of the next discard, which can be this, is a warning."""
    may_be = possible & piles.valuable
    return may_be & cards_of_rank(rank) != 0 and may_be != possible


@njit(cache=True, nogil=True)
def _conclude(table: np.record, words: np.ndarray) -> None:
    """Exclude the identities of which all copies are gone or located, once a turn."""
    now = int(table.turn) + 1
    if words[_CONCLUDED] == now:
        return
    words[_CONCLUDED] = now
    held_0, held_1 = held_slots(table, 0), held_slots(table, 1)
    located = True
    while located:
        copies = _add_known(_add_known(no_copies(), words, 0, held_0), words, 1, held_1)
        others = ~exhausted(table, copies)
        located = _leave(table, words, 0, held_0, others)
        located |= _leave(table, words, 1, held_1, others)


@njit(cache=True, nogil=True)
def _add_known(copies: Copies, words: np.ndarray, player: int, held: int) -> Copies:
    for slot in range(SLOTS):
        possible = _possible(words, player, slot)
        if held >> slot & 1 and _is_known(possible):
            copies = add_copy(copies, possible)
    return copies


@njit(cache=True, nogil=True)
def _leave(table: np.record, words: np.ndarray, player: int, held: int, cards: int) -> bool:
    """Narrow the unknown cards of a hand; return whether one became known."""
    located = False
    for slot in range(SLOTS):
        if held >> slot & 1 and not _is_known(_possible(words, player, slot)):
            _narrow(words, player, slot, cards, plausible_cards(table, player, slot))
            located |= _is_known(_possible(words, player, slot))
    return located


@njit(cache=True, nogil=True)
def _seen(table: np.record, words: np.ndarray, hands: np.ndarray, me: int) -> int:
    """Return the cards of which all copies are gone, in the partner's hand or known in mine."""
    copies = _add_known(no_copies(), words, me, held_slots(table, me))
    for slot in range(SLOTS):
        if int(hands[1 - me, slot]) != NO_CARD:
            copies = add_copy(copies, 1 << int(hands[1 - me, slot]))
    return exhausted(table, copies)


@njit(cache=True, nogil=True)
def _private(table: np.record, words: np.ndarray, me: int, slot: int, seen: int) -> int:
    """Return what my card can be, as I know who see the partner's hand."""
    possible = _possible(words, me, slot)
    if _is_known(possible):
        return possible
    return possible & ~seen or plausible_cards(table, me, slot)


@njit(cache=True, nogil=True)
def _warn_play_or_hint(
    table: np.record, words: np.ndarray, hands: np.ndarray, me: int, piles: _Piles, seen: int
) -> int:
    """Warn of the loss of a last copy, else play, else hint at plays, or ``NO_MOVE``."""
    partner = 1 - me
    slot = _next_discard(table, words, partner, piles)
    card = int(hands[partner, slot]) if slot >= 0 else NO_CARD
    endangered = table.tokens > 0 and card != NO_CARD and piles.valuable >> card & 1 == 1
    if not endangered:
        move = _hand_over(table, words, hands, me, piles)
        if move == NO_MOVE:
            move = _play(table, words, me, piles, seen)
        if move != NO_MOVE or not table.tokens:
            return move
    avoided = -1
    if slot >= 0 and _is_warning(_possible(words, partner, slot), card % RANKS, piles):
        avoided = card % RANKS
    hint = _best_hint(table, words, hands[partner], partner, piles, avoided)
    return RANK_HINT + card % RANKS if endangered and hint == NO_MOVE else hint


@njit(cache=True, nogil=True)
def _hand_over(
    table: np.record, words: np.ndarray, hands: np.ndarray, me: int, piles: _Piles
) -> int:
    """Discard a known playable card if the partner's newest card is the same."""
    if table.tokens == table.max_tokens:
        return NO_MOVE
    same = 1 << int(hands[1 - me, newest_slot(table, 1 - me)])
    if same & piles.playable & ~piles.valuable:
        for position in range(hand_length(table, me)):
            if _possible(words, me, slot_at(table, me, position)) == same:
                return position
    return NO_MOVE


@njit(cache=True, nogil=True)
def _play(table: np.record, words: np.ndarray, me: int, piles: _Piles, seen: int) -> int:
    """Play a card that is surely playable: first what the partner does not know of, then low."""
    chosen, best = NO_MOVE, 0
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        public = _possible(words, me, slot)
        private = _private(table, words, me, slot, seen)
        if public & piles.playable and _is_only(private, piles.playable):
            rank = only_rank(private)
            fitness = RANKS - rank if rank >= 0 else RANKS + 2
            if not _is_only(public, piles.playable):
                fitness += _UNSURE
            if fitness > best:
                chosen, best = PLAY + position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _gamble(table: np.record, words: np.ndarray, me: int, piles: _Piles, seen: int) -> int:
    """Near the end of the deck play the likeliest card, the newest of several, or ``NO_MOVE``."""
    chosen, best = NO_MOVE, 0.0
    if int(table.deck_left) > (3 if table.lives == table.max_lives else 1):
        return chosen
    for position in range(hand_length(table, me) - 1, -1, -1):
        private = _private(table, words, me, slot_at(table, me, position), seen)
        if _is_open(private, piles.playable):
            share = _share(private, piles.playable)
            if share > best:
                chosen, best = PLAY + position, share
    return chosen


@njit(cache=True, nogil=True)
def _discard(table: np.record, words: np.ndarray, me: int, piles: _Piles, seen: int) -> int:
    """Discard a worthless card, else the one that the partner expects, else the highest."""
    chosen, best = -1, 0.0
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        public = _possible(words, me, slot)
        private = _private(table, words, me, slot, seen)
        surely = _is_only(public, piles.worthless) or _is_only(private, piles.worthless)
        if public & piles.worthless and surely:
            fitness = 2.0 - _share(public, piles.worthless)
            if fitness > best:
                chosen, best = position, fitness
    if chosen >= 0:
        return chosen
    expected = _next_discard(table, words, me, piles)
    highest = -2
    for position in range(hand_length(table, me)):
        slot = slot_at(table, me, position)
        if slot == expected:
            return position
        rank = only_rank(_possible(words, me, slot))
        if rank > highest:
            chosen, highest = position, rank
    return chosen


@njit(cache=True, nogil=True)
def _cards_named(hint: int) -> int:
    """Return the set of cards that a hint (0 to 4 colours, 5 to 9 ranks) names."""
    return cards_of_colour(hint) if hint < COLOURS else cards_of_rank(hint - COLOURS)


@njit(cache=True, nogil=True)
def _best_hint(
    table: np.record,
    words: np.ndarray,
    cards: np.ndarray,
    partner: int,
    piles: _Piles,
    avoided: int,
) -> int:
    """Return the hint that tells most and will be understood, or ``NO_MOVE``.

    Ties go to colours before ranks, and to the lower one; the rank ``avoided`` is not named.
    """
    chosen, best = NO_MOVE, 0
    for hint in range(_HINTS):
        if hint != COLOURS + avoided or avoided < 0:
            news = _news(table, words, cards, partner, piles, _cards_named(hint))
            if news > best:
                chosen, best = COLOUR_HINT + hint, news
    return chosen


@njit(cache=True, nogil=True)
def _news(
    table: np.record, words: np.ndarray, cards: np.ndarray, partner: int, piles: _Piles, named: int
) -> int:
    """Return how many identities a hint excludes, or -1 if it names no card or would mislead."""
    news, reveals, undecided, touches, good = 0, False, True, False, False
    for position in range(hand_length(table, partner) - 1, -1, -1):
        slot = slot_at(table, partner, position)
        card = 1 << int(cards[slot])
        old = _possible(words, partner, slot)
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
    words = memory.view(np.int32)
    _conclude(table, words)
    actor = int(table.current)
    piles = _look(table)
    if action < COLOUR_HINT:
        if table.tokens and table.deck_left:
            _note_missing_warning(table, words, 1 - actor, piles)
        if action < PLAY:
            _note_hand_over(table, words, hands, me, touched, card, piles)
        for slot in range(SLOTS):
            if touched >> slot & 1:
                words[actor * SLOTS + slot] = 0
    elif action < RANK_HINT:
        named = _cards_named(action - COLOUR_HINT)
        _learn(table, words, 1 - actor, touched, named, piles, True)
    else:
        _learn_rank(table, words, 1 - actor, touched, action - RANK_HINT, piles)
    return 0


@njit(cache=True, nogil=True)
def _note_missing_warning(table: np.record, words: np.ndarray, player: int, piles: _Piles) -> None:
    """The next discard of a player who was not warned is no last copy."""
    slot = _next_discard(table, words, player, piles)
    if slot >= 0:
        hinted = plausible_cards(table, player, slot)
        _narrow(words, player, slot, ~piles.valuable, hinted)


@njit(cache=True, nogil=True)
def _note_hand_over(
    table: np.record,
    words: np.ndarray,
    hands: np.ndarray,
    me: int,
    slots: int,
    card: int,
    piles: _Piles,
) -> None:
    """If a known playable card is discarded, the other player's newest card is the same.

    Where I discard it and see that it is not so, it is my own newest card.
    """
    actor = int(table.current)
    for slot in range(SLOTS):
        if slots >> slot & 1:
            possible = _possible(words, actor, slot)
            if not (_is_known(possible) and _is_only(possible, piles.playable)):
                return
    player = 1 - actor
    if actor == me and int(hands[player, newest_slot(table, player)]) != card:
        player = me
    words[player * SLOTS + newest_slot(table, player)] = ALL_CARDS & ~(1 << card)


@njit(cache=True, nogil=True)
def _learn_rank(
    table: np.record, words: np.ndarray, player: int, touched: int, rank: int, piles: _Piles
) -> None:
    """Take a rank hint for a warning, for nothing but its direct information, or for a play."""
    slot = _next_discard(table, words, player, piles)
    reclaim = is_reclaim(table, player, touched)
    warning = not reclaim and slot >= 0 and touched >> slot & 1 == 1
    warning = warning and _is_warning(_possible(words, player, slot), rank, piles)
    if warning:
        _narrow(words, player, slot, piles.valuable, 0)
    named = cards_of_rank(rank)
    _learn(table, words, player, touched, named, piles, not warning and not reclaim)


@njit(cache=True, nogil=True)
def _learn(
    table: np.record,
    words: np.ndarray,
    player: int,
    touched: int,
    named: int,
    piles: _Piles,
    means_play: bool,
) -> None:
    """Narrow a hand by a hint; if it made no card playable it may mean the newest that can be."""
    revealed, meant = False, -1
    for position in range(hand_length(table, player) - 1, -1, -1):
        slot = slot_at(table, player, position)
        touches = touched >> slot & 1
        was_open = _is_open(_possible(words, player, slot), piles.playable)
        direct = named if touches else ~named
        _narrow(words, player, slot, direct, plausible_cards(table, player, slot) & direct)
        possible = _possible(words, player, slot)
        if was_open and _is_only(possible, piles.playable):
            revealed = True
        if was_open and touches and meant < 0 and _is_open(possible, piles.playable):
            meant = slot
    if means_play and not revealed and meant >= 0:
        _narrow(words, player, meant, piles.playable, 0)
