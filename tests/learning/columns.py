"""Games in lockstep with random moves, the same games move by move, and games in other colours."""

from dataclasses import dataclass, replace

import numpy as np

from hoad.game.deck import shuffled_deck
from hoad.game.game import Game
from hoad.game.log import GameLogs
from hoad.game.random_play import pick_move
from hoad.game.state import copies_of, full_game
from hoad.learning.rainbow.buffer import ReplayBuffer
from hoad.learning.rainbow.lockstep import Lockstep
from hoad.learning.rainbow.own_cards import ABSENT, NEITHER, PLAYABLE, USELESS
from hoad.learning.recolour import recoloured_moves

GAMES, SEED = 3, 5


@dataclass(frozen=True)
class Turn:
    """A turn as the plain game has it, and what its move led to."""

    observation: list[int]
    statuses: list[int]
    legal: list[int]
    action: int
    reward: int
    ended: bool


def play_randomly(rows: int, buffer: ReplayBuffer) -> tuple[np.ndarray, int]:
    """Play ``rows`` random moves in each game, into the buffer; return moves and losses."""
    lockstep = Lockstep(GAMES, SEED)
    streams = np.array([1], np.uint64)
    moves = np.empty((rows, GAMES), np.uint8)
    lost = 0
    for row in range(rows):
        moves[row] = [pick_move(int(legal), streams, 0) for legal in lockstep.legal]
        buffer.begin(lockstep.observations, lockstep.legal, moves[row], lockstep.statuses)
        lost += lockstep.step(moves[row])
        buffer.finish(lockstep.rewards, lockstep.ended)
    return moves, lost


def replay_columns(moves: np.ndarray) -> list[list[Turn]]:
    """Play these moves once more, in plain Python, a list of turns for each game's place."""
    numbers = iter(range(10_000))
    games = [_new_game(next(numbers)) for _ in range(GAMES)]
    columns: list[list[Turn]] = [[] for _ in range(GAMES)]
    for row in moves:
        for place, move in enumerate(map(int, row)):
            game = games[place]
            observation, legal = np.packbits(game.observation()).tolist(), game.legal_moves
            statuses = own_statuses(game)
            score = game.strict_score
            game.step(move)
            reward = game.strict_score - score
            columns[place].append(Turn(observation, statuses, legal, move, reward, game.is_over))
            if game.is_over:
                games[place] = _new_game(next(numbers))
    return columns


def recoloured(logs: GameLogs, colouring: np.ndarray) -> GameLogs:
    """The same games with other cards: of each, another colour."""
    decks = colouring[logs.decks // 5] * 5 + logs.decks % 5
    actions = recoloured_moves(colouring)[logs.actions]
    return replace(logs, decks=decks.astype(np.uint8), actions=actions.astype(np.uint8))


def own_statuses(game: Game) -> list[int]:
    """What the cards of the player to move are good for, by the rules."""
    table = game.state.table
    me = int(table.current)
    statuses = [ABSENT] * 5
    for position in range(int(table.hand_length[me])):
        colour, rank = divmod(int(game.state.hands[me, table.order[me, position]]), 5)
        height = int(table.fireworks[colour])
        gone = any(
            table.discards[5 * colour + r] == copies_of(r, 5) for r in range(height, rank + 1)
        )
        if rank == height:
            statuses[position] = PLAYABLE
        else:
            statuses[position] = USELESS if rank < height or gone else NEITHER
    return statuses


def _new_game(number: int) -> Game:
    return Game(deck=shuffled_deck(full_game(2).full_deck(), SEED, number))
