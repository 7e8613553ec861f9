"""Belief from action likelihood: which hypothesis would have made the partner's moves?

The future work that Canaan et al. 2022 name in section VIII. A game shows two features, but some
thirty moves, so even a partner that is none of the hypotheses looks like one of them for certain.
So there is one more hypothesis, the *stranger*, which plays each move as a random agent of the
pool: what explains the moves no better gets no belief. The belief in the stranger is shared by all
hypotheses, so the best response to it is the generalist's.
"""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from hoad.adhoc_player import Support, trials_of
from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.follow import followed_turns
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.matchups import Matchups, matchups_of_pool
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.pool import agents_of
from hoad.bayes.response import ExpectedBest, Response
from hoad.game.log import GameLogs

NOISE: Final = 0.05
"""Assumed share of random moves of a partner, above 0: one move rules no hypothesis out."""

SAMPLES: Final = 4
"""Hands imagined for one move."""

UNLIKELY: Final = 1e-4
"""Hypotheses with less belief are weighed with one imagined hand, which takes less time."""


class LikelihoodBelief(PartnerBelief):
    """Weighs hypotheses by the probability of each move that the partner made.

    Args:
        agents: the hypotheses.
        reveal: whether the meta-agent sees all of its own cards when a game is over, the table
            being laid open, or none but those that left its hand before.

    Attributes:
        asked: the hypotheses, which are asked for weights.
        evidence: sums of log-probabilities of the partner's moves, float64, shape
            ``(episodes, hypotheses + 1)``: the stranger last.
    """

    def __init__(self, agents: Sequence[Agent], reveal: bool = False) -> None:
        self.size = len(agents)
        self.asked = Hypotheses(agents)
        self._samples = None if reveal else SAMPLES
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self.evidence = np.zeros((episodes, self.size + 1))

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        weights = self.asked.weights_in_games(logs, seat, self._samples, unlikely(self.evidence))
        partners = logs.turns % 2 != seat
        np.add.at(self.evidence, logs.games[partners], log_evidence(weights[partners], NOISE))

    @property
    def probabilities(self) -> np.ndarray:
        return beliefs_from(self.evidence)


def log_evidence(weights: np.ndarray, noise: float) -> np.ndarray:
    """Return the log-probabilities of moves, shape ``(moves, hypotheses + 1)``: stranger last.

    Weights are those that each hypothesis gives to each move, shape ``(moves, hypotheses)``;
    ``noise`` is the share of moves that are any of the ``MOVES``, above 0.
    """
    all_weights = np.concatenate([weights, weights.mean(1, keepdims=True)], axis=1)
    return np.log((1 - noise) * all_weights + noise / MOVES)


def support_evidence(
    hypotheses: Hypotheses, logs: GameLogs, seats: np.ndarray | None = None
) -> np.ndarray:
    """Return the sums of log-probabilities of the moves of the partner in its games.

    Float64, ``(hypotheses + 1,)``, as ``LikelihoodBelief.evidence``; all cards are known. ``seats``
    tells where it sits, bool, shape ``(games, 2)``; None for self-play games.
    """
    none = np.zeros((len(logs), hypotheses.size), np.bool_)
    first, second = (hypotheses.weights_in_games(logs, seat, None, none) for seat in range(2))
    evidence = log_evidence(first + second, NOISE)
    if seats is not None:
        evidence = evidence[followed_turns(logs, seats)]
    return evidence.sum(0)


def beliefs_from(evidence: np.ndarray) -> np.ndarray:
    """Return the beliefs from evidence, ``(episodes, hypotheses)``, for a uniform prior.

    Evidence is sums of log-probabilities, shape ``(episodes, hypotheses + 1)``; the belief in the
    stranger is divided evenly.
    """
    beliefs = beliefs_with_stranger(evidence)
    return beliefs[:, :-1] + beliefs[:, -1:] / (evidence.shape[1] - 1)


def unlikely(evidence: np.ndarray) -> np.ndarray:
    """Return which hypotheses have less belief than `UNLIKELY`, ``(episodes, hypotheses)``."""
    return beliefs_with_stranger(evidence)[:, :-1] < UNLIKELY


def beliefs_with_stranger(evidence: np.ndarray) -> np.ndarray:
    """Return the beliefs from evidence with the stranger's last, ``(episodes, hypotheses + 1)``."""
    beliefs = np.exp(evidence - evidence.max(1, keepdims=True))
    return beliefs / beliefs.sum(1, keepdims=True)


_FLOAT_BYTES: Final = 8


