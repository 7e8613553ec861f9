"""O'Dwyer's ValueBot: SimpleBot that also warns its partner before the last copy of a card goes.

A rank hint that touches the card which the receiver would discard next, and that may name a last
copy, means "keep this card"; all other hints mean "play these cards". Deterministic.
"""

from typing import Final

from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import is_reclaim, last_copies
from hoad.agents.bots.memory import (
    COLOUR,
    NOTES,
    PLAYABLE,
    VALUABLE,
    VALUE,
    WORTHLESS,
    clear_copies,
    forget,
    mark,
    next_discard,
    note,
    pass_or_discard,
    slots_with,
    warn_play_or_hint,
)
from hoad.agents.situation import (
    ALL_SLOTS,
    COLOURS,
    NO_MOVE,
    RANKS,
    SLOTS,
    cards_of_rank,
    lowest_firework,
)
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT

MEMORY: Final = NOTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Warn, else play, else hint at plays, else discard."""
    known_values = ALL_SLOTS & ~slots_with(memory, VALUE, 1 - me, 0)
    move = warn_play_or_hint(table, hands, me, memory, last_copies(table), known_values, 0)
    return move if move != NO_MOVE else pass_or_discard(table, hands, me, memory)


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
        if action >= PLAY and card % RANKS == int(table.fireworks[card // RANKS]):
            _take_note_of_success(table, memory, card)
    elif action < RANK_HINT:
        _learn_colour(table, memory, receiver, touched, action - COLOUR_HINT)
    elif not is_reclaim(table, receiver, touched):
        _learn_rank(table, memory, receiver, touched, action - RANK_HINT)
    return 0


@njit(cache=True, nogil=True)
def _take_note_of_success(table: Table, memory: Memory, card: int) -> None:
    """Update the marks of copies of the card that is being played."""
    if not last_copies(table) >> card & 1:
        clear_copies(memory, card)
    colour, rank = card // RANKS, card % RANKS
    for other in range(COLOURS):
        if other != colour and int(table.fireworks[other]) <= rank:
            return
    for player in range(2):
        mark(memory, WORTHLESS, player, slots_with(memory, VALUE, player, rank + 1))


@njit(cache=True, nogil=True)
def _learn_colour(table: Table, memory: Memory, player: int, touched: int, colour: int) -> None:
    """Take cards of unknown value for the next one of their colour."""
    note(memory, COLOUR, player, touched, colour + 1)
    height = int(table.fireworks[colour])
    if height < RANKS:
        unknown = touched & slots_with(memory, VALUE, player, 0)
        note(memory, VALUE, player, unknown, height + 1)
    last = last_copies(table) >> colour * RANKS
    for slot in range(SLOTS):
        if touched >> slot & 1:
            rank = int(memory[VALUE + player * SLOTS + slot]) - 1
            if rank < height:  # or unknown, on a complete firework
                mark(memory, WORTHLESS, player, 1 << slot)
                continue
            if rank == height:
                mark(memory, PLAYABLE, player, 1 << slot)
            if last >> rank & 1:
                mark(memory, VALUABLE, player, 1 << slot)


@njit(cache=True, nogil=True)
def _learn_rank(table: Table, memory: Memory, player: int, touched: int, rank: int) -> None:
    """Keep the card that the hint warns of, or play all cards that it touched."""
    lowest = lowest_firework(table)
    slot = next_discard(table, memory, player)
    last = last_copies(table) & cards_of_rank(rank)
    warned = touched & 1 << slot if slot >= 0 and last else 0
    note(memory, VALUE, player, touched, rank + 1)
    if warned:
        mark(memory, VALUABLE, player, warned)
        mark(memory, PLAYABLE, player, warned if rank == lowest else 0)
    elif rank >= lowest:
        mark(memory, PLAYABLE, player, touched)
