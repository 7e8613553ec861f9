"""What the rules of Walton-Rivers and Canaan look at, computed once a turn.

Sets of cards are ints with bit ``card id`` set. The definitions are those of Walton-Rivers et al.
2017 as their program has them: knowledge comes from hints alone (negative ones included), the
colour and the rank of a card are independent, and nothing is inferred across slots.
Everything is for the full game of two players, or for one partner of several
(:mod:`hoad.agents.rules.several_partners`).
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import SPREAD
from hoad.game.moves import PLAY
from hoad.game.state import NO_CARD, signed

COLOURS: Final = 5
RANKS: Final = 5
SLOTS: Final = 5
HINTS: Final = COLOURS + RANKS

NO_MOVE: Final = -1
"""Returned by a rule that does not fire."""

ALL_SLOTS: Final = (1 << SLOTS) - 1
ALL_CARDS: Final = (1 << COLOURS * RANKS) - 1
CERTAIN: Final = 1000
"""Thresholds of rules are probabilities in thousandths, so that comparisons are exact."""

_COLOUR_0: Final = (1 << RANKS) - 1
_RANK_0: Final = sum(1 << RANKS * colour for colour in range(COLOURS))

# _COLUMNS[colour mask]: bit 5c set for each colour c. Times a rank mask it gives the set of cards.
_COLUMNS = np.array(
    [sum(1 << RANKS * c for c in range(COLOURS) if mask >> c & 1) for mask in range(32)]
)

# _ONLY_VALUE[mask]: the index of the mask's only bit, or -1.
_ONLY_VALUE = np.array(
    [mask.bit_length() - 1 if mask.bit_count() == 1 else -1 for mask in range(32)]
)

# _TRAILING_ONES[mask]: how many of the lowest bits are set without a gap.
_TRAILING_ONES = np.array([(mask ^ (mask + 1)).bit_length() - 1 for mask in range(32)])


class Situation(NamedTuple):
    """One turn as the player to move sees it."""

    table: Any  # the public record
    me: int  # the player to move
    partner: int  # the other player
    cards: int  # the partner's cards, one byte a slot (see :func:`partner_card`)
    playable: int  # the cards that would fit now
    # cards with at least one copy that I do not see: neither on the table nor in the
    # partner's hand. My own hand counts as unseen even where I know it
    unseen_1: int
    unseen_2: int  # at least two copies
    unseen_3: int  # three copies


@njit(cache=True, nogil=True, inline="always")  # a compiled function cannot return a record
def situation_of(table: np.record, hands: np.ndarray, me: int) -> Situation:
    """Return the situation of player ``me``; only the partner's row of ``hands`` is read."""
    me = 0 | me  # a signed number: with other types all rules would be compiled once more
    cards = pack_cards(hands[1 - me])
    return Situation(table, me, 1 - me, cards, playable_cards(table), *unseen_copies(table, cards))


@njit(cache=True, nogil=True)
def cards_of_colour(colour: int) -> int:
    """Return the set of the cards of one colour."""
    return _COLOUR_0 << colour * RANKS


@njit(cache=True, nogil=True)
def cards_of_rank(rank: int) -> int:
    """Return the set of the cards of one rank (from 0)."""
    return _RANK_0 << rank


@njit(cache=True, nogil=True)
def cards_named(hint: int) -> int:
    """Return the set of cards that a hint (0 to 4 colours, 5 to 9 ranks) names."""
    return cards_of_colour(hint) if hint < COLOURS else cards_of_rank(hint - COLOURS)


@njit(cache=True, nogil=True)
def playable_cards(table: np.record) -> int:
    """Return the set of cards that would fit now."""
    playable = 0
    for colour in range(COLOURS):
        height = int(table.fireworks[colour])
        if height < RANKS:
            playable |= 1 << (colour * RANKS + height)
    return playable


@njit(cache=True, nogil=True)
def pack_cards(hand: np.ndarray) -> int:
    """Return the five cards of a hand as one int, one byte a slot.

    An array in the situation would be reference-counted at every call, which halves the speed.
    """
    cards = 0
    for slot in range(SLOTS):
        cards |= int(hand[slot]) << 8 * slot
    return cards


@njit(cache=True, nogil=True)
def partner_card(situation: Situation, slot: int) -> int:
    """Return the partner's card in a slot, or ``NO_CARD``."""
    return situation.cards >> 8 * slot & 255


