"""A player that learns a partner from its games, and searches with what it learned."""

import numpy as np
import pytest

from hoad.agents import get_agent
from hoad.agents.player import Support
from hoad.core.errors import HoadError
from hoad.partners.kinds import Knowledge
from hoad.players.episodes import play_episodes
from hoad.search.effort import Effort
from hoad.search.player import SearchPlayer

SMALL = Effort(rollouts=60, round=40, particles=8, steps=2)
POOL = get_agent("outer"), get_agent("noisy:0.1:iggi")
KNOWN = Knowledge(POOL, "rainbow")


@pytest.mark.usefixtures("quick_choices")
def test_episodes_do_not_depend_on_earlier_sessions():
    partner = get_agent("piers")
    player = SearchPlayer("search", Support(partner, 1, 1), KNOWN, effort=SMALL)

    first, second = (play_episodes(player, partner, 1, 2, seed=1) for _ in range(2))

    assert np.array_equal(first.lenient, second.lenient)
    assert np.array_equal(player.repetitions(2), [0, 0])


@pytest.mark.usefixtures("quick_choices")
def test_a_trial_alone_has_the_games_that_it_has_among_others():
    partner = get_agent("piers")
    player = SearchPlayer("search", Support(partner, 2, 1), KNOWN, effort=SMALL)

    together = play_episodes(player, partner, 2, 2, seed=1)
    alone = [
        play_episodes(player.in_trial(trial), partner, 1, 2, seed=1, first_episode=trial)
        for trial in range(2)
    ]

    assert np.array_equal(together.lenient, np.concatenate([one.lenient for one in alone]))


def test_a_pool_of_networks_alone_is_refused():
    with pytest.raises(HoadError, match="needs a rule list or bot"):
        SearchPlayer("search", Support(POOL[0], 1, 2), Knowledge(POOL[1:], "rainbow"))
