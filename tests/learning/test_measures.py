import numpy as np
import pytest
import torch
from torch import nn

from hoad.game.log import Transitions
from hoad.learning import measures
from hoad.learning.measures import Measures, measure
from hoad.learning.transitions import to_device

CPU = torch.device("cpu")


@pytest.fixture
def network() -> nn.Module:
    """A network that would put out something else in its training mode."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Dropout(), nn.Linear(658, 20))


@pytest.fixture
def some(transitions: Transitions) -> Transitions:
    """A hundred turns of as many games, so that a batch of 7 at a time leaves one of 2."""
    rows = np.linspace(0, len(transitions.actions) - 1, 100).astype(np.int64)
    return Transitions(*(getattr(transitions, name)[rows] for name in vars(transitions)))


def test_moves_made_are_counted_by_the_most_probable_legal_move(
    network: nn.Module, some: Transitions
) -> None:
    confusion = torch.zeros(20, 20, dtype=torch.int64)

    found = measure(network, to_device(some, CPU), "float32", confusion)

    assert confusion.sum() == len(some.actions)
    assert confusion.trace() / confusion.sum() == pytest.approx(found.masked_accuracy)
    made = np.bincount(some.actions.astype(np.int64), minlength=20)
    assert confusion.sum(dim=1).tolist() == made.tolist()


def measured_at_once(network: nn.Module, transitions: Transitions) -> Measures:
    """Measure all transitions in one pass, the slow and obvious way."""
    state = {name: tensor.double().numpy() for name, tensor in network.state_dict().items()}
    bits = np.unpackbits(transitions.observations, axis=1)[:, :658].astype(np.float64)
    logits = bits @ state["1.weight"].T + state["1.bias"]
    actions = transitions.actions.astype(np.int64)
    made = logits[np.arange(len(actions)), actions]
    is_legal = (transitions.legal[:, None] >> np.arange(20) & 1).astype(np.bool_)
    of_legal = np.where(is_legal, np.exp(logits), 0.0).sum(axis=1)
    return Measures(
        loss=(np.log(np.exp(logits).sum(axis=1)) - made).mean(),
        accuracy=(logits.argmax(axis=1) == actions).mean(),
        masked_accuracy=(np.where(is_legal, logits, -np.inf).argmax(axis=1) == actions).mean(),
        masked_loss=(np.log(of_legal) - made).mean(),
    )


@pytest.mark.parametrize("training", [True, False])
def test_measures_are_means_over_all_transitions_and_leave_the_network_in_its_mode(
    network: nn.Module, some: Transitions, monkeypatch: pytest.MonkeyPatch, training: bool
) -> None:
    monkeypatch.setattr(measures, "_CHUNK", 7)
    expected = measured_at_once(network, some)
    network.train(training)

    found = measure(network, to_device(some, CPU), "float32")

    assert vars(found) == pytest.approx(vars(expected), rel=1e-5)
    assert 0 < found.accuracy < found.masked_accuracy < 1
    assert [module.training for module in network.modules()] == [training] * 3


def test_ah2ac2_counts_the_turns_in_which_a_player_can_only_pass() -> None:
    of_movers = [1.2, 0.4, 2.0]
    of_both_players = [loss for mover in of_movers for loss in (mover, 0.0)]

    found = Measures(0, 0, 0, masked_loss=float(np.mean(of_movers)))

    assert found.ah2ac2_loss == pytest.approx(np.mean(of_both_players))
