"""Games in lockstep of a learner with a partner or with itself; each waits for its move."""

from typing import Any, Final, Literal

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    FUNCTIONS,
    PARAMETERS,
    STATES,
    Agent,
    Batch,
    CompiledAgent,
    describe_action,
    new_view,
    sample,
    see,
)
from hoad.agents.games import first_illegal, is_legal
from hoad.agents.registry import get_fair_agent
from hoad.core.errors import HoadError, refuse_outside
from hoad.game.deck import shuffled_deck
from hoad.game.moves import MOVES
from hoad.game.observation import OBSERVATION_BITS, encode, observation_bytes
from hoad.game.rules import apply, apply_all, deal_deck, legal_moves
from hoad.game.state import full_game
from hoad.game.stream import start_stream

_LEGAL: Final = -1

# The types that the compiled functions take: of the agent its parameters, its memory of each game
# and room for the hands that it sees; of the games their states and its seat in each.
_AGENT: Final = types.Tuple((PARAMETERS, BYTE_ROWS, BYTE_ROWS))
_GAMES: Final = types.Tuple((STATES, BYTES))
_STREAMS: Final = types.Array(types.uint64, 1, "C")


class PartnerSeats:
    """An agent that plays one seat of each of many games.

    Compiled agents move in compiled code, all others a batch at a time.

    Attributes:
        seats: its seat in each game, uint8, shape ``(games,)``.
        streams: its random numbers in each game, uint64, shape ``(games,)``.
        memory: what it remembers of each game, uint8, shape ``(games, bytes)``.

    Raises:
        HoadError: there is no agent of this name, or it sees its own hand.
    """

    def __init__(self, agent: str | Agent, games: int) -> None:
        self.agent = get_fair_agent(agent) if isinstance(agent, str) else agent
        if not self.agent.fair:
            raise HoadError(f"agent {self.agent.name} sees its own hand; choose a fair agent")
        self.seats = np.zeros(games, np.uint8)
        self.streams = np.zeros(games, np.uint64)
        self.memory = self.agent.new_memory(games)

    def observe(self, states: np.ndarray, actions: np.ndarray) -> None:
        """Observe the learner's ``actions`` (uint8), before these are carried out.

        Games that are over are left out: an illegal action has ended them, or they ended before.
        """
        # Of several games, such an agent is told from the deal on whenever it is to move.
        is_told = self.agent.one_game_at_a_time and len(self.seats) == 1
        if not (self.memory.shape[1] or is_told):
            return
        if isinstance(self.agent, CompiledAgent):
            games = states, self.seats
            _observe(self.agent.functions[1], self._compiled(self.agent), games, actions)
            return
        for seat in range(2):
            rows = np.flatnonzero((self.seats == seat) & (states["table"]["over"] == 0))
            self._observe_rows(states[rows], seat, rows, actions[rows])

    def move(self, states: np.ndarray) -> None:
        """Move in each game in which it is the partner's turn.

        Raises:
            HoadError: the agent made an illegal move.
        """
        agent = self.agent
        if isinstance(agent, CompiledAgent):
            games, compiled = (states, self.seats), self._compiled(agent)
            self._check(_move(*agent.functions, compiled, games, self.streams))
            return
        table = states["table"]
        due = (table["over"] == 0) & (table["current"] == self.seats)
        for seat in range(2):
            rows = np.flatnonzero(due & (self.seats == seat))
            if len(rows):
                states[rows] = self._move_rows(states[rows], seat, rows)

    def _move_rows(self, states: np.ndarray, seat: int, rows: np.ndarray) -> np.ndarray:
        batch = Batch(states, seat, self.memory[rows], self.streams[rows])
        actions = self.agent.act(batch)
        self.memory[rows], self.streams[rows] = batch.memory, batch.streams
        self._check(first_illegal(states, actions))
        self._observe_rows(states, seat, rows, actions)
        apply_all(states, actions)
        return states

    def _observe_rows(
        self, states: np.ndarray, seat: int, rows: np.ndarray, actions: np.ndarray
    ) -> None:
        memory = self.memory[rows]
        self.agent.observe(states, seat, memory, actions)
        self.memory[rows] = memory

    def _compiled(self, agent: CompiledAgent) -> tuple[np.ndarray, ...]:
        return agent.parameters, self.memory, new_view()

    def _check(self, illegal: int) -> None:
        if illegal != _LEGAL:
            raise HoadError(f"agent {self.agent.name}: illegal move; it cannot be a partner")


