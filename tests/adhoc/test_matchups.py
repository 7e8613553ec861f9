import numpy as np
import pytest

from hoad.adhoc.matchups import MatchUps, play_match_ups
from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.core.errors import HoadError
from hoad.evolution.population import load_population
from hoad.game.log import replay

POOL = ("iggi", "flawed", "internal")
GAMES, SEED = 40, 3
ABORTING = set(range(78, 83))


@pytest.fixture(scope="module")
def match_ups() -> MatchUps:
    return play_match_ups(POOL, GAMES, SEED)


def assert_equal(some: MatchUps, others: MatchUps) -> None:
    assert some.agents == others.agents
    for name in ("lenient", "strict", "features"):
        np.testing.assert_array_equal(getattr(some, name), getattr(others, name))


def test_match_up_is_the_mean_of_its_games(match_ups):
    logs = play([get_agent("flawed"), get_agent("internal")], GAMES, SEED)

    assert match_ups.lenient[1, 2] == replay(logs).scores.mean()
    assert match_ups.strict[1, 2] == replay(logs).strict.mean()
    np.testing.assert_array_equal(
        match_ups.features[1, 2], features_of(count_behaviour(logs).sum(0))
    )


def test_views_of_a_seat_are_by_response_and_hypothesis(match_ups):
    assert match_ups.scores(0)[1, 2] == match_ups.lenient[1, 2]
    assert match_ups.scores(1)[1, 2] == match_ups.lenient[2, 1]
    np.testing.assert_array_equal(match_ups.expected_features(0)[1, 2], match_ups.features[1, 2, 1])
    np.testing.assert_array_equal(match_ups.expected_features(1)[1, 2], match_ups.features[2, 1, 0])


def test_match_ups_do_not_depend_on_threads(match_ups):
    assert_equal(play_match_ups(POOL, GAMES, SEED, threads=3), match_ups)


def test_match_ups_of_some_agents_are_those_among_them(match_ups):
    assert_equal(match_ups.select([2, 0]), play_match_ups(("internal", "iggi"), GAMES, SEED))


def test_agent_named_twice_is_refused():
    with pytest.raises(HoadError, match="agent iggi is named twice"):
        play_match_ups(("iggi", "piers", "iggi"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_published_elites_do_and_behave_as_published(reference, published, number):
    """100 games of each pair here, 400 there; the decks that all pairs share differ.

    Elites with rules 78 to 82 are left out: there, those rules abort games.
    """
    path = reference / f"canaan_5x5_population_{number}.json"
    elites = sorted(load_population(path).elites, key=lambda elite: elite.niche)
    alike = [i for i, elite in enumerate(elites) if not ABORTING & set(elite.chromosome)]
    theirs = published(number).select(alike)
    names = [f"elite:{path}/{name[0]},{name[1]}" for name in theirs.agents]

    ours = play_match_ups(names, games=100, seed=number, threads=2)

    differences = ours.scores(0) - theirs.scores(0)
    assert differences.mean() == pytest.approx(0, abs=0.4)
    assert differences.std() < 0.5
    shown, expected = ours.expected_features(0), theirs.expected_features(0)
    np.testing.assert_array_equal(np.isnan(shown), np.isnan(expected))
    assert np.nanmean(shown - expected, axis=(0, 1)) == pytest.approx([0, 0], abs=0.01)
    assert (np.nanstd(shown - expected, axis=(0, 1)) < 0.03).all()


def test_without_seats_both_orders_count_the_same():
    lenient = np.array([[1.0, 2.0], [4.0, 8.0]])
    features = np.arange(16.0).reshape(2, 2, 2, 2)

    mixed = MatchUps(("a", "b"), lenient, lenient / 2, features).without_seats()

    for seat in range(2):
        assert mixed.scores(seat).tolist() == [[1, 3], [3, 8]]
        shown = mixed.expected_features(seat)
        for response in range(2):
            for hypothesis in range(2):
                second, first = features[response, hypothesis, 1], features[hypothesis, response, 0]
                np.testing.assert_allclose(shown[response, hypothesis], (first + second) / 2)
    assert mixed.strict.tolist() == [[0.5, 1.5], [1.5, 4]]
