"""Whole games between two agents of the full game, or of three to five rule lists.

Game ``i`` of a seeded run depends on (seed, i) and on the agents alone: its deck on (seed, i), the
random moves of a seat on (seed, i, seat). So agents that are compared on the same games meet the
same chance, and no result depends on the number of threads.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, Final

import numpy as np
from numba import from_dtype, njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    FUNCTIONS,
    MAX_MEMORY,
    MOVES,
    PARAMETERS,
    STATES,
    Agent,
    Batch,
    CompiledAgent,
    Event,
    describe_action,
    new_view,
    refuse_other_moves,
    sample,
    see,
)
from hoad.agents.rules.rule_list import RuleList
from hoad.agents.rules.several_partners import choose_with_several, rules_for_several
from hoad.core.errors import HoadError, refuse_outside
from hoad.game.deck import start_game
from hoad.game.log import GameLogs, join_logs, logs_of_states
from hoad.game.moves import COLOUR_HINT, PLAY
from hoad.game.rules import apply, apply_all
from hoad.game.state import MAX_HAND, MAX_MOVES, MAX_PLAYERS, MAX_TURNS, NO_CARD, full_game, signed

_BLOCK: Final = 2_048
_LOCKSTEP_BLOCK: Final = 4_096
_LEGAL: Final = -1

_ROOM: Final = np.dtype(
    (
        np.record,
        [
            ("weights", "f8", MOVES),
            ("hands", "u1", (2, MAX_PLAYERS, MAX_HAND)),
            ("memory", "u1", (2, MAX_MEMORY)),
        ],
    )
)
"""Room for what both agents are called with, by seat.