@njit(types.int64(*FUNCTIONS, _AGENT, _GAMES, _STREAMS), cache=True, nogil=True)
def _move(
    choose: Any,
    observe: Any,
    agent: tuple[np.ndarray, ...],
    games: tuple[np.ndarray, ...],
    streams: np.ndarray,
) -> int:
    """Move where it is the agent's turn; return the first game with an illegal move, or -1."""
    (parameters, memory, hands), (states, seats) = agent, games
    weights = np.zeros(MOVES)
    for game in range(len(states)):
        state, me = states[game], int(seats[game])
        table = state.table
        if table.over or table.current != me:
            continue
        see(state, me, hands)
        move = choose(parameters, table, hands, me, memory[game], weights)
        if move < 0:
            move = sample(weights, streams, game)
        event = describe_action(state, move)
        if not is_legal(table, event):
            return game
        observe(parameters, table, hands, me, memory[game], event)
        apply(state, move)
    return _LEGAL


@njit(types.void(FUNCTIONS[1], _AGENT, _GAMES, BYTES), cache=True, nogil=True)
def _observe(
    observe: Any,
    agent: tuple[np.ndarray, ...],
    games: tuple[np.ndarray, ...],
    actions: np.ndarray,
) -> None:
    """Let the agent observe an action of the learner in each game that is not over."""
    (parameters, memory, hands), (states, seats) = agent, games
    for game in range(len(states)):
        state, me = states[game], int(seats[game])
        if not state.table.over:
            see(state, me, hands)
            event = describe_action(state, int(actions[game]))
            observe(parameters, state.table, hands, me, memory[game], event)


Score = Literal["strict", "lenient"]

ILLEGAL_RETURN: Final = -1.0
"""The sum of the rewards of a game that an illegal action of the learner ends."""

_BY_TURNS: Final = -1


def random_seed() -> int:
    """Return a random seed, 0 to 2**63 - 1, for games that were given none."""
    return int(np.random.default_rng().integers(2**63))


class LearnerGames:
    """Games of two players between a learner and a partner, in lockstep.

    Without a partner the learner plays both seats: each step is one move of the game.

    Game ``i`` of a run depends on (seed, i), on the partner and on the learner's actions alone: it
    is the game that :func:`hoad.agents.games.play` plays with the same moves. The learner moves
    first in games with even numbers, unless ``seat`` is given. A game that has ended is followed,
    in its place, by the next game of the run.

    The rewards of a game sum to its score, strict (0 after the loss of the last life) or lenient.
    The reward of an action includes what the partner's next move changes. An illegal action ends
    its game, and the rewards of that game sum to ``ILLEGAL_RETURN``.

    Args:
        partner: an agent, or its name; None for self-play.
        games: how many games are played at a time.
        seat: the learner's seat; None for both in turn, and in self-play.
        score: what the rewards sum to.

    Attributes:
        states: records of dtype ``STATE``, shape ``(games,)``.
        seats: the learner's seats, uint8, shape ``(games,)``; in self-play, of whoever is to move.
        packed: what the learner sees, packed, uint8, shape ``(games, 83)``.
        masks: the learner's legal actions, int8 (0 or 1), shape ``(games, 20)``; none at the end.
        rewards: of the last actions, float64, shape ``(games,)``.
        ended: whether the games are over, bool, shape ``(games,)``.

    Raises:
        HoadError: no fair agent has this name.
    """

    def __init__(
        self,
        partner: str | Agent | None,
        games: int,
        seat: int | None = None,
        score: Score = "strict",
    ) -> None:
        if games < 1 or seat not in (None, 0, 1) or score not in ("strict", "lenient"):
            raise HoadError(
                f"environment: games={games!r}, seat={seat!r}, score={score!r}: expected at least "
                "one game, seat 0, 1 or None, and score 'strict' or 'lenient'"
            )
        if partner is None and seat is not None:
            raise HoadError(f"environment: seat={seat} in self-play, where the learner has both")
        variant = full_game(2)
        self.states = variant.new_states(games)
        self.packed = np.empty((games, observation_bytes(variant)), np.uint8)
        self.masks = np.zeros((games, MOVES), np.int8)
        self.rewards = np.zeros(games)
        self.ended = np.ones(games, np.bool_)
        self.seats = np.zeros(games, np.uint8)
        self._partner = None if partner is None else PartnerSeats(partner, games)
        self._streams = self._partner.streams if self._partner else np.zeros(games, np.uint64)
        self._scores = np.zeros(games, np.int64)  # the return so far
        self._legal = np.zeros(games, np.bool_)
        self._everywhere = np.ones(games, np.bool_)
        self._first_seat = 0 if partner is None else _BY_TURNS if seat is None else seat
        self._strict = score == "strict"
        self._run = variant.full_deck(), random_seed(), np.zeros(1, np.int64)  # and its next game

    def restart(self, seed: int | None = None) -> None:
        """Begin the next games of the run, or game 0 and so on of the run with this seed.

        Before any seed is given, the run has a random one.

        Raises:
            HoadError: the seed is not in 0 to 2**63 - 1.
        """
        deck, _, number = self._run
        if seed is not None:
            refuse_outside("seed", seed, 0, 2**63 - 1)
            number[0] = 0
            self._run = deck, seed, number
        self.ended[:] = True
        self.renew()

    def renew(self) -> None:
        """Begin the next game where one has ended; the partner opens where it moves first."""
        begun = self.ended.copy()
        _deal(self.states, begun, self.seats, self._streams, self._first_seat, self._run)
        if self._partner:
            self._partner.seats[:] = 1 - self.seats
            self._partner.memory[begun] = 0
            self._partner.move(self.states)
        self._scores[begun] = 0
        self.ended[:] = False
        _look(self.states, begun, self.seats, self.packed, self.masks)

    def step(self, actions: np.ndarray) -> None:
        """Carry out the learner's action in each game, then the partner's.

        Ended games stay ended, with a reward of 0.

        Args:
            actions: move ids, shape ``(games,)``.

        Raises:
            HoadError: the shape is another, or the partner made an illegal move.
        """
        if np.shape(actions) != self.ended.shape:
            shape = np.shape(actions)
            raise HoadError(f"actions: shape {shape}, expected {self.ended.shape}, one a game")
        moves = np.asarray(actions, np.int64)
        _stop_illegal(self.states, self.masks, moves, self._legal)
        if self._partner:
            self._partner.observe(self.states, moves.astype(np.uint8))
        _carry_out(self.states, moves)
        if self._partner:
            self._partner.move(self.states)
        else:
            self.seats[:] = self.states["table"]["current"]
        settled = self._scores, self.rewards, self.ended
        _settle(self.states, self._legal, self._strict, *settled)
        _look(self.states, self._everywhere, self.seats, self.packed, self.masks)

    def observations(self) -> np.ndarray:
        """Return what the learner sees, 0 or 1, uint8, shape ``(games, 658)``."""
        return np.unpackbits(self.packed, axis=1, count=OBSERVATION_BITS)


