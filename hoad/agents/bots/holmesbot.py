"""O'Dwyer's HolmesBot: ValueBot that excludes what a card cannot be.

For every card of both hands it keeps the set of excluded identities. At the start of every turn
it draws the conclusions: from hints (negative ones included), from the cards that are gone or
located, and from what the cards are marked as. Deterministic.
"""

from typing import Final

from numba import njit

from hoad.agents.agent import Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.bots.card_sets import (
    SET_BYTES,
    Piles,
    add_copy,
    exhausted,
    is_reclaim,
    last_copies,
    load_cards,
    no_copies,
    only_colour,
    only_rank,
    played_cards,
    slot_at,
    store_cards,
)
from hoad.agents.bots.memory import (
    BEYOND,
    COLOUR,
    NOTES,
    PLAYABLE,
    VALUABLE,
    VALUE,
    WORTHLESS,
    forget,
    mark,
    marked,
    next_discard,
    note,
    pass_or_discard,
    slots_with,
    unmark,
    warn_play_or_hint,
)
from hoad.agents.situation import (
    ALL_CARDS,
    NO_MOVE,
    RANKS,
    SLOTS,
    cards_of_colour,
    cards_of_rank,
    held_slots,
    lowest_firework,
    only_value,
    playable_cards,
)
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT

# After the bots' common memory: the turn (from 1) for which conclusions were drawn, and by player
# and slot the set of excluded identities.
_CONCLUDED: Final = NOTES
_EXCLUDED: Final = NOTES + 1
MEMORY: Final = _EXCLUDED + 2 * SLOTS * SET_BYTES


