import copy
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import torch
from torch.func import functional_call

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions, encode_turns
from hoad.learning.maml.adapt import Episode, adapt, judge, meta_gradient
from hoad.learning.maml.learn2learn import _import_maml, import_maml
from hoad.learning.measures import cross_entropy
from hoad.learning.networks import MetaModel
from hoad.learning.observations import unpack
from hoad.learning.transitions import TransitionTensors, to_device

CPU = torch.device("cpu")
RATE = 0.05


@pytest.fixture
def model(transitions: Transitions) -> MetaModel:
    torch.manual_seed(0)
    model = MetaModel((48, 48, 24))
    model.update_statistics(unpack(torch.from_numpy(transitions.observations[:500])), share=1.0)
    return model


@pytest.fixture(scope="module")
def episodes(logs: GameLogs) -> list[Episode]:
    """Two episodes of two support and two query batches, a game each."""
    games = [to_device(encode_turns(logs.select(np.array([game]))), CPU) for game in range(8)]
    return [
        Episode((games[0], games[1]), (games[2], games[3])),
        Episode((games[4], games[5]), (games[6], games[7])),
    ]


def loss_of(
    model: MetaModel, parameters: Mapping[str, torch.Tensor], batches: Sequence[TransitionTensors]
) -> torch.Tensor:
    """Return the loss of all the batches' transitions together, the slow and obvious way."""
    observations = torch.cat([unpack(batch.observations) for batch in batches])
    actions = torch.cat([batch.actions for batch in batches])
    state = {**dict(model.named_buffers()), **parameters}
    return cross_entropy(functional_call(model, state, (observations,)), actions)


def first_order_gradient(
    model: MetaModel, episode: Episode, queries: Sequence[TransitionTensors]
) -> list[torch.Tensor]:
    """Adapt by hand; return the gradient of the query loss at the adapted weights."""
    parameters: dict[str, torch.Tensor] = dict(model.named_parameters())
    for batch in episode.support:
        loss = loss_of(model, parameters, [batch])
        gradients = torch.autograd.grad(loss, list(parameters.values()))
        parameters = {
            name: (parameter - RATE * gradient).detach().requires_grad_()
            for (name, parameter), gradient in zip(parameters.items(), gradients, strict=True)
        }
    loss = loss_of(model, parameters, queries)
    return list(torch.autograd.grad(loss, list(parameters.values())))


@pytest.mark.parametrize("queries", ["all", "last"])
def test_meta_gradient_is_the_mean_over_the_tasks(
    model: MetaModel, episodes: list[Episode], queries: str
) -> None:
    used = [e.query if queries == "all" else e.query[-1:] for e in episodes]
    by_hand = [first_order_gradient(model, e, q) for e, q in zip(episodes, used, strict=True)]

    meta_gradient(model, episodes, [lambda _: RATE] * 2, queries, "float32")

    for parameter, *tasks in zip(model.parameters(), *by_hand, strict=True):
        assert parameter.grad is not None
        assert torch.allclose(parameter.grad, sum(tasks) / 2, atol=1e-6)


def test_the_unadapted_models_loss_on_all_support_is_added_by_its_weight(
    model: MetaModel, episodes: list[Episode]
) -> None:
    adapted = first_order_gradient(model, episodes[0], episodes[0].query)
    unadapted = first_order_gradient(model, Episode((), ()), episodes[0].support)

    meta_gradient(model, episodes[:1], [lambda _: RATE], "all", "float32", zero_shot_weight=0.7)

    for parameter, after, before in zip(model.parameters(), adapted, unadapted, strict=True):
        assert parameter.grad is not None
        assert torch.allclose(parameter.grad, after + 0.7 * before, atol=1e-6)


def test_each_inner_step_has_its_own_rate(model: MetaModel, episodes: list[Episode]) -> None:
    rates = {0: RATE, 1: 0.0}
    meta_gradient(model, episodes[:1], [rates.__getitem__], "all", "float32")
    only_first = Episode(episodes[0].support[:1], episodes[0].query)
    by_hand = first_order_gradient(model, only_first, only_first.query)
    for parameter, gradient in zip(model.parameters(), by_hand, strict=True):
        assert parameter.grad is not None
        assert torch.allclose(parameter.grad, gradient, atol=1e-6)


def test_adapting_leaves_the_model_and_its_statistics_as_they_are(
    model: MetaModel, transitions: Transitions, episodes: list[Episode]
) -> None:
    before = copy.deepcopy(model.state_dict())
    adapted = adapt(model, transitions, RATE, steps=3)
    meta_gradient(model, episodes, [lambda _: RATE] * 2, "all", "float32")
    judge(model, episodes[0], RATE, "float32")
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name]), name
    buffers = dict(adapted.named_buffers())
    assert buffers and all(torch.equal(buffers[name], before[name]) for name in buffers)


def test_adapting_is_gradient_descent_on_the_mean_over_transitions(
    model: MetaModel, transitions: Transitions
) -> None:
    batch = to_device(transitions, CPU)
    parameters = dict(model.named_parameters())
    loss = loss_of(model, parameters, [batch])
    gradients = torch.autograd.grad(loss, list(parameters.values()))

    adapted = adapt(model, transitions, RATE)

    for now, before, gradient in zip(
        adapted.parameters(), model.parameters(), gradients, strict=True
    ):
        assert torch.allclose(now, before - RATE * gradient, atol=1e-6)


def test_adapting_to_each_game_takes_a_step_a_game(model: MetaModel, logs: GameLogs) -> None:
    both = encode_turns(logs.select(np.arange(2)))
    first, second = (encode_turns(logs.select(np.array([game]))) for game in (0, 1))
    in_turn = adapt(adapt(model, first, RATE), second, RATE)
    for a, b in zip(
        adapt(model, both, RATE, each_game=True).parameters(), in_turn.parameters(), strict=True
    ):
        assert torch.allclose(a, b, atol=1e-6)


def test_no_steps_adapt_nothing(model: MetaModel, transitions: Transitions) -> None:
    adapted = adapt(model, transitions, RATE, steps=0)
    for a, b in zip(adapted.parameters(), model.parameters(), strict=True):
        assert torch.equal(a, b)


def test_adapting_helps_on_the_games_adapted_to(model: MetaModel, episodes: list[Episode]) -> None:
    found = judge(model, episodes[0], RATE, "float32")
    assert found["support after"].loss < found["support before"].loss


def test_missing_learn2learn_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    _import_maml.cache_clear()
    with pytest.raises(HoadError, match="make setup"):
        import_maml()


def test_who_imports_learn2learn_later_gets_all_of_it() -> None:
    _import_maml.cache_clear()
    import_maml()
    assert not [module for module in sys.modules if module.startswith("learn2learn")]


def test_several_threads_may_be_the_first_to_ask_for_learn2learn() -> None:
    for _ in range(5):
        _import_maml.cache_clear()
        at_once = Barrier(4)

        def ask(at_once: Barrier) -> type:
            at_once.wait()
            return import_maml()

        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(ask, [at_once] * 4))

        assert len(set(found)) == 1