@njit(cache=True, nogil=True)
def _deal(
    states: np.ndarray,
    begun: np.ndarray,
    learners: np.ndarray,
    streams: np.ndarray,
    seat: int,
    run: tuple[np.ndarray, int, np.ndarray],
) -> None:
    """Deal the next game of the run in the places of ``begun``."""
    full_deck, seed, number = run
    for place in range(len(states)):
        if begun[place]:
            game = number[0]
            number[0] += 1
            learner = game % 2 if seat == _BY_TURNS else seat
            learners[place] = learner
            streams[place] = start_stream(seed, game, 1 - learner)
            deal_deck(states[place], shuffled_deck(full_deck, seed, game))


@njit(cache=True, nogil=True)
def _stop_illegal(
    states: np.ndarray, masks: np.ndarray, actions: np.ndarray, legal: np.ndarray
) -> None:
    """End games after an illegal action; write which actions are legal."""
    for place in range(len(states)):
        action = int(actions[place])
        legal[place] = 0 <= action < MOVES and masks[place, action] == 1
        if not legal[place]:
            states[place].table.over = 1


@njit(cache=True, nogil=True)
def _carry_out(states: np.ndarray, actions: np.ndarray) -> None:
    for place in range(len(states)):
        if not states[place].table.over:
            apply(states[place], int(actions[place]))


@njit(cache=True, nogil=True)
def _settle(
    states: np.ndarray,
    legal: np.ndarray,
    strict: bool,
    scores: np.ndarray,
    rewards: np.ndarray,
    ended: np.ndarray,
) -> None:
    """Write by how much each return changes, and which games are over; then it changes no more."""
    for place in range(len(states)):
        if ended[place]:
            rewards[place] = 0
            continue
        table = states[place].table
        score = 0 if strict and table.lives == 0 else int(table.score)
        rewards[place] = (score if legal[place] else ILLEGAL_RETURN) - scores[place]
        scores[place] = score
        ended[place] = table.over != 0


@njit(cache=True, nogil=True)
def _look(
    states: np.ndarray,
    places: np.ndarray,
    learners: np.ndarray,
    packed: np.ndarray,
    masks: np.ndarray,
) -> None:
    """Write what the learner sees in some places, and its legal actions."""
    for place in range(len(states)):
        if places[place]:
            state = states[place]
            encode(state.table, state.hands, int(learners[place]), packed[place])
            legal = legal_moves(state.table, state.hands)
            for move in range(MOVES):
                masks[place, move] = legal >> move & 1
