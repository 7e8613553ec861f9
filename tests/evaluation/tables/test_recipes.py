import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.evaluation.tables.recipes import AdhocRecipe, MetaAgentsRecipe

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
META_AGENTS = {
    "pools": [{"name": "a", "agents": ["iggi", "flawed"]}, {"name": "b", "agents": ["piers"]}],
    "players": ["oracle", "bayes-features"],
    "out": "out",
}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"trials": 31}, "trials = 31 is more than episodes = 30"),
        ({"games_per_episode": 3}, "games_per_episode = 3"),
        ({"players": ["iggi", "iggi"]}, "players names .* twice"),
        ({"players": ["adaptive"], "pool": []}, "adaptive, so pool or population is needed"),
        ({"players": ["likelihood"], "pool": []}, "likelihood, so pool or population is needed"),
        ({"players": ["random-partner"], "agents": []}, "agents is needed"),
        ({"source": "clones"}, "source = 'clones'"),
        ({"naive": {"epoch": 1}}, r"unknown key naive.epoch \(did you mean epochs"),
    ],
)
def test_ad_hoc_recipes_that_make_no_sense_are_refused(changes, complaint):
    with pytest.raises(HoadError, match=complaint):
        check_recipe(ADHOC | changes, AdhocRecipe, "test")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"players": ["oracel"]}, "oracel"),
        ({"players": ["oracle", "low-shot"]}, "low-shot"),
        ({"players": ["oracle", "oracle"]}, "players names .* twice"),
        ({"pools": [{"name": "a", "agents": ["iggi"]}] * 2}, "pools names .* twice"),
        ({"pools": [{"name": "a"}]}, "pool a has neither a population nor agents"),
        ({"published_match_ups": "x.csv"}, 'seats = "first"'),
        ({"compare_with": "canaan-2022"}, "three published populations"),
        ({"beside": "canaan-2022"}, "renamed to compare_with"),
    ],
)
def test_meta_agent_recipes_that_make_no_sense_are_refused(changes, named):
    with pytest.raises(HoadError, match=named):
        check_recipe(META_AGENTS | changes, MetaAgentsRecipe, "test")


def test_old_names_of_players_are_accepted():
    recipe = check_recipe(META_AGENTS | {"players": ["likelihood-in-game"]}, MetaAgentsRecipe, "t")

    assert recipe.players == ("likelihood-in-game",)


def test_settings_of_kept_games_stay_those_of_older_versions():
    recipe = check_recipe(ADHOC, AdhocRecipe, "test")

    expected = {"source": "originals", "seed": 0, "episodes": 30, "games_per_episode": 2}
    assert recipe.settings == expected
