"""Recipes of tables of meta-agents, and the check of their matchups."""

import numpy as np
import pytest

from hoad.bayes.matchups import play_matchups
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.tables.meta_agents.matchup_check import Measured, as_measured, compare, measure
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
        ({"published_matchups": "x.csv"}, 'seats = "first"'),
        ({"compare_with": "canaan-2022"}, "three published populations"),
        ({"adapt_after": 0}, "adapt_after"),
        ({"adapt_after": "turn"}, "adapt_after"),
        ({"adapt_after": 5, "evidence": "as_published"}, "evidence = as_published is of whole"),
        ({"evidence": "histograms", "tell_seats_apart": False}, "histograms are those of a seat"),
    ],
)
def test_meta_agent_recipes_that_make_no_sense_are_refused(changes, named):
    with pytest.raises(HoadError, match=named):
        check_recipe(META_AGENTS | changes, MetaAgentsRecipe, "test")


@pytest.mark.parametrize("after", ["game", "mistake", 5])
def test_beliefs_change_after_games_mistakes_or_turns(after):
    recipe = check_recipe(META_AGENTS | {"adapt_after": after}, MetaAgentsRecipe, "test")

    assert recipe.adapt_after == after


POOL = ("iggi", "flawed", "piers")
EVERY_PAIR = np.ones((3, 3), np.bool_)


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure(POOL, games=300, seed=1, threads=1)


def test_means_are_those_of_matchups(measured):
    matchups = play_matchups(POOL, 300, seed=1)

    np.testing.assert_allclose(as_measured(matchups, measured.errors).means, measured.means)


def test_errors_tell_how_far_means_on_other_decks_are(measured):
    others = [measure(POOL, games=300, seed=seed, threads=1) for seed in range(2, 12)]

    spread = np.std([other.means for other in others], axis=0, ddof=1)

    ratio = np.nanmean(spread[measured.errors > 0] / measured.errors[measured.errors > 0])
    assert ratio == pytest.approx(1, abs=0.25)


def test_same_program_on_other_decks_agrees(measured):
    other = measure(POOL, games=300, seed=2, threads=1)

    for found in compare(measured, other, EVERY_PAIR):
        assert found.pairs > 0
        assert abs(found.largest_z) < 4.5


def test_other_players_do_not_agree(measured):
    other = measure(("piers", "flawed", "internal"), games=300, seed=1, threads=1)

    assert abs(compare(measured, other, EVERY_PAIR)[0].largest_z) > 10


def test_differences_are_counted_in_standard_errors():
    first = Measured(np.full((3, 3, 3), 2.0), np.full((3, 3, 3), 3.0))
    second = Measured(np.full((3, 3, 3), 12.0), np.full((3, 3, 3), 4.0))
    second.means[0, 0, 0] = np.nan

    found = compare(first, second, EVERY_PAIR)

    assert [one.pairs for one in found] == [8, 9, 9]
    assert found[0].mean_z == found[0].largest_z == -2
    assert (found[0].mean_difference, found[0].absolute_difference) == (-10, 10)
    assert (found[0].spread_z, found[0].beyond) == (0, 1)
