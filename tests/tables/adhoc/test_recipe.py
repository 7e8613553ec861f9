import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.tables.adhoc.recipe import AdhocRecipe

ADHOC = {
    "partners": ["iggi"],
    "players": ["self-play"],
    "agents": ["piers"],
    "pool": ["piers"],
    "episodes": 30,
    "trials": 3,
    "games_per_episode": 2,
    "out": "out",
}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"trials": 31}, "trials = 31 is more than episodes = 30"),
        ({"games_per_episode": 3}, "games_per_episode = 3"),
        ({"players": ["iggi", "iggi"]}, "players names .* twice"),
        ({"players": ["bayes-features"], "pool": []}, "bayes-features, so pool or population is"),
        ({"players": ["likelihood"], "pool": []}, "likelihood, so pool or population is needed"),
        ({"players": ["random-partner"], "agents": []}, "agents is needed"),
        ({"players": ["nearest"], "support_games": 0}, "nearest, so support_games is needed"),
        ({"meta_models": 4}, "meta_models = 4 is more than trials"),
        ({"population": "one", "elites": "two"}, "population and elites are both given"),
        ({"source": "clones"}, "source = 'clones'"),
        ({"naive": {"epoch": 1}}, r"unknown key naive.epoch \(did you mean epochs"),
    ],
)
def test_ad_hoc_recipes_that_make_no_sense_are_refused(changes, complaint):
    with pytest.raises(HoadError, match=complaint):
        check_recipe(ADHOC | changes, AdhocRecipe, "test")


def test_settings_of_kept_games_decide_them_and_players_may_start_without_games_of_the_partner():
    changes = {"players": ["search", "model"], "support_games": 0}
    recipe = check_recipe(ADHOC | changes, AdhocRecipe, "test")

    assert recipe.support_games == 0
    expected = {"source": "originals", "seed": 0, "episodes": 30, "games_per_episode": 2}
    assert recipe.settings == expected
