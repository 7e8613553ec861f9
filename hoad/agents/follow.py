"""Holding recorded moves against an agent: what weight did the agent give each of them?"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit

from hoad.agents.agent import Agent, Batch
from hoad.agents.play import apply_all
from hoad.game.log import GameLogs
from hoad.game.rules import deal
from hoad.game.state import full_game

_BLOCK = 4_096


@dataclass(frozen=True)
class Decisions:
    """One row for each recorded decision of the seats that were followed.

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

    The agent follows each game from the deal, so that it remembers what it would have.

    Args:
        agent: whom to ask.
        logs: legal two-player games (:func:`hoad.game.log.replay` checks them).
        seats: bool, shape ``(games, 2)``: which seats to follow in each game.
    """
    for start in range(0, len(logs), _BLOCK):
        block = np.arange(start, min(start + _BLOCK, len(logs)))
        for seat in range(2):
            games = block[seats[block, seat]]
            yield from _follow_seat(agent, logs, games, seat)


def _follow_seat(agent: Agent, logs: GameLogs, games: np.ndarray, seat: int) -> Iterator[Decisions]:
    states = full_game(2).new_states(len(games))
    _deal_all(states, logs.decks[games])
    memory = agent.new_memory(len(games))
    lengths = np.diff(logs.offsets)[games]
    no_streams = np.zeros(0, np.uint64)  # weights are asked for, nothing is sampled
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


@njit(cache=True, nogil=True)
def _deal_all(states: np.ndarray, decks: np.ndarray) -> None:
    for game in range(len(states)):
        states[game].deck[:] = decks[game]
        deal(states[game], 0)
