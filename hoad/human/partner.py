"""The agent at the table: it follows the game, and says what it thinks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.bayes.moves import BayesMovesAgent, LikelihoodBelief
from hoad.game.rules import apply_all, deal_all
from hoad.game.state import full_game
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, logs_of_records
from hoad.search.agent import SearchAgent
from hoad.studies.watch.story import Thought, thought_of, thought_of_search

_NO_RESPONSES: Final = np.zeros(0, np.int64)

Progress = Callable[[float], None]
"""Is called with the share of the thinking that is done, 0 to 1."""


@dataclass(frozen=True)
class Answer:
    """A move of the agent, and what it thought before."""

    move: int  # its id
    stream: int  # the agent's random stream after the move
    turn: int  # the turn of the game
    thought: Thought  # what it thought


class Partner:
    """An agent in its seat in one game on a deck, uint8, shape ``(50,)``.

    An agent that infers its partner starts from what ``earlier`` games with the person show.
    """

    def __init__(
        self, agent: Agent, seat: int, deck: np.ndarray, earlier: Sequence[Record] = ()
    ) -> None:
        self._agent, self._seat = agent.in_seat(seat), seat
        self._states = full_game(2).new_states(1)
        deal_all(self._states, deck[None])
        self._memory = self._agent.new_memory(1)
        if isinstance(self._agent, BayesMovesAgent):
            belief = LikelihoodBelief(self._agent.pool)
            belief.begin(1)
            for game in earlier:
                own_seat = 1 - game.players.index(PERSON)
                belief.update(logs_of_records([game], PERSON), own_seat, _NO_RESPONSES)
            self._memory = self._agent.memory_with(belief.evidence)

    def think(self, actions: Sequence[int], stream: int, progress: Progress) -> Answer:
        """Return the agent's move after these actions, all of the game; a HoadError if it fails."""
        for action in actions[int(self._states["table"]["turn"][0]) :]:
            moves = np.array([action], np.uint8)
            self._agent.observe(self._states, self._seat, self._memory, moves)
            apply_all(self._states, moves)
        batch, turn = self.batch(stream), len(actions)
        if isinstance(self._agent, SearchAgent):
            decision = self._agent.decide(self._states, self._seat, progress)
            return Answer(decision.move, stream, turn, thought_of_search(decision, batch))
        move = int(self._agent.act(batch)[0])
        return Answer(move, int(batch.streams[0]), turn, thought_of(self._agent, batch))

    def batch(self, stream: int) -> Batch:
        """Return the game as the agent is asked about it, with its random stream."""
        return Batch(self._states.copy(), self._seat, self._memory, np.array([stream], np.uint64))
