"""MAP-Elites: recipe, archive and runs."""

import hashlib

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.evolution.fitness import evaluate
from hoad.evolution.map_elites import Archive, advance, empty_archive, make_candidates, niches_of
from hoad.evolution.recipe import EvolveRecipe


@pytest.mark.parametrize("name", ["demo", "canaan-5x5", "a.b", "_", "5", "größe"])
def test_name_of_a_population_may_hold_what_a_folder_may(name):
    assert EvolveRecipe(name=name).name == name


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        *(({"name": name}, "begins with a letter") for name in ("..", ".hidden", "-5")),
        *(({"name": name}, "made of letters") for name in ("a/b", "", "demo\n")),
        ({"name": "foo.json"}, "would mean a population file"),
        *(
            ({key: value}, f"here: {key}.* should be less than")
            for key, value in {
                **{"seed": 2**63, "length": 9_999_999_999_999, "grid": [1_000_000, 1_000_000]},
                **{"games": 2**63 - 1, "candidates": 10**24, "random_candidates": 10**24},
                **{"generation": 10**24, "save_every": 10**24, "final_games": 10**20},
            }.items()
        ),
    ],
)
def test_names_that_could_not_be_found_again_and_too_large_numbers_are_refused(values, complaint):
    with pytest.raises(HoadError, match=complaint):
        check_recipe({"name": "big"} | values, EvolveRecipe, source="here")


RECIPE = EvolveRecipe(
    name="test", grid=(5, 5), games=5, candidates=400, random_candidates=40, generation=40
)


AS_PUBLISHED = RECIPE.model_copy(
    update={"distinct_rules": True, "fresh_decks": True, "empty_niches": "rule-0"}
)
OTHER_FEATURES = RECIPE.model_copy(
    update={"features": ("risk_aversion", "communicativeness"), "grid": (4, 3)}
)


def advance_slowly(recipe: EvolveRecipe, archive: Archive, generation: int) -> Archive:
    """The rules of the algorithm, niche by niche."""
    zeros = recipe.empty_niches == "rule-0"
    parents = archive.chromosomes if zeros else archive.elites
    candidates = make_candidates(parents, recipe, generation)
    first = generation * recipe.games * (1 + recipe.fresh_decks)
    decks = recipe.games, recipe.seed, first
    verdicts = evaluate(candidates, *decks, features=recipe.features)
    if recipe.fresh_decks:
        decks = recipe.games, recipe.seed, first + recipe.games
    chromosomes, fitness = archive.chromosomes.copy(), archive.fitness.copy()
    for niche in range(len(fitness)):
        cell = divmod(niche, recipe.grid[1])
        entered = []
        for index in range(len(candidates)):
            score = verdicts.fitness[index]
            cells = zip(verdicts.features[index], recipe.grid, strict=True)
            if score > 0 and cell == tuple(min(int(size * f), size - 1) for f, size in cells):
                entered.append((-score, index))
        if not entered:
            continue
        best = min(entered)[1]
        incumbent, empty = -1.0, np.isnan(fitness[niche])
        if zeros or not empty:
            incumbent = evaluate(chromosomes[niche : niche + 1], *decks).fitness[0]
        if not empty:
            fitness[niche] = incumbent
        if verdicts.fitness[best] > incumbent:
            chromosomes[niche], fitness[niche] = candidates[best], verdicts.fitness[best]
    return Archive(chromosomes, fitness)


@pytest.mark.parametrize("recipe", [RECIPE, AS_PUBLISHED, OTHER_FEATURES])
def test_each_generation_follows_the_rules(recipe):
    archive = empty_archive(recipe)
    for generation in range(6):
        expected = advance_slowly(recipe, archive, generation)

        archive = advance(archive, recipe, generation, threads=2)

        np.testing.assert_array_equal(archive.chromosomes, expected.chromosomes)
        np.testing.assert_array_equal(archive.fitness, expected.fitness)
    assert len(archive.filled) > 4


