"""O'Dwyer's SimpleBot: every hint means "play these cards", for both players.

It keeps a table of both hands: what a hint said about each card, and whether it is to be played.
It counts no cards and draws no negative conclusions. Deterministic.
"""

from typing import Final

from numba import njit

from hoad.agents.agent import CompiledAgent
from hoad.agents.situation import COLOUR_HINT, PLAY, RANK_HINT, RANKS, SLOTS
from hoad.game.state import NO_CARD

# The memory: three bytes a card, kept by field, player and slot.
_CARDS: Final = 2 * SLOTS
_COLOUR: Final = 0  # 1 + colour, 0 unknown
_VALUE: Final = _CARDS  # 1 to 5 as printed, 6 after a hint on a complete firework, 0 unknown
_PLAYABLE: Final = 2 * _CARDS  # 1 if the card is to be played
_MEMORY: Final = 3 * _CARDS

# Scores of the ten hints, packed: four bits each, colours first, then ranks.
_SCORE_BITS: Final = 4
_HINTS: Final = 10


def simplebot() -> CompiledAgent:
    """Return SimpleBot."""
    return CompiledAgent("simplebot", choose, observe, (), _MEMORY)


@njit(cache=True, nogil=True)
def choose(parameters, table, hands, me, memory, weights):
    """Play a card it was told to play, else give a hint that is all plays, else discard."""
    position = _next_play(table, me, memory)
    if position >= 0:
        return PLAY + position
    partner = 1 - me
    if table.tokens:
        hint = _helpful_hint(table, hands[partner], partner, memory)
        if hint >= 0:
            return hint
    if table.tokens == table.max_tokens:
        oldest = int(hands[partner, int(table.order[partner, 0])])
        return RANK_HINT + oldest % RANKS
    return 0


@njit(cache=True, nogil=True)
def _next_play(table, me, memory):
    """Return the position of the playable card of the smallest value, or -1; oldest first."""
    chosen, smallest = -1, 7
    for position in range(int(table.hand_length[me])):
        card = me * SLOTS + int(table.order[me, position])
        if memory[_PLAYABLE + card]:
            value = int(memory[_VALUE + card])
            if value == RANKS + 1:
                value = -1  # a hint on a complete firework: played first
            if value < smallest:
                chosen, smallest = position, value
    return chosen


@njit(cache=True, nogil=True)
def _helpful_hint(table, cards, partner, memory):
    """Return the hint that names most new plays and nothing else, or -1."""
    scores, spoilt = 0, 0
    for slot in range(SLOTS):
        card = int(cards[slot])
        if card == NO_CARD:
            continue
        colour, rank = card // RANKS, card % RANKS
        by_colour, by_rank = _SCORE_BITS * colour, _SCORE_BITS * (RANKS + rank)
        if int(table.fireworks[colour]) != rank:
            spoilt |= (15 << by_colour) | (15 << by_rank)
        elif not memory[_PLAYABLE + partner * SLOTS + slot]:
            scores += (1 << by_colour) + (1 << by_rank)
    scores &= ~spoilt
    best, chosen = 0, -1
    for hint in range(_HINTS):
        score = scores >> _SCORE_BITS * hint & 15
        if score > best:
            best, chosen = score, COLOUR_HINT + hint
    return chosen


@njit(cache=True, nogil=True)
def observe(parameters, table, hands, me, memory, action, touched, card):
    """Update the table of both hands by an action of either player."""
    actor = int(table.current)
    if action < COLOUR_HINT:
        _forget(memory, actor, touched)
        if action >= PLAY:
            _clear_copies(memory, card)
    elif action < RANK_HINT:
        colour = action - COLOUR_HINT
        value = int(table.fireworks[colour]) + 1
        _mark(memory, 1 - actor, touched, _COLOUR, colour + 1)
        _mark(memory, 1 - actor, touched, _VALUE, value)
        _mark(memory, 1 - actor, touched, _PLAYABLE, 1)
    elif not _is_reclaim(table, 1 - actor, touched):
        _mark(memory, 1 - actor, touched, _VALUE, action - RANK_HINT + 1)
        _mark(memory, 1 - actor, touched, _PLAYABLE, 1)
    return 0


@njit(cache=True, nogil=True)
def _is_reclaim(table, receiver, touched):
    """Return whether a rank hint only passes the turn: at 8 tokens, touching the oldest card."""
    oldest = int(table.order[receiver, 0])
    return table.tokens == table.max_tokens and (touched >> oldest & 1) == 1


@njit(cache=True, nogil=True)
def _mark(memory, player, touched, field, value):
    for slot in range(SLOTS):
        if touched >> slot & 1:
            memory[field + player * SLOTS + slot] = value


@njit(cache=True, nogil=True)
def _forget(memory, player, touched):
    _mark(memory, player, touched, _COLOUR, 0)
    _mark(memory, player, touched, _VALUE, 0)
    _mark(memory, player, touched, _PLAYABLE, 0)


@njit(cache=True, nogil=True)
def _clear_copies(memory, card):
    """No longer call playable what might be another copy of the card that was just played."""
    colour, value = card // RANKS + 1, card % RANKS + 1
    for other in range(_CARDS):
        known_value, known_colour = int(memory[_VALUE + other]), int(memory[_COLOUR + other])
        other_colour = known_colour != 0 and known_colour != colour
        other_value = known_value != 0 and known_value != value
        if not (known_value == RANKS or other_colour or other_value):
            memory[_PLAYABLE + other] = 0
