import json

import pytest

from hoad.core.errors import HoadError
from hoad.evolution.population import (
    Elite,
    Population,
    load_population,
    padded_chromosomes,
    population_csv,
    save_population,
)

POPULATION = Population(
    name="small",
    grid=(2, 3),
    rules="first-50",
    elites=(
        Elite(niche=(0, 2), chromosome=(8, 13), fitness=1.5),
        Elite(niche=(1, 0), chromosome=(39,), fitness=None),
    ),
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "population.json"
    save_population(path, POPULATION)
    return path


def change(path, **values):
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


@pytest.mark.parametrize("elites", [POPULATION.elites, ()])
def test_saved_population_is_loaded_unchanged(path, elites):
    population = POPULATION.model_copy(update={"elites": elites})

    save_population(path, population)

    assert load_population(path) == population


def test_elites_are_found_listed_and_padded_with_the_rule_that_never_acts():
    assert population_csv(POPULATION).splitlines() == [
        "communicativeness_niche,information_per_play_niche,fitness,chromosome",
        "0,2,1.5,8 13",
        "1,0,,39",
    ]
    assert padded_chromosomes([(8, 13, 38), (39,)]).tolist() == [[8, 13, 38], [39, 0, 0]]
    assert padded_chromosomes([]).shape == (0, 0)
    with pytest.raises(HoadError, match="niche 0,0 is empty; filled are 0,2, 1,0"):
        POPULATION.elite((0, 0))


@pytest.mark.parametrize(
    ("asked", "judged", "missing"),
    [
        ({"candidates": 1_000}, 300, 700),
        ({"candidates": 1_000}, 1_000, 0),
        ({"candidates": 1_000}, None, 0),
        ({"candidates": "many"}, 300, 0),
        (None, 300, 0),
    ],
)
def test_population_tells_what_its_run_had_still_to_judge(path, asked, judged, missing):
    change(path, recipe=asked, candidates=judged)

    assert load_population(path).missing_candidates == missing


@pytest.mark.parametrize(("number", "elites"), [(1, 311), (2, 311), (3, 310)])
def test_published_populations_are_read(reference, number, elites):
    population = load_population(reference / f"canaan_20x20_population_{number}.json")

    assert population.grid == (20, 20)
    assert len(population.elites) == elites


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"colour": "red"}, "unknown key colour"),
        ({"grid": [5]}, "grid"),
        ({"grid": [0, 5]}, r"grid\.0 = 0"),
        ({"grid": [5, -5]}, r"grid\.1 = -5"),
        ({"grid": [10**6, 10**6]}, r"grid\.0 = 1000000"),
        ({"grid": [10**30, 5]}, r"grid\.0"),
        ({"features": ["foo", "bar"]}, r"features\.0 = 'foo'"),
        (
            {"elites": [{"niche": [0, 1], "chromosome": [8, 999], "fitness": 1.0}]},
            r"elites\.0\.chromosome\.1 = 999: unknown rule 999; the catalogue has 0 to 134",
        ),
        (
            {"elites": [{"niche": [0, 1], "chromosome": [10**30], "fitness": 1.0}]},
            r"elites\.0\.chromosome\.0",
        ),
        ({"elites": [{"niche": [0, 3], "chromosome": [8], "fitness": 1.0}]}, r"niche \(0, 3\) is"),
        ({"elites": [{"niche": [0, 1], "chromosome": [], "fitness": 1.0}]}, "elites.0.chromosome"),
        (
            {"elites": 2 * [{"niche": [0, 1], "chromosome": [8], "fitness": 1.0}]},
            r"niche \(0, 1\) has several elites",
        ),
    ],
)
def test_what_is_wrong_in_a_population_is_named(path, values, complaint):
    change(path, **values)

    with pytest.raises(HoadError, match=f"population.json.*{complaint}") as refused:
        load_population(path)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", '{"name":'),
        *(f'{{"recipe": {depth * "["}{depth * "]"}}}' for depth in (150, 900, 2_000, 100_000)),
    ],
    ids=range(7),
)
def test_file_that_is_no_population_is_refused(path, text):
    path.write_text(text)

    with pytest.raises(HoadError, match=r"population\.json"):
        load_population(path)
