"""Recorded games compared with an agent: the distribution that it gives at each decision."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    FUNCTIONS,
    MATRIX,
    MOVES,
    PARAMETERS,
    SPREAD,
    STATES,
    Agent,
    Batch,
    CompiledAgent,
    describe_action,
    new_view,
    see,
)
from hoad.agents.games import rules_by_seat
from hoad.agents.rules.several_partners import choose_with_several
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions, encode_turns, logs_of_states, refuse_other_games
from hoad.game.rules import apply, apply_all, deal_all, deal_deck
from hoad.game.state import full_game, signed

_BLOCK = 4_096

# The types of decks, actions and offsets of games, with the indices of those to follow, and of what
# follows them: parameters, seat, observer, a state, and room for the hands that are seen.
_GAMES: Final = types.Tuple((BYTE_ROWS, BYTES, PARAMETERS, PARAMETERS))
_FOLLOWER: Final = types.Tuple((PARAMETERS, types.int64, types.int64, STATES, BYTE_ROWS))


@dataclass(frozen=True)
class Decisions:
    """One row for each recorded decision of the followed seats."""

    games: np.ndarray  # index of the game, int64, shape (decisions,)
    turns: np.ndarray  # turn of the game, int64
    weights: np.ndarray  # the agent's distribution, float64, shape (decisions, moves)
    actions: np.ndarray  # the recorded moves, uint8


def follow(agent: Agent, logs: GameLogs, seats: np.ndarray) -> Iterator[Decisions]:
    """Yield the agent's distribution at every decision of the followed seats, turn by turn.

    The agent follows each game from the deal, so that its memory is what it would be in play.
    ``seats`` says which seats to follow, bool, shape ``(games, 2)``. It raises a HoadError if the
    games are not legal games of two players.
    """
    refuse_other_games(logs)
    size = 1 if agent.one_game_at_a_time else _BLOCK
    for start in range(0, len(logs), size):
        block = np.arange(start, min(start + size, len(logs)))
        for seat in range(2):
            games = block[seats[block, seat]]
            memory = agent.new_memory(len(games))
            for turn, rows, batch, actions in _replayed(agent, logs.select(games), seat, memory):
                if turn % 2 == seat:
                    turns, weights = np.full(len(rows), turn), agent.weights(batch)
                    yield Decisions(games[rows], turns, weights, actions)


def distributions(agent: Agent, logs: GameLogs, seats: np.ndarray) -> np.ndarray:
    """Return the agent's distribution at every decision of the followed seats.

    Float64, shape ``(decisions, moves)``, in the order of ``logs.actions``; ``logs`` and ``seats``
    as :func:`follow` takes them. Compiled agents are asked in compiled code. In games of several
    players the agent is a rule list; a HoadError for others.
    """
    refuse_other_games(logs, of_two=False)
    if logs.players > 2:
        [rules] = rules_by_seat([agent])
        weights = np.zeros((int(followed_turns(logs, seats).sum()), full_game(logs.players).moves))
        _weigh_with_several(rules, states_at(logs, seats), new_view(), weights)
        return weights
    if not isinstance(agent, CompiledAgent):
        return in_order(follow(agent, logs, seats), logs, seats)
    weights = np.zeros((len(logs.actions), MOVES))
    for seat in range(2):
        games = logs.decks, logs.actions, logs.offsets, np.flatnonzero(seats[:, seat])
        follower, memory = _follower(agent, seat), agent.new_memory(1)[0]
        _weigh_recorded(*agent.functions, games, follower, memory, weights)
    return weights[followed_turns(logs, seats)]


def move_probabilities(agent: Agent, logs: GameLogs, seats: Sequence[int] = (0, 1)) -> np.ndarray:
    """Return the weight that an agent gives to each recorded move of some seats.

    Float64, in the order of ``logs.actions``; 0 for moves of other seats. With both seats it is the
    likelihood of the games under the agent.

    Raises:
        HoadError: the games are not legal games of two players.
    """
    if not isinstance(agent, Agent):
        raise HoadError(f"{agent!r} is no agent; get one by its name, with get_agent")
    refuse_other_games(logs)
    followed = np.tile(np.isin(range(2), seats), (len(logs), 1))
    turns = followed_turns(logs, followed)
    weights, probabilities = distributions(agent, logs, followed), np.zeros(len(turns))
    probabilities[turns] = weights[np.arange(len(weights)), logs.actions[turns]]
    return probabilities


def in_order(decisions: Iterable[Decisions], logs: GameLogs, seats: np.ndarray) -> np.ndarray:
    """Return the weights of all decisions of the followed seats, in the order of ``logs.actions``.

    Float64, shape ``(decisions, MOVES)``; models and :func:`follow` yield them in any order.
    """
    weights = np.zeros((len(logs.actions), MOVES))
    for each in decisions:
        weights[logs.offsets[each.games] + each.turns] = each.weights
    return weights[followed_turns(logs, seats)]


def followed_turns(logs: GameLogs, seats: np.ndarray) -> np.ndarray:
    """Return for each turn, in the order of ``logs.actions``, whether its seat is followed."""
    return seats[logs.games, logs.turns % logs.players]


def turns_of_seats(logs: GameLogs, seats: np.ndarray) -> Transitions:
    """Return the turns of some seats, bool, shape ``(games, players)`` (see `encode_turns`)."""
    return encode_turns(logs).select(np.flatnonzero(followed_turns(logs, seats)))


def states_at(logs: GameLogs, seats: np.ndarray) -> np.ndarray:
    """Return the state at every decision of the followed seats.

    Records of dtype ``STATE``, shape ``(decisions,)``, in the order of ``logs.actions``. ``logs``
    are legal games of two to five players, ``seats`` bool, shape ``(games, players)``.
    """
    refuse_other_games(logs, of_two=False)
    followed = followed_turns(logs, seats)
    states = full_game(logs.players).new_states(1 + int(followed.sum()))
    _keep_states((logs.decks, logs.actions, logs.offsets), followed, states)
    return states[:-1]


def memory_at(agent: Agent, states: np.ndarray, seat: int) -> np.ndarray:
    """Return what an agent in ``seat`` remembers of games at these states, which hold their deals.

    Uint8, shape ``(games, memory_size)``. Compiled agents replay the games in compiled code.
    """
    memory = agent.new_memory(len(states))
    if not agent.memory_size:
        return memory
    if isinstance(agent, CompiledAgent):
        _remember(agent.functions[1], states, _follower(agent, seat), memory)
        return memory
    for _ in _replayed(agent, logs_of_states(states), seat, memory):
        pass  # the agent observes each turn
    return memory


def _follower(agent: CompiledAgent, seat: int) -> tuple[Any, ...]:
    states = full_game(2).new_states(1)
    return agent.parameters, seat, agent.observer(seat), states, new_view()


@njit(types.void(*FUNCTIONS, _GAMES, _FOLLOWER, BYTES, MATRIX), cache=True, nogil=True)
def _weigh_recorded(
    choose: Any,
    observe: Any,
    games: tuple[np.ndarray, ...],
    follower: tuple[Any, ...],
    memory: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Write the distribution at each decision of the follower's seat, by turn."""
    decks, actions, offsets, followed = games
    parameters, seat, observer, states, hands = follower
    state = states[0]
    for game in followed:
        deal_deck(state, decks[game])
        memory[:] = 0
        for turn in range(offsets[game], offsets[game + 1]):
            move = int(actions[turn])
            see(state, observer, hands)
            if state.table.current == seat:
                chosen = choose(parameters, state.table, hands, seat, memory, weights[turn])
                if chosen != SPREAD:
                    weights[turn, chosen] = 1.0
            observe(parameters, state.table, hands, seat, memory, describe_action(state, move))
            apply(state, move)


