"""Ad-hoc episodes, and their players, which play as an agent in each game.

The interface, how a player plays with a partner, the players that learn nothing, and what players
share that learn from the support.

Game ``g`` of episode ``e`` is number ``e * games_per_episode + g`` of the run with its seed. So
all players that are compared meet the same decks, and a partner that makes the same random
moves. The partner moves first in even games, half the games in each seat, unless the player is
given a seat. The partner may be an ad-hoc player too: then each adapts to the other.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.games import play, play_numbered
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, join_logs, replay
from hoad.game.stream import Purpose, next_below, start_stream


@dataclass(frozen=True)
class Beliefs:
    """What a meta-agent believed about a partner, before each game of an episode.

    Attributes:
        hypotheses: names.
        means: mean belief over the episodes, float64, shape ``(games, hypotheses)``.
        of_first_episode: belief in the first episode, likewise.
        in_partner: belief in the hypothesis that is the partner, float64, shape ``(episodes,
            games)``; NaN where no hypothesis is the partner.
        found: 1 where the partner is the single most likely hypothesis, else 0; likewise.
        estimates: the partner's features as estimated at the end of the episode, float64, shape
            ``(episodes, 2)``; NaN for beliefs that estimate none.
    """

    hypotheses: tuple[str, ...]
    means: np.ndarray
    of_first_episode: np.ndarray
    in_partner: np.ndarray
    found: np.ndarray
    estimates: np.ndarray


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


class AdhocPlayer(ABC):
    """A player of ad-hoc episodes: some games in a row with one partner, then it forgets all.

    Many episodes run in parallel. Before each game the player says which agent it plays as in each
    episode; after the game, if it watches, it sees the games.

    Attributes:
        name: in tables.
        watches: whether it sees each game before it chooses for the next.
    """

    name: str
    watches: bool = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def begin(self, episodes: int, seed: int) -> None:  # noqa: B027 (most players learn nothing)
        """Forget everything; ``episodes`` episodes of the run with this seed are to come."""

    @abstractmethod
    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        """Return the agent to play as in this game (from 0) of each episode.

        It is called once a game, in order. There is one agent for each episode; the same agent is
        the same object: its games are played together.
        """

    def repetitions(self, episodes: int) -> np.ndarray:
        """Return the repetition of each episode: what counts as independent in statistics.

        Ints from 0, shape ``(episodes,)``: the trial for players that learn the partner in each
        trial, the training if networks of several trainings play in turn, else the episode itself.
        """
        return np.arange(episodes)

    def in_trial(self, trial: int) -> "AdhocPlayer":
        """Return a player of one trial only, for kinds with ``splits_by_trial``."""
        raise NotImplementedError

    @property
    def beliefs(self) -> Beliefs | None:
        """What it believed about the partner in the last episodes, if it has beliefs."""
        return None

    def memory(self, game: int, seat: int) -> np.ndarray | None:
        """Return what the agents of this game remember when it is dealt, if the player watches.

        Uint8, shape ``(episodes, memory_size)``; None for agents that start without memories.
        """
        return None

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:  # noqa: B027 (see `watches`)
        """Learn from a game of each episode, in the order of episodes, if the player watches.

        The logs hold more than a player sees: use only what was public.
        """


class Fixed(AdhocPlayer):
    """Plays as one agent with every partner (zero-shot, or the partner's own self-play)."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self._agent = agent
        self._episodes = 0

    def begin(self, episodes: int, seed: int) -> None:
        self._episodes = episodes

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._agent] * self._episodes

    def in_trial(self, trial: int) -> "Fixed":
        return self


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
        seatings = [_agents_of(side, episodes, game, seat) for seat, side in enumerate(sides)]
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
        rows_of_key = [rows if rows is None else rows[episodes_of_key] for rows in memory]
        logs.append(
            play_numbered(seated[key], first + np.array(indices), seed, threads, rows_of_key)
        )
    return join_logs(logs), np.concatenate(list(tables.values()))


def _agents_of(player: AdhocPlayer, episodes: int, game: int, seat: int) -> Sequence[Agent]:
    agents = player.agents(game, seat)
    if len(agents) != episodes:
        counts = f"{len(agents)} agents for {episodes} episodes in game {game}"
        raise HoadError(f"player {player.name}: {counts}; agents() returns one an episode")
    return agents


class InTurn(AdhocPlayer):
    """Plays as networks of several trainings, one in each trial, in turn."""

    def __init__(self, name: str, agents: Sequence[Agent], trials: int) -> None:
        self.name = name
        self._choices = agents
        self._trials = trials
        self._episodes = 0

    def begin(self, episodes: int, seed: int) -> None:
        self._episodes = episodes

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._choices[training] for training in self.repetitions(self._episodes)]

    def repetitions(self, episodes: int) -> np.ndarray:
        return repetitions_of(trials_of(episodes, self._trials), len(self._choices))


