import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.behaviour import OPPORTUNITIES, count_behaviour, features_of
from hoad.agents.features import OBSERVABLE
from hoad.bayes.niche import NicheBelief
from hoad.bayes.pool import Pool
from hoad.core.errors import HoadError
from hoad.evolution.map_elites import niches_of

GRID = (4, 4)
NO_RESPONSES = np.zeros(10, np.int64)


@pytest.fixture(scope="module")
def logs():
    return play([get_agent("iggi"), get_agent("piers")], 10, seed=5)


def niche_of(features):
    return tuple(int(index) for index in np.minimum(np.floor(features * 4), 3))


def pool_of(niches, features=OBSERVABLE):
    return Pool(tuple(map(str, niches)), tuple(niches), GRID, features)


def test_belief_is_in_the_niche_that_all_games_so_far_show(logs):
    everywhere = [(c, i) for c in range(4) for i in range(4)]
    belief = NicheBelief(pool_of(everywhere))
    belief.begin(10)
    for _ in range(2):
        belief.update(logs, 0, NO_RESPONSES)
    belief.update(logs.select(np.arange(10)[::-1]), 0, NO_RESPONSES)

    counts = count_behaviour(logs)[:, 1]
    shown = features_of(2 * counts + counts[::-1])
    np.testing.assert_allclose(belief.estimates, shown)
    believed = [everywhere[index] for index in belief.probabilities.argmax(1)]
    assert believed == [niche_of(features) for features in shown]
    assert (belief.probabilities.max(1) == 1).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_partner_is_the_other_seat(logs, seat):
    belief = NicheBelief(pool_of([(0, 0)]))
    belief.begin(10)

    belief.update(logs, seat, NO_RESPONSES)

    shown = features_of(count_behaviour(logs)[:, 1 - seat])
    np.testing.assert_allclose(belief.estimates, shown)


def test_hypotheses_of_one_niche_share_the_belief(logs):
    [niche] = {niche_of(features_of(count_behaviour(logs)[:1, 1].sum(0)))}
    belief = NicheBelief(pool_of([niche, (0, 0), niche]))
    belief.begin(1)

    belief.update(logs.select(np.array([0])), 0, NO_RESPONSES[:1])

    assert belief.probabilities.tolist() == [[0.5, 0, 0.5]]


def test_belief_is_uniform_in_a_niche_where_nobody_lives(logs):
    belief = NicheBelief(pool_of([(0, 0), (0, 1)]))
    belief.begin(10)

    belief.update(logs, 0, NO_RESPONSES)

    np.testing.assert_array_equal(belief.probabilities, np.full((10, 2), 0.5))


def test_belief_is_uniform_until_enough_turns_are_seen(logs):
    one = logs.select(np.array([0]))
    counts = count_behaviour(one)[0, 1]
    niche = niche_of(features_of(counts))
    for threshold, expected in ((counts[OPPORTUNITIES], 0.5), (counts[OPPORTUNITIES] - 1, 1.0)):
        belief = NicheBelief(pool_of([niche, (0, 0)]), int(threshold))
        belief.begin(1)
        assert belief.probabilities[0, 0] == 0.5

        belief.update(one, 0, NO_RESPONSES[:1])

        assert belief.probabilities[0, 0] == expected


def test_ratios_on_the_border_of_a_niche_are_in_the_niche_of_evolution(monkeypatch):
    """As a product, 29 / 50 of 50 niches comes to less than 29."""
    features = np.array([[29 / 50, 0.5]])
    niches = [(28, 25), (29, 25)]
    belief = NicheBelief(Pool(("28", "29"), tuple(niches), (50, 50), OBSERVABLE), threshold=-1)
    belief.begin(1)
    monkeypatch.setattr(NicheBelief, "estimates", features)

    assert niches_of(features, (50, 50)).tolist() == [29 * 50 + 25]
    assert belief.probabilities.tolist() == [[0, 1]]


def test_agents_without_a_niche_or_with_one_that_a_partner_does_not_see_are_refused():
    with pytest.raises(HoadError, match="no niche"):
        NicheBelief(pool_of([(0, 0), None]))
    with pytest.raises(HoadError, match="risk_aversion"):
        NicheBelief(pool_of([(0, 0)], ("risk_aversion", "communicativeness")))
