"""Ad-hoc play: an ad-hoc player meets one partner for some episodes.

Game ``g`` of episode ``e`` is number ``e * games_per_episode + g`` of the run with its seed. So
all players that are compared meet the same decks, and a partner that makes the same random
moves. The partner moves first in even games, half the games in each seat, unless the player is
given a seat. The partner may be an ad-hoc player too: then each adapts to the other.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Fixed
from hoad.agents.agent import Agent
from hoad.agents.games import play_numbered
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, join_logs, replay
from hoad.game.stream import Purpose


@dataclass(frozen=True)
class Episodes:
    """The games of an ad-hoc player with one partner.

    Attributes:
        lenient: lenient scores, uint8, shape ``(episodes, games_per_episode)``.
        strict: strict scores, likewise.
        seats: the ad-hoc player's seat in each game of an episode, int64, shape ``(games,)``.
    """

    lenient: np.ndarray
    strict: np.ndarray
    seats: np.ndarray


def seat_of(game: int) -> int:
    """Return the seat of the ad-hoc player in game ``game`` (from 0) of an episode."""
    return (game + 1) % 2


def play_episodes(
    player: AdhocPlayer,
    partner: Agent | AdhocPlayer,
    episodes: int,
    games_per_episode: int,
    seed: int,
    threads: int = 1,
    seat: int | None = None,
    first_episode: int = 0,
) -> Episodes:
    """Play an ad-hoc player with a partner, all episodes in parallel.

    Ad-hoc players forget what they learned earlier, and after each episode. The seed is 0 to
    2**63 - 1. The games do not depend on the number of threads, which compiled agents use.
    ``seat`` is that of the player in all games; None for both seats in turn. ``first_episode``
    shifts the numbers of the games; a player's own random choices do not depend on it.

    Raises:
        HoadError: an agent made an illegal move, or a player named no agent for an episode.
    """
    every_game = range(games_per_episode)
    seats = [seat_of(game) if seat is None else seat for game in every_game]
    lenient, strict = np.zeros((2, episodes, games_per_episode), np.uint8)
    played = Episodes(lenient, strict, np.array(seats, dtype=np.int64))
    other = Fixed(partner.name, partner) if isinstance(partner, Agent) else partner
    player.begin(episodes, seed)
    other.begin(episodes, other_seed(seed, Purpose.PARTNER))  # other random numbers
    watched = player.watches or other.watches
    first = first_episode * games_per_episode
    for games in [[game] for game in every_game] if watched else [every_game]:
        logs, indices = _play_games(player, other, played, games, seed, threads, first)
        outcomes = replay(logs)
        played.lenient.flat[indices] = outcomes.scores
        played.strict.flat[indices] = outcomes.strict
        if watched:
            [game] = games
            in_order = logs.select(np.argsort(indices))
            for side, its_seat in ((player, seats[game]), (other, 1 - seats[game])):
                if side.watches:
                    side.watch(game, its_seat, in_order)
    return played


def _play_games(
    player: AdhocPlayer,
    partner: AdhocPlayer,
    played: Episodes,
    games: Sequence[int],
    seed: int,
    threads: int,
    first: int,
) -> tuple[GameLogs, np.ndarray]:
    """Play these games of every episode; return the logs, and the index of each game.

    The number of a game is ``first`` plus its index. Games with the same agents in the
    same seats are played in one call: networks need batches.
    """
    episodes, games_per_episode = played.lenient.shape
    tables: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    seated: dict[tuple[int, int], tuple[Agent, Agent]] = {}
    for game in games:
        sides = (player, partner) if played.seats[game] == 0 else (partner, player)
        seatings = [_agents(side, episodes, game, seat) for seat, side in enumerate(sides)]
        for episode, pair in enumerate(zip(*seatings, strict=True)):
            key = id(pair[0]), id(pair[1])
            seated[key] = pair
            tables[key].append(episode * games_per_episode + game)
    memory: list[np.ndarray | None] = [None, None]
    if len(games) == 1:  # only players that watch games give agents a memory
        memory = [side.memory(games[0], seat) for seat, side in enumerate(sides)]
    logs = []
    for key, indices in tables.items():
        episodes_of_key = np.array(indices) // games_per_episode
        known = [rows if rows is None else rows[episodes_of_key] for rows in memory]
        logs.append(play_numbered(seated[key], first + np.array(indices), seed, threads, known))
    return join_logs(logs), np.concatenate(list(tables.values()))


def _agents(player: AdhocPlayer, episodes: int, game: int, seat: int) -> Sequence[Agent]:
    agents = player.agents(game, seat)
    if len(agents) != episodes:
        counts = f"{len(agents)} agents for {episodes} episodes in game {game}"
        raise HoadError(f"player {player.name}: {counts}; agents() returns one an episode")
    return agents
