"""Players that learn a partner from its games, and search with what they learned."""

import numpy as np
import pytest

from hoad.adhoc_player import Support, play_episodes
from hoad.agents import get_agent
from hoad.core.errors import HoadError
from hoad.partners.kinds import Knowledge
from hoad.search.blueprint import FINALISTS, best_responses
from hoad.search.effort import Effort
from hoad.search.player import SearchPlayer

# A player that learns a partner from its games, and searches with what it learned.


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


# The blueprint is the agent with the best expected score with a partner.


@pytest.mark.parametrize(("partner", "best"), [("holmesbot", "valuebot"), ("piers", "iggi")])
def test_conventions_of_the_partner_decide(partner, best):
    agents = [get_agent(name) for name in ("flawed", "valuebot", "iggi")]

    found = best_responses(agents, get_agent(partner))

    assert next(iter(found)).name == best
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_agents_that_drop_out_are_worse_than_those_that_are_left():
    good = [get_agent(name) for name in ("iggi", "piers", "outer", "van-den-bergh")]
    bad = [get_agent(name) for name in ("legal-random", "simplebot", "valuebot", "holmesbot")]

    found = best_responses([*bad, *good], get_agent("iggi"))

    assert len(found) == FINALISTS
    assert {agent.name for agent in found} == {agent.name for agent in good}
