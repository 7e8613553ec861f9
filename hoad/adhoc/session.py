"""Ad-hoc play: an ad-hoc player meets one partner for some episodes.

Game ``g`` of episode ``e`` is number ``e * games_per_episode + g`` of the run with its seed. So
all players that are compared meet the same decks, and a partner that makes the same random
moves. The partner moves first in even games: half the games in each seat.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hoad.adhoc.player import AdhocPlayer
from hoad.agents.agent import Agent
from hoad.agents.play import play_numbered
from hoad.errors import HoadError
from hoad.game.log import GameLogs, join_logs, replay


@dataclass(frozen=True)
class Session:
    """How the games of an ad-hoc player with one partner went.

    Attributes:
        lenient: lenient scores, uint8, shape ``(episodes, games_per_episode)``.
        strict: strict scores, likewise.
        seats: the ad-hoc player's seat in each game of an episode, int64, shape ``(games,)``.
    """

    lenient: np.ndarray
    strict: np.ndarray
    seats: np.ndarray


def seat_of(game: int) -> int:
    """Return where the ad-hoc player sits in game ``game`` (from 0) of an episode."""
    return (game + 1) % 2


def play_session(
    player: AdhocPlayer,
    partner: Agent,
    episodes: int,
    games_per_episode: int,
    seed: int,
    threads: int = 1,
) -> Session:
    """Let an ad-hoc player play with a partner, all episodes side by side.

    Args:
        player: the ad-hoc player; it starts afresh.
        partner: whom it meets.
        episodes: number of episodes.
        games_per_episode: games that the two play before the player forgets.
        seed: seed of the run, 0 to 2**63 - 1.
        threads: threads for compiled agents; the games do not depend on it.

    Raises:
        HoadError: somebody made an illegal move, or the player did not say whom it plays as.
    """
    shape = (episodes, games_per_episode)
    session = Session(
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.uint8),
        np.array([seat_of(game) for game in range(games_per_episode)], dtype=np.int64),
    )
    player.begin(episodes, seed)
    every_game = range(games_per_episode)
    for games in [[game] for game in every_game] if player.learns else [every_game]:
        logs, numbers = _play_games(player, partner, shape, games, seed, threads)
        outcomes = replay(logs)
        session.lenient.flat[numbers] = outcomes.scores
        session.strict.flat[numbers] = outcomes.strict
        if player.learns:
            player.watch(games[0], seat_of(games[0]), logs.select(np.argsort(numbers)))
    return session


def _play_games(
    player: AdhocPlayer,
    partner: Agent,
    shape: tuple[int, int],
    games: Sequence[int],
    seed: int,
    threads: int,
) -> tuple[GameLogs, np.ndarray]:
    """Play these games of every episode; return the logs and the number of each game.

    Games with the same agent in the same seat are played in one call, which is what makes
    networks fast.
    """
    episodes, games_per_episode = shape
    tables: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    seated: dict[tuple[int, int], list[Agent]] = {}
    for game in games:
        agents = player.agents(game, seat_of(game))
        if len(agents) != episodes:
            raise HoadError(
                f"player {player.name}: {len(agents)} agents for {episodes} episodes in game "
                f"{game}; agents() returns one an episode"
            )
        for episode, agent in enumerate(agents):
            key = id(agent), seat_of(game)
            seated[key] = [agent, partner] if seat_of(game) == 0 else [partner, agent]
            tables[key].append(episode * games_per_episode + game)
    logs = [
        play_numbered(seated[key], np.array(numbers), seed, threads)
        for key, numbers in tables.items()
    ]
    return join_logs(logs), np.concatenate(list(tables.values()))
