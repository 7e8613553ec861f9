"""Games in lockstep of a learner with a partner or with itself; each waits for its move."""

from typing import Final, Literal

import numpy as np
from numba import njit

from hoad.agents.agent import Agent
from hoad.core.errors import HoadError
from hoad.environments.partner import PartnerSeats
from hoad.game.deck import shuffled_deck
from hoad.game.moves import MOVES
from hoad.game.observation import encode, observation_bytes, observation_length
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import full_game
from hoad.game.stream import start_stream

Score = Literal["strict", "lenient"]

OBSERVATION_BITS: Final = observation_length(full_game(2))
"""Bits of an observation: 658."""

ILLEGAL_RETURN: Final = -1.0
"""The sum of the rewards of a game that an illegal action of the learner ends."""

_BY_TURNS: Final = -1


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
        self._run = variant.full_deck(), 0, np.zeros(1, np.int64)  # deck, seed, next game

    def restart(self, seed: int | None = None) -> None:
        """Begin the next games of the run, or game 0 and so on of the run with this seed.

        Raises:
            HoadError: the seed is not in 0 to 2**63 - 1.
        """
        deck, _, number = self._run
        if seed is not None:
            if not 0 <= seed < 2**63:
                raise HoadError(f"seed {seed}: expected 0 to 2**63 - 1")
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
        """Carry out the learner's action in each game, then the partner's; ended games stay ended.

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
    """Write by how much each return changes, and which games are over."""
    for place in range(len(states)):
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
