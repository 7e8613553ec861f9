"""The kinds of partner models, what they may know, and models of a pool's agents."""

import numpy as np
import pytest
import torch

from hoad.agents import get_agent
from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen
from hoad.partners.kinds import KINDS, knowledge_without
from hoad.partners.meta_model import TEMPERATURES, LowShot, ZeroShot
from hoad.partners.model import PartnerModel, Uniform
from hoad.partners.pool import NOISES, Nearest, PoolPosterior
from tests.partners.observed import log_loss, self_play


def test_a_model_has_the_name_of_its_kind_and_the_pool_is_all_fair_plain_agents() -> None:
    known = knowledge_without(None)

    assert [known.make(kind).name for kind in KINDS] == list(KINDS)
    assert list(KINDS)[:4] == ["uniform", "nearest", "pool", "program"]
    names = {agent.name for agent in known.pool}
    assert {"iggi", "rainbow", "smartbot", "infobot"} < names
    assert "cheatbot" not in names
    assert known.meta_model == "rainbow"
    with pytest.raises(HoadError, match="unknown agent 'igi'"):
        knowledge_without(HeldOut("igi"))


@pytest.mark.parametrize(
    ("held_out", "missing", "meta_model"),
    [
        ("iggi", "iggi", "iggi"),
        ("imitator:piers", "piers", "piers"),
        ("rules:8,38,21,23,34", "outer", "outer"),
        ("rainbow", "rainbow", "rainbow"),
        ("smartbot", "smartbot", "rainbow"),
    ],
)
def test_a_held_out_partner_has_no_known_name(held_out: str, missing: str, meta_model: str) -> None:
    known = knowledge_without(HeldOut(held_out))

    pools = knowledge_without(None).pool, known.pool
    everybody, others = ({agent.name for agent in pool} for pool in pools)
    assert everybody - others == {missing}
    assert known.meta_model == meta_model


NAMES = ("outer", "piers", "simplebot")
POOL = [get_agent(name) for name in NAMES]


@pytest.mark.parametrize("kind", [PoolPosterior, Nearest])
@pytest.mark.parametrize("partner", NAMES)
def test_the_partner_is_found_in_the_pool(kind: type[PoolPosterior], partner: str) -> None:
    model = kind(POOL)

    model.learn(self_play(partner, 5, seed=8))

    assert model.ensemble().agents[0].name == partner
    assert model.ensemble().probabilities[0] == pytest.approx(1)
    assert model.ensemble().noise < 0.01


def test_all_agents_are_equally_probable_until_moves_that_none_makes_are_noise() -> None:
    model = PoolPosterior(POOL)
    np.testing.assert_allclose(model.belief(), 1 / (len(POOL) * len(NOISES)))

    model.learn(self_play("noisy:0.35:piers", 20, seed=8))

    assert model.ensemble().noise == pytest.approx(0.35, abs=0.06)


def test_learning_in_two_parts_is_learning_at_once() -> None:
    seen = self_play("iggi", 5, seed=8)
    at_once, in_parts = PoolPosterior(POOL), PoolPosterior(POOL)

    at_once.learn(seen)
    in_parts.learn(seen.select(np.arange(2)))
    in_parts.learn(seen.select(np.arange(2, 5)))

    np.testing.assert_allclose(in_parts.belief(), at_once.belief())


@pytest.mark.parametrize("model", [Uniform(), PoolPosterior(POOL), Nearest(POOL)])
def test_predictions_are_distributions_over_legal_moves(model: PartnerModel) -> None:
    seen = self_play("holmesbot", 5, seed=8)
    model.learn(seen)

    weights = model.expected(seen)

    np.testing.assert_allclose(weights.sum(1), 1)
    assert ((weights > 0) == seen.legal).all()


SEEN = self_play("simplebot", 8, seed=6)
SUPPORT, UNSEEN = SEEN.select(np.arange(5)), SEEN.select(np.arange(5, 8))


def test_low_shot_predicts_unseen_games_better_than_zero_shot() -> None:
    low_shot, zero_shot = LowShot("simplebot"), ZeroShot("simplebot")
    low_shot.learn(Seen(SUPPORT.logs, np.zeros((5, 2), np.bool_)))
    # without moves of the partner it is the meta-model
    assert torch.equal(low_shot.network().output.weight, zero_shot.network().output.weight)

    low_shot = LowShot("simplebot")
    low_shot.learn(SUPPORT)

    assert log_loss(low_shot, UNSEEN) < log_loss(zero_shot, UNSEEN) - 0.2


def test_a_meta_model_is_as_certain_by_name_as_by_file() -> None:
    path = find_checkpoint("maml", "outer")

    by_name, by_file = (ZeroShot(name) for name in ("outer", str(path)))

    assert by_name.temperature == by_file.temperature == TEMPERATURES["zero-shot"]["outer"]


def test_a_meta_model_learns_in_two_parts_as_at_once() -> None:
    at_once, in_parts = LowShot("simplebot"), LowShot("simplebot")

    at_once.learn(SUPPORT)
    in_parts.learn(SUPPORT.select(np.arange(1)))
    in_parts.learn(SUPPORT.select(np.arange(1, 5)))

    assert log_loss(in_parts, UNSEEN) == pytest.approx(log_loss(at_once, UNSEEN))
