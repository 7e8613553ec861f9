"""Hands that a player may hold, given what it knows, drawn at random with their decks.

A player knows its partner's hand, the fireworks, the discards and the hints. Every hand of its
own that fits them is equally likely, copies of a card counted one by one. A game that is imagined
is one with such a hand, in which everything public happens as it did.

The random numbers start from what the player sees (the partner's hand and the turn), so that they
cannot depend on anything hidden, nor on which games are looked at together.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.situation import pack_cards, plausible_cards
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT
from hoad.game.rules import replay_moves
from hoad.game.state import MAX_CARDS, MAX_HAND, NO_CARD, full_game
from hoad.game.stream import Purpose, next_below, start_stream

_IMAGINED: Final = int(Purpose.IMAGINED)
_DEALT: Final = 10
_NOWHERE: Final = -1


def imagine(states: np.ndarray, seat: int, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Return decks that may have been dealt, and hands that the player in ``seat`` may hold.

    The states are those of the full game of two players, shape ``(games,)``. Decks, on which the
    game goes as it did so far, are uint8, shape ``(samples, games, 50)``; hands, by slot, are
    uint8, shape ``(samples, games, 5)``.
    """
    decks = np.empty((samples, len(states), MAX_CARDS), np.uint8)
    hands = np.empty((samples, len(states), MAX_HAND), np.uint8)
    _imagine(states, seat, decks, hands)
    return decks, hands


def last_states(logs: GameLogs) -> np.ndarray:
    """Return the state after the last move of each (legal, two-player) game."""
    states = full_game(2).new_states(len(logs))
    _replay(states, logs.decks, logs.actions, logs.offsets)
    return states


@njit(cache=True, nogil=True)
def _replay(
    states: np.ndarray, decks: np.ndarray, actions: np.ndarray, offsets: np.ndarray
) -> None:
    for game in range(len(states)):
        replay_moves(states[game], decks[game], actions[offsets[game] : offsets[game + 1]])


@njit(cache=True, nogil=True)
def _imagine(states: np.ndarray, seat: int, decks: np.ndarray, hands: np.ndarray) -> None:
    streams = np.zeros(1, np.uint64)
    for game in range(len(states)):
        table, partner_hand = states[game].table, states[game].hands[1 - seat]
        streams[0] = start_stream(pack_cards(partner_hand), int(table.turn), _IMAGINED)
        unseen = _unseen_cards(table, partner_hand)
        places = drawn_at(table, seat)
        for sample in range(len(decks)):
            chosen, taken = _draw_hand(table, seat, unseen, streams)
            deck, hand = decks[sample, game], hands[sample, game]
            deck[:] = states[game].deck
            for slot in range(MAX_HAND):
                hand[slot] = NO_CARD
                if chosen[slot] != _NOWHERE:
                    hand[slot] = unseen[chosen[slot]]
                    deck[places[slot]] = hand[slot]
            _fill_undrawn(deck, int(table.deck_left), unseen, taken)


@njit(cache=True, nogil=True)
def _unseen_cards(table: np.record, partner_hand: np.ndarray) -> np.ndarray:
    """Return the cards that are neither on the table nor in the partner's hand, ascending."""
    unseen = np.empty(MAX_CARDS, np.uint8)
    count = 0
    for card in range(int(table.colours) * int(table.ranks)):
        copies = 0
        for copy in range(3):
            copies += int(table.left[copy]) >> card & 1
        for slot in range(MAX_HAND):
            copies -= int(int(partner_hand[slot]) == card)
        for _ in range(copies):
            unseen[count] = card
            count += 1
    return unseen[:count]


@njit(cache=True, nogil=True)
def drawn_at(table: np.record, seat: int) -> np.ndarray:
    """Return for each slot of a player where in the deck its card came from."""
    places = np.arange(seat * MAX_HAND, (seat + 1) * MAX_HAND)
    next_card = _DEALT
    for turn in range(int(table.turn)):
        if int(table.actions[turn]) < COLOUR_HINT:
            for slot in range(MAX_HAND):
                if turn % 2 == seat and int(table.touched[turn]) >> slot & 1:
                    places[slot] = next_card
            next_card += 1
    return places


@njit(cache=True, nogil=True)
def _draw_hand(
    table: np.record, seat: int, unseen: np.ndarray, streams: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return for each slot which of the unseen cards it holds, or ``_NOWHERE``; and their set.

    Each slot draws from what its hints allow; as long as two slots draw the same copy, all draw
    again. So every hand that is possible is equally likely.
    """
    held = int(table.hand_length[seat])
    allowed = np.empty((MAX_HAND, MAX_CARDS), np.int64)
    counts = np.zeros(MAX_HAND, np.int64)
    for position in range(held):
        slot = int(table.order[seat, position])
        plausible = plausible_cards(table, seat, slot)
        for index in range(len(unseen)):
            if plausible >> int(unseen[index]) & 1:
                allowed[slot, counts[slot]] = index
                counts[slot] += 1
    chosen = np.full(MAX_HAND, _NOWHERE)
    while True:
        taken, clash = 0, False
        for slot in range(MAX_HAND):
            if counts[slot]:
                chosen[slot] = allowed[slot, next_below(streams, 0, counts[slot])]
                clash |= (taken >> chosen[slot] & 1) == 1
                taken |= 1 << chosen[slot]
        if not clash:
            return chosen, taken


@njit(cache=True, nogil=True)
def _fill_undrawn(deck: np.ndarray, left: int, unseen: np.ndarray, taken: int) -> None:
    """Put the unseen cards that are in no hand, ascending, where the deck is not drawn yet."""
    place = MAX_CARDS - left
    for index in range(len(unseen)):
        if not taken >> index & 1:
            deck[place] = unseen[index]
            place += 1
