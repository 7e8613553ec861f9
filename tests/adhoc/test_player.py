import numpy as np

from hoad.adhoc.player import Support
from hoad.agents import Agent, Batch, get_agent, play


class Counting(Agent):
    """Plays as an agent, and counts how often it is asked."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.asked = agent, 0

    def weights(self, batch: Batch) -> np.ndarray:
        self.asked += 1
        return self._agent.weights(batch)

    @property
    def identity(self) -> tuple[str, object]:
        return "counting", self._agent.identity


def test_support_is_played_once_for_all_players_of_a_row():
    first, second, other = (Counting(get_agent(name)) for name in ("iggi", "iggi", "flawed"))

    games = [Support(agent, trials=2, games=3).play(seed=5) for agent in (first, second, other)]

    assert (first.asked > 0, second.asked, other.asked > 0) == (True, 0, True)
    expected = [play([first] * 2, 3, one) for one in Support(first, 2, 3).seeds(5)]
    for found in games[:2]:
        for logs, same in zip(found, expected, strict=True):
            np.testing.assert_array_equal(logs.actions, same.actions)


def test_other_seeds_trials_and_numbers_of_games_give_other_support():
    iggi = get_agent("iggi")

    supports = [Support(iggi, *size).play(seed) for size, seed in (((2, 3), 5), ((1, 3), 5))]
    supports += [Support(iggi, *size).play(seed) for size, seed in (((2, 4), 5), ((2, 3), 6))]

    assert [(len(games), len(games[0])) for games in supports] == [(2, 3), (1, 3), (2, 4), (2, 3)]
    assert supports[0][0].actions.tolist() != supports[3][0].actions.tolist()
