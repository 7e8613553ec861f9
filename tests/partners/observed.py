"""Games of a partner whose moves all count, and how well a model predicts them."""

import numpy as np

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen
from hoad.partners.model import PartnerModel


def every_seat(logs: GameLogs) -> Seen:
    """Return games in which the partner has all seats."""
    return Seen(logs, np.ones((len(logs), logs.players), np.bool_))


def self_play(name: str, games: int, seed: int, players: int = 2) -> Seen:
    """Return games of an agent with itself."""
    return every_seat(play([get_agent(name)] * players, games, seed))


def log_loss(model: PartnerModel, games: Seen) -> float:
    """Return the mean loss of a model's predictions, which are checked to be distributions."""
    expected = model.expected(games)
    np.testing.assert_allclose(expected.sum(1), 1)
    return float(-np.log(games.choices.made(expected)).mean())
