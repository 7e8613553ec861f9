"""Game logs: deck order and actions, all that is stored of a game.

Scores, observations and legal moves follow by replaying the log under the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from hoad.core.errors import HoadError
from hoad.game.observation import encode, observation_bytes
from hoad.game.rules import apply, deal_deck, legal_moves
from hoad.game.state import MAX_MOVES, MAX_PLAYERS, MAX_TURNS, full_game

_Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True, repr=False)
class GameLogs:
    """A batch of games of the full game, all with the same number of players.

    Attributes:
        players: number of players; player ``t % players`` makes action ``t``.
        decks: card ids in drawing order, uint8, shape ``(games, 50)``: player 0's hand oldest
            first, player 1's, ..., every later draw, the undrawn rest.
        actions: move ids of all games one after another, uint8, shape ``(turns,)``.
        offsets: int64, shape ``(games + 1,)``: game ``g`` is ``actions[offsets[g]:offsets[g+1]]``.
    """

    players: int
    decks: np.ndarray
    actions: np.ndarray
    offsets: np.ndarray

    def __repr__(self) -> str:
        return f"<GameLogs: {len(self):,} games, {len(self.actions):,} turns>"

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.decks)

    @property
    def games(self) -> np.ndarray:
        """The game of each action, int64, shape ``(turns,)``."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @property
    def turns(self) -> np.ndarray:
        """The number of each action in its game, from 0, int64, shape ``(turns,)``."""
        return np.arange(len(self.actions)) - self.offsets[self.games]

    def actions_of(self, game: int) -> np.ndarray:
        """Return the move ids of one game."""
        return self.actions[self.offsets[game] : self.offsets[game + 1]]

    def select(self, games: np.ndarray) -> "GameLogs":
        """Return the games with these indices, in this order."""
        games = np.asarray(games, dtype=np.int64)
        lengths = np.diff(self.offsets)[games]
        offsets = _offsets(lengths)
        turns = np.arange(offsets[-1]) + np.repeat(self.offsets[games] - offsets[:-1], lengths)
        return GameLogs(self.players, self.decks[games], self.actions[turns], offsets)


def join_logs(parts: Sequence[GameLogs]) -> GameLogs:
    """Return the games of all ``parts`` (at least one, same number of players) in order."""
    return GameLogs(
        parts[0].players,
        np.concatenate([part.decks for part in parts]),
        np.concatenate([part.actions for part in parts]),
        _offsets(np.concatenate([np.diff(part.offsets) for part in parts])),
    )


def logs_of(
    players: int,
    decks: Sequence[Sequence[int] | np.ndarray],
    actions: Sequence[Sequence[int] | np.ndarray],
) -> GameLogs:
    """Return a batch from one deck and one list of move ids per game."""
    return GameLogs(
        players,
        np.array(decks, dtype=np.uint8).reshape(len(actions), 50),
        np.array([action for game in actions for action in game], dtype=np.uint8),
        _offsets([len(game) for game in actions]),
    )


def logs_of_states(states: np.ndarray) -> GameLogs:
    """Return the two-player games that led to these states, from their deals on."""
    table = states["table"]
    made = np.arange(MAX_TURNS) < table["turn"][:, None]
    return GameLogs(2, states["deck"].copy(), table["actions"][made], _offsets(table["turn"]))


