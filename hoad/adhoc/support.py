"""Support: self-play games of the partner that a player watches before it meets the partner."""

from dataclasses import dataclass

from hoad.adhoc.seeds import other_seed
from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import GameLogs
from hoad.game.stream import Purpose


@dataclass(frozen=True)
class Support:
    """The support of all trials: each trial has ``games`` fresh self-play games of an agent.

    All players that watch the same agent in a run with the same seed watch the same games.
    """

    agent: Agent
    trials: int
    games: int

    def play(self, seed: int) -> list[GameLogs]:
        """Return the games of each trial of the run with this seed."""
        return [play([self.agent] * 2, self.games, one) for one in self.seeds(seed)]

    def seeds(self, seed: int) -> list[int]:
        """Return the seed of each trial, from which its player may derive its own."""
        return [other_seed(seed, Purpose.SUPPORT, trial) for trial in range(self.trials)]