It is a record because compiled code counts references to arrays, in every function that an agent
calls with them, which takes a third of a game's time. It counts none to the fields of a record.
"""

# The types of what _play_games takes: of each agent its functions, and its parameters, observer and
# bytes of memory; of the games a state, the full deck, the seed, the numbers and room; the logs.
_SEAT: Final = types.Tuple((PARAMETERS, types.int64, types.int64))
_ROOMS: Final = types.Array(from_dtype(_ROOM), 1, "C")
_GAMES: Final = types.Tuple((STATES, BYTES, types.int64, PARAMETERS, _ROOMS))
_LOGS: Final = types.Tuple((BYTE_ROWS, BYTES, PARAMETERS))


def play(
    seats: Sequence[Agent], games: int, seed: int, first_game: int = 0, threads: int = 1
) -> GameLogs:
    """Play ``games`` games from number ``first_game`` on (see :func:`play_numbered`)."""
    refuse_outside("games", games, 0)
    refuse_outside("first_game", first_game, 0, 2**62)
    return play_numbered(seats, np.arange(first_game, first_game + games), seed, threads)


def play_numbered(
    seats: Sequence[Agent],
    numbers: np.ndarray,
    seed: int,
    threads: int = 1,
    memory: Sequence[np.ndarray | None] = (None, None),
) -> GameLogs:
    """Play the games with these numbers of the run with this seed, in this order.

    Args:
        seats: the agents, two or up to five; the first one moves first.
        numbers: non-negative ints, shape ``(games,)``.
        seed: seed of the run, 0 to 2**63 - 1.
        threads: threads for compiled agents; the games do not depend on it.
        memory: of two agents, what each remembers at the deal, uint8, shape ``(games, bytes)``;
            None for what :meth:`Agent.new_memory` returns. Rule lists remember nothing.

    Raises:
        HoadError: there are not 2 to 5 agents, or one of them made an illegal move; or there are
            more than two and one of them plays the two-player game only; or seed or threads are
            out of range.
    """
    check_players(seats)
    refuse_outside("seed", seed, 0, 2**63 - 1)
    refuse_outside("threads", threads, 1)
    numbers = np.ascontiguousarray(numbers, np.int64)
    seats = [agent.in_seat(seat) for seat, agent in enumerate(seats)]
    compiled = [agent for agent in seats if isinstance(agent, CompiledAgent)]
    all_compiled = len(compiled) == len(seats) and all(known is None for known in memory)
    size = _BLOCK if all_compiled else _LOCKSTEP_BLOCK
    live = next((agent for agent in seats if agent.one_game_at_a_time), None)
    if live:
        size = 1

    def play_block(start: int) -> GameLogs:
        block = slice(start, start + size)
        if len(seats) > 2:
            return play_larger_games(seats, numbers[block], seed)
        if all_compiled:
            return _play_compiled(compiled, numbers[block], seed)
        known = [rows if rows is None else rows[block] for rows in memory]
        with live.playing() if live else nullcontext():
            return _play_lockstep(seats, numbers[block], seed, known)

    starts = range(0, max(len(numbers), 1), size)
    if threads == 1 or not all_compiled or len(starts) < 2:
        return join_logs([play_block(start) for start in starts])
    with ThreadPoolExecutor(threads) as pool:
        return join_logs(list(pool.map(play_block, starts)))


def check_players(seats: Sequence[Agent]) -> None:
    """Raise a HoadError unless there are 2 to 5 agents, which all play with so many players."""
    if not 2 <= len(seats) <= MAX_PLAYERS:
        raise HoadError(f"{len(seats)} agents at the table; Hanabi has 2 to {MAX_PLAYERS} players")
    for agent in seats:
        if not isinstance(agent, Agent):
            raise HoadError(f"{agent!r} is no agent; get one by its name, with get_agent")
    if len(seats) > 2:
        rules_by_seat(seats)


def _play_compiled(seats: Sequence[CompiledAgent], numbers: np.ndarray, seed: int) -> GameLogs:
    games = len(numbers)
    decks, actions = np.empty((games, 50), np.uint8), np.empty(games * MAX_TURNS, np.uint8)
    offsets = np.zeros(games + 1, np.int64)
    room = np.zeros(1, _ROOM)
    of_games = full_game(2).new_states(1), full_game(2).full_deck(), seed, numbers, room
    agents = *_seated(seats[0], 0), *_seated(seats[1], 1)
    illegal = _play_games(*agents, of_games, (decks, actions, offsets))
    if illegal != _LEGAL:
        turn = int(offsets[illegal + 1] - offsets[illegal])
        _refuse(seats[turn % 2], int(numbers[illegal]), turn)
    return GameLogs(2, decks, actions[: offsets[-1]].copy(), offsets)


def _seated(agent: CompiledAgent, seat: int) -> tuple[Any, Any, tuple[Any, ...]]:
    """Return the arguments of :func:`_play_games` for one agent.

    Functions are passed as numba makes them: it calls them faster than :attr:`agent.functions`, and
    takes longer once for each block of games.
    """
    agent.compile()
    seen = agent.parameters, agent.observer(seat), agent.memory_size
    return agent.choose, agent.observe_one, seen


def _refuse(agent: Agent, game: int, turn: int) -> None:
    raise HoadError(
        f"agent {agent.name}: illegal move in game {game}, turn {turn}; "
        "an agent may give weight to legal moves only"
    )


@njit(cache=True, nogil=True)
def is_legal(table: np.record, event: Event) -> bool:
    """Return whether the player to move may do so."""
    if event.action >= COLOUR_HINT:
        return table.tokens > 0 and event.touched != 0
    held = event.action % PLAY < int(table.hand_length[int(table.current)])
    return held and (event.action >= PLAY or table.tokens < table.max_tokens)


@njit(types.int64(*FUNCTIONS, _SEAT, *FUNCTIONS, _SEAT, _GAMES, _LOGS), cache=True, nogil=True)
def _play_games(
    choose_0: Any,
    observe_0: Any,
    seat_0: tuple[Any, ...],
    choose_1: Any,
    observe_1: Any,
    seat_1: tuple[Any, ...],
    games: tuple[Any, ...],
    logs: tuple[np.ndarray, ...],
) -> int:
    """Fill the logs: decks, actions, offsets; return the first game with an illegal move, or -1."""
    (parameters_0, observer_0, size_0), (parameters_1, observer_1, size_1) = seat_0, seat_1
    (states, full_deck, seed, numbers, rooms), (decks, actions, offsets) = games, logs
    state, table, room = states[0], states[0].table, rooms[0]
    hands_0, hands_1 = room.hands[0], room.hands[1]
    memory_0, memory_1 = room.memory[0, :size_0], room.memory[1, :size_1]
    weights, streams = room.weights[:], np.zeros(2, np.uint64)
    end = 0
    for game in range(len(decks)):
        start_game(state, full_deck, streams, seed, numbers[game])
        for position in range(len(state.deck)):  # numba takes seconds to compile a copy of a row
            decks[game, position] = state.deck[position]
        memory_0[:] = 0
        memory_1[:] = 0
        see(state, observer_0, hands_0)
        see(state, observer_1, hands_1)
        while not table.over:
            if table.current == 0:
                move = choose_0(parameters_0, table, hands_0, 0, memory_0, weights)
            else:
                move = choose_1(parameters_1, table, hands_1, 1, memory_1, weights)
            if move < 0:
                move = sample(weights, streams, int(table.current))
            event = describe_action(state, move)
            if not is_legal(table, event):
                offsets[game + 1] = end
                return game
            observe_0(parameters_0, table, hands_0, 0, memory_0, event)
            observe_1(parameters_1, table, hands_1, 1, memory_1, event)
            actor = int(table.current)
            apply(state, move)
            if event.card != NO_CARD:  # the hand of the actor has changed
                for slot in range(MAX_HAND):
                    if observer_0 != actor:
                        hands_0[actor, slot] = state.hands[actor, slot]
                    if observer_1 != actor:
                        hands_1[actor, slot] = state.hands[actor, slot]
            actions[end] = move
            end += 1
        offsets[game + 1] = end
    return _LEGAL


def _play_lockstep(
    seats: Sequence[Agent], numbers: np.ndarray, seed: int, known: Sequence[np.ndarray | None]
) -> GameLogs:
    games = len(numbers)
    states = full_game(2).new_states(games)
    streams = np.zeros((games, 2), np.uint64)
    _start_games(states, full_game(2).full_deck(), streams, seed, numbers)
    memory = [
        agent.new_memory(games) if rows is None else rows.copy()
        for agent, rows in zip(seats, known, strict=True)
    ]
    running, turn = np.arange(games), 0
    while len(running):
        seat = turn % 2
        now = states[running]
        batch = Batch(now, seat, memory[seat][running], streams[running, seat])
        moves = seats[seat].act(batch)
        refuse_other_moves(seats[seat].name, moves, len(running))
        illegal = first_illegal(now, moves)
        if illegal != _LEGAL:
            _refuse(seats[seat], int(numbers[running[illegal]]), turn)
        streams[running, seat] = batch.streams
        for observer, agent in enumerate(seats):
            remembered = memory[observer][running]
            agent.observe(now, observer, remembered, moves)
            memory[observer][running] = remembered
        apply_all(now, moves)
        states[running] = now
        running = running[now["table"]["over"] == 0]
        turn += 1
    return logs_of_states(states)


@njit(cache=True, nogil=True)
def _start_games(
    states: np.ndarray, full_deck: np.ndarray, streams: np.ndarray, seed: int, numbers: np.ndarray
) -> None:
    for game in range(len(states)):
        start_game(states[game], full_deck, streams[game], seed, numbers[game])


@njit(cache=True, nogil=True)
def first_illegal(states: np.ndarray, moves: np.ndarray) -> int:
    """Return the first game in which its move is illegal, or -1."""
    for game in range(len(states)):
        event = describe_action(states[game], int(moves[game]))
        if not is_legal(states[game].table, event):
            return game
    return _LEGAL


def rules_by_seat(seats: Sequence[Agent]) -> list[np.ndarray]:
    """Return what the compiled code needs of the agents of 3 to 5 players.

    Raises:
        HoadError: one of them plays the two-player game only.
    """
    rules = []
    for agent in seats:
        if not isinstance(agent, RuleList):
            raise HoadError(
                f"agent {agent.name} plays the two-player game only; games of 3 to 5 players are "
                "for rule lists, such as iggi or rules:8,13,38,27"
            )
        rules.append(rules_for_several(agent.name, agent.rules))
    return rules


def play_larger_games(seats: Sequence[Agent], numbers: np.ndarray, seed: int) -> GameLogs:
    """Play games of three to five agents (see :func:`play_numbered`)."""
    by_seat = rules_by_seat(seats)
    rules, ends = np.concatenate(by_seat), np.cumsum([0, *map(len, by_seat)])
    games, variant = len(numbers), full_game(len(seats))
    decks = np.empty((games, variant.cards), np.uint8)
    actions, offsets = np.empty(games * MAX_TURNS, np.uint8), np.zeros(games + 1, np.int64)
    of_games = variant.new_states(1), variant.full_deck(), seed, numbers
    _play_larger(rules, ends, of_games, (decks, actions, offsets), new_view())
    return GameLogs(len(seats), decks, actions[: offsets[-1]].copy(), offsets)


@njit(cache=True, nogil=True)
def _play_larger(
    rules: np.ndarray, ends: np.ndarray, games: tuple, logs: tuple, hands: np.ndarray
) -> None:
    """Fill the logs: decks, actions, offsets. ``hands`` is room for what one player sees."""
    (states, full_deck, seed, numbers), (decks, actions, offsets) = games, logs
    state, table = states[0], states[0].table
    weights, streams = np.zeros(MAX_MOVES), np.zeros(len(ends) - 1, np.uint64)
    end = 0
    for game in range(len(decks)):
        start_game(state, full_deck, streams, seed, numbers[game])
        decks[game] = state.deck
        while not table.over:
            me = signed(table.current)
            see(state, me, hands)
            mine = rules[ends[me] : ends[me + 1]]
            move = choose_with_several(mine, table, hands, me, weights)
            if move < 0:
                move = sample(weights, streams, me)
            apply(state, move)
            actions[end] = move
            end += 1
        offsets[game + 1] = end
