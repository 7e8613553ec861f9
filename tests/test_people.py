"""Games in AH2AC2's format, through the commands of docs/people.md with their recipes, small."""

import json
import re
from pathlib import Path

import pytest

from hoad.agents import get_agent, play
from hoad.game.log import join_logs
from tests.replay.formats.test_ah2ac2 import tensors_of, write
from tests.scripts import ROOT, run_here

TINY_NETWORK = ("--hidden", 32, "--steps", 40, "--validate-every", 20, "--report-every", 10)
TINY_SPLIT = ("--train-games", 60, "--validation-games", 10)
TINY_TABLE = ("--episodes", 4, "--games-per-episode", 2, "--trials", 2, "--support-games", 2)
TINY_GAMES = ("--matchup-games", 2, "--cross-play-games", 2)
TINY_NAIVE = ("--naive.hidden", 16, "--naive.batch-size", 8, "--naive.epochs", 1)


def commands() -> list[list[str]]:
    """The words of the three commands of the document that make and meet the imitator."""
    text = (ROOT / "docs" / "people.md").read_text().partition("## A second source")[2]
    matches = re.findall(r"^python (.*)$", text, re.MULTILINE)[:3]
    return [line.split() for line in matches]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """100 games of two pairs of agents, as if people had played them."""
    pairs = [("iggi", "piers"), ("holmesbot", "holmesbot")]
    logs = [play(list(map(get_agent, pair)), 50, seed) for seed, pair in enumerate(pairs)]
    path = tmp_path_factory.mktemp("people") / "games.safetensors"
    return write(path, tensors_of(join_logs(logs)))


def test_games_of_people_become_a_partner_for_all_players(file: Path, tmp_path: Path) -> None:
    import_games, train, table = commands()
    assert import_games == [
        "record.py",
        "import",
        "2_players_games.safetensors",
        "datasets/human.h5",
    ]
    checkpoints = {"HOAD_CHECKPOINTS": str(tmp_path / "checkpoints")}

    imported = run_here("record.py", "import", file, tmp_path / "human.h5")
    trained = run_here(*train, "--data", tmp_path, *TINY_NETWORK, *TINY_SPLIT, **checkpoints)
    words = ("--agents", "iggi", "--pool", "iggi", "outer", *TINY_GAMES)
    out = ("--out", tmp_path / "table")
    played = run_here(*table, *words, *TINY_TABLE, *TINY_NAIVE, *out, **checkpoints)

    assert [done.returncode for done in (imported, trained, played)] == [0, 0, 0], (
        imported.stderr + trained.stderr + played.stderr
    )
    assert "100 games" in imported.stdout
    metadata = json.loads((tmp_path / "checkpoints/imitator/human/metadata.json").read_text())
    assert metadata["measures"]["games"] == 100
    assert metadata["measures"]["masked_loss"] < metadata["measures"]["loss"]
    assert f"as AH2AC2 counts {metadata['measures']['masked_loss'] / 2:.4f}" in trained.stdout
    facts = json.loads((tmp_path / "table" / "results.json").read_text())
    assert facts["recipe"]["partners"] == ["imitator:human"]
    assert {"naive", "zero-shot", "low-shot"} <= set(facts["recipe"]["players"])
