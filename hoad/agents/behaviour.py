"""Behavioural features of an agent.

Two that its partner can compute too (Canaan et al. 2022, "Generating and Adapting to Diverse Ad-Hoc
Partners in Hanabi", section IV-A):

* communicativeness: hints given / own turns that began with a hint token;
* information per play (IPP): attributes (colour, rank) known of the cards played / (2 * plays);

And one that depends on the partner's hand, which only the agent sees (Canaan et al. 2019):

* risk aversion: mean chance that a card was playable when it was played.

An attribute is known if the hints to the card leave one value only, negative hints included;
nothing is inferred from the cards seen. The chance is the share of the unseen copies that the
hints leave open (neither on the table nor in the partner's hand) that would fit. All are ratios
of sums over games, not means of ratios, and undefined (NaN) where the denominator is 0.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.features import OBSERVABLE
from hoad.agents.situation import chance, only_value, situation_of
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, PLAY
from hoad.game.rules import apply, deal_deck
from hoad.game.state import full_game

HINTS, OPPORTUNITIES, PLAYS, KNOWN, SAFETY, COUNTS = range(6)
"""Columns of :func:`count_behaviour`, and their number."""

CERTAINTY: Final = 1 << 32
"""What a certain play adds to ``SAFETY``: an integer, so that sums do not depend on the order."""

# Each feature is the first count divided by (the second count times the number).
_RATIOS: Final = {
    "communicativeness": (HINTS, OPPORTUNITIES, 1),
    "information_per_play": (KNOWN, PLAYS, 2),
    "risk_aversion": (SAFETY, PLAYS, CERTAINTY),
}


def count_behaviour(logs: GameLogs) -> np.ndarray:
    """Count what each seat did in each of some legal two-player games.

    Int64, shape ``(games, 2, COUNTS)``: hints given, own turns that began with a token, cards
    played, attributes known of the cards played, and their chances of being playable (in units of
    1 / CERTAINTY).
    """
    counts = np.zeros((len(logs), 2, COUNTS), np.int64)
    _count(full_game(2).new_states(1), (logs.decks, logs.actions, logs.offsets), counts)
    return counts


def features_of(counts: np.ndarray, features: Sequence[str] = OBSERVABLE) -> np.ndarray:
    """Return features from sums of counts, float64, shape ``(..., features)``; NaN where undefined.

    Counts are sums over games (and seats), shape ``(..., COUNTS)``.
    """
    pieces, chances, units = zip(*(_RATIOS[name] for name in features), strict=True)
    numerators = counts[..., list(pieces)].astype(np.float64)
    denominators = counts[..., list(chances)] * np.array(units, np.float64)
    undefined = np.full_like(numerators, np.nan)
    return np.divide(numerators, denominators, out=undefined, where=denominators > 0)


@njit(cache=True, nogil=True)
def _count(states: np.ndarray, games: tuple[np.ndarray, ...], counts: np.ndarray) -> None:
    state, (decks, actions, offsets) = states[0], games
    for game in range(len(decks)):
        deal_deck(state, decks[game])
        for index in range(offsets[game], offsets[game + 1]):
            action = int(actions[index])
            mine = counts[game, int(state.table.current)]
            count_turn(state.table, action, mine)
            count_safety(state.table, state.hands, action, mine)
            apply(state, action)


@njit(cache=True, nogil=True)
def count_turn(table: np.record, action: int, counts: np.ndarray) -> None:
    """Add the action that is about to be carried out to ``counts`` (int64, ``(COUNTS,)``)."""
    if table.tokens > 0:
        counts[OPPORTUNITIES] += 1
    if action >= COLOUR_HINT:
        counts[HINTS] += 1
    elif action >= PLAY:
        counts[PLAYS] += 1
        me = int(table.current)
        slot = int(table.order[me, action - PLAY])
        counts[KNOWN] += int(only_value(int(table.colour_mask[me, slot])) >= 0)
        counts[KNOWN] += int(only_value(int(table.rank_mask[me, slot])) >= 0)


@njit(cache=True, nogil=True)
def count_safety(table: np.record, hands: np.ndarray, action: int, counts: np.ndarray) -> None:
    """Add the chance that the card about to be played, if one is, is playable.

    Only the partner's row of ``hands`` (players x slots) is read.
    """
    if action < PLAY or action >= COLOUR_HINT:
        return
    me = int(table.current)
    situation = situation_of(table, hands, me)
    good, total = chance(situation, int(table.order[me, action - PLAY]), situation.playable)
    counts[SAFETY] += good * CERTAINTY // total
