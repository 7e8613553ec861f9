import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.core.workers import workers
from hoad.evolution.population import Elite, load_population, save_population
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.output import write_report
from hoad.reports.page import to_text
from hoad.reports.published import PUBLISHED_RUNS
from hoad.studies.populations import (
    PopulationsResult,
    load_populations,
    measure_populations,
    report,
)
from tests.evolution.test_population import small_population

GAMES, PAIR_GAMES, SEED = 30, 8, 3
SEED_OF_GAMES = other_seed(SEED, Purpose.POPULATIONS)
POPULATION = small_population(
    (5, 5), ((2, 3), (8, 13, 38, 27), 25.0), ((0, 1), (39,), None), ((4, 0), (22, 34), 3.0)
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("populations") / "small.json"
    save_population(path, POPULATION)
    return path


@pytest.fixture(scope="module")
def result(path: Path) -> PopulationsResult:
    result = measure_populations([str(path)], GAMES, PAIR_GAMES, SEED, threads=2)
    return replace(result, made_with={"commit": "abc", "command": "x"})


def test_elites_are_evaluated(result: PopulationsResult, path: Path) -> None:
    (scores,) = result.populations
    measures = scores.measures()

    good, chance, hopeless = scores.fitness
    assert good > 10 > chance > 0 == hopeless  # the last one never plays a card
    assert measures["coverage"] == 2
    assert measures["best"] == good
    assert measures["mean"] == (good + chance) / 2
    assert measures["qd_score"] == good + chance
    played = replay(play([get_agent(f"elite:{path}/2,3")] * 2, GAMES, SEED_OF_GAMES)).scores
    assert good == played.mean()
    assert scores.deviations[0] == pytest.approx(played.std())
    assert measures["mean_deviation"] == pytest.approx(scores.deviations.mean())
    assert measures["largest_deviation"] == scores.deviations.max()


def test_pairs_play_the_same_decks_in_both_orders(result: PopulationsResult, path: Path) -> None:
    (scores,) = result.populations

    assert scores.pairwise.shape == (3, 3)
    assert scores.measures()["pairwise_mean"] == scores.pairwise.mean()
    names = [f"elite:{path}/{c},{i}" for c, i in ((2, 3), (0, 1))]
    logs = play([get_agent(name) for name in names], PAIR_GAMES, SEED_OF_GAMES)
    assert scores.pairwise[0, 1] == replay(logs).scores.mean()


def test_generalist_and_correlation_are_of_the_means_over_partners(
    result: PopulationsResult,
) -> None:
    (scores,) = result.populations

    for seat in (0, 1):
        expected = np.corrcoef(scores.fitness, scores.pairwise.mean(axis=1 - seat))[0, 1]
        assert scores.correlation(seat) == pytest.approx(expected)
    best = scores.population.elites[int(scores.pairwise.mean(axis=1).argmax())]
    assert scores.generalist == best.niche
    assert report(result).facts["populations"][0]["generalist_niche"] == best.niche


def test_processes_find_the_same(result: PopulationsResult, path: Path) -> None:
    with workers("loky"):
        again = measure_populations([str(path)], GAMES, PAIR_GAMES, SEED, threads=2)

    np.testing.assert_array_equal(again.populations[0].pairwise, result.populations[0].pairwise)
    np.testing.assert_array_equal(again.populations[0].fitness, result.populations[0].fitness)


def test_page_and_rows_show_each_elite_and_published_runs_of_the_same_grid(
    result: PopulationsResult,
) -> None:
    text, rows = to_text(report(result)), report(result).rows

    assert "small" in text
    assert "Canaan et al. 2022, table III, 2   5 × 5        22  19.95  11.66     256.5" in text
    assert "table I," not in text
    niches = [(row["population"], row["first_index"], row["second_index"]) for row in rows]
    assert niches == [("small", 2, 3), ("small", 0, 1), ("small", 4, 0)]
    assert [row["self_play"] for row in rows] == result.populations[0].fitness.tolist()


def test_folder_holds_page_figures_json_and_csv(result: PopulationsResult, tmp_path: Path) -> None:
    page = write_report(report(result), tmp_path / "out")

    assert "| commit | abc |" in page.read_text()
    for name in ("small.png", "pairwise.png"):
        assert f"({name})" in page.read_text()
        assert (tmp_path / "out" / name).read_bytes().startswith(b"\x89PNG")
    numbers = json.loads((tmp_path / "out/results.json").read_text())
    assert numbers["populations"][0]["qd_score"] == result.populations[0].measures()["qd_score"]
    assert report(result).facts["populations"][0]["best_niche"] == (2, 3)
    lines = (tmp_path / "out/results.csv").read_text().splitlines()
    names = ("population,first_index,second_index", "pairwise_moving_first,pairwise_moving_second")
    assert lines[0] == f"{names[0]},self_play,{names[1]},chromosome"
    assert lines[1].startswith("small,2,3,")
    assert lines[1].endswith(",8 13 38 27")


def test_files_of_one_name_are_told_apart_and_one_file_twice_refused(
    path: Path, tmp_path: Path
) -> None:
    names = [str(path), str(tmp_path / "another.json")]
    save_population(Path(names[1]), load_population(path))
    save_population(tmp_path / "empty.json", POPULATION.model_copy(update={"elites": ()}))

    assert [population.name for population in load_populations(names)] == names
    with pytest.raises(HoadError, match=r"named twice; name it once"):
        load_populations([str(path), str(path)])
    with pytest.raises(HoadError, match=r"empty\.json: has no elites"):
        load_populations([str(tmp_path / "empty.json")])


def test_no_figure_takes_the_place_of_another(result: PopulationsResult, tmp_path: Path) -> None:
    [scores, *_] = result.populations
    renamed = replace(scores, population=scores.population.model_copy(update={"name": "pairwise"}))

    with pytest.raises(HoadError, match=r"pairwise\.png: two figures"):
        write_report(report(replace(result, populations=(renamed,))), tmp_path / "report")


def test_agents_that_never_score_have_a_mean_of_0_and_no_correlation(tmp_path: Path) -> None:
    hint_and_discard = Elite(niche=(0, 0), chromosome=(22, 34), fitness=None)
    stopped = {"candidates": 300, "recipe": {"candidates": 1_000}}
    never = POPULATION.model_copy(update={"elites": (hint_and_discard,), **stopped})
    save_population(tmp_path / "never.json", never)

    result = measure_populations([str(tmp_path / "never.json")], 2, 2, seed=0, threads=1)

    measures = result.populations[0].measures()
    assert (measures["coverage"], measures["mean"]) == (0, 0.0)
    assert result.populations[0].correlation(0) is None
    page = to_text(report(result))
    assert "  -  " in page
    assert re.search(r"small\b.* 700 candidates", page)  # its run was stopped


def test_published_populations_score_as_published(reference: Path) -> None:
    """Self-play within a few standard errors, all pairs within the noise of common decks."""
    names = [str(reference / f"canaan_5x5_population_{number}.json") for number in (1, 2, 3)]

    result = measure_populations(names, games=400, pair_games=100, seed=1, threads=2)

    for scores, run in zip(result.populations, PUBLISHED_RUNS, strict=False):
        measures = scores.measures()
        assert measures["coverage"] == run.coverage
        assert measures["best"] == pytest.approx(run.best, abs=0.4)
        assert measures["mean"] == pytest.approx(run.mean, abs=0.3)
        assert measures["pairwise_mean"] == pytest.approx(run.pairwise, abs=0.6)
        assert run.correlations is not None
        for seat in (0, 1):
            assert scores.correlation(seat) == pytest.approx(run.correlations[seat], abs=0.03)