def _offsets(lengths: Sequence[int] | np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@dataclass(frozen=True)
class Outcomes:
    """The outcome of each game of a batch.

    Attributes:
        scores: cards on the fireworks (the lenient score), uint8; and ``lives`` left.
        over: whether the game is over after its last action, bool.
        illegal_turn: the first turn whose action is illegal or comes after the end, int64;
            -1 if there is none. Later turns of such a game are not replayed.
    """

    scores: np.ndarray
    lives: np.ndarray
    over: np.ndarray
    illegal_turn: np.ndarray

    @property
    def strict(self) -> np.ndarray:
        """HLE's score: 0 when the last life is lost, else the lenient score."""
        return strict_scores(self.scores, self.lives)


def strict_scores(scores: np.ndarray, lives: np.ndarray) -> np.ndarray:
    """Return HLE's scores of games with these lenient scores and lives left."""
    return np.where(lives > 0, scores, 0)


@dataclass(frozen=True)
class Transitions:
    """One row for each turn of some games.

    Attributes:
        observations: packed observations of the player to move, uint8, shape ``(turns, bytes)``.
        legal: sets of legal moves as bits, int64, shape ``(turns,)``.
        actions: the moves made, uint8, shape ``(turns,)``.
        games: index of the game in the batch, int64, shape ``(turns,)``.
    """

    observations: np.ndarray
    legal: np.ndarray
    actions: np.ndarray
    games: np.ndarray

    def select(self, rows: np.ndarray) -> "Transitions":
        """Return the transitions with these indices, in this order."""
        # `take` is four times as fast as indexing.
        return Transitions(*(column.take(rows, axis=0) for column in vars(self).values()))


def join_transitions(parts: Sequence[Transitions]) -> Transitions:
    """Return the transitions of all ``parts`` (at least one) in order."""
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return Transitions(*map(np.concatenate, columns))


def find_wrong_decks(logs: GameLogs) -> np.ndarray:
    """Return for each game whether its deck is not the 50 cards of Hanabi, bool.

    It raises a HoadError if the arrays of the logs do not fit each other.
    """
    _refuse_malformed(logs)
    return (np.sort(logs.decks, axis=1) != full_game(logs.players).full_deck()).any(axis=1)


def replay(logs: GameLogs) -> Outcomes:
    """Replay all games under the rules and return their outcomes.

    Raises:
        HoadError: a deck has a wrong composition, or the arrays do not fit each other.
    """
    _refuse_wrong_decks(logs)
    return _replay_all(logs, np.empty((0, 0), np.uint8), np.empty(0, np.int64))


def refuse_other_games(logs: GameLogs, of_two: bool = True) -> None:
    """Refuse illegal games and, with ``of_two``, those of more than two players: a HoadError.

    Games may be unfinished.

    Compiled code does not check its arguments. Whatever passes logs to it calls this first.
    """
    if not isinstance(logs, GameLogs):
        found = type(logs).__name__
        raise HoadError(f"got {found}, expected GameLogs, such as .logs of what read_games returns")
    if of_two and logs.players != 2:
        raise HoadError(f"games of {logs.players} players, expected games of two players")
    _refuse_illegal(logs, replay(logs))


def encode_turns(logs: GameLogs) -> Transitions:
    """Replay the games and return every turn's observation, legal moves and action.

    Raises:
        HoadError: a game breaks the rules.
    """
    _refuse_wrong_decks(logs)
    turns, width = int(logs.offsets[-1]), observation_bytes(full_game(logs.players))
    observations, legal = np.empty((turns, width), np.uint8), np.empty(turns, np.int64)
    _refuse_illegal(logs, _replay_all(logs, observations, legal))
    return Transitions(observations, legal, logs.actions, logs.games)


def _refuse_malformed(logs: GameLogs) -> None:
    """Raise a HoadError if the arrays do not have the types and shapes of `GameLogs`."""
    games, turns = len(logs.decks), len(logs.actions)
    expected: dict[str, tuple[type, tuple[int, ...]]] = {
        "decks": (np.uint8, (games, 50)),
        "actions": (np.uint8, (turns,)),
        "offsets": (np.int64, (games + 1,)),
    }
    for name, (dtype, shape) in expected.items():
        array = getattr(logs, name)
        if array.dtype != dtype or array.shape != shape:
            found = f"{array.dtype} of shape {array.shape}"
            wanted = f"{np.dtype(dtype)} of shape {shape}"
            raise HoadError(f"game logs: {name} are {found}, expected {wanted}")
    ends = logs.offsets
    if (ends[0], ends[-1]) != (0, turns) or (np.diff(ends) < 0).any():
        raise HoadError(f"game logs: offsets do not lead from 0 to {turns}, the number of actions")
    if not 2 <= logs.players <= MAX_PLAYERS:
        raise HoadError(f"game logs: {logs.players} players, expected 2 to {MAX_PLAYERS}")


def _refuse_wrong_decks(logs: GameLogs) -> None:
    wrong = np.flatnonzero(find_wrong_decks(logs))
    if len(wrong):
        raise HoadError(
            f"game {wrong[0]}: the deck is not Hanabi's 50 cards (three 1s, two 2s, 3s and 4s, "
            "one 5 of each colour); remove the game or mend its deck"
        )


def _refuse_illegal(logs: GameLogs, outcomes: Outcomes) -> None:
    illegal = np.flatnonzero(outcomes.illegal_turn >= 0)
    if len(illegal):
        game, turn = int(illegal[0]), int(outcomes.illegal_turn[illegal[0]])
        action = logs.actions_of(game)[turn]
        raise HoadError(
            f"game {game}, turn {turn}: action {action} is illegal; remove the game or correct it"
        )


def _replay_all(logs: GameLogs, observations: np.ndarray, legal: np.ndarray) -> Outcomes:
    """Replay all games; write the observations and legal moves of as many turns as they have."""
    scores, lives = np.zeros((2, len(logs)), np.uint8)
    outcomes = scores, lives, np.zeros(len(logs), np.bool_), np.full(len(logs), -1)
    states, games = full_game(logs.players).new_states(1), (logs.decks, logs.actions, logs.offsets)
    _replay(states, games, outcomes, (observations, legal))
    return Outcomes(*outcomes)


@njit(cache=True, nogil=True)
def _replay(states: np.ndarray, games: _Arrays, outcomes: _Arrays, turns: _Arrays) -> None:
    state, (decks, actions, offsets) = states[0], games
    (scores, lives, over, illegal_turn), (observations, legal) = outcomes, turns
    for game in range(len(decks)):
        deal_deck(state, decks[game])
        first, end = offsets[game], offsets[game + 1]
        for index in range(first, end):
            action = int(actions[index])
            moves = legal_moves(state.table, state.hands)
            if index < len(observations):
                encode(state.table, state.hands, int(state.table.current), observations[index])
                legal[index] = moves
            if action >= MAX_MOVES or not moves >> action & 1:
                illegal_turn[game] = index - first
                break
            apply(state, action)
        scores[game] = state.table.score
        lives[game] = state.table.lives
        over[game] = state.table.over != 0
