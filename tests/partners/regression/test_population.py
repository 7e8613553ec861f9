"""What a regression that knows other strangers says of a further one, in words."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.partners.choices import Seen
from hoad.partners.program.firing import NUMBERS
from hoad.partners.regression import move_traits
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.population import (
    PopulationModel,
    RelatingInputs,
    fit_population,
    loss_under,
    observe,
)
from hoad.partners.regression.rule_moves import RULES

INPUTS = RelatingInputs((get_agent("simplebot"),), ())


def games_of(agent: str, seed: int) -> Seen:
    """Five games with iggi, which moves first."""
    logs = play([get_agent("iggi"), get_agent(agent)], 5, seed)
    return Seen(logs, np.tile([False, True], (5, 1)))


@pytest.fixture(scope="module")
def prior() -> Prior:
    """Of three who play certain cards, hint playable ones and discard the oldest untouched one."""
    lists = ("rules:8,13,132", "rules:8,20,132", "rules:2,13,132")
    others = [observe(games_of(rules, seed), INPUTS) for seed, rules in enumerate(lists)]
    return fit_population(others, INPUTS.groups)


def test_one_who_discards_new_cards_is_told_from_others_who_discard_old_ones(prior: Prior) -> None:
    games = games_of("rules:8,13,390", seed=9)
    model = PopulationModel(prior, INPUTS)
    nothing = model.differences(8), model.nats_learned()

    model.learn(games)

    found = model.differences(8)
    compared = [(each.words, each.compared[:4]) for each in found]
    assert nothing == ([], 0.0)
    assert compared[:2] == [
        ("discards the oldest untouched card", "less"),
        ("discards the newest untouched card", "more"),
    ]
    assert (
        "follows the rule: discard the newest card that no hint has touched",
        "more",
    ) in compared
    assert len({each.words for each in found}) == 8
    assert [each.nats for each in found] == sorted((each.nats for each in found), reverse=True)
    assert found[0].compared == f"less, {found[0].deviations:+.1f} SD"
    seen, weights = observe(games, INPUTS), model.weights.means
    assert model.nats_learned() == loss_under(seen, prior.means) - loss_under(seen, weights)
    first = move_traits.WORDS.index(found[0].words) + RULES
    without = weights.copy()
    without[first] = prior.means[first]
    lost = loss_under(seen, without) - loss_under(seen, weights)
    np.testing.assert_allclose(found[0].nats, lost, atol=1e-5)
    apart = (weights[first] - prior.means[first]) * np.sqrt(prior.precision[first])
    assert found[0].deviations == apart < -1


def test_each_input_has_words() -> None:
    assert len(INPUTS.words) == len(INPUTS.groups)
    assert INPUTS.words[-1] == "makes the moves of the agent simplebot"
    assert INPUTS.words[NUMBERS.index(27)] == "follows the rule: discard the oldest card"
    assert all(words and not set("{}_") & set(words) for words in INPUTS.words)
