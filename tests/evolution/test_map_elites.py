import hashlib

import numpy as np
import pytest

from hoad.evolution.judge import judge
from hoad.evolution.map_elites import Archive, advance, empty_archive, niches_of
from hoad.evolution.recipe import EvolveRecipe
from hoad.evolution.variation import make_candidates

RECIPE = EvolveRecipe(
    name="test", grid=(5, 5), games=5, candidates=400, random_candidates=40, generation=40
)


def advance_slowly(archive: Archive, generation: int) -> Archive:
    """The rules of the algorithm, niche by niche."""
    candidates = make_candidates(archive.elites, RECIPE, generation)
    decks = RECIPE.games, RECIPE.seed, generation * RECIPE.games
    verdicts = judge(candidates, *decks)
    chromosomes, fitness = archive.chromosomes.copy(), archive.fitness.copy()
    for niche in range(25):
        entered = []
        for index in range(len(candidates)):
            features, score = verdicts.features[index], verdicts.fitness[index]
            if score > 0 and [min(int(5 * f), 4) for f in features] == list(divmod(niche, 5)):
                entered.append((-score, index))
        if not entered:
            continue
        best = min(entered)[1]
        incumbent = -1.0
        if not np.isnan(fitness[niche]):
            incumbent = judge(chromosomes[niche : niche + 1], *decks).fitness[0]
            fitness[niche] = incumbent
        if verdicts.fitness[best] > incumbent:
            chromosomes[niche], fitness[niche] = candidates[best], verdicts.fitness[best]
    return Archive(chromosomes, fitness)


def test_each_generation_follows_the_rules():
    archive = empty_archive(RECIPE)
    for generation in range(6):
        expected = advance_slowly(archive, generation)

        archive = advance(archive, RECIPE, generation, threads=2)

        np.testing.assert_array_equal(archive.chromosomes, expected.chromosomes)
        np.testing.assert_array_equal(archive.fitness, expected.fitness)
    assert len(archive.filled) > 5


def test_the_same_recipe_still_gives_the_same_archive():
    """Published populations can be made again as long as this hash stays."""
    recipe = EvolveRecipe(
        name="test",
        seed=11,
        rules="published-105",
        games=10,
        candidates=600,
        random_candidates=200,
        generation=50,
    )
    archive = empty_archive(recipe)
    for generation in range(recipe.generations):
        archive = advance(archive, recipe, generation, threads=2)

    assert len(archive.filled) == 20
    content = archive.chromosomes.tobytes() + archive.fitness.tobytes()
    assert hashlib.sha256(content).hexdigest() == (
        "b70b6df5c9dd51abe7058a83300f0a7ffa897feef12829fbfb762a8218c03ceb"
    )


@pytest.fixture
def equals() -> tuple[EvolveRecipe, Archive]:
    """A recipe whose next candidates all play like the archive's only elite.

    Rule 39 makes any legal move, so what follows it in a chromosome is never asked.
    """
    recipe = EvolveRecipe(
        name="test", games=5, generation=3, candidates=6, random_candidates=3, seed=4
    )
    archive = empty_archive(recipe)
    archive.chromosomes[0], archive.fitness[0] = [39] + 14 * [0], 0.1
    candidates = make_candidates(archive.elites, recipe, 1)
    assert (candidates[:, 0] == 39).all()
    assert len({tuple(row) for row in [*candidates, archive.elites[0]]}) == 4
    return recipe, archive


def niche_where_it_plays(recipe: EvolveRecipe, archive: Archive) -> int:
    verdicts = judge(archive.elites, recipe.games, recipe.seed, recipe.games)
    return int(niches_of(verdicts.features, recipe.grid)[0])


def test_equal_candidate_does_not_replace_the_elite(equals):
    recipe, archive = equals
    niche = niche_where_it_plays(recipe, archive)
    archive.chromosomes[niche], archive.fitness[niche] = archive.chromosomes[0], 0.1
    archive.fitness[0] = np.nan

    after = advance(archive, recipe, 1, threads=1)

    np.testing.assert_array_equal(after.chromosomes[niche], archive.chromosomes[niche])
    assert after.fitness[niche] != 0.1  # it was judged anew


def test_of_equal_candidates_the_first_takes_the_niche(equals):
    recipe, archive = equals
    niche = niche_where_it_plays(recipe, archive)
    assert niche != 0

    after = advance(archive, recipe, 1, threads=1)

    first = make_candidates(archive.elites, recipe, 1)[0]
    np.testing.assert_array_equal(after.chromosomes[niche], first)


@pytest.mark.parametrize(
    ("features", "niche"),
    [((0, 0), 0), ((0.2, 0.19), 5), ((1, 0.99), 24), ((0.5, 1), 14), ((1, 1), 24)],
)
def test_niche_of_features(features, niche):
    assert niches_of(np.array([features], float), (5, 5)).tolist() == [niche]


def test_niches_of_a_grid_that_is_not_square():
    features = np.array([(0.99, 0.0), (0.0, 0.99), (0.5, 0.5)])

    assert niches_of(features, (2, 4)).tolist() == [4, 3, 6]
