"""The inner loop, and learn2learn's."""

import copy
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import torch

from hoad.core.errors import HoadError
from hoad.game.log import Transitions, encode_turns
from hoad.learning.maml.inner_loop import LowShotModel, adapt
from hoad.learning.maml.inner_step import _import_maml, import_maml
from hoad.learning.measures import cross_entropy, measure
from hoad.learning.network_inputs import unpack
from hoad.learning.networks import MetaModel
from hoad.learning.policies import load_zero_shot
from hoad.learning.transitions import to_device

CPU = torch.device("cpu")
RATE = 0.05


@pytest.fixture
def model(transitions: Transitions) -> MetaModel:
    torch.manual_seed(0)
    model = MetaModel((48, 48, 24))
    model.update_statistics(unpack(torch.from_numpy(transitions.observations[:500])), momentum=1.0)
    return model


def test_adapting_leaves_the_model_and_its_statistics_as_they_are(model, transitions):
    before = copy.deepcopy(model.state_dict())
    unadapted = adapt(model, transitions, RATE, steps=0).state_dict()
    buffers = dict(adapt(model, transitions, RATE, steps=3).named_buffers())
    assert buffers
    for found in (unadapted, model.state_dict(), buffers):
        assert all(torch.equal(value, before[name]) for name, value in found.items())


def assert_close(network: torch.nn.Module, expected: Iterable[torch.Tensor]) -> None:
    for ours, theirs in zip(network.parameters(), expected, strict=True):
        assert torch.allclose(ours, theirs, rtol=0, atol=1e-6)


def test_adapting_is_gradient_descent_on_the_mean_over_transitions(model, transitions):
    batch = to_device(transitions, CPU)
    loss = cross_entropy(model(unpack(batch.observations)), batch.actions)
    gradients = torch.autograd.grad(loss, list(model.parameters()))

    adapted = adapt(model, transitions, RATE)

    before = zip(model.parameters(), gradients, strict=True)
    assert_close(adapted, [weights - RATE * gradient for weights, gradient in before])


def test_adapting_the_last_layer_leaves_the_others_as_they_are(model, transitions):
    adapted = adapt(model, transitions, RATE, layers="last")

    of_all = adapt(model, transitions, RATE)
    assert_close(adapted.output, of_all.output.parameters())
    assert not torch.equal(adapted.output.weight, model.output.weight)
    before = dict(model.named_parameters())
    assert all(
        torch.equal(weights, before[name])
        for name, weights in adapted.named_parameters()
        if not name.startswith("output.")
    )


def test_adapting_to_each_game_takes_a_step_a_game_and_helps_on_these(model, logs):
    both = encode_turns(logs.select(np.arange(2)))
    first, second = (encode_turns(logs.select(np.array([game]))) for game in (0, 1))

    adapted = adapt(model, both, RATE, each_game=True)

    assert_close(adapted, adapt(adapt(model, first, RATE), second, RATE).parameters())
    before, after = (measure(net, to_device(both, CPU), "float32") for net in (model, adapted))
    assert after.loss < before.loss


def test_adapting_does_not_depend_on_the_threads_of_torch(model, transitions):
    found = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        found.append(adapt(model, transitions, RATE).state_dict())
        assert torch.get_num_threads() == threads
    torch.set_num_threads(1)
    assert all(torch.equal(weights, found[1][name]) for name, weights in found[0].items())


@pytest.mark.parametrize("steps", [1, 4])
def test_steps_of_play_are_those_of_learn2learn(steps, model, transitions):
    batch = to_device(transitions, CPU)
    phi = import_maml().MAML(model, lr=RATE, first_order=True).clone()
    for _ in range(steps):
        phi.adapt(cross_entropy(phi(unpack(batch.observations)), batch.actions))

    assert_close(adapt(model, transitions, RATE, steps), phi.parameters())


def test_low_shot_play_needs_no_learn2learn_but_training_names_the_remedy(logs, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("hoad.learning.maml.inner_step._import_maml", None)  # a call would fail
        partner = LowShotModel("iggi").adapt(logs.select(np.arange(10)))
    assert load_zero_shot("iggi").identity != partner.identity

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    _import_maml.cache_clear()
    with pytest.raises(HoadError, match=r"make setup.*pip install --no-deps.*learn2learn==0\.2\.0"):
        import_maml()


def test_several_threads_may_be_the_first_to_ask_for_learn2learn():
    for _ in range(5):
        _import_maml.cache_clear()
        at_once = Barrier(4)

        def ask(at_once: Barrier) -> type:
            at_once.wait()
            return import_maml()

        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(ask, [at_once] * 4))

        assert len(set(found)) == 1
        # A later import gets all of it.
        assert not [module for module in sys.modules if module.startswith("learn2learn")]