@njit(cache=True, nogil=True)
def unseen_copies(table: np.record, cards: int) -> tuple[int, int, int]:
    """Return the cards of which 1, 2 and 3 copies are unseen; ``cards``: the partner's, packed."""
    unseen_1, unseen_2, unseen_3 = int(table.left[0]), int(table.left[1]), int(table.left[2])
    for slot in range(SLOTS):
        card = cards >> 8 * slot & 255
        if card != NO_CARD:
            bit = 1 << card
            if unseen_3 & bit:
                unseen_3 ^= bit
            elif unseen_2 & bit:
                unseen_2 ^= bit
            else:
                unseen_1 ^= bit
    return unseen_1, unseen_2, unseen_3


@njit(cache=True, nogil=True)
def only_value(mask: int) -> int:
    """Return the index of the only bit of a five-bit mask, or -1 if it has none or several."""
    return int(_ONLY_VALUE[mask])


@njit(cache=True, nogil=True)
def known_colour(situation: Situation, player: int, slot: int) -> int:
    """Return the colour of a card as its holder knows it from hints, or -1."""
    return only_value(int(situation.table.colour_mask[player, slot]))


@njit(cache=True, nogil=True)
def known_rank(situation: Situation, player: int, slot: int) -> int:
    """Return the rank (from 0) of a card as its holder knows it from hints, or -1."""
    return only_value(int(situation.table.rank_mask[player, slot]))


@njit(cache=True, nogil=True)
def unknown_slots(situation: Situation, player: int, by_rank: bool) -> int:
    """Return the set of slots of whose cards their holder does not know the rank (or colour)."""
    slots = 0
    for slot in range(SLOTS):
        rank, colour = known_rank(situation, player, slot), known_colour(situation, player, slot)
        slots |= int((rank if by_rank else colour) < 0) << slot
    return slots


@njit(cache=True, nogil=True)
def plausible_cards(table: np.record, player: int, slot: int) -> int:
    """Return the set of cards that the hints leave open for a card, seen cards included."""
    return int(_COLUMNS[int(table.colour_mask[player, slot])]) * int(table.rank_mask[player, slot])


@njit(cache=True, nogil=True)
def possible_cards(situation: Situation, slot: int) -> int:
    """Return the set of unseen cards that my card in ``slot`` may be."""
    return plausible_cards(situation.table, situation.me, slot) & situation.unseen_1


@njit(cache=True, nogil=True)
def count_copies(cards: int, once: int, twice: int, thrice: int) -> int:
    """Return how many copies of a set's cards there are, given those there are once, twice, ..."""
    return count_cards(cards & once) + count_cards(cards & twice) + count_cards(cards & thrice)


@njit(cache=True, nogil=True)
def count_unseen(situation: Situation, cards: int) -> int:
    """Return how many unseen copies there are of all cards of a set together."""
    return count_copies(cards, situation.unseen_1, situation.unseen_2, situation.unseen_3)


@njit(cache=True, nogil=True)
def count_left(table: np.record, cards: int) -> int:
    """Return how many copies of the cards of a set are neither played nor discarded."""
    return count_copies(cards, int(table.left[0]), int(table.left[1]), int(table.left[2]))


@njit(cache=True, nogil=True)
def count_cards(cards: int) -> int:
    """Return how many cards there are in a set (or slots in a set of slots, and so on)."""
    bits = cards - (cards >> 1 & 0x55555555)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return (bits * 0x01010101 & 0xFFFFFFFF) >> 24


@njit(cache=True, nogil=True)
def lowest_firework(table: np.record) -> int:
    """Return the height of the lowest firework."""
    lowest = RANKS
    for colour in range(COLOURS):
        lowest = min(lowest, int(table.fireworks[colour]))
    return lowest


@njit(cache=True, nogil=True)
def reachable_height(table: np.record, colour: int) -> int:
    """Return the height that a firework can still reach, given the discards."""
    height = int(table.fireworks[colour])
    left = int(table.left[0]) >> colour * RANKS & 31
    return height + int(_TRAILING_ONES[left >> height])


@njit(cache=True, nogil=True)
def useless_cards(table: np.record) -> int:
    """Return the set of cards that can no longer be played."""
    useful = 0
    for colour in range(COLOURS):
        reachable = (1 << reachable_height(table, colour)) - 1
        played = (1 << int(table.fireworks[colour])) - 1
        useful |= (reachable ^ played) << colour * RANKS
    return useful ^ ALL_CARDS


@njit(cache=True, nogil=True)
def necessary_cards(table: np.record) -> int:
    """Return the set of cards that are of use and of which only one copy is not discarded."""
    single = int(table.left[0]) & ~int(table.left[1])
    return single & ~useless_cards(table)


@njit(cache=True, nogil=True)
def knows_useless(situation: Situation, player: int, slot: int, useless: int) -> bool:
    """Return whether the holder's knowledge of a card suffices to call it useless.

    ``useless`` is :func:`useless_cards`. A colour alone suffices if its firework is complete, a
    rank alone if all fireworks have it.
    """
    colour = known_colour(situation, player, slot)
    rank = known_rank(situation, player, slot)
    table = situation.table
    if colour >= 0 and rank >= 0:
        return (useless >> (colour * RANKS + rank) & 1) == 1
    if colour >= 0:
        return int(table.fireworks[colour]) == RANKS
    return rank >= 0 and rank < lowest_firework(table)


