"""The agent at the table: it follows the game, and says what it thinks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.bayes.in_game import BayesMovesAgent
from hoad.bayes.moves import LikelihoodBelief
from hoad.game.moves import move_name
from hoad.game.rules import apply_all, deal_all
from hoad.game.state import MAX_IDENTITIES, full_game
from hoad.human.beliefs import card_odds
from hoad.human.position import slots_by_age
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, logs_of_records
from hoad.search.agent import SearchAgent

_NO_RESPONSES: Final = np.zeros(0, np.int64)

Report = Callable[[float], None]
"""Is called with the share of the thinking that is done, 0 to 1."""


@dataclass(frozen=True)
class Thought:
    """A move of the agent, and what it thought before.

    Attributes:
        move: its id.
        stream: the agent's random stream after the move.
        turn: the turn of the game.
        scores: for an agent that searches, the expected score of each legal move by its text, best
            first; else none.
        belief: for an agent that infers its partner (``bayes-moves``), what the person plays like:
            names and probabilities; else none.
        odds: what it believes of its own cards (see :func:`~hoad.human.beliefs.card_odds`): its
            search's belief, or the share of the copies that it does not see.
    """

    move: int
    stream: int
    turn: int
    scores: list[tuple[str, float]]
    belief: list[tuple[str, float]]
    odds: list[list[float]]


class Partner:
    """An agent in its seat in one game.

    Args:
        agent: the agent.
        seat: where it sits.
        deck: the deck of the game, uint8, shape ``(50,)``.
        earlier: games with the person before this one. An agent that infers its partner starts from
            what they show.
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

    def think(self, actions: Sequence[int], stream: int, report: Report) -> Thought:
        """Return the agent's move after these actions, which are all of the game so far.

        Raises:
            HoadError: the agent fails.
        """
        for action in actions[int(self._states["table"]["turn"][0]) :]:
            moves = np.array([action], np.uint8)
            self._agent.observe(self._states, self._seat, self._memory, moves)
            apply_all(self._states, moves)
        if isinstance(self._agent, SearchAgent):
            return self._search(self._agent, stream, report)
        batch = self.batch(stream)
        move = int(self._agent.act(batch)[0])
        odds = card_odds(self._states[0], self._seat, sees_partner=True)
        return Thought(move, int(batch.streams[0]), len(actions), [], self._belief(), odds)

    def batch(self, stream: int) -> Batch:
        """Return the game as the agent is asked about it, with its random stream."""
        return Batch(self._states.copy(), self._seat, self._memory, np.array([stream], np.uint64))

    def _belief(self) -> list[tuple[str, float]]:
        if not isinstance(self._agent, BayesMovesAgent):
            return []
        shares = self._agent.beliefs(self._memory)[0].tolist()
        return list(zip(self._agent.plays_as, shares, strict=True))

    def _search(self, agent: SearchAgent, stream: int, report: Report) -> Thought:
        found = agent.decide(self._states, self._seat, report)
        order = np.argsort(-found.scores, kind="stable")
        scores = [
            (move_name(full_game(2), int(found.moves[index])), float(found.scores[index]))
            for index in order
            if not np.isnan(found.scores[index])
        ]
        turn = int(self._states["table"]["turn"][0])
        return Thought(found.move, stream, turn, scores, [], self._odds(found.hands))

    def _odds(self, hands: np.ndarray) -> list[list[float]]:
        """Return the shares of the cards in hands, shape ``(particles, 5)``, by age."""
        if not len(hands):
            return card_odds(self._states[0], self._seat, sees_partner=True)
        return [
            (np.bincount(hands[:, slot], minlength=MAX_IDENTITIES) / len(hands)).tolist()
            for slot in slots_by_age(self._states[0]["table"], self._seat)
        ]
