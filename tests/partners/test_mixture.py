"""The mixture of partner models."""

from copy import deepcopy

import numpy as np
import pytest

from hoad.agents import PlainAgent, View, get_agent, play
from hoad.game.moves import COLOUR_NAMES, PLAY
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen
from hoad.partners.logit.prior import prior_without
from hoad.partners.mixture import Mixture
from hoad.partners.model import Ensemble, Uniform
from hoad.partners.pool import PoolPosterior
from hoad.partners.positions import Asked
from hoad.partners.shares import mix_ensembles, shares_of
from tests.partners.observed import every_seat, log_loss, self_play

POOL = [get_agent("outer"), get_agent("simplebot")]


def support_and_unseen(name: str) -> tuple[Seen, Seen]:
    games = self_play(name, 40, seed=4)
    return games.select(np.arange(10)), games.select(np.arange(10, 40))


class Memoriser(Uniform):
    """Knows the moves of the games that it learned, and nothing else."""

    name = "memoriser"

    def __init__(self) -> None:
        self._decks: set[bytes] = set()

    def learn(self, games: Seen) -> None:
        self._decks |= {deck.tobytes() for deck in games.logs.decks}

    def expected(self, games: Asked) -> np.ndarray:
        assert isinstance(games, Seen)
        choices = games.choices
        known = np.array([deck.tobytes() in self._decks for deck in games.logs.decks])
        return np.where(known[choices.games, None], np.eye(20)[choices.actions], choices.uniform)


LOSER = "elite:canaan-20x20-1/4,2"
"""Its ten games have some hundred decisions."""


@pytest.mark.parametrize(("partner", "others"), [("simplebot", 1), (LOSER, 2)])
def test_a_partner_in_the_pool_is_predicted_as_by_the_pool(partner: str, others: int) -> None:
    pool = [*POOL, get_agent(LOSER)] if partner == LOSER else POOL
    model, known = Mixture([lambda: PoolPosterior(pool), *[Uniform] * others]), PoolPosterior(pool)
    support, unseen = support_and_unseen(partner)

    model.learn(support)
    known.learn(support)

    assert partner != LOSER or len(support.choices) < 150
    assert log_loss(model, unseen) < log_loss(known, unseen) + 0.03
    assert model.shares[0] > model.shares[1:-1].max()  # but for the regression


def test_rules_and_agents_together_predict_a_partner_that_no_model_knows() -> None:
    model = Mixture([lambda: PoolPosterior(POOL)], POOL)
    support, unseen = support_and_unseen("valuebot")

    model.learn(support)

    assert log_loss(model, unseen) < log_loss(model.models[0], unseen) - 0.2


class HintsAreNumbers(PlainAgent):
    """After a hint of value k (colours first), discards position k mod 5; else hints by chance."""

    name = "hints are numbers"

    def choose(self, view: View) -> dict[str, float]:
        hints = [move for move in view.legal_moves if move.startswith("hint")]
        last = view.history[-1][1] if view.history else ""
        if last.startswith("hint") and view.tokens < 8:
            value = last.removeprefix("hint ")
            number = int(value) - 1 if value.isdigit() else COLOUR_NAMES.index(value)
            return {f"discard {number}": 1.0}
        return {hint: 1 / len(hints) for hint in hints} or {"discard 0": 1.0}


def test_a_convention_that_no_rule_says_is_learned_from_ten_games() -> None:
    agent, model = HintsAreNumbers(), Mixture([lambda: PoolPosterior(POOL)])
    games = every_seat(play([agent] * 2, 20, seed=4))
    support, unseen = games.select(np.arange(10)), games.select(np.arange(10, 20))
    choices = unseen.choices
    discards = choices.actions < PLAY

    model.learn(support)

    mixed, pool = (one.expected(unseen) for one in (model, model.models[0]))
    assert discards.sum() > 100
    assert choices.made(mixed)[discards].mean() > 0.5
    assert choices.made(pool)[discards].mean() < 0.2


def test_no_model_is_trusted_for_what_it_has_learned() -> None:
    model = Mixture([Memoriser, lambda: PoolPosterior(POOL)])
    games = self_play("outer", 6, seed=4)

    model.learn(games.select(np.arange(4)))
    model.learn(games.select(np.arange(4, 6)))

    assert model.shares[0] < 0.05


