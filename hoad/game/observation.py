"""HLE's canonical observation, written as packed bits (83 bytes with two players).

Sections, in this order: other hands, board, discards, last action, card knowledge (Bard et al.
2020; HLE's ``CanonicalObservationEncoder``). Bit 0 of the observation is the most significant
bit of byte 0, as ``numpy.packbits`` has it.
"""

import numpy as np
from numba import njit

from hoad.game.rules import copies
from hoad.game.state import MINIMAL, Variant

# _REVERSED[width, mask]: the mask's bits in reading order, index 0 leftmost.
_REVERSED = np.array(
    [[sum((mask >> i & 1) << (width - 1 - i) for i in range(width)) for mask in range(32)]
     for width in range(6)],
    dtype=np.int64,
)


def observation_length(variant: Variant) -> int:
    """Return the number of bits of an observation (658 in the full game of two players)."""
    n, hand, kinds = variant.players, variant.hand_size, variant.identities
    colours, ranks = variant.colours, variant.ranks
    hands = (n - 1) * hand * kinds + n
    board = variant.cards - n * hand + kinds + variant.max_tokens + variant.max_lives
    last_action = 2 * n + 4 + colours + ranks + 2 * hand + kinds + 2
    knowledge = 0 if variant.observation == "minimal" else n * hand * (kinds + colours + ranks)
    return hands + board + variant.cards + last_action + knowledge


def observation_bytes(variant: Variant) -> int:
    """Return the number of bytes of a packed observation."""
    return (observation_length(variant) + 7) // 8


@njit(cache=True, nogil=True)
def _put(out, cursor, bits, width):
    """Append the low ``width`` (at most 48) bits to ``out``; return the new cursor.

    The cursor is (bytes written, bits waiting, how many wait).
    """
    position, waiting, count = cursor
    waiting = (waiting << width) | bits
    count += width
    while count >= 8:
        count -= 8
        out[position] = (waiting >> count) & 255
        position += 1
    return position, waiting & 255, count


@njit(cache=True, nogil=True)
def _thermometer(value, width):
    return ((1 << value) - 1) << (width - value)


@njit(cache=True, nogil=True)
def _one_hot(index, width):
    return 1 << (width - 1 - index)


@njit(cache=True, nogil=True)
def encode(table, hands, observer, out):
    """Write the observation of player ``observer`` into ``out`` (uint8, packed).

    Only the other players' rows of ``hands`` (players x slots) are read.
    """
    cursor = (0, 0, 0)
    cursor = _put_hands(out, cursor, table, hands, observer)
    cursor = _put_board(out, cursor, table)
    cursor = _put_discards(out, cursor, table)
    cursor = _put_last_action(out, cursor, table, observer)
    if table.observation != MINIMAL:
        cursor = _put_knowledge(out, cursor, table, observer)
    position, waiting, count = cursor
    if count:
        out[position] = (waiting << (8 - count)) & 255


@njit(cache=True, nogil=True)
def _put_hands(out, cursor, table, hands, observer):
    players, hand_size = int(table.players), int(table.hand_size)
    kinds = int(table.colours) * int(table.ranks)
    short = 0
    for relative in range(players):
        player = (observer + relative) % players
        length = int(table.hand_length[player])
        short = (short << 1) | int(length < hand_size)
        if relative:
            for position in range(hand_size):
                bits = 0
                if position < length:
                    card = int(hands[player, int(table.order[player, position])])
                    bits = _one_hot(card, kinds)
                cursor = _put(out, cursor, bits, kinds)
    return _put(out, cursor, short, players)


@njit(cache=True, nogil=True)
def _put_board(out, cursor, table):
    ranks = int(table.ranks)
    deck_width = int(table.cards_in_game) - int(table.players) * int(table.hand_size)
    cursor = _put(out, cursor, _thermometer(int(table.deck_left), deck_width), deck_width)
    for colour in range(int(table.colours)):
        height = int(table.fireworks[colour])
        bits = _one_hot(height - 1, ranks) if height else 0
        cursor = _put(out, cursor, bits, ranks)
    tokens, lives = int(table.max_tokens), int(table.max_lives)
    cursor = _put(out, cursor, _thermometer(int(table.tokens), tokens), tokens)
    return _put(out, cursor, _thermometer(int(table.lives), lives), lives)


