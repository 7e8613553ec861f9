"""How different the agents of populations are."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.core.workers import workers
from hoad.evolution.population import Elite, Population, load_population, save_population
from hoad.reports.output import write_report
from hoad.reports.page import to_text
from hoad.reports.published import PUBLISHED_AGREEMENT, PUBLISHED_HAMMING
from hoad.studies.diversity import Diversity, measure_diversity, measure_overlap, report


@pytest.fixture(scope="session")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("populations")
    for population in (ONE, TWO):
        save_population(folder / f"{population.name}.json", population)
    return [str(folder / "one.json"), str(folder / "two.json")]


@pytest.fixture(scope="session")
def result(names: list[str]) -> Diversity:
    return measure_diversity(names, **MUCH, threads=2)


IGGI_LIKE, HASTY, CHANCE = (8, 13, 38, 27), (3, 13, 38, 27), (39, 39, 39, 39)


def population_of(name: str, elites: dict[tuple[int, int], tuple[int, ...]]) -> Population:
    made = [Elite(niche=n, chromosome=rules, fitness=None) for n, rules in elites.items()]
    return Population(name=name, grid=(3, 3), rules="first-50", elites=tuple(made))


ONE = population_of("one", {(2, 2): IGGI_LIKE, (1, 0): CHANCE, (0, 0): HASTY})
TWO = population_of("two", {(1, 0): CHANCE, (2, 2): HASTY})

MUCH = {"games": 20, "pair_games": 3, "state_games": 2, "seed": 5}


def test_elites_of_the_same_niche_correspond_in_rules_moves_and_scores(result: Diversity) -> None:
    first, second = result.corresponding(0, 1)

    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 4), (1, 3)]
    assert (result.hamming[0, 4], result.hamming[1, 3]) == (1, 0)  # place by place
    assert result.mean("hamming", 0, 1) == 0.5
    assert result.agreement[2, 4] == pytest.approx(1)  # both play, always
    assert 0.05 < result.agreement[1, 3] < 0.2  # both make any legal move
    np.testing.assert_array_equal(result.agreement, result.agreement.T)
    pairs = result.agreement[first, second]
    np.testing.assert_allclose(np.sort(result.unanimity), np.sort(pairs), rtol=1e-5)
    assert result.scores.shape == (5, 5)
    np.testing.assert_array_equal(result.scores[2], result.scores[4])  # the same agent
    np.testing.assert_array_equal(result.corresponding_scores, result.corresponding_scores.T)


def test_three_populations_are_compared_in_the_niches_that_all_have_and_one_within(
    names: list[str], tmp_path: Path
) -> None:
    save_population(tmp_path / "one.json", ONE)
    diversity = measure_diversity([*names, str(tmp_path / "one.json")], **MUCH, threads=1)

    chance, rules = sorted(diversity.unanimity)
    assert chance < 0.05  # three random moves, hardly ever the same
    assert rules == pytest.approx(diversity.agreement[0, 4], abs=0.01)  # one is there twice
    assert "in all 3 populations, in the 2 niches" in to_text(report(diversity))
    save_population(
        tmp_path / "other.json", TWO.model_copy(update={"name": "other", "grid": (4, 3)})
    )
    with pytest.raises(HoadError, match="populations one and other have different niches"):
        measure_diversity([names[0], str(tmp_path / "other.json")], **MUCH, threads=1)
    alone = report(measure_diversity(names[:1], **MUCH, threads=1))
    assert list(alone.facts["by_distance"]) == ["within"]
    assert {row["pairs"] for row in alone.rows} == {"within"}
    [figure] = alone.figures
    assert len(figure.draw().axes) == 3


def test_means_by_distance_are_of_pairs_within_or_between(result: Diversity) -> None:
    within, between = (means["hamming"] for means in result.by_distance().values())

    assert result.pairs()["within"].sum() == 3 * 2 + 2
    assert result.pairs()["between"].sum() == 2 * 3 * 2
    assert set(within) == {1, 3, 4}
    assert within[3] == 4  # (2, 2) and (1, 0), in either population
    assert between[0] == 0.5


def test_processes_find_the_same(names: list[str], result: Diversity) -> None:
    with workers("loky"):
        again = measure_diversity(names, **MUCH, threads=2)

    for name in ("hamming", "agreement", "unanimity", "scores", "corresponding_scores"):
        np.testing.assert_array_equal(getattr(again, name), getattr(result, name))


@pytest.fixture
def published(reference: Path) -> list[Population]:
    names = [f"canaan_20x20_population_{number}.json" for number in (1, 2, 3)]
    return [load_population(reference / name) for name in names]


def diversity_of(
    populations: list[Population], agreement: np.ndarray, unanimity: np.ndarray
) -> Diversity:
    """A diversity without games."""
    none = np.zeros((3, 3))
    measures = (tuple(populations), agreement, unanimity, none, 0, none, 0, 0, 0)
    return Diversity(*measures, seed=0, seconds=0.0, made_with={})


def test_published_chromosomes_differ_as_published(published: list[Population]) -> None:
    elites = sum(len(population.elites) for population in published)

    diversity = diversity_of(published, np.zeros((elites, elites)), np.zeros(0))

    for pair, distance in PUBLISHED_HAMMING.items():
        assert diversity.mean("hamming", *pair) == pytest.approx(distance, abs=0.005)


def test_published_elites_agree_as_published(published: list[Population]) -> None:
    """The published value is that of all three at once; two agree in 73 % of the decisions."""
    half = [
        population.model_copy(
            update={"elites": tuple(e for e in population.elites if sum(e.niche) % 2 == 0)}
        )
        for population in published
    ]

    agreement, unanimity, _ = measure_overlap(half, games=1, seed=0, threads=2)

    assert unanimity.mean() == pytest.approx(PUBLISHED_AGREEMENT, abs=0.01)
    diversity = diversity_of(half, agreement, unanimity)
    for pair in PUBLISHED_HAMMING:
        assert agreement[diversity.corresponding(*pair)].mean() == pytest.approx(0.73, abs=0.03)


def test_folder_holds_page_figure_json_and_csv(result: Diversity, tmp_path: Path) -> None:
    made = report(replace(result, made_with={"commit": "abc", "command": "x"}))

    page = write_report(made, tmp_path)

    assert "| commit | abc |" in page.read_text()
    assert (tmp_path / "by_distance.png").read_bytes().startswith(b"\x89PNG")
    numbers = json.loads((tmp_path / "results.json").read_text())
    assert numbers["corresponding"][0]["hamming"] == 0.5
    assert numbers["by_distance"]["between"]["hamming"]["0"] == 0.5
    assert numbers["unanimity"]["niches"] == 2
    assert numbers["decisions"] == result.decisions
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert lines[0] == "pairs,distance,measure,mean"
    assert "between,0,hamming,0.5" in lines
    assert "one – two" in to_text(made)