def test_empty_niche_that_holds_rule_0_has_to_be_beaten():
    """Zeros make any legal move: some candidates score less than that, and find no place."""
    free = RECIPE.model_copy(update={"fresh_decks": True})
    beaten = free.model_copy(update={"empty_niches": "rule-0"})

    without, with_zeros = (advance(empty_archive(r), r, 0, threads=1) for r in (free, beaten))

    assert set(with_zeros.filled) < set(without.filled)
    assert with_zeros.fitness[with_zeros.filled].min() > 0


def test_the_same_recipe_still_gives_the_same_archive():
    """Published populations can be made again as long as this hash stays."""
    sizes = {"games": 10, "candidates": 600, "random_candidates": 200, "generation": 50}
    recipe = EvolveRecipe(name="test", seed=11, rules="published-105", **sizes)
    archive = empty_archive(recipe)
    for generation in range(recipe.generations):
        archive = advance(archive, recipe, generation, threads=2)

    assert len(archive.filled) == 20
    content = archive.chromosomes.tobytes() + archive.fitness.tobytes()
    digest = "b70b6df5c9dd51abe7058a83300f0a7ffa897feef12829fbfb762a8218c03ceb"
    assert hashlib.sha256(content).hexdigest() == digest


@pytest.mark.parametrize("filled", [False, True])
def test_of_equal_candidates_the_first_takes_the_niche_unless_an_elite_has_it(filled):
    """Rule 39 makes any legal move, so what follows it in a chromosome is never asked."""
    sizes = {"games": 5, "generation": 3, "candidates": 6, "random_candidates": 3}
    recipe = EvolveRecipe(name="test", seed=4, **sizes)
    archive = empty_archive(recipe)
    archive.chromosomes[0], archive.fitness[0] = [39] + 14 * [0], 0.1
    candidates = make_candidates(archive.elites, recipe, 1)
    assert (candidates[:, 0] == 39).all()
    assert len({tuple(row) for row in [*candidates, archive.elites[0]]}) == 4
    verdicts = evaluate(archive.elites, recipe.games, recipe.seed, recipe.games)
    niche = int(niches_of(verdicts.features, recipe.grid)[0])
    assert niche != 0
    expected = candidates[0]
    if filled:
        expected = archive.chromosomes[0]
        archive.chromosomes[niche], archive.fitness[niche] = expected, 0.1
        archive.fitness[0] = np.nan

    after = advance(archive, recipe, 1, threads=1)

    np.testing.assert_array_equal(after.chromosomes[niche], expected)
    assert after.fitness[niche] != 0.1  # it was evaluated again


def test_niche_of_features():
    features = np.array([[0, 0], [0.2, 0.19], [1, 0.99], [0.5, 1], [1, 1], [1, np.nan]])

    assert niches_of(features, (5, 5)).tolist() == [0, 5, 24, 14, 24, 20]
    not_square = np.array([(0.99, 0.0), (0.0, 0.99), (0.5, 0.5)])
    assert niches_of(not_square, (2, 4)).tolist() == [4, 3, 6]


@pytest.mark.parametrize("size", [3, 5, 20, 49, 50, 100])
def test_ratio_falls_into_the_niche_that_whole_numbers_say(size):
    """With the grids of the published populations, also into that of a product of floats."""
    pieces, chances = np.mgrid[0:301, 1:301].reshape(2, -1)
    pieces, chances = pieces[pieces <= chances], chances[pieces <= chances]
    ratios = pieces / chances

    niches = niches_of(np.stack([0 * ratios, ratios], axis=1), (1, size))

    expected = np.minimum(pieces * size // chances, size - 1)
    np.testing.assert_array_equal(niches, expected)
    if size in (5, 20):
        product = (ratios * size).astype(int)
        np.testing.assert_array_equal(niches, np.minimum(product, size - 1))
