"""O'Dwyer's CheatBot: it sees both hands and shows how much can be scored at all.

Not fair. It plays what fits, throws away what is of no use, and passes the turn with hints while
there are tokens to spare. Deterministic, without memory.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Parameters, Table, Weights, remember_nothing
from hoad.agents.bots.card_sets import (
    add_hand,
    hand_length,
    last_copies,
    name_oldest,
    no_copies,
    slot_at,
)
from hoad.agents.situation import NO_MOVE, RANKS, cards_of_rank, playable_cards, useless_cards
from hoad.game.moves import PLAY
from hoad.game.state import PERFECT_SCORE

# By tokens: with at most so many points to go, passing the turn is better than discarding.
_LAST_POINTS: Final = np.array([0, 1, 2, 3, 4, 5, 8, 25, 25])


class _Sight(NamedTuple):
    """What CheatBot sees: the table, and sets of cards."""

    mine: int  # cards in my hand
    mine_twice: int  # cards that my hand holds twice or more
    others: int  # cards in the partner's hand
    twice: int  # cards that both hands together hold twice or more
    playable: int  # cards that would fit now
    useless: int  # cards that can never be played any more


MEMORY: Final = 0
observe = remember_nothing


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Play, else make room if nothing fits, else pass or discard as tokens and deck suggest."""
    sight = _look(table, hands, me)
    move = _play(table, hands, me, sight)
    if move == NO_MOVE and not sight.others & sight.playable:
        move = _discard_spare(table, hands, me, sight)
        if move == NO_MOVE and not (sight.mine | sight.others) & (sight.useless | sight.twice):
            move = _discard_farthest(table, hands, me)
    if move == NO_MOVE:
        move = _pass_or_discard(table, hands, me, sight)
    return move if move != NO_MOVE else _oldest_of_highest_rank(table, hands, me)


@njit(cache=True, nogil=True)
def _look(table: Table, hands: Hands, me: int) -> _Sight:
    mine = add_hand(no_copies(), hands[me])
    others = add_hand(no_copies(), hands[1 - me])
    both = add_hand(mine, hands[1 - me])
    playable, useless = playable_cards(table), useless_cards(table)
    return _Sight(mine.once, mine.twice, others.once, both.twice, playable, useless)


@njit(cache=True, nogil=True)
def _find(table: Table, hands: Hands, me: int, cards: int) -> int:
    """Return the position of my oldest card that is one of ``cards``, or -1."""
    for position in range(hand_length(table, me)):
        card = int(hands[me, slot_at(table, me, position)])
        if cards >> card & 1:
            return position
    return -1


@njit(cache=True, nogil=True)
def _play(table: Table, hands: Hands, me: int, sight: _Sight) -> int:
    """Play the lowest card that fits, before all others one that the partner can continue."""
    fitting = sight.mine & sight.playable
    if not fitting:
        return NO_MOVE
    continued = fitting & sight.others >> 1 & ~cards_of_rank(RANKS - 1)
    chosen, lowest = NO_MOVE, 2 * RANKS
    for position in range(hand_length(table, me)):
        card = int(hands[me, slot_at(table, me, position)])
        rank = card % RANKS if continued >> card & 1 else card % RANKS + RANKS
        if fitting >> card & 1 and rank < lowest:
            chosen, lowest = PLAY + position, rank
    return chosen


@njit(cache=True, nogil=True)
def _pass_or_discard(table: Table, hands: Hands, me: int, sight: _Sight) -> int:
    """Pass the turn with a hint, or discard something; hints first when points run short."""
    to_go = PERFECT_SCORE - int(table.score)
    tight = to_go > int(table.deck_left) or to_go <= _LAST_POINTS[int(table.tokens)]
    if table.tokens and tight:
        return name_oldest(table, hands, 1 - me)
    move = _discard_spare(table, hands, me, sight)
    if move == NO_MOVE and table.tokens:
        move = name_oldest(table, hands, 1 - me)
    return move if move != NO_MOVE else _discard_farthest(table, hands, me)


@njit(cache=True, nogil=True)
def _discard_spare(table: Table, hands: Hands, me: int, sight: _Sight) -> int:
    """Discard my oldest card of no use, else the oldest of which the two hands have another copy.

    At 8 tokens, play the one of no use, unless that costs the last life.
    """
    position = _find(table, hands, me, sight.useless | sight.mine_twice)
    if table.tokens < table.max_tokens:
        return position if position >= 0 else _find(table, hands, me, sight.twice)
    return PLAY + position if position >= 0 and table.lives >= 2 else NO_MOVE


@njit(cache=True, nogil=True)
def _discard_farthest(table: Table, hands: Hands, me: int) -> int:
    """Discard my card that is farthest above its firework and no last copy; oldest first."""
    if table.tokens == table.max_tokens:
        return NO_MOVE
    chosen, farthest = NO_MOVE, 0
    last = last_copies(table)
    for position in range(hand_length(table, me)):
        card = int(hands[me, slot_at(table, me, position)])
        distance = card % RANKS + 1 - int(table.fireworks[card // RANKS])
        if distance > farthest and not last >> card & 1:
            chosen, farthest = position, distance
    return chosen


@njit(cache=True, nogil=True)
def _oldest_of_highest_rank(table: Table, hands: Hands, me: int) -> int:
    chosen, highest = NO_MOVE, -1
    for position in range(hand_length(table, me)):
        rank = int(hands[me, slot_at(table, me, position)]) % RANKS
        if rank > highest:
            chosen, highest = position, rank
    return chosen
