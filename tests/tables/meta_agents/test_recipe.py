import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.tables.meta_agents.recipe import MetaAgentsRecipe

META_AGENTS = {
    "pools": [{"name": "a", "agents": ["iggi", "flawed"]}, {"name": "b", "agents": ["piers"]}],
    "players": ["oracle", "bayes-features"],
    "out": "out",
}


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
