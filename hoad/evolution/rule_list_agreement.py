"""Agreement of rule lists: how often they make the same move.

As in Canaan et al. 2020, section V-B, all choose a move in the same recorded states. Rules that
choose at random count here with the probability that all choose the same move.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit

from hoad.agents.agent import MOVES, new_view, see
from hoad.agents.rules.catalogue import rule_parameters
from hoad.agents.rules.rule_list import choose_by_rules
from hoad.game.log import GameLogs, refuse_other_games
from hoad.game.rules import apply, deal_deck
from hoad.game.state import MAX_TURNS, full_game, signed

_LEGAL_RANDOM = 39
"""A rule with the effect of the end of a list."""


def expected_agreement(
    chromosomes: Sequence[Sequence[int]], groups: np.ndarray, logs: GameLogs
) -> tuple[np.ndarray, np.ndarray]:
    """Return the expected number of recorded turns in which agents make the same move.

    Args:
        chromosomes: rule numbers of each agent.
        groups: agents by index, int64, shape ``(groups, members)``.
        logs: two-player games, which may be unfinished.

    Returns:
        Sums over all turns of the probability that two agents make the same move, float64, shape
        ``(agents, agents)``, and that all members of a group do, float64, shape ``(groups,)``.

    Raises:
        HoadError: a number is not in the catalogue of rules; or the games are not legal games of
            two players.
    """
    refuse_other_games(logs)
    parameters = _parameters(chromosomes)
    states, hands, row = full_game(2).new_states(1), new_view(), np.zeros(MOVES)
    weights = np.empty((MAX_TURNS * MOVES, len(chromosomes)), np.float32)
    of_pairs = np.zeros((len(chromosomes), len(chromosomes)))
    of_groups = np.zeros(len(groups))
    for game in range(len(logs)):
        actions = logs.actions_of(game)
        _weigh(states, logs.decks[game], actions, parameters, hands, row, weights)
        asked = weights[: len(actions) * MOVES]
        of_pairs += asked.T @ asked
        of_groups += asked[:, groups].prod(axis=2).sum(axis=0, dtype=np.float64)
    return of_pairs, of_groups


def _parameters(chromosomes: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the rule parameters of each agent as rows of one length, int64."""
    rows = [rule_parameters(chromosome) for chromosome in chromosomes]
    end = rule_parameters([_LEGAL_RANDOM])
    longest = max(map(len, rows), default=0) // len(end) + 1
    padded = np.tile(end, (len(rows), longest))
    for target, row in zip(padded, rows, strict=True):
        target[: len(row)] = row
    return padded


@njit(cache=True, nogil=True)
def _weigh(
    states: np.ndarray,
    deck: np.ndarray,
    actions: np.ndarray,
    parameters: np.ndarray,
    hands: np.ndarray,
    row: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Replay a game; write the weights of each agent, (turn and move, agent)."""
    state = states[0]
    table = state.table
    no_memory = np.zeros(0, np.uint8)
    weights[: len(actions) * MOVES] = 0.0
    deal_deck(state, deck)
    for turn in range(len(actions)):
        me = signed(table.current)
        see(state, me, hands)
        first = turn * MOVES
        for agent in range(len(parameters)):
            move = choose_by_rules(parameters[agent], table, hands, me, no_memory, row)
            if move >= 0:
                weights[first + move, agent] = 1.0
            else:
                weights[first : first + MOVES, agent] = row
        apply(state, int(actions[turn]))
