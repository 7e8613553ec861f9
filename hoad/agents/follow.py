"""Recorded games compared with an agent: the weight that the agent gives to each recorded move."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.game.log import GameLogs
from hoad.game.rules import apply_all, deal_all
from hoad.game.state import full_game

_BLOCK = 4_096


@dataclass(frozen=True)
class Decisions:
    """One row for each recorded decision of the followed seats.

    Attributes:
        games: index of the game, int64, shape ``(decisions,)``.
        turns: turn of the game, int64.
        weights: the agent's distribution, float64, shape ``(decisions, moves)``.
        actions: the recorded moves, uint8.
    """

    games: np.ndarray
    turns: np.ndarray
    weights: np.ndarray
    actions: np.ndarray


def follow(agent: Agent, logs: GameLogs, seats: np.ndarray) -> Iterator[Decisions]:
    """Yield the agent's distribution at every decision of the followed seats, turn by turn.

    The agent follows each game from the deal, so that its memory is what it would be in play.

    Args:
        agent: the agent to ask.
        logs: legal two-player games (:func:`hoad.game.log.replay` checks them).
        seats: bool, shape ``(games, 2)``: which seats to follow in each game.
    """
    for start in range(0, len(logs), _BLOCK):
        block = np.arange(start, min(start + _BLOCK, len(logs)))
        for seat in range(2):
            games = block[seats[block, seat]]
            yield from _follow_seat(agent, logs, games, seat)


def move_probabilities(agent: Agent, logs: GameLogs) -> np.ndarray:
    """Return the weight that an agent gives to each recorded move of both seats.

    Float64, in the order of ``logs.actions``: the likelihood of the games under the agent.
    """
    found = np.zeros(len(logs.actions))
    for turn in follow(agent, logs, np.ones((len(logs), 2), np.bool_)):
        made = turn.weights[np.arange(len(turn.actions)), turn.actions]
        found[logs.offsets[turn.games] + turn.turns] = made
    return found


def _follow_seat(agent: Agent, logs: GameLogs, games: np.ndarray, seat: int) -> Iterator[Decisions]:
    states = full_game(2).new_states(len(games))
    deal_all(states, logs.decks[games])
    memory = agent.new_memory(len(games))
    lengths = np.diff(logs.offsets)[games]
    no_streams = np.zeros(0, np.uint64)  # only weights are needed: nothing is sampled
    for turn in range(lengths.max(initial=0)):
        running = np.flatnonzero(lengths > turn)
        now, remembered = states[running], memory[running]
        actions = logs.actions[logs.offsets[games[running]] + turn]
        if turn % 2 == seat:
            weights = agent.weights(Batch(now, seat, remembered, no_streams))
            yield Decisions(games[running], np.full(len(running), turn), weights, actions)
        agent.observe(now, seat, remembered, actions)
        apply_all(now, actions)
        states[running], memory[running] = now, remembered
