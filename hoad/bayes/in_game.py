"""Agents that update their belief about the partner during a game, and their meta-agents.

What they know of the partner at the deal is what earlier games with it have shown.
"""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.matchups import Matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.pool import agents_of
from hoad.bayes.response import Response

_FLOAT_BYTES: Final = 8


class InGameBelief(PartnerBelief):
    """A belief after whole games, from which an :class:`InGameAgent` goes on during the next.

    Attributes:
        knowledge: the agent's, float64, shape ``(episodes, numbers)``.
    """

    knowledge: np.ndarray


class InGameAgent(Agent):
    """Makes the move of the response with the best expected score under its belief.

    Its memory holds what it knows of its partner, float64, ``numbers`` for each game, and the
    memory of each response. What earlier games with the partner have shown may be written into its
    memory at the deal.
    """

    def __init__(self, name: str, matchups: Matchups, numbers: int, response: Response) -> None:
        self.name = name
        self.matchups = matchups
        self.responses = agents_of(matchups.responses)
        self.hypotheses = agents_of(matchups.hypotheses)
        self.response = response
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
    def new_belief(self) -> InGameBelief:
        """Return what it believes after whole games."""

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
        chosen = self.response.choose(self.beliefs(batch.memory), batch.seat)
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


class InGameMetaAgent(MetaAgent):
    """The meta-agent that plays as an agent which updates its belief during a game.

    In each game, its belief starts from all that finished games have shown.
    """

    belief: InGameBelief

    def __init__(self, agent: InGameAgent, partner: int | None = None) -> None:
        super().__init__(agent.name, agent.matchups, agent.new_belief(), agent.response, partner)
        self._agent = agent

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._agent] * len(super().agents(game, seat))

    def memory(self, game: int, seat: int) -> np.ndarray:
        return self._agent.memory_with(self.belief.knowledge)
