"""Populations and their elites, also as pyribs's archive and as a heat map."""

import json
from typing import Any

import numpy as np
import pytest

from hoad.agents import get_agent, same_agent
from hoad.core.errors import HoadError
from hoad.core.figure_files import png
from hoad.evolution import folders
from hoad.evolution.folders import run_folder
from hoad.evolution.heat_map import draw_heat_map, fitness_grid
from hoad.evolution.population import (
    Elite,
    Population,
    elite_names,
    load_population,
    padded_chromosomes,
    population_csv,
    save_population,
)
from hoad.evolution.ribs_archive import to_ribs_archive


def small_population(grid: tuple[int, int], *elites: tuple[Any, Any, float | None]) -> Population:
    """Return a population of elites with niche, chromosome and fitness."""
    made = (Elite(niche=niche, chromosome=rules, fitness=value) for niche, rules, value in elites)
    return Population(name="small", grid=grid, rules="first-50", elites=tuple(made))


POPULATION = small_population((2, 3), ((0, 2), (8, 13), 1.5), ((1, 0), (39,), None))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "population.json"
    save_population(path, POPULATION)
    return path


def change(path, **values):
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


UNKNOWN_RULE = "unknown rule 999; the catalogue has 0 to 134"
UNSET = "variable NOWHERE, which names the folder of this file, is not set"


def elites_of(chromosome, niche=(0, 1)):
    return {"elites": [{"niche": niche, "chromosome": chromosome, "fitness": 1.0}]}


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
    ("asked", "evaluated", "missing"),
    [
        *(({"candidates": 1_000}, evaluated, left) for evaluated, left in ((300, 700), (1_000, 0))),
        *(({"candidates": 1_000}, None, 0), ({"candidates": "many"}, 300, 0), (None, 300, 0)),
    ],
)
def test_population_tells_what_its_run_had_still_to_evaluate(path, asked, evaluated, missing):
    change(path, recipe=asked, candidates=evaluated)

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
        (elites_of([8, 999]), rf"elites\.0\.chromosome\.1 = 999: {UNKNOWN_RULE}"),
        (elites_of([10**30]), r"elites\.0\.chromosome\.0"),
        (elites_of([8], niche=(0, 3)), r"niche \(0, 3\) is"),
        (elites_of([]), "elites.0.chromosome"),
        ({"elites": 2 * elites_of([8])["elites"]}, r"niche \(0, 1\) has several elites"),
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


ELITES = small_population((5, 5), ((2, 3), (8, 13, 38, 27), 15.0), ((0, 1), (8, 39), 1.0))


@pytest.fixture
def elites_path(tmp_path):
    elites_path = tmp_path / "small.json"
    save_population(elites_path, ELITES)
    return elites_path


def test_elite_is_the_agent_with_its_chromosome(elites_path):
    assert elite_names(str(elites_path)) == [f"elite:{elites_path}/0,1", f"elite:{elites_path}/2,3"]
    assert get_agent(f"elite:{elites_path}/2,3").name == f"elite:{elites_path}/2,3"
    assert same_agent(f"elite:{elites_path}/2,3", "rules:8,13,38,27")
    elites_path.write_text(elites_path.read_text().replace("39]", "999]"))
    with pytest.raises(HoadError, match=r"small\.json: .*unknown rule 999"):
        get_agent(f"elite:{elites_path}/2,3")


def test_elite_is_found_by_the_name_of_a_kept_population_or_of_a_run_which_comes_first(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path / "checkpoints"))
    monkeypatch.setattr(folders, "SHIPPED_POPULATIONS", tmp_path)
    run = run_folder("small", tmp_path / "checkpoints") / "population.json"
    run.parent.mkdir(parents=True)
    for elites_path in (tmp_path / "small.json", run):
        save_population(elites_path, ELITES)

        assert folders.population_path("small") == elites_path
        assert same_agent("elite:small/2,3", "rules:8,13,38,27")


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("{path}/4,4", "niche 4,4 is empty"),
        ("{path}/9,9", "niche 9,9 is empty"),
        ("{path}/2", "expected elite:POPULATION/c,i"),
        ("{path}", "expected elite:POPULATION/c,i"),
        ("nowhere/2,3", "population 'nowhere': no file .*set HOAD_CHECKPOINTS to its --out"),
        ("$NOWHERE/a.json/2,3", UNSET),
    ],
)
def test_elite_that_does_not_exist_is_refused(elites_path, argument, complaint):
    with pytest.raises(HoadError, match=complaint):
        get_agent("elite:" + argument.format(path=elites_path))


WIDE = small_population((5, 20), ((0, 2), (8, 13), 1.5), ((4, 19), (39, 2), 17.25))
DRAWN = small_population((2, 3), ((0, 2), (8, 13), 17.25), ((1, 0), (39,), None))


def test_archive_has_each_elite_in_its_niche_if_all_fitness_is_known():
    pytest.importorskip("ribs", reason="pyribs is not installed")

    archive = to_ribs_archive(WIDE)

    assert archive.stats.num_elites == 2
    assert archive.stats.obj_max == 17.25
    _, best = archive.retrieve_single([0.99, 0.99])
    assert best["solution"].tolist() == [39, 2]
    niches = archive.int_to_grid_index(archive.data("index")).tolist()
    assert sorted(niches) == [[0, 2], [4, 19]]
    with pytest.raises(HoadError, match="small: the fitness of an elite is not known"):
        to_ribs_archive(DRAWN)


def test_picture_shows_scores_where_they_belong():
    figure = draw_heat_map(DRAWN)
    axes, nan = figure.axes[0], np.nan

    (label,) = axes.texts
    assert (label.get_text(), label.get_position()) == ("17.2", (2, 0))
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["0–0.5", "0.5–1"]
    assert axes.get_xlabel() == "information per play"
    assert axes.get_title() == "small: 2 of 6 niches"
    assert png(figure).startswith(b"\x89PNG")
    np.testing.assert_array_equal(fitness_grid(DRAWN), [[nan, nan, 17.25], [nan, nan, nan]])
    large = DRAWN.model_copy(update={"grid": (20, 20)})  # has numbers if they are asked for
    assert not draw_heat_map(large, numbered=False).axes[0].texts
    assert len(draw_heat_map(large).axes[0].texts) == 1


def test_marked_niches_are_framed_and_named():
    figure = draw_heat_map(DRAWN, marked={"best": (1, 2), "generalist": (1, 2)})

    axes, [legend] = figure.axes[0], figure.legends
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels == ["best: 1,2", "generalist: 1,2"]
    for line in axes.lines:
        x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        assert abs(x - 2).max() < 0.5 and abs(y - 1).max() < 0.5
