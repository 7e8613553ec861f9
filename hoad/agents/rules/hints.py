"""What the tell rules share: the partner's hand, and what a hint on it would touch and show."""

import numpy as np
from numba import njit

from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    known_colour,
    known_rank,
    partner_card,
    plausible_cards,
)
from hoad.game.moves import COLOUR_HINT, RANK_HINT
from hoad.game.state import NO_CARD

# _NAMED_CARDS[hint - COLOUR_HINT]: the set of cards that have the colour or rank of the hint.
_NAMED_CARDS = np.array(
    [((1 << RANKS) - 1) << RANKS * colour for colour in range(COLOURS)]
    + [sum(1 << RANKS * colour + rank for colour in range(COLOURS)) for rank in range(RANKS)]
)


@njit(cache=True, nogil=True)
def holds_one_of(situation: Situation, slot: int, cards: int) -> bool:
    """Return whether the partner's card in ``slot`` exists and belongs to the set ``cards``."""
    card = partner_card(situation, slot)
    return card != NO_CARD and (cards >> card & 1) == 1


@njit(cache=True, nogil=True)
def slots_holding(situation: Situation, cards: int) -> int:
    """Return the set of the partner's slots that hold one of ``cards``."""
    slots = 0
    for slot in range(SLOTS):
        slots |= int(holds_one_of(situation, slot, cards)) << slot
    return slots


@njit(cache=True, nogil=True)
def has_full_hand(situation: Situation) -> bool:
    """Return whether the partner holds five cards; it lacks one in the last turn of the game."""
    return int(situation.table.hand_length[situation.partner]) == SLOTS


@njit(cache=True, nogil=True)
def colour_hint(situation: Situation, slot: int) -> int:
    """Return the hint that names the colour of the partner's card."""
    return COLOUR_HINT + partner_card(situation, slot) // RANKS


@njit(cache=True, nogil=True)
def rank_hint(situation: Situation, slot: int) -> int:
    """Return the hint that names the rank of the partner's card."""
    return RANK_HINT + partner_card(situation, slot) % RANKS


@njit(cache=True, nogil=True)
def lacks_colour(situation: Situation, slot: int) -> bool:
    """Return whether the partner does not know the colour of its card."""
    return known_colour(situation, situation.partner, slot) < 0


@njit(cache=True, nogil=True)
def lacks_rank(situation: Situation, slot: int) -> bool:
    """Return whether the partner does not know the rank of its card."""
    return known_rank(situation, situation.partner, slot) < 0


@njit(cache=True, nogil=True)
def rank_then_colour(situation: Situation, slot: int) -> int:
    """Return a hint on the partner's card: its rank if unknown, else its colour if unknown."""
    if lacks_rank(situation, slot):
        return rank_hint(situation, slot)
    if lacks_colour(situation, slot):
        return colour_hint(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def colour_then_rank(situation: Situation, slot: int) -> int:
    """Return a hint on the partner's card: its colour if unknown, else its rank if unknown."""
    if lacks_colour(situation, slot):
        return colour_hint(situation, slot)
    if lacks_rank(situation, slot):
        return rank_hint(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def nth_hint(index: int) -> int:
    """Return the hints in the order of published programs: ranks, then colours, ascending."""
    return RANK_HINT + index if index < RANKS else COLOUR_HINT + index - RANKS


@njit(cache=True, nogil=True)
def named_cards(hint: int) -> int:
    """Return the set of cards that have the colour or rank that a hint names."""
    return int(_NAMED_CARDS[hint - COLOUR_HINT])


@njit(cache=True, nogil=True)
def touched_slots(situation: Situation, hint: int) -> int:
    """Return the set of the partner's slots that a hint would touch; none if it is illegal."""
    return slots_holding(situation, named_cards(hint))


@njit(cache=True, nogil=True)
def unsure_slots(situation: Situation, hint: int) -> int:
    """Return the slots of the partner's cards of which it lacks what hints like this one name."""
    by_rank = hint >= RANK_HINT
    slots = 0
    for slot in range(SLOTS):
        unsure = lacks_rank(situation, slot) if by_rank else lacks_colour(situation, slot)
        slots |= int(unsure) << slot
    return slots


@njit(cache=True, nogil=True)
def cards_open(situation: Situation, slot: int) -> int:
    """Return the set of cards that hints and table leave open for the partner's card.

    That is less than the partner can exclude: it also sees my hand.
    """
    return plausible_cards(situation.table, situation.partner, slot) & int(situation.table.left[0])


@njit(cache=True, nogil=True)
def cards_open_after(situation: Situation, slot: int, hint: int) -> int:
    """Return :func:`cards_open` as it would be after a hint."""
    named = named_cards(hint)
    card_is_named = holds_one_of(situation, slot, named)
    return cards_open(situation, slot) & (named if card_is_named else named ^ ALL_CARDS)
