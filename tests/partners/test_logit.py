"""The conditional logit: model, agent in compiled code, and priors of its weights."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.agents.registry import RULE_LISTS, same_agent
from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.evolution.folders import POPULATION_FILE, run_folder
from hoad.evolution.population import save_population
from hoad.knowledge import HeldOut, _others
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.partners.logit.members import can_be_member
from hoad.partners.logit.model import Logit
from hoad.partners.logit.prior import (
    FittedStrangers,
    prior_without,
    read_strangers_weights,
    write_strangers_weights,
)
from hoad.partners.logit.prune import MOST_LOST, kept_inputs, pruned_weights
from hoad.partners.model import Uniform
from hoad.partners.program.firing import NUMBERS, ROWS
from hoad.partners.regression.inputs import FIXED, regression_inputs
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.move_traits import TRAITS
from hoad.partners.regression.rule_moves import RULES
from hoad.partners.regression.softmax import WeightEstimates, log_odds, log_softmax, probabilities
from tests.evolution.test_population import small_population
from tests.partners.observed import every_seat, log_loss, self_play
from tests.scripts import prints_the_same_without_compilation

POOL = [get_agent(name) for name in ("outer", "holmesbot", "rainbow", "fireflower")]


def learned(name: str, games: int = 5) -> Logit:
    model = Logit(POOL)
    model.learn(self_play(name, games, seed=1))
    return model


def test_a_relative_of_the_pool_is_predicted_from_five_games() -> None:
    unseen = self_play("valuebot", 10, seed=2)

    assert log_loss(learned("valuebot"), unseen) < log_loss(Uniform(), unseen) / 3


def test_pruning_loses_no_more_than_it_may_and_removes_most_rules() -> None:
    regression = learned("valuebot").regression
    inputs, choices, weights = regression.inputs, regression.choices, regression.weights
    assert inputs is not None and choices is not None and weights is not None
    made = inputs.rows_of(choices.actions)

    pruned = pruned_weights(regression, kept_inputs(regression))

    def loss(means: np.ndarray) -> float:
        return float(-log_softmax(inputs, log_odds(inputs, means))[made].mean())

    at_some_temperature = min(loss(pruned * heat) for heat in np.linspace(1, 5, 81))
    assert at_some_temperature <= loss(weights.means) + MOST_LOST
    assert 0 < np.count_nonzero(pruned[:RULES]) < RULES / 3


def test_without_games_all_moves_are_alike_and_inputs_are_agents_that_can_be_asked() -> None:
    games, inputs = self_play("iggi", 2, seed=1), learned("valuebot").regression.inputs

    np.testing.assert_allclose(Logit(POOL).expected(games), games.uniform)
    assert inputs is not None and inputs.values.shape[1] == FIXED + 2  # no networks, no fireflower
    assert not any(map(can_be_member, map(get_agent, ("fireflower", "wtfwt", "noisy:0.1:iggi"))))


def test_a_further_game_is_predicted_before_it_is_learned() -> None:
    model, further = learned("valuebot", 8), self_play("valuebot", 1, seed=3)
    before = model.regression.left_out

    model.learn(further)

    assert np.array_equal(model.regression.left_out[: len(before)], before)
    assert len(model.regression.left_out) == len(before) + len(further.choices)


MEMBERS = [get_agent(name) for name in ("simplebot", "valuebot", "holmesbot", "smartbot", "iggi")]
RANDOM = np.random.default_rng(1)
WEIGHTS = LogitWeights(
    ROWS, MEMBERS, *(RANDOM.normal(size=size) for size in (len(ROWS), TRAITS, len(MEMBERS)))
)

PROGRAM = """
import numpy as np
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.partners.regression.move_traits import TRAITS
from hoad.partners.program.firing import ROWS
from hoad.agents import get_agent, play
members = [get_agent(name) for name in ("simplebot", "iggi", "holmesbot")]
weights = LogitWeights(ROWS[:20], members, np.ones(20), np.sin(np.arange(TRAITS)), np.ones(3))
agents = [logit_agent("logit", weights, greedy) for greedy in (False, True)]
print(play(agents, 1, seed=3).actions.tolist())
"""


def test_it_gives_moves_the_probabilities_of_the_regression() -> None:
    logs = play([get_agent("holmesbot"), get_agent("iggi")], 3, seed=2)
    games = every_seat(logs)
    means = np.concatenate([WEIGHTS.of_rules, WEIGHTS.of_traits, WEIGHTS.of_members])

    drawing, greedy = (
        games.weights_of(logit_agent("logit", WEIGHTS, each)) for each in (False, True)
    )

    sure = WeightEstimates(means, np.zeros(len(means)))
    expected = probabilities(regression_inputs(games, MEMBERS), sure)
    np.testing.assert_allclose(drawing, expected, atol=1e-5)
    assert np.array_equal(greedy, np.eye(20)[drawing.argmax(1)])


def test_a_logit_of_one_member_plays_as_the_member() -> None:
    [member] = members = [get_agent("holmesbot")]
    weights = LogitWeights([], members, np.zeros(0), np.zeros(TRAITS), np.full(1, 30.0))
    agent = logit_agent("logit", weights)

    ours, theirs = (play([one, member], 5, seed=3) for one in (agent, member))

    assert np.array_equal(ours.actions, theirs.actions)
    assert check_agent(agent, games=1) == []


def test_moves_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)


STRANGERS = FittedStrangers(
    ("iggi", "piers", "simplebot"),
    np.repeat([[1.0], [3.0], [8.0]], FIXED, axis=1),
    np.full((3, FIXED), 0.5),
)


def test_strangers_give_a_prior_and_are_read_and_those_of_other_inputs_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prior = STRANGERS.prior(["iggi", "piers"])
    np.testing.assert_allclose(prior.means, 2.0)
    np.testing.assert_allclose(1 / prior.precision, 0.5 + 1.0)  # their doubt and their spread
    path, others = tmp_path / "new" / "strangers.npz", tmp_path / "others.npz"
    write_strangers_weights(path, STRANGERS)
    monkeypatch.setattr("hoad.partners.logit.prior.INPUTS", "others")
    write_strangers_weights(others, STRANGERS)
    monkeypatch.undo()

    weights = read_strangers_weights(path)
    assert weights.names == STRANGERS.names
    assert np.array_equal(weights.means, STRANGERS.means)
    with pytest.raises(HoadError, match="other rules and traits"):
        read_strangers_weights(others)


def test_strangers_of_the_prior_are_the_shipped_elites_whatever_the_users_own_populations(
    own_checkpoints: Path,
) -> None:
    before = prior_without(HeldOut("iggi")).identity
    iggi = ((0, 0), RULE_LISTS["iggi"], None)
    make_folder(own := run_folder("canaan-5x5-2", own_checkpoints))
    save_population(own / POPULATION_FILE, small_population((5, 5), iggi))
    _others.cache_clear()
    assert same_agent("elite:canaan-5x5-2/0,0", "iggi")

    assert prior_without(HeldOut("iggi")).identity == before


def test_without_games_a_logit_expects_what_the_prior_says() -> None:
    means = np.zeros(FIXED)
    means[NUMBERS.index(22)] = 2.0  # a hint, drawn evenly
    games = self_play("iggi", 1, seed=1)

    expected = Logit((), Prior(means, np.ones(FIXED))).expected(games)

    hints = expected[:, 10:].sum(1) - games.uniform[:, 10:].sum(1)
    assert (hints[games.legal[:, 10:].any(1)] > 0).all()


def test_a_prior_is_left_where_games_say_otherwise() -> None:
    wrong = Prior(np.full(FIXED, -1.0), np.ones(FIXED))
    games = self_play("iggi", 6, seed=1)
    first, last = games.select(np.arange(3)), games.select(np.arange(3, 6))
    model = Logit((), wrong)
    before = last.choices.made(model.expected(last))

    model.learn(first)

    after = last.choices.made(model.expected(last))
    assert np.log(after).mean() > np.log(before).mean() + 0.5
