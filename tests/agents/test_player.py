from hoad.agents import get_agent
from hoad.agents.player import Support


def test_other_seeds_trials_and_numbers_of_games_give_other_support():
    iggi = get_agent("iggi")

    supports = [Support(iggi, *size).play(seed) for size, seed in (((2, 3), 5), ((1, 3), 5))]
    supports += [Support(iggi, *size).play(seed) for size, seed in (((2, 4), 5), ((2, 3), 6))]

    assert [(len(games), len(games[0])) for games in supports] == [(2, 3), (1, 3), (2, 4), (2, 3)]
    assert supports[0][0].actions.tolist() != supports[3][0].actions.tolist()
