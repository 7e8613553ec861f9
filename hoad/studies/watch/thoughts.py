"""What an agent thinks when it is to move: its moves, and its beliefs if it has any."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.bayes.hypotheses import GivesProbabilities
from hoad.bayes.in_game import BayesMovesAgent
from hoad.replay.turns import Turn
from hoad.search.agent import SearchAgent
from hoad.search.decision import Decision

T = TypeVar("T")

_LEAST = 0.005  # smaller probabilities are left out


@dataclass(frozen=True)
class Thought:
    """What an agent thinks at one of its turns; each list has the greatest value first.

    Attributes:
        moves: move ids with their probabilities.
        scores: legal moves with the mean score of a search's rollouts; empty for other agents.
        partner: names with how likely the partner plays as each; empty without such a belief.
        cards: by position, oldest card first, what the card is believed to be: card ids with
            probabilities; empty without such a belief.
    """

    moves: tuple[tuple[int, float], ...]
    scores: tuple[tuple[int, float], ...] = ()
    partner: tuple[tuple[str, float], ...] = ()
    cards: tuple[tuple[tuple[int, float], ...], ...] = ()


def thoughts_of(agent: Agent, seat: int, turns: Iterable[Turn]) -> Iterator[Thought | None]:
    """Yield what an agent in ``seat`` thinks in each turn of a game; None where it does not move.

    The agent follows the game from the deal, so that it remembers what it would in play.
    """
    agent = agent.in_seat(seat)
    memory = agent.new_memory(1)
    for turn in turns:
        moves_now = turn.player == seat and not turn.over
        yield _think(agent, Batch(turn.state, seat, memory), moves_now)
        if turn.move is not None:
            agent.observe(turn.state, seat, memory, np.array([turn.move.action], np.uint8))


def _think(agent: Agent, batch: Batch, moves_now: bool) -> Thought | None:
    if not moves_now:
        return None
    if isinstance(agent, SearchAgent):
        return _of_search(agent.decide(batch.states, batch.seat), batch)
    if isinstance(agent, GivesProbabilities):
        weights = agent.masked_probabilities(batch)[0]
    else:
        weights = agent.weights(batch)[0]
    moves = _ranked(dict(enumerate(weights.tolist())))
    if not isinstance(agent, BayesMovesAgent):
        return Thought(moves)
    names = [one.name for one in agent.pool]
    belief = agent.beliefs(batch.memory)[0].tolist()
    return Thought(moves, partner=_ranked(dict(zip(names, belief, strict=True))))


def _of_search(decision: Decision, batch: Batch) -> Thought:
    moves, means = decision.moves.tolist(), decision.scores.tolist()
    rolled_out = {m: mean for m, mean in zip(moves, means, strict=True) if not np.isnan(mean)}
    scores = tuple(sorted(rolled_out.items(), key=lambda item: -item[1]))
    table = batch.states[0]["table"]
    held = table["order"][batch.seat, : table["hand_length"][batch.seat]]
    cards = [_shares(decision.hands[:, slot]) for slot in held] if len(decision.hands) else []
    return Thought(((decision.move, 1.0),), scores, cards=tuple(cards))


def _shares(cards: np.ndarray) -> tuple[tuple[int, float], ...]:
    found, counts = np.unique(cards, return_counts=True)
    return _ranked(dict(zip(found.tolist(), (counts / len(cards)).tolist(), strict=True)))


def _ranked(values: dict[T, float]) -> tuple[tuple[T, float], ...]:
    kept = [(key, value) for key, value in values.items() if value >= _LEAST]
    return tuple(sorted(kept, key=lambda item: -item[1]))
