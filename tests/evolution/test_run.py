"""Runs of MAP-Elites, and offspring."""

import json
import re
import signal
from contextlib import contextmanager

import numpy as np
import pytest

from hoad.agents.rules.catalogue import CATALOGUE
from hoad.core.errors import HoadError
from hoad.evolution import run
from hoad.evolution.map_elites import make_candidates
from hoad.evolution.recipe import EvolveRecipe, recipes_of
from hoad.evolution.run import evolve

RECIPE = EvolveRecipe(
    name="tiny", length=2, grid=(2, 3), games=1, candidates=4, generation=2, final_games=1
)


def elite(niche, chromosome=(8, 39), fitness=1.0):
    return {"niche": list(niche), "chromosome": list(chromosome), "fitness": fitness}


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"generations": 3}, "3 generations are complete, but the recipe has only 2"),
        ({"elites": [elite((1, 3))]}, "niche (1, 3) is outside of the grid (2, 3)"),
        ({"elites": [elite((1, 2)), elite((1, 2))]}, "niche (1, 2) has several elites"),
        ({"elites": [elite((1, 2), [8])]}, "the elite of niche (1, 2) does not fit the recipe"),
        (
            {"elites": [elite((1, 2), fitness=None)]},
            "the elite of niche (1, 2) does not fit the recipe",
        ),
        ({"elites": [elite((1, 2), [8, 9999])]}, "unknown rule 9999; the catalogue has 0 to 134"),
        ({"elites": [elite((1, 2), [8, 10**23])]}, "elites.0.chromosome.1"),
    ],
)
def test_progress_that_its_recipe_cannot_have_made_is_refused(tmp_path, values, complaint):
    saved = {"recipe": RECIPE.model_dump(mode="json"), "generations": 1, "elites": []}
    path = tmp_path / "populations/tiny/progress.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(saved | values))

    with pytest.raises(HoadError, match=f"{re.escape(str(path))}: .*{re.escape(complaint)}"):
        evolve(RECIPE, tmp_path, resume=True, threads=1, shown=False)


def test_several_runs_have_names_and_seeds_in_a_row_that_are_not_too_large():
    recipes = recipes_of(RECIPE.model_copy(update={"seed": 5}), 2)

    assert [(recipe.name, recipe.seed) for recipe in recipes] == [("tiny-1", 5), ("tiny-2", 6)]
    assert recipes[1].model_copy(update={"name": "tiny", "seed": 0}) == RECIPE
    with pytest.raises(HoadError, match=f"run tiny-2: seed = {2**63}"):
        recipes_of(RECIPE.model_copy(update={"seed": 2**63 - 1}), 2)


@contextmanager
def interrupted_after(seconds: float):
    """Let Ctrl-C come so many seconds later.

    It comes again and again: Python drops one that comes while an object is being finalised.
    """
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds, 5.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_fitness_of_the_search_does_not_pass_for_that_of_the_final_games(tmp_path, monkeypatch):
    folder = tmp_path / "populations/tiny"

    def stopped_at_the_end(chromosomes, games, seed, first_game, threads):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(run, "evaluate", stopped_at_the_end)
        evolve(RECIPE, tmp_path, resume=False, threads=1, shown=False)
    assert (folder / "progress.json").exists(), "it had not come to its end"
    assert not (folder / "population.json").exists()

    evolve(RECIPE, tmp_path, resume=True, threads=1, shown=False)
    finished = (folder / "population.json").read_bytes()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(run, "evaluate", stopped_at_the_end)
        evolve(RECIPE, tmp_path, resume=True, threads=1, shown=False)
    assert (folder / "population.json").read_bytes() == finished


def test_an_interrupt_while_a_picture_is_drawn_loses_no_generation(tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "draw_heat_map", stopped)
    recipe = RECIPE.model_copy(update={"save_every": 1})

    with pytest.raises(KeyboardInterrupt):
        evolve(recipe, tmp_path, resume=False, threads=1, shown=False)

    progress = json.loads((tmp_path / "populations/tiny/progress.json").read_text())
    assert progress["generations"] == 1