@njit(cache=True, nogil=True)
def knows_playable(situation: Situation, player: int, slot: int) -> bool:
    """Return whether the holder knows colour and rank of a card, and it would fit now."""
    plausible = plausible_cards(situation.table, player, slot)
    return plausible & (plausible - 1) == 0 and plausible & situation.playable != 0


@njit(cache=True, nogil=True)
def discard_slot(situation: Situation, slot: int) -> int:
    """Return the move that discards my card in ``slot``: its age; ``NO_MOVE`` for -1."""
    for position in range(SLOTS):
        if int(situation.table.order[situation.me, position]) == slot:
            return position
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_slot(situation: Situation, slot: int) -> int:
    """Return the move that plays my card in ``slot``; ``NO_MOVE`` for -1."""
    return PLAY + discard_slot(situation, slot) if slot >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def lowest_slot(slots: int) -> int:
    """Return the first slot of a set in slot order, or -1."""
    return only_value(slots & -slots)


@njit(cache=True, nogil=True)
def newest_of(table: np.record, player: int, slots: int) -> int:
    """Return which slot of a set holds the card drawn last, or -1 if none holds a card."""
    for position in range(int(table.hand_length[player]) - 1, -1, -1):
        slot = int(table.order[player, position])
        if slots >> slot & 1:
            return slot
    return -1


@njit(cache=True, nogil=True)
def oldest(table: np.record, player: int, slots: int) -> int:
    """Return the position of a player's oldest card among a set of slots, or -1."""
    for position in range(signed(table.hand_length[player])):
        if slots >> int(table.order[player, position]) & 1:
            return position
    return -1


@njit(cache=True, nogil=True)
def oldest_of(table: np.record, player: int, slots: int) -> int:
    """Return which slot of a set holds the card drawn first, or -1 if none holds a card."""
    position = oldest(table, player, slots)
    return int(table.order[player, position]) if position >= 0 else -1


@njit(cache=True, nogil=True)
def held_slots(table: np.record, player: int) -> int:
    """Return the set of slots that hold a card: all until the deck is empty."""
    slots = ALL_SLOTS
    for position in range(SLOTS - 1, -1, -1):
        if position < int(table.hand_length[player]):
            break
        slots ^= 1 << signed(table.order[player, position])
    return slots


@njit(cache=True, nogil=True)
def untouched_slots(table: np.record, player: int) -> int:
    """Return the set of slots whose cards no hint has touched."""
    slots = 0
    for slot in range(SLOTS):
        if not (table.colour_hinted[player, slot] or table.rank_hinted[player, slot]):
            slots |= 1 << slot
    return slots


@njit(cache=True, nogil=True)
def sure_slots(situation: Situation, cards: int) -> int:
    """Return the set of my slots whose card belongs to ``cards``, whatever unseen card it is."""
    slots = 0
    for slot in range(SLOTS):
        possible = possible_cards(situation, slot)
        slots |= int(possible != 0 and possible & ~cards == 0) << slot
    return slots


@njit(cache=True, nogil=True)
def chance(situation: Situation, slot: int, cards: int) -> tuple[int, int]:
    """Return the chance that my card in ``slot`` belongs to ``cards``, as (good, total) copies."""
    possible = possible_cards(situation, slot)
    return count_unseen(situation, possible & cards), count_unseen(situation, possible)


@njit(cache=True, nogil=True)
def likeliest_slot(
    situation: Situation, slots: int, cards: int, threshold: int, by_age: bool = False
) -> int:
    """Return which of my ``slots`` is likeliest to hold one of ``cards``.

    -1 if none is at least ``threshold`` thousandths likely. Copies count; ties go to the highest
    slot, or (``by_age``) to the newest card.
    """
    chosen, best, best_total = -1, threshold, CERTAIN
    for index in range(SLOTS):
        slot = int(situation.table.order[situation.me, index]) if by_age else index
        if not slots >> slot & 1:
            continue
        good, total = chance(situation, slot, cards)
        if total and good * best_total >= best * total:
            chosen, best, best_total = slot, good, total
    return chosen


@njit(cache=True, nogil=True)
def spread_evenly(moves: int, weights: np.ndarray) -> int:
    """Write equal weights for a set of moves (bit: move id); return ``SPREAD``."""
    share = 1.0 / count_cards(moves)
    for move in range(len(weights)):
        weights[move] = share if moves >> move & 1 else 0.0
    return SPREAD
