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
    ],
)
def test_meta_agent_recipes_that_make_no_sense_are_refused(changes, named):
    with pytest.raises(HoadError, match=named):
        check_recipe(META_AGENTS | changes, MetaAgentsRecipe, "test")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"adapt_after": 0}, "adapt_after"),
        ({"adapt_after": "turn"}, "adapt_after"),
        ({"adapt_after": 5, "evidence": "as_published"}, "evidence = as_published is of whole"),
        ({"evidence": "histograms", "tell_seats_apart": False}, "histograms are those of a seat"),
    ],
)
def test_evidence_that_cannot_be_had_is_refused(changes, named):
    with pytest.raises(HoadError, match=named):
        check_recipe(META_AGENTS | changes, MetaAgentsRecipe, "test")


@pytest.mark.parametrize("after", ["game", "mistake", 5])
def test_beliefs_change_after_games_mistakes_or_turns(after):
    recipe = check_recipe(META_AGENTS | {"adapt_after": after}, MetaAgentsRecipe, "test")

    assert recipe.adapt_after == after
