"""Networks among hypotheses: what they see is encoded once for all of them, in large batches."""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from hoad.agents.views import encode_views
from hoad.game.log import GameLogs, encode_turns


@runtime_checkable
class HasProbabilities(Protocol):
    """An agent without a memory that knows how probable its network finds a move."""

    def probabilities_of(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return distributions over the legal moves, float64, shape ``(games, MOVES)``."""


def add_in_games(
    networks: Mapping[int, HasProbabilities],
    games: GameLogs,
    seat: int,
    asked: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add the probabilities of the moves of ``seat`` in whole games.

    Args:
        networks: by index of the hypothesis.
        games: legal two-player games.
        seat: where the networks sit.
        asked: which hypotheses to ask in which game, bool, shape ``(games, hypotheses)``.
        weights: where to add, float64, shape ``(turns, hypotheses)``.
    """
    turns = encode_turns(games)
    number = np.arange(len(turns.actions)) - games.offsets[turns.games]
    rows = np.flatnonzero(number % 2 == seat)
    seen = turns.observations[rows], turns.legal[rows], turns.actions[rows]
    _add(networks, seen, asked[turns.games[rows]], rows, weights)


def add_of_moves(
    networks: Mapping[int, HasProbabilities],
    states: Sequence[np.ndarray],
    actions: np.ndarray,
    seat: int,
    asked: Sequence[np.ndarray],
    weights: np.ndarray,
) -> None:
    """Add the probabilities of the moves that ``seat`` is about to make.

    Args:
        networks: as in :func:`add_in_games`.
        states: records of dtype ``STATE``, once for each hand that is imagined in these games.
        actions: the moves, shape ``(games,)``.
        seat: where the networks sit.
        asked: for each hand, as in :func:`add_in_games`.
        weights: where to add, float64, shape ``(games, hypotheses)``.
    """
    hands = len(states)
    seen = *encode_views(np.concatenate(states), seat), np.tile(actions, hands)
    rows = np.tile(np.arange(len(actions)), hands)
    _add(networks, seen, np.concatenate(asked), rows, weights)


def _add(
    networks: Mapping[int, HasProbabilities],
    seen: tuple[np.ndarray, ...],
    asked: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add what each network gives to each action, where it is asked, to these rows of weights."""
    for index, network in networks.items():
        chosen = np.flatnonzero(asked[:, index])
        observations, legal, actions = (array[chosen] for array in seen)
        probabilities = network.probabilities_of(observations, legal)
        np.add.at(weights[:, index], rows[chosen], probabilities[np.arange(len(chosen)), actions])