@njit(cache=True, nogil=True)
def _weigh_with_several(
    rules: np.ndarray, states: np.ndarray, hands: np.ndarray, weights: np.ndarray
) -> None:
    """Write the distribution of a rule list at each state; ``hands`` is room for what is seen."""
    for decision, state in enumerate(states):
        me = signed(state.table.current)
        see(state, me, hands)
        move = choose_with_several(rules, state.table, hands, me, weights[decision])
        if move != SPREAD:
            weights[decision, move] = 1.0


@njit(cache=True, nogil=True)
def _keep_states(games: tuple[np.ndarray, ...], followed: np.ndarray, states: np.ndarray) -> None:
    """Fill the first states with those of the followed turns; games are played in the last one."""
    (decks, actions, offsets), state, row = games, states[len(states) - 1], 0
    for game in range(len(decks)):
        deal_deck(state, decks[game])
        for turn in range(offsets[game], offsets[game + 1]):
            if followed[turn]:
                states[row] = states[len(states) - 1]
                row += 1
            apply(state, int(actions[turn]))


@njit(types.void(FUNCTIONS[1], STATES, _FOLLOWER, BYTE_ROWS), cache=True, nogil=True)
def _remember(
    observe: Any, states: np.ndarray, follower: tuple[Any, ...], memory: np.ndarray
) -> None:
    """Replay each game from its deal to its state in the memory of the follower."""
    parameters, seat, observer, replayed, hands = follower
    state = replayed[0]
    for game in range(len(states)):
        deal_deck(state, states[game].deck)
        for turn in range(states[game].table.turn):
            move = int(states[game].table.actions[turn])
            see(state, observer, hands)
            event = describe_action(state, move)
            observe(parameters, state.table, hands, seat, memory[game], event)
            apply(state, move)


def _replayed(
    agent: Agent, logs: GameLogs, seat: int, memory: np.ndarray
) -> Iterator[tuple[int, np.ndarray, Batch, np.ndarray]]:
    """Replay games in lockstep; yield each turn before the agent in ``seat`` observes it.

    That is the turn, the indices of the games that have it, their states, and the moves made.
    """
    states = full_game(2).new_states(len(logs))
    deal_all(states, logs.decks)
    lengths = np.diff(logs.offsets)
    for turn in range(lengths.max(initial=0)):
        running = np.flatnonzero(lengths > turn)
        now = Batch(states[running], seat, memory[running])
        actions = logs.actions[logs.offsets[running] + turn]
        yield turn, running, now, actions
        agent.observe(now.states, seat, now.memory, actions)
        apply_all(now.states, actions)
        states[running], memory[running] = now.states, now.memory
