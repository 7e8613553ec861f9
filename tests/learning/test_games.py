from pathlib import Path

import pytest
import torch

from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.learning.games import find_games
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.replay.recorder import PlayRecipe, record
from tests.meta_models import save_meta_model

NETWORK = "maml:flawed"


@pytest.fixture
def games_of_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with recorded games of `NETWORK`, which is in a folder of checkpoints."""
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path / "checkpoints"))
    save_meta_model(tmp_path / "checkpoints", "flawed")
    record(PlayRecipe(games=3, agents=(NETWORK,)), tmp_path, resume=False, threads=1)
    return tmp_path


def test_games_are_found_by_the_agents_name(games_of_a_network: Path) -> None:
    assert len(find_games(games_of_a_network, NETWORK)) == 3


def test_games_of_a_network_that_was_trained_anew_are_refused(games_of_a_network: Path) -> None:
    path = find_checkpoint("maml", "flawed")
    weights, about = load_checkpoint(path)
    path.unlink()
    save_checkpoint(path, {name: torch.zeros_like(w) for name, w in weights.items()}, about)

    with pytest.raises(HoadError, match="games of another maml:flawed than there is now"):
        find_games(games_of_a_network, NETWORK)


def test_games_of_a_network_that_is_not_here_can_be_learned_from(games_of_a_network: Path) -> None:
    find_checkpoint("maml", "flawed").unlink()

    assert len(find_games(games_of_a_network, NETWORK)) == 3
