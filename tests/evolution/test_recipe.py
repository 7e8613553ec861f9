import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.evolution.recipe import EvolveRecipe


@pytest.mark.parametrize("name", ["demo", "canaan-5x5", "a.b", "_", "5", "größe"])
def test_name_of_a_population_may_hold_what_a_folder_may(name):
    assert EvolveRecipe(name=name).name == name


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("..", "begins with a letter"),
        (".hidden", "begins with a letter"),
        ("-5", "begins with a letter"),
        ("a/b", "made of letters"),
        ("", "made of letters"),
        ("demo\n", "made of letters"),
        ("foo.json", "would mean a population file"),
    ],
)
def test_name_that_could_not_be_found_again_is_refused(name, complaint):
    with pytest.raises(HoadError, match=complaint):
        check_recipe({"name": name}, EvolveRecipe, source="here")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", 2**63),
        ("length", 9_999_999_999_999),
        ("grid", [1_000_000, 1_000_000]),
        ("games", 2**63 - 1),
        ("candidates", 10**24),
        ("random_candidates", 10**24),
        ("generation", 10**24),
        ("save_every", 10**24),
        ("final_games", 10**20),
    ],
)
def test_number_that_nothing_could_hold_is_refused(key, value):
    with pytest.raises(HoadError, match=rf"here: {key}.* should be less than"):
        check_recipe({"name": "big", key: value}, EvolveRecipe, source="here")
