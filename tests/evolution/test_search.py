import json
import re
import signal
from contextlib import contextmanager

import pytest

from hoad.core.errors import HoadError
from hoad.evolution import search
from hoad.evolution.recipe import EvolveRecipe, recipes_of
from hoad.evolution.search import evolve

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


def test_several_runs_have_names_and_seeds_in_a_row():
    recipes = recipes_of(RECIPE.model_copy(update={"seed": 5}), 2)

    assert [(recipe.name, recipe.seed) for recipe in recipes] == [("tiny-1", 5), ("tiny-2", 6)]
    assert recipes[1].model_copy(update={"name": "tiny", "seed": 0}) == RECIPE


def test_run_whose_seed_would_be_too_large_is_refused():
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
        patch.setattr(search, "evaluate", stopped_at_the_end)
        evolve(RECIPE, tmp_path, resume=False, threads=1, shown=False)
    assert (folder / "progress.json").exists(), "it had not come to its end"
    assert not (folder / "population.json").exists()

    evolve(RECIPE, tmp_path, resume=True, threads=1, shown=False)
    finished = (folder / "population.json").read_bytes()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(search, "evaluate", stopped_at_the_end)
        evolve(RECIPE, tmp_path, resume=True, threads=1, shown=False)
    assert (folder / "population.json").read_bytes() == finished


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
