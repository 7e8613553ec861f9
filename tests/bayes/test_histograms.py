"""Beliefs that weigh behaviour by histograms."""

from dataclasses import replace

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.bayes.histograms import BINS, HistogramBelief, bins_of, play_histograms, saved_histograms
from hoad.bayes.matchups import Matchups, matchups_path, play_matchups
from hoad.core.capacity import MOST_GAMES
from hoad.core.errors import HoadError
from hoad.core.files import only_writer, write_arrays

POOL = ("iggi", "flawed", "internal")


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return replace(play_matchups(POOL, 60, seed=1), histograms=play_histograms(POOL, 60, seed=1))


def test_histograms_count_the_games_of_the_matchups_in_tenths_of_both_features(matchups):
    features = np.array([[0, 0], [0.05, 0.19], [0.95, 1], [1, np.nan], [np.nan, 0.5]])
    logs = play([get_agent("flawed"), get_agent("iggi")], 60, seed=1)

    assert bins_of(features).tolist() == [0, 1, 9 * 11 + 9, 9 * 11 + 10, 10 * 11 + 5]
    for seat in range(2):
        shown = bins_of(features_of(count_behaviour(logs)[:, seat]))
        counted = matchups.histograms[1, 0, seat]
        np.testing.assert_array_equal(counted, np.bincount(shown, minlength=BINS))
    assert (matchups.histograms.sum(-1) == 60).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_hypotheses_are_weighed_by_the_share_of_such_games(matchups, seat):
    seats = [get_agent("iggi"), get_agent("flawed")]
    logs = play(seats if seat == 0 else seats[::-1], 10, seed=9)
    belief = HistogramBelief(matchups)
    belief.begin(10)

    for _ in range(2):
        belief.update(logs, seat, np.zeros(10, np.int64))

    shown = bins_of(features_of(count_behaviour(logs)[:, 1 - seat]))
    known = matchups.histograms[0, :, 1] if seat == 0 else matchups.histograms[:, 0, 0]
    shares = (known[:, shown].T + 0.5) ** 2
    np.testing.assert_allclose(belief.probabilities, shares / shares.sum(1, keepdims=True))
    assert (belief.probabilities[:, 1] >= belief.probabilities.max(1) - 1e-9).mean() > 0.8


def test_a_bin_counts_as_many_games_as_there_may_be():
    assert np.iinfo(play_histograms(POOL[:1], 2, seed=1).dtype).max >= MOST_GAMES


def test_histograms_are_played_while_another_program_plays_matchups(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    other = matchups_path(POOL, 10, seed=3)
    other.parent.mkdir()

    with only_writer(other.parent), only_writer(other.parent, f"{other.name}.lock"):
        assert saved_histograms(POOL[:2], 10, seed=3).sum() == 2 * 2 * 2 * 10


def test_histograms_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    first = saved_histograms(POOL[:2], 10, seed=3)
    monkeypatch.setattr("hoad.bayes.histograms.play_histograms", None)

    again = saved_histograms(POOL[:2], 10, seed=3)

    np.testing.assert_array_equal(first, again)
    assert first.shape == (2, 2, 2, BINS)
    path = matchups_path(POOL[:2], 10, seed=3).with_suffix(".histograms.npz")
    write_arrays(path, {"histograms": first[:1]})
    with pytest.raises(HoadError, match=r"histograms\.npz: .*\(1, 2, 2, 121\)"):
        saved_histograms(POOL[:2], 10, seed=3)