@pytest.mark.parametrize("number", [0, 1])
def test_few_games_are_enough(number: int) -> None:
    model = Mixture([lambda: PoolPosterior(POOL), Uniform], POOL)
    games = self_play("outer", 3, seed=4)
    seen, unseen = games.select(np.arange(number)), games.select(np.arange(number, 3))

    model.learn(seen)

    assert log_loss(model, unseen) < 2.4  # uniform: 2.6
    assert model.shares.sum() == pytest.approx(1)


def test_the_first_games_after_none_are_predicted_before_they_are_learned() -> None:
    games = self_play("outer", 4, seed=4)
    at_once, later = (Mixture([Memoriser, lambda: PoolPosterior(POOL)]) for _ in range(2))

    at_once.learn(games)
    later.learn(games.select(np.arange(0)))
    later.learn(games)

    np.testing.assert_allclose(later.shares, at_once.shares, rtol=1e-12)


def test_the_same_games_give_the_same_mixture() -> None:
    first, second = (Mixture([lambda: PoolPosterior(POOL)], POOL) for _ in range(2))

    for model in (first, second):
        model.learn(self_play("piers", 4, seed=4))

    unseen = self_play("piers", 2, seed=5)
    assert log_loss(first, unseen) == log_loss(second, unseen)


def test_without_games_a_learned_prior_of_the_weights_is_followed() -> None:
    games = self_play("outer", 4, seed=4)

    with_prior = Mixture([Uniform], prior=prior_without(HeldOut("outer")))

    assert log_loss(with_prior, games) < log_loss(Mixture([Uniform]), games) - 0.2


PARTNER = "outer"


def pool(*names):
    return lambda: PoolPosterior([get_agent(name) for name in names])


@pytest.fixture
def learned():
    mixture = Mixture([pool("iggi"), pool(PARTNER)])
    mixture.learn(self_play(PARTNER, 6, seed=1))
    return mixture


def test_the_model_that_predicts_has_the_share_and_predictions_are_distributions(learned):
    wrong, right, uniform, regression = learned.shares

    assert right / (1 - regression) > 0.95  # of the three others
    assert wrong + right + uniform + regression == pytest.approx(1.0)
    assert shares_of(np.zeros((0, 4))) == pytest.approx(0.25)  # without evidence
    unseen = self_play(PARTNER, 3, seed=2)
    expected = learned.expected(unseen)
    assert expected.sum(1) == pytest.approx(1.0)
    assert not expected[~unseen.legal].any()


def test_a_game_is_predicted_before_it_is_learned():
    mixture = Mixture([pool("iggi", PARTNER), pool(PARTNER)])
    seen = Seen(self_play(PARTNER, 1, seed=1).logs, np.array([[True, False]]))
    before = [*(model.expected(seen) for model in mixture.models), seen.choices.uniform]

    mixture.learn(seen)

    for model, weights in enumerate(before):
        assert mixture.made_unseen(model) == pytest.approx(seen.choices.made(weights))


def test_a_copy_learns_on_its_own(learned):
    copy, shares = deepcopy(learned), learned.shares.copy()

    copy.learn(self_play("iggi", 6, seed=4))

    assert learned.shares == pytest.approx(shares)
    assert copy.shares != pytest.approx(shares)


def test_hypotheses_are_those_of_all_models_by_share_also_if_thinned():
    agents = [get_agent(name) for name in ("iggi", "piers", "outer", "flawed")]
    parts = [
        Ensemble(agents[:2], np.array([0.5, 0.5]), 0.2),
        Ensemble(agents[2:], np.array([1.0, 0.0]), 0.0),
    ]

    mixed = mix_ensembles(parts, np.array([0.5, 0.4, 0.1]))
    thinned = mixed.thinned(8)

    assert [agent.name for agent in mixed.agents] == ["iggi", "piers", "outer", "flawed"]
    assert mixed.probabilities == pytest.approx([0.25, 0.25, 0.5, 0])
    assert [agent.name for agent in thinned.agents] == ["iggi", "piers", "outer"]
    assert thinned.probabilities == pytest.approx([0.25, 0.25, 0.5])
    assert mixed.noise == thinned.noise == pytest.approx(0.2)
