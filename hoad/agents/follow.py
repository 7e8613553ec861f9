"""Recorded games compared with an agent: the weight that the agent gives to each recorded move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    CHOOSE,
    MOVES,
    OBSERVE,
    PARAMETERS,
    SPREAD,
    STATES,
    WEIGHTS,
    Agent,
    Batch,
    CompiledAgent,
    describe_action,
    new_view,
    see,
)
from hoad.game.log import GameLogs
from hoad.game.rules import apply, apply_all, deal_all, deal_deck
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


def move_probabilities(agent: Agent, logs: GameLogs, seats: Sequence[int] = (0, 1)) -> np.ndarray:
    """Return the weight that an agent gives to each recorded move of some seats.

    Float64, in the order of ``logs.actions``; 0 for moves of other seats. With both seats it is the
    likelihood of the games under the agent. Compiled agents are asked in compiled code.
    """
    found = np.zeros(len(logs.actions))
    for seat in seats:
        if isinstance(agent, CompiledAgent):
            games = logs.decks, logs.actions, logs.offsets
            seen = full_game(2).new_states(1), new_view()[0], agent.new_memory(1)[0]
            _weigh_recorded(
                agent.choose,
                agent.observe_one,
                agent.parameters,
                *games,
                *(seat, agent.observer(seat)),
                *seen,
                np.zeros(MOVES),
                found,
            )
            continue
        followed = np.zeros((len(logs), 2), np.bool_)
        followed[:, seat] = True
        for turn in follow(agent, logs, followed):
            made = turn.weights[np.arange(len(turn.actions)), turn.actions]
            found[logs.offsets[turn.games] + turn.turns] = made
    return found


def memory_at(agent: Agent, states: np.ndarray, seat: int) -> np.ndarray:
    """Return what an agent in ``seat`` remembers of games at these states, which hold their deals.

    Uint8, shape ``(games, memory_size)``. Compiled agents replay the games in compiled code.
    """
    memory = agent.new_memory(len(states))
    if not agent.memory_size:
        return memory
    if isinstance(agent, CompiledAgent):
        given = agent.observe_one, agent.parameters, states, full_game(2).new_states(1)
        _remember(*given, seat, agent.observer(seat), new_view()[0], memory)
        return memory
    now = full_game(2).new_states(len(states))
    deal_all(now, states["deck"])
    lengths = states["table"]["turn"]
    for turn in range(int(lengths.max(initial=0))):
        running = np.flatnonzero(lengths > turn)
        some, remembered = now[running], memory[running]
        actions = states["table"]["actions"][running, turn]
        agent.observe(some, seat, remembered, actions)
        apply_all(some, actions)
        now[running], memory[running] = some, remembered
    return memory


@njit(
    types.void(
        *map(types.FunctionType, (CHOOSE, OBSERVE)),
        *(PARAMETERS, BYTE_ROWS, BYTES, PARAMETERS, types.int64, types.int64),
        *(STATES, BYTE_ROWS, BYTES, WEIGHTS, WEIGHTS),
    ),
    cache=True,
    nogil=True,
)
def _weigh_recorded(
    choose: Any,
    observe: Any,
    parameters: np.ndarray,
    decks: np.ndarray,
    actions: np.ndarray,
    offsets: np.ndarray,
    seat: int,
    observer: int,
    states: np.ndarray,
    hands: np.ndarray,
    memory: np.ndarray,
    spread: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Write the weight of each recorded move of ``seat``."""
    state = states[0]
    for game in range(len(decks)):
        deal_deck(state, decks[game])
        memory[:] = 0
        for turn in range(offsets[game], offsets[game + 1]):
            move = int(actions[turn])
            see(state, observer, hands)
            if state.table.current == seat:
                spread[:] = 0.0
                chosen = choose(parameters, state.table, hands, seat, memory, spread)
                if chosen == SPREAD:
                    weights[turn] = spread[move]
                elif chosen == move:
                    weights[turn] = 1.0
            touched, card = describe_action(state, move)
            observe(parameters, state.table, hands, seat, memory, move, touched, card)
            apply(state, move)


@njit(
    types.void(
        *(types.FunctionType(OBSERVE), PARAMETERS, STATES, STATES, types.int64, types.int64),
        *(BYTE_ROWS, BYTE_ROWS),
    ),
    cache=True,
    nogil=True,
)
def _remember(
    observe: Any,
    parameters: np.ndarray,
    states: np.ndarray,
    replayed: np.ndarray,
    seat: int,
    observer: int,
    hands: np.ndarray,
    memory: np.ndarray,
) -> None:
    """Replay each game from its deal to its state in the memory of ``seat``."""
    state = replayed[0]
    for game in range(len(states)):
        deal_deck(state, states[game].deck)
        for turn in range(states[game].table.turn):
            move = int(states[game].table.actions[turn])
            see(state, observer, hands)
            touched, card = describe_action(state, move)
            observe(parameters, state.table, hands, seat, memory[game], move, touched, card)
            apply(state, move)


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
