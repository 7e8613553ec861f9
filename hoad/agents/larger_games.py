"""Whole games of three to five players, which rule lists play; all other agents play with one.

As with two players, game ``i`` of a seeded run depends on (seed, i) and on the agents alone.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit

from hoad.agents.agent import Agent, new_view, sample, see
from hoad.agents.rules.rule_list import RuleList
from hoad.agents.rules.several_partners import choose_with_several, rules_for_several
from hoad.core.errors import HoadError
from hoad.game.deck import start_game
from hoad.game.log import GameLogs
from hoad.game.rules import apply
from hoad.game.state import MAX_MOVES, MAX_TURNS, full_game, signed


def rules_by_seat(seats: Sequence[Agent]) -> list[np.ndarray]:
    """Return what the compiled code needs of the agents of 3 to 5 players.

    Raises:
        HoadError: one of them plays the two-player game only.
    """
    rules = []
    for agent in seats:
        if not isinstance(agent, RuleList):
            raise HoadError(
                f"agent {agent.name} plays the two-player game only; games of 3 to 5 players are "
                "for rule lists, such as iggi or rules:8,13,38,27"
            )
        rules.append(rules_for_several(agent.name, agent.rules))
    return rules


def play_larger_games(seats: Sequence[Agent], numbers: np.ndarray, seed: int) -> GameLogs:
    """Play games of three to five agents (see :func:`hoad.agents.games.play_numbered`)."""
    by_seat = rules_by_seat(seats)
    rules, ends = np.concatenate(by_seat), np.cumsum([0, *map(len, by_seat)])
    games, variant = len(numbers), full_game(len(seats))
    decks = np.empty((games, variant.cards), np.uint8)
    actions, offsets = np.empty(games * MAX_TURNS, np.uint8), np.zeros(games + 1, np.int64)
    of_games = variant.new_states(1), variant.full_deck(), seed, numbers
    _play_games(rules, ends, of_games, (decks, actions, offsets), new_view())
    return GameLogs(len(seats), decks, actions[: offsets[-1]].copy(), offsets)


@njit(cache=True, nogil=True)
def _play_games(
    rules: np.ndarray, ends: np.ndarray, games: tuple, logs: tuple, hands: np.ndarray
) -> None:
    """Fill the logs: decks, actions, offsets. ``hands`` is room for what one player sees."""
    (states, full_deck, seed, numbers), (decks, actions, offsets) = games, logs
    state, table = states[0], states[0].table
    weights, streams = np.zeros(MAX_MOVES), np.zeros(len(ends) - 1, np.uint64)
    end = 0
    for game in range(len(decks)):
        start_game(state, full_deck, streams, seed, numbers[game])
        decks[game] = state.deck
        while not table.over:
            me = signed(table.current)
            see(state, me, hands)
            mine = rules[ends[me] : ends[me + 1]]
            move = choose_with_several(mine, table, hands, me, weights)
            if move < 0:
                move = sample(weights, streams, me)
            apply(state, move)
            actions[end] = move
            end += 1
        offsets[game + 1] = end
