"""Programs: the prior on lists of rules, and the posterior after ten games."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import move_probabilities
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen, choices_of
from hoad.partners.program import posterior
from hoad.partners.program.posterior import ProgramPosterior, program_in_words
from hoad.partners.program.prior import GROWTH, LONGEST, draw_lists, log_prior

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


def _seats(games: int) -> np.ndarray:
    return np.ones((games, 2), np.bool_)


def _seen(logs: GameLogs) -> Seen:
    return Seen(logs, _seats(len(logs)))


def _games(name: str, games: int, seed: int) -> GameLogs:
    agent = get_agent(name)
    return play([agent, agent], games, seed)


def _learned(logs: GameLogs, seed: int = 0) -> ProgramPosterior:
    model = ProgramPosterior(seed)
    model.learn(_seen(logs))
    return model


def _predicted(model: ProgramPosterior, logs: GameLogs) -> np.ndarray:
    return model.expected(_seen(logs))


def _made(weights: np.ndarray, logs: GameLogs) -> np.ndarray:
    return weights[np.arange(len(weights)), logs.actions]


def _log_loss(model: ProgramPosterior, logs: GameLogs) -> float:
    return float(-np.log(_made(_predicted(model, logs), logs)).mean())


@pytest.fixture(scope="module")
def model() -> ProgramPosterior:
    return _learned(_games(PROGRAM, 10, seed=1))


def test_ten_games_show_a_rule_list(model: ProgramPosterior) -> None:
    """Within 0.03 nats a move of the entropy of the list itself, on unseen games."""
    unseen = _games(PROGRAM, 100, seed=2)
    entropy = -np.log(move_probabilities(get_agent(PROGRAM), unseen)).mean()

    assert _log_loss(model, unseen) < entropy + 0.03
    lines = program_in_words(model)
    assert any("TellAnyoneAboutUsefulCard" in line for line in lines)
    assert any("DiscardOldestFirst" in line for line in lines)
    assert program_in_words(ProgramPosterior()) == []


def test_before_any_game_every_legal_move_is_possible() -> None:
    logs = _games(PROGRAM, 3, seed=1)

    weights = _predicted(ProgramPosterior(), logs)

    assert weights.sum(axis=1) == pytest.approx(1.0)
    assert ((weights > 0) == choices_of(logs, _seats(3)).legal).all()
    assert weights.max() < 0.9


def test_the_same_games_and_seed_give_the_same_model(model: ProgramPosterior) -> None:
    posterior._recent.clear()  # models of the same games share them

    logs, unseen = _games(PROGRAM, 10, seed=1), _games(PROGRAM, 3, seed=2)
    weights = _predicted(model, unseen)

    assert np.array_equal(_predicted(_learned(logs), unseen), weights)
    assert not np.array_equal(_predicted(_learned(logs, seed=1), unseen), weights)


def test_random_moves_are_told_from_the_program() -> None:
    """Within 0.1 nats a move of the entropy of a list of which one move in seven is random."""
    noisy, unseen = f"noisy:0.15:{PROGRAM}", _games(f"noisy:0.15:{PROGRAM}", 100, seed=2)
    entropy = -np.log(move_probabilities(get_agent(noisy), unseen)).mean()

    assert _log_loss(_learned(_games(noisy, 10, seed=1)), unseen) < entropy + 0.1


def test_a_further_game_is_learned_from_where_the_model_stands() -> None:
    logs, unseen = _games("outer", 10, seed=1), _games("outer", 50, seed=2)
    model = _learned(logs.select(np.arange(8)))

    for game in (8, 9):
        model.learn(_seen(logs.select(np.array([game]))))

    assert model.table is not None and len(model.table.legal) == len(logs.actions)
    assert _log_loss(model, unseen) < _log_loss(_learned(logs), unseen) + 0.02


def test_a_further_game_changes_one_of_two_models_of_the_same_games() -> None:
    logs, further = _games(PROGRAM, 2, seed=1), _games("outer", 1, seed=2)
    first, second = _learned(logs), _learned(logs)

    first.learn(_seen(further))

    assert (second.particles.lists == _learned(logs).particles.lists).all()
    assert (first.particles.lists != second.particles.lists).any()


def test_the_ensemble_plays_as_the_model_predicts(model: ProgramPosterior) -> None:
    logs = _games("outer", 2, seed=3)
    made, ensemble = _made(_predicted(model, logs), logs), model.ensemble()

    each = np.array([move_probabilities(agent, logs) for agent in ensemble.agents])

    assert ensemble.probabilities.sum() == pytest.approx(1.0)
    assert ensemble.probabilities @ each == pytest.approx(made, abs=1e-5)