class InGameAgent(Agent):
    """Makes the move of the response with the best expected score under its belief.

    Its memory holds what it knows of its partner, float64, ``numbers`` for each game, and the
    memory of each response. What earlier games with the partner have shown may be written into its
    memory at the deal.
    """

    def __init__(self, name: str, matchups: Matchups, numbers: int, response: Response) -> None:
        self.name = name
        self.responses = agents_of(matchups.responses)
        self.hypotheses = agents_of(matchups.hypotheses)
        self._response = response
        self._numbers = numbers
        sizes = [_FLOAT_BYTES * numbers, *(agent.memory_size for agent in self.responses)]
        self._ends = np.cumsum(sizes).tolist()
        self.memory_size = self._ends[-1]
        self.plays_as = matchups.responses

    @abstractmethod
    def beliefs_from(self, knowledge: np.ndarray) -> np.ndarray:
        """Return beliefs in the hypotheses, float64, shape ``(games, hypotheses)``.

        Knowledge is float64, shape ``(games, numbers)``.
        """

    @abstractmethod
    def learn(
        self, knowledge: np.ndarray, states: np.ndarray, seat: int, actions: np.ndarray
    ) -> None:
        """Update knowledge by the actions that are about to be carried out in ``states``."""

    def nothing_known(self, games: int) -> np.ndarray:
        """Return the knowledge of an agent without evidence, float64, ``(games, numbers)``."""
        return np.zeros((games, self._numbers))

    def new_memory(self, games: int) -> np.ndarray:
        """Return the memory of an agent without evidence about its partner."""
        return self.memory_with(self.nothing_known(games))

    def memory_with(self, knowledge: np.ndarray) -> np.ndarray:
        """Return the memory at the deal of an agent that knows this."""
        memory = np.zeros((len(knowledge), self.memory_size), np.uint8)
        self._write_knowledge(memory, knowledge)
        for index, agent in enumerate(self.responses):
            memory[:, self._part(index)] = agent.new_memory(len(knowledge))
        return memory

    def beliefs(self, memory: np.ndarray) -> np.ndarray:
        """Return its beliefs in its hypotheses, float64, shape ``(games, hypotheses)``."""
        return self.beliefs_from(self._knowledge(memory))

    def weights(self, batch: Batch) -> np.ndarray:
        chosen = self._response.choose(self.beliefs(batch.memory), batch.seat)
        weights = np.zeros((len(batch.states), MOVES))
        for index in np.unique(chosen).tolist():
            games = np.flatnonzero(chosen == index)
            memory = np.ascontiguousarray(batch.memory[games, self._part(index)])
            part = Batch(batch.states[games], batch.seat, memory)
            weights[games] = self.responses[index].weights(part)
        return weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        knowledge = self._knowledge(memory)
        self.learn(knowledge, states, seat, actions)
        self._write_knowledge(memory, knowledge)
        for index, agent in enumerate(self.responses):
            if agent.memory_size:
                remembered = np.ascontiguousarray(memory[:, self._part(index)])
                agent.observe(states, seat, remembered, actions)
                memory[:, self._part(index)] = remembered

    @property
    def _agents_known(self) -> list[Hashable]:
        """The identities of its hypotheses, and of other responses."""
        agents: list[Hashable] = [agent.identity for agent in self.hypotheses]
        if self.responses != self.hypotheses:
            agents += ["responses", *(agent.identity for agent in self.responses)]
        return agents

    def _part(self, index: int) -> slice:
        """Return where in the memory a response's memory lies."""
        return slice(self._ends[index], self._ends[index + 1])

    def _knowledge(self, memory: np.ndarray) -> np.ndarray:
        """Return a copy of what it knows."""
        return memory[:, : self._ends[0]].copy().view(np.float64)

    def _write_knowledge(self, memory: np.ndarray, knowledge: np.ndarray) -> None:
        memory[:, : self._ends[0]] = np.ascontiguousarray(knowledge).view(np.uint8)


class BayesMovesAgent(InGameAgent):
    """Weighs its hypotheses at every move of the partner.

    It knows the evidence of a :class:`~hoad.bayes.moves.LikelihoodBelief`.
    """

    def __init__(self, name: str, matchups: Matchups) -> None:
        numbers = len(matchups.hypotheses) + 1
        super().__init__(name, matchups, numbers, ExpectedBest(matchups))
        self._hypotheses = Hypotheses(self.hypotheses)

    def beliefs_from(self, knowledge: np.ndarray) -> np.ndarray:
        return beliefs_from(knowledge)

    def learn(
        self, knowledge: np.ndarray, states: np.ndarray, seat: int, actions: np.ndarray
    ) -> None:
        partners = np.flatnonzero(states["table"]["current"] != seat)
        if len(partners):
            rare = unlikely(knowledge[partners])
            weights = self._hypotheses.weights_of_moves(
                states[partners], actions[partners], seat, SAMPLES, rare
            )
            knowledge[partners] += log_evidence(weights, NOISE)

    @property
    def identity(self) -> Hashable:
        """Its constants, and the identities of its hypotheses and of other responses."""
        kind = "adaptive"  # kept games are found by it, so it stays
        return kind, NOISE, SAMPLES, *self._agents_known


class InGameMetaAgent(MetaAgent):
    """The meta-agent that updates its belief at every move of the partner (bayes-moves).

    After each game, its belief starts from all that finished games have shown.
    """

    belief: LikelihoodBelief

    def __init__(self, name: str, matchups: Matchups, partner: int | None = None) -> None:
        self._agent = BayesMovesAgent(name, matchups)
        belief = LikelihoodBelief(self._agent.hypotheses)
        super().__init__(name, matchups, belief, ExpectedBest(matchups), partner)

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._agent] * len(super().agents(game, seat))

    def memory(self, game: int, seat: int) -> np.ndarray:
        return self._agent.memory_with(self.belief.evidence)


class SupportedMetaAgent(InGameMetaAgent):
    """The same, which begins each episode with the evidence of the support of its trial."""

    def __init__(
        self, name: str, support: Support, matchups: Matchups, partner: int | None = None
    ) -> None:
        super().__init__(name, matchups, partner)
        self._support = support

    def begin(self, episodes: int, seed: int) -> None:
        super().begin(episodes, seed)
        asked = self.belief.asked
        evidence = [support_evidence(asked, logs) for logs in self._support.play(seed)]
        self.belief.evidence += np.array(evidence)[self.repetitions(episodes)]

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials)


def make_bayes_moves(pool: str) -> Agent:
    """Return the agent ``bayes-moves:POOL``, which learns about its partner during a game.

    For pool and errors see :func:`hoad.bayes.matchups.matchups_of_pool`.
    """
    name = f"bayes-moves:{pool}"
    return BayesMovesAgent(name, matchups_of_pool(name, pool))
