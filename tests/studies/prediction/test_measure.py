"""How well a partner model predicts moves."""

import numpy as np

from hoad.agents import get_agent, play
from hoad.partners.choices import Seen
from hoad.partners.pool import PoolPosterior
from hoad.partners.uniform import Uniform
from hoad.studies.prediction.measure import BINS, Evaluation, evaluate


def test_uniform_and_the_partner_itself_are_evaluated() -> None:
    logs, seats = play([get_agent("simplebot")] * 2, 3, seed=1), np.ones((3, 2), np.bool_)
    itself = PoolPosterior([get_agent("simplebot")])
    itself.learn(logs, seats)

    seen = Seen(logs, seats)
    found = evaluate({"known": itself, "unknown": Uniform()}, seen)

    known, unknown = found["known"].prediction(), found["unknown"].prediction()

    assert (known.accuracy, round(known.log_loss, 1)) == (1.0, 0.0)
    assert 2.4 < unknown.log_loss < 3.0
    assert 1 / 20 < unknown.accuracy < 1 / 5  # as if one of the legal moves were drawn


def test_games_in_which_no_seat_is_followed_do_not_count() -> None:
    logs = play([get_agent("iggi")] * 2, 3, seed=1)
    first_in_two_games = np.array([[True, False], [False, False], [True, False]])

    found = evaluate({0: Uniform()}, Seen(logs, first_in_two_games))[0]

    moves = np.diff(logs.offsets)
    assert np.bincount(found.games).tolist() == [-(-moves[0] // 2), 0, -(-moves[2] // 2)]


def test_the_interval_covers_the_loss_of_all_games_where_games_differ_in_length() -> None:
    """Moves of short games are more probable, so that the mean over games is another one."""
    draw, losses_of = np.random.default_rng(1), np.array([0.2, 2.0])
    covered = 0
    for _ in range(400):
        is_long = draw.random(100) < 0.5
        games = np.repeat(np.arange(100), np.where(is_long, 30, 3))
        losses = draw.exponential(losses_of[is_long[games].astype(int)])
        found = Evaluation(games, losses, losses, np.zeros((3, BINS)), 0.0)
        expected = (3 * 0.2 + 30 * 2.0) / 33
        covered += abs(losses.mean() - expected) < found.prediction().half_width

    assert 0.92 < covered / 400 < 0.98


def test_uniform_is_calibrated_where_moves_are_drawn_uniformly() -> None:
    logs = play([get_agent("legal-random")] * 2, 200, seed=1)

    found = evaluate({0: Uniform()}, Seen(logs, np.ones((200, 2), np.bool_)))[0]

    number, expected, made = found.calibration
    often = number > 1000
    np.testing.assert_allclose(
        made[often] / number[often], expected[often] / number[often], atol=0.02
    )
    assert made.sum() == len(logs.actions)
