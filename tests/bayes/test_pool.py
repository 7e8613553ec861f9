import json

import pytest

from hoad.agents.features import OBSERVABLE
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


def test_names_are_a_pool_in_one_word_and_join_elites(population):
    named, joined = find_pool("iggi+rules:8,13+piers"), make_pool(["iggi"], str(population))

    assert named.agents == ("iggi", "rules:8,13", "piers")
    assert named.niches == (None, None, None)
    assert named.label(1) == "rules:8,13"
    assert joined.agents[0] == "iggi"
    assert joined.niches == (None, (0, 1), (2, 3))


def test_population_file_may_be_named_by_an_environment_variable(population, monkeypatch):
    monkeypatch.setenv("MY_POPULATIONS", str(population.parent))

    pool = find_pool("$MY_POPULATIONS/mine.json")

    assert pool.agents[0] == "elite:$MY_POPULATIONS/mine.json/0,1"
    assert [agent.name for agent in agents_of(pool.agents)] == list(pool.agents)


def test_agents_are_the_same_objects_whenever_asked_and_fair_ones_that_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    assert agents_of(["iggi", "piers"]) is agents_of(("iggi", "piers"))
    with pytest.raises(HoadError, match="cheatbot"):
        agents_of(("iggi", "cheatbot"))
    with pytest.raises(HoadError, match="population 'absent'"):
        find_pool("absent")


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
