import numpy as np
import pytest

from hoad.agents.rules.catalogue import CATALOGUE
from hoad.evolution.offspring import make_candidates
from hoad.evolution.recipe import EvolveRecipe

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


def test_parents_are_drawn_uniformly():
    children = make_candidates(ELITES, recipe(crossover=0, mutation=0), 1)

    assert (children == children[:, :1]).all()
    assert np.bincount(children[:, 0]) / SIZE == pytest.approx([1 / 3] * 3, abs=0.03)


def test_crossover_takes_each_gene_from_either_parent():
    always, half = (
        make_candidates(ELITES, recipe(crossover=share, mutation=0), 1) for share in (1, 0.5)
    )

    mixed = always[(always != always[:, :1]).any(1)]
    assert len(mixed) / SIZE == pytest.approx(2 / 3, abs=0.03)  # else the same parent twice
    assert (mixed == mixed[:, :1]).sum(1).mean() == pytest.approx(8, abs=0.2)
    share_mixed = (half != half[:, :1]).any(1).mean()
    assert share_mixed == pytest.approx(0.5 * 2 / 3, abs=0.03)


def test_mutation_replaces_genes_by_uniform_rules():
    children = make_candidates(ELITES[:1], recipe(crossover=0, mutation=0.1), 1)

    assert (children != 0).mean() == pytest.approx(0.1 * 49 / 50, abs=0.005)


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

    assert set(candidates.ravel().tolist()) == set(range(size))
    assert set(range(size)) <= set(CATALOGUE)


def test_random_candidates_can_be_kept_from_holding_a_rule_twice():
    candidates = make_candidates(ELITES, recipe(distinct_rules=True), 0)[: SIZE // 2]

    assert all(len(set(row)) == 15 for row in candidates.tolist())
    assert_uniform(candidates)
    with pytest.raises(ValueError, match="no 51 different rules in first-50"):
        recipe(distinct_rules=True, length=51)
