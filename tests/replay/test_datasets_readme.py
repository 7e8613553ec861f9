"""The code in ``datasets/README.md`` runs, and its arrays have the shapes that it states."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.game.log import encode_turns
from hoad.replay.dataset import read_dataset
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from hoad.replay.split import split_games
from tests.scripts import ROOT


def code_of(document: str, part: str) -> str:
    """Return the block of code of a document in which this part is."""
    found = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.M | re.S)
    [code] = [block for block in found if part in block]
    return code


def test_a_network_learns_from_recorded_games_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(PlayRecipe(games=600, agents=("iggi",)), tmp_path / "datasets" / "demo", False, 1)
    monkeypatch.chdir(tmp_path)
    found: dict = {}

    with torch.random.fork_rng():
        torch.manual_seed(0)
        exec(code_of("datasets/README.md", "DataLoader"), found)
    (tmp_path / "network_agent.py").write_text(code_of("docs/your-agent.md", "class Imitator"))
    agent = get_agent("python:network_agent.py:Imitator")

    assert len(found["train"]) < len(found["games"]) == 600
    assert found["loss"].item() < 2.4  # 2.5 before it learns
    assert check_agent(agent, games=2) == []
    network = found["network"]
    turns = encode_turns(play([agent, agent], 2, 1))
    bits = np.unpackbits(turns.observations, axis=1, count=658)
    legal = turns.legal[:, None] >> np.arange(20) & 1
    logits = np.where(legal, network(torch.from_numpy(bits).float()).detach().numpy(), -np.inf)
    assert logits.argmax(1).tolist() == turns.actions.tolist()


def test_the_code_for_arrays_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = PlayRecipe(games=20, agents=("iggi",))
    (path,) = record(recipe, tmp_path / "datasets" / "demo", resume=False, threads=1)
    monkeypatch.chdir(tmp_path)
    found: dict = {}

    exec(code_of("datasets/README.md", "import numpy"), found)

    logs = read_dataset(path).logs
    turns = encode_turns(logs.select(split_games(logs)["train"]))
    count = len(turns.actions)
    assert found["observations"].shape == (count, 658)
    assert found["legal_mask"].shape == (count, 20)
    assert found["legal_mask"].gather(1, found["actions"][:, None]).all()
    assert found["actions"].tolist() == turns.actions.tolist()
    assert found["games"].tolist() == turns.games.tolist()
