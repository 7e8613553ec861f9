"""HLE's canonical observation, written as packed bits (83 bytes with two players).

Sections, in this order: other hands, board, discards, last action, card knowledge (Bard et al.
2020; HLE's ``CanonicalObservationEncoder``). Bit 0 of the observation is the most significant
bit of byte 0, as ``numpy.packbits`` has it.

A section is a run of fields, each an int whose most significant bit comes first. They are
appended to a *page* through a *cursor*: (bytes written, bits waiting, how many bits wait). A page
is a record because compiled code counts references to arrays, which would take longer, once for
each field, than writing the bits.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.game.state import MINIMAL, Variant, copies_of, full_game

_Cursor = tuple[int, int, int]
_PAGE: Final = np.dtype((np.record, [("bits", "u1", 200)]))
"""Room for the longest observation of any variant, 1,573 bits, in whole words of four bytes."""


def _spread_values() -> np.ndarray:
    """Return sets of values as fields: entry ``[gap, count, set]``, int64.

    Of ``count`` values, each in the set has one bit, the first value leftmost, ``gap`` bits apart.
    With a gap of 1 this is a field of one bit a value. With a gap of ``ranks`` and a set of
    colours, its product with a field of ranks is the field of all cards of these colours and ranks.
    """
    fields = np.zeros((6, 6, 32), np.int64)
    for gap, count, values in np.ndindex(fields.shape):
        members = [value for value in range(count) if values >> value & 1]
        fields[gap, count, values] = sum(1 << gap * (count - 1 - value) for value in members)
    return fields


_SPREAD: Final = _spread_values()
_COPIES: Final = np.array([[copies_of(rank, ranks) for rank in range(5)] for ranks in range(6)])


def observation_length(variant: Variant) -> int:
    """Return the number of bits of an observation (658 in the full game of two players)."""
    n, hand, kinds = variant.players, variant.hand_size, variant.identities
    colours, ranks = variant.colours, variant.ranks
    hands = (n - 1) * hand * kinds + n
    board = variant.cards - n * hand + kinds + variant.max_tokens + variant.max_lives
    last_action = 2 * n + 4 + colours + ranks + 2 * hand + kinds + 2
    knowledge = 0 if variant.observation == "minimal" else n * hand * (kinds + colours + ranks)
    return hands + board + variant.cards + last_action + knowledge


OBSERVATION_BITS: Final = observation_length(full_game(2))
"""Bits of an observation of the full game of two players: 658."""


def observation_bytes(variant: Variant) -> int:
    """Return the number of bytes of a packed observation."""
    return (observation_length(variant) + 7) // 8


@njit(cache=True, nogil=True)
def encode(table: np.record, hands: np.ndarray, observer: int, out: np.ndarray) -> None:
    """Write the observation of player ``observer`` into ``out`` (uint8, packed).

    Only the other players' rows of ``hands`` (players x slots) are read. ``out`` has
    :func:`observation_bytes` bytes, every one of which is written.
    """
    page = np.empty(1, _PAGE)[0]
    cursor = (0, 0, 0)
    cursor = _put_hands(page, cursor, table, hands, observer)
    cursor = _put_board(page, cursor, table)
    cursor = _put_discards(page, cursor, table)
    cursor = _put_last_action(page, cursor, table, observer)
    if table.observation != MINIMAL:
        cursor = _put_knowledge(page, cursor, table, observer)
    _, _, waiting = cursor
    _put(page, cursor, 0, 32 - waiting)
    for index in range(len(out)):
        out[index] = page.bits[index]


@njit(cache=True, nogil=True)
def _put(page: np.record, cursor: _Cursor, field: int, width: int) -> _Cursor:
    """Append the low ``width`` (at most 32) bits of ``field``; return the new cursor."""
    position, waiting, count = cursor
    waiting = (waiting << width) | field
    count += width
    if count >= 32:
        count -= 32
        word = waiting >> count
        page.bits[position] = (word >> 24) & 255
        page.bits[position + 1] = (word >> 16) & 255
        page.bits[position + 2] = (word >> 8) & 255
        page.bits[position + 3] = word & 255
        position += 4
        waiting &= (1 << count) - 1
    return position, waiting, count


@njit(cache=True, nogil=True)
def _thermometer(value: int, width: int) -> int:
    return ((1 << value) - 1) << (width - value)


@njit(cache=True, nogil=True)
def _one_hot(index: int, width: int) -> int:
    return 1 << (width - 1 - index)


@njit(cache=True, nogil=True)
def _put_hands(
    page: np.record, cursor: _Cursor, table: np.record, hands: np.ndarray, observer: int
) -> _Cursor:
    players, hand_size = int(table.players), int(table.hand_size)
    kinds = int(table.colours) * int(table.ranks)
    short = int(int(table.hand_length[observer]) < hand_size)
    for relative in range(1, players):
        player = (observer + relative) % players
        length = int(table.hand_length[player])
        short = (short << 1) | int(length < hand_size)
        for position in range(hand_size):
            shown = 0
            if position < length:
                card = int(hands[player, int(table.order[player, position])])
                shown = _one_hot(card, kinds)
            cursor = _put(page, cursor, shown, kinds)
    return _put(page, cursor, short, players)


@njit(cache=True, nogil=True)
def _put_board(page: np.record, cursor: _Cursor, table: np.record) -> _Cursor:
    ranks = int(table.ranks)
    deck_width = int(table.cards_in_game) - int(table.players) * int(table.hand_size)
    deck = _thermometer(int(table.deck_left), deck_width)
    half = deck_width // 2  # too wide for one field
    cursor = _put(page, cursor, deck >> half, deck_width - half)
    cursor = _put(page, cursor, deck & ((1 << half) - 1), half)
    fireworks = 0
    for colour in range(int(table.colours)):
        # One-hot of the top card; at height 0 the bit falls out on the left.
        top = (1 << (ranks - int(table.fireworks[colour]))) & ((1 << ranks) - 1)
        fireworks = (fireworks << ranks) | top
    cursor = _put(page, cursor, fireworks, int(table.colours) * ranks)
    tokens, lives = int(table.max_tokens), int(table.max_lives)
    cursor = _put(page, cursor, _thermometer(int(table.tokens), tokens), tokens)
    return _put(page, cursor, _thermometer(int(table.lives), lives), lives)


@njit(cache=True, nogil=True)
def _put_discards(page: np.record, cursor: _Cursor, table: np.record) -> _Cursor:
    colours, ranks = int(table.colours), int(table.ranks)
    copies = int(table.cards_in_game) // colours
    for colour in range(colours):
        field = 0
        for rank in range(ranks):
            width = int(_COPIES[ranks, rank])
            discarded = _thermometer(int(table.discards[colour * ranks + rank]), width)
            field = (field << width) | discarded
        cursor = _put(page, cursor, field, copies)
    return cursor


@njit(cache=True, nogil=True)
def _put_last_action(page: np.record, cursor: _Cursor, table: np.record, observer: int) -> _Cursor:
    players, hand_size = int(table.players), int(table.hand_size)
    colours, ranks = int(table.colours), int(table.ranks)
    kinds = colours * ranks
    last = int(table.turn) - 1
    if last < 0:
        cursor = _put(page, cursor, 0, 2 * players + 4)
        cursor = _put(page, cursor, 0, colours + ranks + 2 * hand_size)
        return _put(page, cursor, 0, kinds + 2)
    action = int(table.actions[last])
    actor = (int(table.current) - 1 - observer + 2 * players) % players
    cursor = _put(page, cursor, _one_hot(actor, players), players)
    if action < 2 * hand_size:
        cursor = _put(page, cursor, 8 if action >= hand_size else 4, 4)
        cursor = _put(page, cursor, 0, players + colours + ranks + hand_size)
        cursor = _put(page, cursor, _one_hot(action % hand_size, hand_size), hand_size)
        cursor = _put(page, cursor, _one_hot(int(table.revealed[last]), kinds), kinds)
        return _put(page, cursor, int(table.scored) * 2 + int(table.regained), 2)
    return _put_hint(page, cursor, table, actor, action - 2 * hand_size)


@njit(cache=True, nogil=True)
def _put_hint(page: np.record, cursor: _Cursor, table: np.record, actor: int, hint: int) -> _Cursor:
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
    cursor = _put(page, cursor, kind, 4)
    cursor = _put(page, cursor, _one_hot((actor + offset) % players, players), players)
    cursor = _put(page, cursor, value, colours + ranks)
    target = (int(table.current) - 1 + offset + players) % players
    touched = int(table.touched[int(table.turn) - 1])
    by_age = 0
    for position in range(hand_size):
        by_age = (by_age << 1) | (touched >> int(table.order[target, position]) & 1)
    cursor = _put(page, cursor, by_age << hand_size, 2 * hand_size)
    return _put(page, cursor, 0, colours * ranks + 2)


@njit(cache=True, nogil=True)
def _put_knowledge(page: np.record, cursor: _Cursor, table: np.record, observer: int) -> _Cursor:
    """Append by card two fields: the plausible cards, and the directly hinted colour and rank."""
    players, hand_size = int(table.players), int(table.hand_size)
    colours, ranks = int(table.colours), int(table.ranks)
    for relative in range(players):
        player = (observer + relative) % players
        length = int(table.hand_length[player])
        for position in range(hand_size):
            cards, hinted = 0, 0
            if position < length:
                slot = int(table.order[player, position])
                colour_set = int(table.colour_mask[player, slot])
                rank = int(_SPREAD[1, ranks, int(table.rank_mask[player, slot])])
                colour = int(_SPREAD[1, colours, colour_set])
                cards = int(_SPREAD[ranks, colours, colour_set]) * rank
                hinted = colour * int(table.colour_hinted[player, slot]) << ranks
                hinted |= rank * int(table.rank_hinted[player, slot])
            cursor = _put(page, cursor, cards, colours * ranks)
            cursor = _put(page, cursor, hinted, colours + ranks)
    return cursor
