"""Beliefs that the page shows: about the agent, and about the person.

They are those of :mod:`hoad.bayes.moves`: the likelihood of all moves under each agent of a
pool, and one more hypothesis, a stranger that is none of them. :mod:`.room` puts them into the
messages to the page.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from hoad.agents.agent import CompiledAgent
from hoad.agents.registry import agent_names, get_agent
from hoad.bayes.belief import normalised
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.moves import NOISE, SAMPLES, log_evidence
from hoad.game.log import GameLogs
from hoad.game.rules import apply_all, deal_all
from hoad.game.state import full_game

STRANGER = "none of these"
"""The name of the hypothesis that the moves are those of no agent of the pool."""


@cache
def pool() -> tuple[CompiledAgent, ...]:
    """Return the hypotheses: all fair agents with a plain name that are compiled."""
    agents = (get_agent(name) for name in agent_names() if name != "rainbow")
    return tuple(a for a in agents if isinstance(a, CompiledAgent) and a.fair)


def pool_names() -> list[str]:
    """Return the names of the hypotheses, the stranger last."""
    return [*(agent.name for agent in pool()), STRANGER]


class BeliefInPartner:
    """What a player believes of its partner, after each turn of one game.

    Nothing that is hidden from the player in ``seat`` is read: its own cards are imagined. The deck
    is uint8, shape ``(50,)``.

    Attributes:
        beliefs: by turn, from the deal on: probabilities of the hypotheses, the stranger last;
            none before :meth:`follow` is called, which loads the hypotheses.
    """

    def __init__(self, seat: int, deck: np.ndarray) -> None:
        self._seat = seat
        self._states = full_game(2).new_states(1)
        deal_all(self._states, deck[None])
        self._evidence = np.zeros((1, 0))
        self.beliefs: list[np.ndarray] = []

    def follow(self, actions: Sequence[int]) -> None:
        """Go on to the turn after these actions, which are all of the game so far."""
        hypotheses = Hypotheses(pool())
        if not self.beliefs:
            self._evidence = np.zeros((1, hypotheses.size + 1))
            self.beliefs.append(normalised(self._evidence)[0])
        for action in actions[len(self.beliefs) - 1 :]:
            moves = np.array([action], np.uint8)
            if self._states["table"]["current"][0] != self._seat:
                unlikely = np.zeros((1, hypotheses.size), np.bool_)
                weights = hypotheses.weights_of_moves(
                    self._states, moves, self._seat, SAMPLES, unlikely
                )
                self._evidence += log_evidence(weights, NOISE)
            apply_all(self._states, moves)
            self.beliefs.append(normalised(self._evidence)[0])


def belief_by_game(logs: GameLogs, seats: Sequence[int]) -> list[np.ndarray]:
    """Return what legal games show of the player in these seats, after each of them.

    By game, probabilities of the hypotheses, the stranger last. All cards are known once a game is
    over.
    """
    hypotheses, beliefs = Hypotheses(pool()), []
    evidence = np.zeros((1, hypotheses.size + 1))
    none = np.zeros((1, hypotheses.size), np.bool_)
    for game, seat in enumerate(seats):
        alone = logs.select(np.array([game]))
        weights = hypotheses.weights_in_games(alone, 1 - seat, None, none)
        evidence += log_evidence(weights[seat::2], NOISE).sum(0)
        beliefs.append(normalised(evidence)[0])
    return beliefs
