"""Priors of the logit's weights, learned from many strangers."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.partners.choices import Seen
from hoad.partners.logit.model import Logit
from hoad.partners.logit.prior import (
    Strangers,
    read_strangers_weights,
    write_strangers_weights,
)
from hoad.partners.mixture.inputs import FIXED
from hoad.partners.mixture.learner import Prior
from hoad.partners.program.firing import NUMBERS

STRANGERS = Strangers(
    ("iggi", "piers", "simplebot"),
    np.repeat([[1.0], [3.0], [8.0]], FIXED, axis=1),
    np.full((3, FIXED), 0.5),
)


def test_a_prior_has_the_mean_of_the_strangers_and_their_spread_and_doubt() -> None:
    prior = STRANGERS.prior(["iggi", "piers"])

    np.testing.assert_allclose(prior.means, 2.0)
    np.testing.assert_allclose(1 / prior.precision, 0.5 + 1.0)


def test_strangers_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "strangers.npz"

    write_strangers_weights(path, STRANGERS)

    found = read_strangers_weights(path)
    assert found.names == STRANGERS.names
    assert np.array_equal(found.means, STRANGERS.means)


def test_weights_of_other_inputs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "others.npz"
    monkeypatch.setattr("hoad.partners.logit.prior.INPUTS", "before")
    write_strangers_weights(path, STRANGERS)
    monkeypatch.undo()

    with pytest.raises(HoadError, match="other rules and traits"):
        read_strangers_weights(path)


def test_without_games_a_logit_expects_what_the_prior_says() -> None:
    means = np.zeros(FIXED)
    means[NUMBERS.index(22)] = 2.0  # a hint, drawn evenly
    logs = play([get_agent("iggi")] * 2, 1, seed=1)
    games = Seen(logs, np.ones((1, 2), np.bool_))

    found = Logit((), Prior(means, np.ones(FIXED))).expected(games)

    hints = found[:, 10:].sum(1) - games.uniform[:, 10:].sum(1)
    assert (hints[games.legal[:, 10:].any(1)] > 0).all()


def test_a_prior_is_left_where_games_say_otherwise() -> None:
    wrong = Prior(np.full(FIXED, -1.0), np.ones(FIXED))
    logs = play([get_agent("iggi")] * 2, 6, seed=1)
    games = Seen(logs, np.ones((6, 2), np.bool_))
    first, last = games.select(np.arange(3)), games.select(np.arange(3, 6))
    model = Logit((), wrong)
    before = last.choices.made(model.expected(last))

    model.learn_seen(first)

    after = last.choices.made(model.expected(last))
    assert np.log(after).mean() > np.log(before).mean() + 0.5
