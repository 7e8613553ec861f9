"""Programs: the prior on lists of rules, and the posterior after ten games."""

import numpy as np
import pytest

from hoad.agents import get_agent
from hoad.agents.follow import move_probabilities
from hoad.partners.choices import Seen
from hoad.partners.program import posterior
from hoad.partners.program.posterior import ProgramPosterior, program_in_words
from hoad.partners.program.prior import GROWTH, LONGEST, draw_lists, log_prior
from tests.partners.observed import log_loss, self_play

RULES = 6


def test_lists_are_as_long_as_their_prior_says() -> None:
    lists, lengths = draw_lists(4_000, RULES, np.arange(4_000, dtype=np.uint64))

    shares = np.bincount(lengths, minlength=3)[:3] / len(lengths)
    assert shares == pytest.approx((1 - GROWTH) * GROWTH ** np.arange(3), abs=0.02)
    assert lengths.max() == LONGEST
    assert set(np.unique(lists)) == set(range(RULES))
    one, two = log_prior(np.array([3, 4]), RULES)
    assert two - one == pytest.approx(np.log(GROWTH / RULES))


PROGRAM = "rules:8,13,38,27,22"


def learned(games: Seen, seed: int = 0) -> ProgramPosterior:
    model = ProgramPosterior(seed)
    model.learn(games)
    return model


def entropy(name: str, games: Seen) -> float:
    return -np.log(move_probabilities(get_agent(name), games.logs)).mean()


@pytest.fixture(scope="module")
def model() -> ProgramPosterior:
    return learned(self_play(PROGRAM, 10, seed=1))


def test_ten_games_show_a_rule_list(model: ProgramPosterior) -> None:
    """Within 0.03 nats a move of the entropy of the list itself, on unseen games."""
    unseen = self_play(PROGRAM, 100, seed=2)

    assert log_loss(model, unseen) < entropy(PROGRAM, unseen) + 0.03
    lines = program_in_words(model)
    assert any("TellAnyoneAboutUsefulCard" in line for line in lines)
    assert any("DiscardOldestFirst" in line for line in lines)
    assert program_in_words(ProgramPosterior()) == []


def test_before_any_game_every_legal_move_is_possible() -> None:
    games = self_play(PROGRAM, 3, seed=1)

    weights = ProgramPosterior().expected(games)

    assert weights.sum(axis=1) == pytest.approx(1.0)
    assert ((weights > 0) == games.legal).all()
    assert weights.max() < 0.9


def test_the_same_games_and_seed_give_the_same_model(model: ProgramPosterior) -> None:
    posterior._recent.clear()  # models of the same games share them

    games, unseen = self_play(PROGRAM, 10, seed=1), self_play(PROGRAM, 3, seed=2)
    weights = model.expected(unseen)

    assert np.array_equal(learned(games).expected(unseen), weights)
    assert not np.array_equal(learned(games, seed=1).expected(unseen), weights)


def test_random_moves_are_told_from_the_program() -> None:
    """Within 0.1 nats a move of the entropy of a list of which one move in seven is random."""
    noisy = f"noisy:0.15:{PROGRAM}"
    games, unseen = self_play(noisy, 10, seed=1), self_play(noisy, 100, seed=2)

    assert log_loss(learned(games), unseen) < entropy(noisy, unseen) + 0.1


def test_a_further_game_is_learned_from_where_the_model_stands() -> None:
    games, unseen = self_play("outer", 10, seed=1), self_play("outer", 50, seed=2)
    model = learned(games.select(np.arange(8)))

    for game in (8, 9):
        model.learn(games.select(np.array([game])))

    assert model.table is not None and len(model.table.legal) == len(games.choices)
    assert log_loss(model, unseen) < log_loss(learned(games), unseen) + 0.02


def test_a_further_game_changes_one_of_two_models_of_the_same_games() -> None:
    games = self_play(PROGRAM, 2, seed=1)
    first, second = learned(games), learned(games)

    first.learn(self_play("outer", 1, seed=2))

    assert (second.particles.lists == learned(games).particles.lists).all()
    assert (first.particles.lists != second.particles.lists).any()


def test_the_ensemble_plays_as_the_model_predicts(model: ProgramPosterior) -> None:
    games, ensemble = self_play("outer", 2, seed=3), model.ensemble()
    made = games.choices.made(model.expected(games))

    each = np.array([move_probabilities(agent, games.logs) for agent in ensemble.agents])

    assert ensemble.probabilities.sum() == pytest.approx(1.0)
    assert ensemble.probabilities @ each == pytest.approx(made, abs=1e-5)
