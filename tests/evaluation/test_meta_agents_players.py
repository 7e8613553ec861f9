import pytest
from hoad.evaluation.meta_agents_players import hypothesis_of

from hoad.adhoc.pool import Pool
from hoad.agents.behaviour import FEATURES

OTHER_FEATURES = ("risk_aversion", "communicativeness")


def elites(name, grid=(4, 4), features=FEATURES):
    return Pool((f"{name} a", f"{name} b"), ((0, 1), (2, 3)), grid, features)


@pytest.mark.parametrize(
    ("partners", "expected"),
    [
        (elites("other"), 1),
        (elites("other", grid=(5, 5)), None),
        (elites("other", features=OTHER_FEATURES), None),
        (elites("mine", features=OTHER_FEATURES), 1),
        (Pool(("iggi", "piers"), (None, None)), None),
    ],
)
def test_a_hypothesis_stands_for_itself_and_for_its_niche_on_the_same_axes(partners, expected):
    assert hypothesis_of(elites("mine"), partners, 1) == expected