# Python warns of a Ctrl-C that it drops.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_run_that_is_stopped_in_its_first_generation_leaves_none_to_resume(tmp_path):
    evolve(RECIPE, tmp_path, resume=False, threads=1, shown=False)  # all is loaded and compiled
    endless = {"name": "endless", "games": 10_000, "generation": 10_000, "candidates": 10_000}
    recipe = RECIPE.model_copy(update=endless)

    with pytest.raises(KeyboardInterrupt), interrupted_after(1.5):
        evolve(recipe, tmp_path, resume=False, threads=1, shown=False)

    assert list((tmp_path / "populations/endless").glob("events.*")), "it had not begun"
    assert not (tmp_path / "populations/endless/progress.json").exists()
    assert not (tmp_path / "populations/endless/population.json").exists()


@pytest.mark.parametrize("resume", [False, True])
def test_a_finished_population_without_its_progress_is_not_written_over(tmp_path, resume):
    evolve(RECIPE, tmp_path, resume=False, threads=1, shown=False)
    population = tmp_path / "populations/tiny/population.json"
    finished = population.read_bytes()
    population.with_name("progress.json").unlink()

    with pytest.raises(HoadError, match=re.escape(f"{population}: a finished population")):
        evolve(RECIPE, tmp_path, resume, threads=1, shown=False)

    assert population.read_bytes() == finished


SIZE = 4_000
ELITES = np.array([[0] * 15, [1] * 15, [2] * 15])


def recipe(**values) -> EvolveRecipe:
    chosen = {"candidates": 2 * SIZE + 10, "random_candidates": SIZE // 2, "generation": SIZE}
    return EvolveRecipe(name="test", **(chosen | values))


def test_candidates_are_random_at_first_and_without_elites():
    first = make_candidates(ELITES, recipe(), 0)[: SIZE // 2]
    alone = make_candidates(np.zeros((0, 15), np.int64), recipe(), 1)

    assert_uniform(first)
    assert alone.shape == (SIZE, 15)
    assert set(alone.ravel().tolist()) == set(range(50))
    assert make_candidates(ELITES, recipe(), 2).shape == (10, 15)  # what is left


def assert_uniform(candidates: np.ndarray) -> None:
    shares = np.bincount(candidates.ravel(), minlength=50) / candidates.size
    assert shares == pytest.approx(np.full(50, 1 / 50), abs=0.005)


def test_parents_are_drawn_uniformly_and_mutation_replaces_genes_by_uniform_rules():
    children = make_candidates(ELITES, recipe(crossover=0, mutation=0), 1)
    mutants = make_candidates(ELITES[:1], recipe(crossover=0, mutation=0.1), 1)

    assert (children == children[:, :1]).all()
    assert np.bincount(children[:, 0]) / SIZE == pytest.approx([1 / 3] * 3, abs=0.03)
    assert (mutants != 0).mean() == pytest.approx(0.1 * 49 / 50, abs=0.005)


def test_crossover_takes_each_gene_from_either_parent():
    always, half = (
        make_candidates(ELITES, recipe(crossover=share, mutation=0), 1) for share in (1, 0.5)
    )

    mixed = always[(always != always[:, :1]).any(1)]
    assert len(mixed) / SIZE == pytest.approx(2 / 3, abs=0.03)  # else the same parent twice
    assert (mixed == mixed[:, :1]).sum(1).mean() == pytest.approx(8, abs=0.2)
    share_mixed = (half != half[:, :1]).any(1).mean()
    assert share_mixed == pytest.approx(0.5 * 2 / 3, abs=0.03)


def test_candidates_depend_on_seed_and_generation_alone():
    again = make_candidates(ELITES, recipe(), 1)

    np.testing.assert_array_equal(again, make_candidates(ELITES, recipe(), 1))
    assert (again != make_candidates(ELITES, recipe(seed=1), 1)).any()
    assert (again[:10] != make_candidates(ELITES, recipe(), 2)).any()


@pytest.mark.parametrize(
    ("name", "size"), [("first-50", 50), ("published-105", 105), ("all-135", 135)]
)
def test_rules_come_from_the_set_that_the_recipe_names(name, size):
    candidates = make_candidates(ELITES, recipe(rules=name), 0)

    assert set(candidates.ravel().tolist()) == set(range(size)) <= set(CATALOGUE)


def test_random_candidates_can_be_kept_from_holding_a_rule_twice():
    candidates = make_candidates(ELITES, recipe(distinct_rules=True), 0)[: SIZE // 2]

    assert all(len(set(row)) == 15 for row in candidates.tolist())
    assert_uniform(candidates)
    with pytest.raises(ValueError, match="no 51 different rules in first-50"):
        recipe(distinct_rules=True, length=51)