class RandomPartner(AdhocPlayer):
    """Plays each game as an agent drawn uniformly from a pool, which must not hold the partner.

    It raises a HoadError if the pool is empty.
    """

    def __init__(self, name: str, pool: Sequence[Agent]) -> None:
        if not pool:
            raise HoadError(f"{name}: no agents to draw from; name one besides the partner")
        self.name = name
        self._pool = pool
        self._streams = np.zeros(0, np.uint64)

    def begin(self, episodes: int, seed: int) -> None:
        self._streams = choice_streams(episodes, seed)

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._pool[index] for index in draw(self._streams, len(self._pool))]


@dataclass(frozen=True)
class Support:
    """The support of all trials: each trial has ``games`` fresh self-play games of an agent.

    All players that watch the same agent in a run with the same seed watch the same games.
    ``first`` is the number of the first trial. With ``recorded`` games, trials have these in turn,
    whatever the seed. They may be games with others: ``seats`` tells where the agent sits in them,
    bool, shape ``(games, 2)``; None for both seats.
    """

    agent: Agent
    trials: int
    games: int
    first: int = 0
    recorded: GameLogs | None = None
    seats: np.ndarray | None = None

    def refuse_games_with_others(self) -> None:
        """Raise a HoadError if the recorded games are those with others."""
        if self.seats is not None:
            raise HoadError(
                f"{self.agent.name}: recorded games with others (support), but one of the players "
                "learns from self-play games only; leave bayes-moves-support, naive and players "
                "of your own out"
            )

    def play(self, seed: int) -> list[GameLogs]:
        """Return the self-play games of each trial of the run with this seed.

        It raises a HoadError if the recorded games are those with others.
        """
        self.refuse_games_with_others()
        return [logs for logs, _ in self.play_seated(seed)]

    def play_seated(self, seed: int) -> list[tuple[GameLogs, np.ndarray]]:
        """Return the games of each trial, and where the agent sits in them."""
        if self.recorded is None:
            logs = [play([self.agent] * 2, self.games, each) for each in self.seeds(seed)]
            return [(games, _both_seats(games)) for games in logs]
        starts = (self.first + np.arange(self.trials)) * self.games
        seats = _both_seats(self.recorded) if self.seats is None else self.seats
        trials = [start + np.arange(self.games) for start in starts]
        return [(self.recorded.select(games), seats[games]) for games in trials]

    def seeds(self, seed: int) -> list[int]:
        """Return the seed of each trial, from which its player may derive its own."""
        trials = range(self.first, self.first + self.trials)
        return [other_seed(seed, Purpose.SUPPORT, trial) for trial in trials]


def _both_seats(logs: GameLogs) -> np.ndarray:
    return np.ones((len(logs), 2), np.bool_)


class TrialPlayer(AdhocPlayer):
    """Learns from the support of each trial, and plays the episodes of the trial as one agent.

    There are at most as many trials as episodes.
    """

    def __init__(self, name: str, support: Support) -> None:
        self.name = name
        self._support = support
        self._agents: list[Agent] = []

    def begin(self, episodes: int, seed: int) -> None:
        support = zip(self._support.play_seated(seed), self._support.seeds(seed), strict=True)
        learned = [
            self.learn(logs, seats, own_seed, trial)
            for trial, ((logs, seats), own_seed) in enumerate(support)
        ]
        self._agents = [learned[trial] for trial in trials_of(episodes, self._support.trials)]

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return self._agents

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials)

    @abstractmethod
    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        """Return the agent to play as after the support of a trial, with the trial's seed.

        ``seats`` tells where the partner sits, bool, shape ``(games, 2)``: in self-play everywhere.
        """


def choice_streams(episodes: int, seed: int) -> np.ndarray:
    """Return the random streams of a player's own choices, uint64, shape ``(episodes,)``."""
    streams = [start_stream(seed, episode, int(Purpose.CHOICE)) for episode in range(episodes)]
    return np.array(streams, dtype=np.uint64)


def draw(streams: np.ndarray, bound: int) -> np.ndarray:
    """Return a uniform integer below ``bound`` from each stream, int64, and advance them."""
    drawn = [next_below(streams, episode, bound) for episode in range(len(streams))]
    return np.array(drawn, dtype=np.int64)


def trials_of(episodes: int, trials: int) -> np.ndarray:
    """Return the trial of each episode, int64: in order, in shares as equal as possible."""
    return np.arange(episodes) * trials // episodes


def repetitions_of(trials: np.ndarray, trainings: int) -> np.ndarray:
    """Return what counts as independent where networks of several trainings play trials in turn.

    That is the training: its trials share a network. With one training it is the trial, and
    nothing is known of other trainings.
    """
    return trials if trainings == 1 else trials % trainings