@njit(cache=True, nogil=True)
def choose(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Warn, else play, else hint at plays, else gamble at the very end, else discard."""
    _conclude(table, memory)
    partner = 1 - me
    worthless = marked(memory, WORTHLESS, partner)
    safe_by_colour = ~slots_with(memory, VALUE, partner, 0) | worthless
    safe_by_rank = ~slots_with(memory, COLOUR, partner, 0) | worthless
    last = _last_copies_due(table, memory, partner)
    move = warn_play_or_hint(table, hands, me, memory, last, safe_by_colour, safe_by_rank)
    if move == NO_MOVE and table.deck_left <= 1:
        move = _play_mystery(table, memory, me)
    return move if move != NO_MOVE else pass_or_discard(table, hands, me, memory)


@njit(cache=True, nogil=True)
def _last_copies_due(table: Table, memory: Memory, player: int) -> int:
    """Return the last copies that a player's next discard can be."""
    slot = next_discard(table, memory, player)
    return last_copies(table) & _possible(memory, player, slot) if slot >= 0 else 0


@njit(cache=True, nogil=True)
def _play_mystery(table: Table, memory: Memory, me: int) -> int:
    """Play my newest card that is neither known nor worthless, or ``NO_MOVE``."""
    unknown = slots_with(memory, COLOUR, me, 0) | slots_with(memory, VALUE, me, 0)
    unknown &= held_slots(table, me) & ~marked(memory, WORTHLESS, me)
    for position in range(SLOTS - 1, -1, -1):
        if unknown >> slot_at(table, me, position) & 1:
            return PLAY + position
    return NO_MOVE


@njit(cache=True, nogil=True)
def observe(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Update the table of both hands by an action of either player."""
    action, touched, card = event
    _conclude(table, memory)
    actor = int(table.current)
    receiver = 1 - actor
    if action < COLOUR_HINT:
        if action >= PLAY and playable_cards(table) >> card & 1:
            _clear_copies(table, memory, card)
        forget(memory, actor, touched)
        first = _EXCLUDED + SET_BYTES * (actor * SLOTS + only_value(touched))
        store_cards(memory, first, 0)
    elif action < RANK_HINT:
        _learn_colour(table, memory, receiver, touched, action - COLOUR_HINT)
    elif not is_reclaim(table, receiver, touched):
        _learn_rank(table, memory, receiver, touched, action - RANK_HINT)
    return 0


@njit(cache=True, nogil=True)
def _clear_copies(table: Table, memory: Memory, card: int) -> None:
    """No longer call playable what might be another copy of the card that is being played."""
    if last_copies(table) >> card & 1:
        return
    for player in range(2):
        for slot in range(SLOTS):
            if _possible(memory, player, slot) >> card & 1:
                unmark(memory, PLAYABLE, player, 1 << slot & ~marked(memory, VALUABLE, player))


@njit(cache=True, nogil=True)
def _learn_colour(table: Table, memory: Memory, player: int, touched: int, colour: int) -> None:
    """Take cards of unknown value for the next one of their colour."""
    cards = cards_of_colour(colour)
    _narrow(table, memory, player, touched, cards)
    note(memory, COLOUR, player, touched, colour + 1)
    next_value = int(table.fireworks[colour]) + 1
    next_cards = cards_of_rank(next_value - 1) if next_value < BEYOND else 0
    meant = touched & slots_with(memory, VALUE, player, 0) & ~marked(memory, WORTHLESS, player)
    note(memory, VALUE, player, meant, next_value)
    for slot in range(SLOTS):
        if meant >> slot & 1:
            _exclude(memory, player, slot, ~next_cards)


@njit(cache=True, nogil=True)
def _learn_rank(table: Table, memory: Memory, player: int, touched: int, rank: int) -> None:
    """Keep the card that the hint warns of, or play the touched cards of unknown colour."""
    slot = next_discard(table, memory, player)
    last = _last_copies_due(table, memory, player) & cards_of_rank(rank)
    warned = touched & 1 << slot if last else 0
    _narrow(table, memory, player, touched, cards_of_rank(rank))
    note(memory, VALUE, player, touched, rank + 1)
    if warned:
        mark(memory, VALUABLE, player, warned)
        mark(memory, PLAYABLE, player, warned if rank == lowest_firework(table) else 0)
    else:
        meant = touched & slots_with(memory, COLOUR, player, 0)
        mark(memory, PLAYABLE, player, meant & ~marked(memory, WORTHLESS, player))


@njit(cache=True, nogil=True)
def _narrow(table: Table, memory: Memory, player: int, touched: int, cards: int) -> None:
    """Narrow the touched cards of a hand to ``cards`` and the others to all but these."""
    held = held_slots(table, player)
    for slot in range(SLOTS):
        if held >> slot & 1:
            _exclude(memory, player, slot, ~cards if touched >> slot & 1 else cards)


@njit(cache=True, nogil=True)
def _possible(memory: Memory, player: int, slot: int) -> int:
    """Return what a card can be."""
    return ALL_CARDS & ~load_cards(memory, _EXCLUDED + SET_BYTES * (player * SLOTS + slot))


@njit(cache=True, nogil=True)
def _exclude(memory: Memory, player: int, slot: int, cards: int) -> None:
    first = _EXCLUDED + SET_BYTES * (player * SLOTS + slot)
    store_cards(memory, first, load_cards(memory, first) | (ALL_CARDS & cards))


@njit(cache=True, nogil=True)
def _conclude(table: Table, memory: Memory) -> None:
    """Draw all conclusions about both hands, once a turn."""
    now = int(table.turn) + 1
    if memory[_CONCLUDED] == now:
        return
    memory[_CONCLUDED] = now
    # Last copies are of value to HolmesBot even if a card below them is lost for good, and nothing
    # but what lies on the fireworks is worthless.
    piles = Piles(playable_cards(table), last_copies(table), played_cards(table))
    located = True
    while located:
        gone, located = _exhausted(table, memory), False
        for player in range(2):
            held = held_slots(table, player)
            located |= _locate(memory, player, held, piles, gone)
            _mark_hand(memory, player, held, piles)


@njit(cache=True, nogil=True)
def _exhausted(table: Table, memory: Memory) -> int:
    """Return the cards of which exactly as many copies are located as are left."""
    copies = no_copies()
    for card in range(2 * SLOTS):
        colour, value = int(memory[COLOUR + card]), int(memory[VALUE + card])
        if colour and value and value != BEYOND:
            copies = add_copy(copies, 1 << ((colour - 1) * RANKS + value - 1))
    return exhausted(table, copies)


@njit(cache=True, nogil=True)
def _locate(memory: Memory, player: int, held: int, piles: Piles, gone: int) -> bool:
    """Narrow a hand down, which has none of the ``gone`` cards; return whether one was located."""
    playable = marked(memory, PLAYABLE, player)
    valuable = marked(memory, VALUABLE, player)
    worthless = marked(memory, WORTHLESS, player)
    located = False
    for slot in range(SLOTS):
        card = player * SLOTS + slot
        colour, value = int(memory[COLOUR + card]), int(memory[VALUE + card])
        if (colour and value) or not held >> slot & 1:
            continue
        possible = _possible(memory, player, slot)
        colour, value = colour or only_colour(possible) + 1, value or only_rank(possible) + 1
        excluded = gone
        if valuable >> slot & 1:
            excluded |= ~piles.valuable
        if playable >> slot & 1:
            excluded |= ~piles.playable
        if worthless >> slot & 1:
            excluded |= ~piles.worthless
        if possible & excluded and not (colour and value):
            possible &= ~excluded
            store_cards(memory, _EXCLUDED + SET_BYTES * card, ALL_CARDS & ~possible)
            colour, value = colour or only_colour(possible) + 1, value or only_rank(possible) + 1
        memory[COLOUR + card], memory[VALUE + card] = colour, value
        located |= colour != 0 and value != 0
    return located


@njit(cache=True, nogil=True)
def _mark_hand(memory: Memory, player: int, held: int, piles: Piles) -> None:
    """Mark each card of a hand as what all its possible identities are."""
    playable = marked(memory, PLAYABLE, player)
    valuable = marked(memory, VALUABLE, player)
    worthless = marked(memory, WORTHLESS, player)
    for slot in range(SLOTS):
        bit = held & ~worthless & 1 << slot
        possible = _possible(memory, player, slot)
        if not possible & ~piles.worthless and not (playable | valuable) & bit:
            worthless |= bit
            continue
        if not possible & ~piles.valuable:
            valuable |= bit
        if not possible & ~piles.playable:
            playable |= bit
    memory[PLAYABLE + player] = playable
    memory[VALUABLE + player] = valuable
    memory[WORTHLESS + player] = worthless
