"""Real games to learn from, small enough to learn in seconds."""

import pytest
import torch

from hoad.agents import get_agent, play
from hoad.game.log import GameLogs, Transitions, encode_turns


@pytest.fixture(scope="session")
def logs() -> GameLogs:
    """300 self-play games of iggi."""
    iggi = get_agent("iggi")
    return play((iggi, iggi), games=300, seed=7)


@pytest.fixture(scope="session")
def transitions(logs: GameLogs) -> Transitions:
    """All turns of those games."""
    return encode_turns(logs)


@pytest.fixture
def without_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute on the CPU: a GPU adds up in an order of its own, and gives other bits."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save the second that drawing a confusion of moves takes in each validation."""
    monkeypatch.setattr("hoad.learning.imitator.ImitatorLearner.pictures", lambda self: {})
