"""O'Dwyer's SimpleBot: every hint means "play these cards", for both players.

It keeps a table of both hands: what a hint said about each card, and whether it is to be played.
It counts no cards and draws no negative conclusions. Deterministic.
"""

from typing import Final

from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import is_reclaim, name_oldest
from hoad.agents.bots.memory import (
    BEYOND,
    COLOUR,
    NOTES,
    PLAYABLE,
    VALUE,
    clear_copies,
    forget,
    helpful_hint,
    mark,
    marked,
    note,
    slots_with,
    smallest_value,
)
from hoad.agents.situation import NO_MOVE, oldest
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT

MEMORY: Final = NOTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Play a card that a hint called playable, else give a hint that is all plays, else discard."""
    playable = marked(memory, PLAYABLE, me)
    if playable:
        position = oldest(table, me, playable & slots_with(memory, VALUE, me, BEYOND))
        if position < 0:
            position = smallest_value(table, memory, me, playable)
        if position >= 0:
            return PLAY + position
    partner = 1 - me
    if table.tokens:
        known = marked(memory, PLAYABLE, partner)
        hint = helpful_hint(table, hands[partner], known, 0, 0, -1)
        if hint != NO_MOVE:
            return hint
    return name_oldest(table, hands, partner) if table.tokens == table.max_tokens else 0


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Update the table of both hands by an action of either player."""
    action, touched, card = event
    actor = int(table.current)
    receiver = 1 - actor
    if action < COLOUR_HINT:
        forget(memory, actor, touched)
        if action >= PLAY:
            clear_copies(memory, card)
    elif action < RANK_HINT:
        colour = action - COLOUR_HINT
        note(memory, COLOUR, receiver, touched, colour + 1)
        note(memory, VALUE, receiver, touched, int(table.fireworks[colour]) + 1)
        mark(memory, PLAYABLE, receiver, touched)
    elif not is_reclaim(table, receiver, touched):
        note(memory, VALUE, receiver, touched, action - RANK_HINT + 1)
        mark(memory, PLAYABLE, receiver, touched)
    return 0
