"""Two meta-agents at one table."""

import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents.seeds import POOL_SEED, other_seed
from hoad.bayes.matchups import saved_matchups
from hoad.core.errors import HoadError
from hoad.evolution.folders import population_path
from hoad.evolution.population import load_population, save_population
from hoad.game.stream import Purpose
from hoad.reports.page import to_markdown
from hoad.studies.adaptive_pairs import AdaptivePairs, measure_pairs, report
from tests.bayes.meta_agents import bayes_features, generalist

PLAYERS = ("bayes-features", "generalist")
EPISODES, GAMES = 6, 4


@pytest.fixture(scope="module")
def population(tmp_path_factory) -> str:
    """Six elites of a shipped population."""
    whole = load_population(population_path("canaan-5x5-1"))
    path = tmp_path_factory.mktemp("population") / "six.json"
    save_population(path, whole.model_copy(update={"elites": whole.elites[6:12]}))
    return str(path)


@pytest.fixture(scope="module")
def measured(population, tmp_path_factory) -> AdaptivePairs:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_CHECKPOINTS", str(tmp_path_factory.mktemp("checkpoints")))
        return measure_pairs(population, PLAYERS, EPISODES, GAMES, 20, seed=3)


@pytest.mark.usefixtures("own_checkpoints")
def test_each_adapts_to_the_other_and_pairs_play_the_same_decks(measured):
    matchups = saved_matchups(measured.pool.agents, 20, POOL_SEED)
    first, second, seed = *map(bayes_features, [matchups] * 2), other_seed(3, Purpose.TABLE)

    both = play_episodes(first, second, EPISODES, GAMES, seed)
    one = play_episodes(bayes_features(matchups), generalist(matchups), EPISODES, GAMES, seed)

    pairs = [("bayes-features",) * 2, ("bayes-features", "generalist"), ("generalist",) * 2]
    assert list(measured.meetings) == pairs
    adaptive, mixed, alone = measured.meetings.values()
    np.testing.assert_array_equal(adaptive.scores, both.lenient)
    np.testing.assert_array_equal(adaptive.responses, [first.chosen, second.chosen])
    assert adaptive.seats == (0, 1)
    np.testing.assert_array_equal(mixed.scores, one.lenient)
    np.testing.assert_array_equal(mixed.scores[:, 0], alone.scores[:, 0])  # nobody has adapted


def test_the_generalist_stays_where_it_is_and_distances_are_in_niches(measured):
    meeting = measured.meetings["generalist", "generalist"]
    for side in range(2):
        assert set(meeting.responses[side]) == {measured.generalists[meeting.seats[side]]}
        assert (measured.away_from_generalist(meeting, side) == 0).all()

    meeting, niches = measured.meetings["bayes-features", "bayes-features"], measured.pool.niches
    own, base = niches[meeting.responses[1][0]], niches[measured.generalists[meeting.seats[1]]]
    away = measured.away_from_generalist(meeting, 1)
    assert away[0] == max(abs(own[0] - base[0]), abs(own[1] - base[1]))


def test_the_page_has_a_row_for_each_pair_and_each_game(measured):
    page = report(measured)

    assert len(page.rows) == 3 * GAMES
    scores = measured.meetings["bayes-features", "generalist"].scores
    where = {"first": "bayes-features", "second": "generalist", "game": 3}
    [third] = [row for row in page.rows if where.items() <= row.items()]
    assert third["lenient"] == pytest.approx(scores[:, 2].mean(), abs=1e-4)
    assert "| generalist | generalist |" in to_markdown(page)


@pytest.mark.parametrize("player", ["oracle", "iggi", "bayes-moves-support", "low-shot"])
@pytest.mark.usefixtures("own_checkpoints")
def test_only_those_play_who_adapt_to_whom_they_meet(population, player):
    with pytest.raises(HoadError, match=f"player {player}: not a meta-agent"):
        measure_pairs(population, [player], 2, 2, 2, seed=0)