@njit(cache=True, nogil=True)
def _put_discards(out, cursor, table):
    ranks = int(table.ranks)
    for colour in range(int(table.colours)):
        bits, width = 0, 0
        for rank in range(ranks):
            number = copies(rank, ranks)
            discarded = int(table.discards[colour * ranks + rank])
            bits = (bits << number) | _thermometer(discarded, number)
            width += number
        cursor = _put(out, cursor, bits, width)
    return cursor


@njit(cache=True, nogil=True)
def _put_last_action(out, cursor, table, observer):
    players, hand_size = int(table.players), int(table.hand_size)
    colours, ranks = int(table.colours), int(table.ranks)
    kinds = colours * ranks
    last = int(table.turn) - 1
    if last < 0:
        cursor = _put(out, cursor, 0, 2 * players + 4)
        cursor = _put(out, cursor, 0, colours + ranks + 2 * hand_size)
        return _put(out, cursor, 0, kinds + 2)
    action = int(table.actions[last])
    actor = (int(table.current) - 1 - observer + 2 * players) % players
    cursor = _put(out, cursor, _one_hot(actor, players), players)
    if action < 2 * hand_size:
        play = action >= hand_size
        position = action - hand_size if play else action
        cursor = _put(out, cursor, 8 if play else 4, 4)
        cursor = _put(out, cursor, 0, players + colours + ranks + hand_size)
        cursor = _put(out, cursor, _one_hot(position, hand_size), hand_size)
        cursor = _put(out, cursor, _one_hot(int(table.revealed[last]), kinds), kinds)
        return _put(out, cursor, int(table.scored) * 2 + int(table.regained), 2)
    return _put_hint(out, cursor, table, actor, action - 2 * hand_size)


@njit(cache=True, nogil=True)
def _put_hint(out, cursor, table, actor, hint):
    """Append the last action's fields for a hint; ``actor`` is relative to the observer."""
    players, hand_size = int(table.players), int(table.hand_size)
    colours, ranks = int(table.colours), int(table.ranks)
    colour_hints = (players - 1) * colours
    if hint < colour_hints:
        offset = hint // colours + 1
        kind, value = 2, _one_hot(hint % colours, colours) << ranks
    else:
        offset = (hint - colour_hints) // ranks + 1
        kind, value = 1, _one_hot((hint - colour_hints) % ranks, ranks)
    cursor = _put(out, cursor, kind, 4)
    cursor = _put(out, cursor, _one_hot((actor + offset) % players, players), players)
    cursor = _put(out, cursor, value, colours + ranks)
    target = (int(table.current) - 1 + offset + players) % players
    touched = int(table.touched[int(table.turn) - 1])
    by_age = 0
    for position in range(hand_size):
        by_age = (by_age << 1) | (touched >> int(table.order[target, position]) & 1)
    cursor = _put(out, cursor, by_age << hand_size, 2 * hand_size)
    return _put(out, cursor, 0, colours * ranks + 2)


@njit(cache=True, nogil=True)
def _put_knowledge(out, cursor, table, observer):
    players, hand_size = int(table.players), int(table.hand_size)
    colours, ranks = int(table.colours), int(table.ranks)
    width = colours * ranks + colours + ranks
    for relative in range(players):
        player = (observer + relative) % players
        length = int(table.hand_length[player])
        for position in range(hand_size):
            if position >= length:
                cursor = _put(out, cursor, 0, width)
                continue
            slot = int(table.order[player, position])
            cursor = _put(out, cursor, _card_knowledge(table, player, slot), width)
    return cursor


@njit(cache=True, nogil=True)
def _card_knowledge(table, player, slot):
    """Plausible cards, then the directly hinted colour and rank, one-hot."""
    colours, ranks = int(table.colours), int(table.ranks)
    colour_mask = int(table.colour_mask[player, slot])
    rank_bits = _REVERSED[ranks, int(table.rank_mask[player, slot])]
    bits = 0
    for colour in range(colours):
        bits = (bits << ranks) | (rank_bits if colour_mask >> colour & 1 else 0)
    colour_bits = _REVERSED[colours, colour_mask] if table.colour_hinted[player, slot] else 0
    rank_bits = rank_bits if table.rank_hinted[player, slot] else 0
    return (((bits << colours) | colour_bits) << ranks) | rank_bits
