"""A meta-agent that updates its belief during a game: ``bayes-moves``.

It weighs its hypotheses at every move of the partner, and responds to the new belief at every move
of its own.
"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.player import Support, trials_of
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.matchups import MatchUps, match_ups_of_pool
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.moves import (
    NOISE,
    SAMPLES,
    LikelihoodBelief,
    beliefs_from,
    log_evidence,
    support_evidence,
    unlikely,
)
from hoad.bayes.pool import agents_of
from hoad.bayes.response import ExpectedBest

_FLOAT_BYTES: Final = 8


class BayesMovesAgent(Agent):
    """Makes the move of the response with the best expected score under its belief.

    Its memory holds the evidence for each hypothesis, and the memory of each response. Evidence
    from earlier games with the partner may be written into its memory at the deal. ``noise`` and
    ``samples`` are as in :class:`~hoad.bayes.moves.LikelihoodBelief`.
    """

    def __init__(
        self, name: str, match_ups: MatchUps, noise: float = NOISE, samples: int = SAMPLES
    ) -> None:
        self.name = name
        self.pool = agents_of(match_ups.agents)
        self._hypotheses = Hypotheses(self.pool)
        self._response = ExpectedBest(match_ups)
        self._noise = noise
        self._samples = samples
        sizes = [_FLOAT_BYTES * (len(self.pool) + 1), *(a.memory_size for a in self.pool)]
        self._ends = np.cumsum(sizes).tolist()
        self.memory_size = self._ends[-1]
        self.plays_as = match_ups.agents

    def new_memory(self, games: int) -> np.ndarray:
        """Return the memory of an agent without evidence about its partner."""
        return self.memory_with(np.zeros((games, len(self.pool) + 1)))

    def memory_with(self, evidence: np.ndarray) -> np.ndarray:
        """Return the memory at the deal of an agent with a ``LikelihoodBelief``'s evidence."""
        memory = np.zeros((len(evidence), self.memory_size), np.uint8)
        self._write_evidence(memory, evidence)
        for index, agent in enumerate(self.pool):
            memory[:, self._part(index)] = agent.new_memory(len(evidence))
        return memory

    def beliefs(self, memory: np.ndarray) -> np.ndarray:
        """Return its beliefs in its hypotheses, float64, shape ``(games, hypotheses)``."""
        return beliefs_from(self._evidence(memory))

    def weights(self, batch: Batch) -> np.ndarray:
        chosen = self._response.choose(self.beliefs(batch.memory), batch.seat)
        weights = np.zeros((len(batch.states), MOVES))
        for index in np.unique(chosen).tolist():
            games = np.flatnonzero(chosen == index)
            memory = np.ascontiguousarray(batch.memory[games, self._part(index)])
            part = Batch(batch.states[games], batch.seat, memory)
            weights[games] = self.pool[index].weights(part)
        return weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        partners = np.flatnonzero(states["table"]["current"] != seat)
        if len(partners):
            evidence = self._evidence(memory)
            moves, rare = (states[partners], actions[partners]), unlikely(evidence[partners])
            weights = self._hypotheses.weights_of_moves(*moves, seat, self._samples, rare)
            evidence[partners] += log_evidence(weights, self._noise)
            self._write_evidence(memory, evidence)
        for index, agent in enumerate(self.pool):
            if agent.memory_size:
                remembered = np.ascontiguousarray(memory[:, self._part(index)])
                agent.observe(states, seat, remembered, actions)
                memory[:, self._part(index)] = remembered

    @property
    def identity(self) -> Hashable:
        """Its constants, and the identities of its hypotheses."""
        kind = "adaptive"  # an old name, by which games are kept
        return kind, self._noise, self._samples, *(agent.identity for agent in self.pool)

    def _part(self, index: int) -> slice:
        """Return where in the memory a response's memory lies."""
        return slice(self._ends[index], self._ends[index + 1])

    def _evidence(self, memory: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(memory[:, : self._ends[0]]).view(np.float64)

    def _write_evidence(self, memory: np.ndarray, evidence: np.ndarray) -> None:
        memory[:, : self._ends[0]] = np.ascontiguousarray(evidence).view(np.uint8)


class InGameMetaAgent(MetaAgent):
    """The meta-agent that updates its belief at every move of the partner (bayes-moves).

    After each game, its belief starts from all that finished games have shown.
    """

    belief: LikelihoodBelief

    def __init__(self, name: str, match_ups: MatchUps, partner: int | None = None) -> None:
        self._agent = BayesMovesAgent(name, match_ups)
        belief = LikelihoodBelief(self._agent.pool)
        super().__init__(name, match_ups.agents, belief, ExpectedBest(match_ups), partner)

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._agent] * len(super().agents(game, seat))

    def memory(self, game: int, seat: int) -> np.ndarray:
        return self._agent.memory_with(self.belief.evidence)


class SupportedMetaAgent(InGameMetaAgent):
    """The same, which begins each episode with the evidence of the support of its trial."""

    def __init__(
        self, name: str, support: Support, match_ups: MatchUps, partner: int | None = None
    ) -> None:
        super().__init__(name, match_ups, partner)
        self._support = support

    def begin(self, episodes: int, seed: int) -> None:
        super().begin(episodes, seed)
        hypotheses = self.belief.agents
        found = [support_evidence(hypotheses, logs) for logs in self._support.play(seed)]
        self.belief.evidence += np.array(found)[self.repetitions(episodes)]

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials)


def make_bayes_moves(pool: str) -> Agent:
    """Return the agent ``bayes-moves:POOL``, which learns about its partner during a game.

    For pool and errors see :func:`hoad.bayes.matchups.match_ups_of_pool`.
    """
    name = f"bayes-moves:{pool}"
    return BayesMovesAgent(name, match_ups_of_pool(name, pool))
