"""Compiled partners move as they do a batch at a time."""

import numpy as np
import pytest

from hoad.agents import Agent, Batch, get_agent
from hoad.environments.games import LearnerGames
from hoad.environments.partner import PartnerSeats


class Plain(Agent):
    """An agent whose compiled loop is hidden."""

    def __init__(self, inner: Agent) -> None:
        self.inner = inner
        self.name, self.memory_size = inner.name, inner.memory_size

    def weights(self, batch: Batch) -> np.ndarray:
        return self.inner.weights(batch)

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        self.inner.observe(states, seat, memory, actions)


@pytest.mark.parametrize("name", ["iggi", "van-den-bergh", "holmesbot", "fireflower"])
def test_both_ways_give_the_same_games(name: str) -> None:
    rng = np.random.default_rng(2)
    games = [LearnerGames(agent, 6) for agent in (get_agent(name), Plain(get_agent(name)))]
    for side in games:
        side.restart(3)
    for _ in range(80):
        moves = (rng.random(games[0].masks.shape) * games[0].masks).argmax(1)
        for side in games:
            side.step(moves)
            side.renew()
        assert games[0].states.tobytes() == games[1].states.tobytes()
        np.testing.assert_array_equal(games[0].packed, games[1].packed)


def test_a_partner_remembers_each_game() -> None:
    partner = PartnerSeats("holmesbot", 4)

    assert partner.memory.shape == (4, get_agent("holmesbot").memory_size)
    assert partner.seats.shape == partner.streams.shape == (4,)
