import json

import pytest

from hoad.agents.behaviour import OBSERVABLE
from hoad.bayes.pool import Pool, agents_of, find_pool, make_pool
from hoad.core.errors import HoadError


@pytest.fixture
def population(tmp_path):
    path = tmp_path / "mine.json"
    elites = [
        {"niche": niche, "chromosome": [8, 13], "fitness": None} for niche in ([2, 3], [0, 1])
    ]
    values = {"name": "mine", "grid": [4, 5], "rules": "published", "elites": elites}
    path.write_text(json.dumps(values))
    return path


def test_population_is_a_pool_with_niches(population):
    pool = find_pool(str(population))

    assert pool.agents == (f"elite:{population}/0,1", f"elite:{population}/2,3")
    assert pool.niches == ((0, 1), (2, 3))
    assert pool.grid == (4, 5)
    assert pool.features == OBSERVABLE
    assert pool.label(1) == "2,3"


def test_names_are_a_pool_in_one_word():
    pool = find_pool("iggi+rules:8,13+piers")

    assert pool.agents == ("iggi", "rules:8,13", "piers")
    assert pool.niches == (None, None, None)
    assert pool.label(1) == "rules:8,13"


def test_agents_and_elites_can_be_in_one_pool(population):
    pool = make_pool(["iggi"], str(population))

    assert pool.agents[0] == "iggi"
    assert pool.niches == (None, (0, 1), (2, 3))


def test_population_file_may_be_named_by_an_environment_variable(population, monkeypatch):
    monkeypatch.setenv("MY_POPULATIONS", str(population.parent))

    pool = find_pool("$MY_POPULATIONS/mine.json")

    assert pool.agents[0] == "elite:$MY_POPULATIONS/mine.json/0,1"
    assert [agent.name for agent in agents_of(pool.agents)] == list(pool.agents)


def test_population_that_does_not_exist_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    with pytest.raises(HoadError, match="population 'absent'"):
        find_pool("absent")


def test_agents_that_see_their_own_hand_are_refused():
    with pytest.raises(HoadError, match="cheatbot"):
        agents_of(("iggi", "cheatbot"))


def test_agents_are_the_same_objects_whenever_asked():
    assert agents_of(["iggi", "piers"]) is agents_of(("iggi", "piers"))


OTHER_FEATURES = ("risk_aversion", "communicativeness")


def elites(name, grid=(4, 4), features=OBSERVABLE):
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
    assert elites("mine").hypothesis(partners, 1) == expected
