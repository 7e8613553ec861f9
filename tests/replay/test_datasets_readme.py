"""The code in ``datasets/README.md`` runs, and its arrays have the shapes that it states."""

import re
from pathlib import Path

import pytest

from hoad.game.log import encode_turns
from hoad.replay.dataset import read_dataset
from hoad.replay.recorder import PlayRecipe, record
from hoad.replay.split import split_games
from tests.scripts import ROOT


def test_the_code_for_pytorch_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = PlayRecipe(games=20, agents=("iggi",))
    (path,) = record(recipe, tmp_path / "datasets" / "demo", resume=False, threads=1)
    (code,) = re.findall(
        r"## In your own PyTorch code\n.*?```python\n(.*?)```",
        (ROOT / "datasets" / "README.md").read_text(),
        re.DOTALL,
    )
    found: dict = {}

    monkeypatch.chdir(tmp_path)
    exec(code, found)

    logs = read_dataset(path).logs
    turns = encode_turns(logs.select(split_games(logs)["train"]))
    count = len(turns.actions)
    assert found["observations"].shape == (count, 658)
    assert found["legal_mask"].shape == (count, 20)
    assert found["legal_mask"].gather(1, found["actions"][:, None]).all()
    assert found["actions"].tolist() == turns.actions.tolist()
    assert found["games"].tolist() == turns.games.tolist()
