"""Many games in lockstep: one move in each game at a time, for networks that learn.

One compiled call applies the moves, deals a new game where one ended and encodes the next
observations, so no game is replayed for its observations.
"""

import numpy as np
from numba import njit

from hoad.game.deck import shuffled_deck
from hoad.game.observation import encode, observation_bytes
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import full_game
from hoad.learning.rainbow.own_cards import write_statuses


class Lockstep:
    """Many games of two players, none of them over.

    A game that ends is followed, in its place, by the next game of the run with this seed.

    Attributes:
        states: records of dtype ``STATE``, shape ``(games,)``.
        observations: of the players to move, packed, uint8, shape ``(games, 83)``.
        legal: their legal moves, as bit sets, int64, shape ``(games,)``.
        statuses: of their own cards, oldest first, uint8, shape ``(games, 5)``.
        rewards: of the last moves, int8, shape ``(games,)``.
        ended: whether the last moves ended their games, bool, shape ``(games,)``.
    """

    def __init__(self, games: int, seed: int) -> None:
        variant = full_game(2)
        self.states = variant.new_states(games)
        self.observations = np.empty((games, observation_bytes(variant)), np.uint8)
        self.legal = np.empty(games, np.int64)
        self.statuses = np.empty((games, variant.hand_size), np.uint8)
        self.rewards = np.zeros(games, np.int8)
        self.ended = np.zeros(games, np.bool_)
        self._full_deck = variant.full_deck()
        self._seed = seed
        self._number = np.array([games])
        _begin(self.states, self._full_deck, seed)
        self.look()

    def look(self) -> None:
        """Write observations, legal moves and own cards of the players to move."""
        _look(self.states, self.observations, self.legal, self.statuses)

    def step(self, actions: np.ndarray) -> int:
        """Apply a legal move in each game; return how many games lost their last life.

        The reward of a move is the change of HLE's score: 1 for a card that is added to the
        fireworks, and minus all cards on them for the loss of the last life (Bard et al. 2020).
        """
        run = self._full_deck, self._seed, self._number
        lost = _step(self.states, actions, self.rewards, self.ended, run)
        self.look()
        return lost

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the state by name, as views; to restore it, write to them and :meth:`look`."""
        return {"states": self.states.view(np.uint8), "number": self._number}


@njit(cache=True, nogil=True)
def _begin(states: np.ndarray, full_deck: np.ndarray, seed: int) -> None:
    for game in range(len(states)):
        deal_deck(states[game], shuffled_deck(full_deck, seed, game))


@njit(cache=True, nogil=True)
def _look(
    states: np.ndarray, observations: np.ndarray, legal: np.ndarray, statuses: np.ndarray
) -> None:
    for game in range(len(states)):
        table, hands = states[game].table, states[game].hands
        encode(table, hands, int(table.current), observations[game])
        legal[game] = legal_moves(table, hands)
        write_statuses(states[game], statuses[game])


@njit(cache=True, nogil=True)
def _step(
    states: np.ndarray, actions: np.ndarray, rewards: np.ndarray, ended: np.ndarray, run: tuple
) -> int:
    """Apply the moves, deal the run's next games where games ended; return how many were lost."""
    losses, (full_deck, seed, number) = 0, run
    for game in range(len(states)):
        state = states[game]
        table = state.table
        apply(state, int(actions[game]))
        lost = table.lives == 0
        rewards[game] = -int(table.score) if lost else int(table.scored)
        ended[game] = table.over != 0
        if ended[game]:
            losses += int(lost)
            deal_deck(state, shuffled_deck(full_deck, seed, number[0]))
            number[0] += 1
    return losses
