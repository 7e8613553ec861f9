"""What a recorded file says of its games, and the code in ``datasets/README.md``."""

import re
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from matplotlib.image import imread

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.core.errors import HoadError
from hoad.game.log import encode_turns, replay
from hoad.replay.dataset import make_dataset, read_dataset, read_metadata, write_dataset
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from hoad.replay.split import split_games
from hoad.replay.summary import draw_scores, format_summary, summarise
from tests.game.examples import random_logs
from tests.scripts import ROOT


@pytest.fixture
def recorded_file(tmp_path: Path) -> Path:
    path, made_with = tmp_path / "a.h5", {"seed": 3, "first_game": 0}
    logs = random_logs(2, 20, 1)
    write_dataset(path, make_dataset(logs, [("iggi", "piers")], made_with, "test"))
    return path


def test_the_metadata_say_what_made_the_file(recorded_file: Path) -> None:
    metadata = read_metadata(recorded_file)
    logs = read_dataset(recorded_file).logs

    assert metadata["format"] == "hoad-replay"
    assert metadata["agents"] == (("iggi", "piers"),)
    assert (metadata["seed"], metadata["first_game"]) == (3, 0)
    assert (metadata["total_episodes"], metadata["total_steps"]) == (20, len(logs.actions))
    assert metadata["mean_lenient_score"] == pytest.approx(replay(logs).scores.mean())
    assert metadata["mean_strict_score"] == pytest.approx(replay(logs).strict.mean())
    assert {"hoad", "commit", "date", "algorithm_name", "dataset_id"} <= metadata.keys()


@pytest.mark.parametrize(("name", "value"), [("seed", 4), ("date", "1926"), ("added", 1)])
def test_changed_metadata_are_refused_unless_there_is_no_checksum(
    recorded_file: Path, name: str, value: int | str
) -> None:
    before = read_metadata(recorded_file)
    with h5py.File(recorded_file, "a") as file:
        file.attrs[name] = value

    with pytest.raises(HoadError, match=r"a\.h5: damaged .*checksum"):
        read_metadata(recorded_file)
    with h5py.File(recorded_file, "a") as file:
        del file.attrs["checksum"]
    assert read_metadata(recorded_file) == before | {name: value}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    recipe = PlayRecipe(games=200, agents=("iggi", "flawed"))
    return record(recipe, tmp_path_factory.mktemp("recorded"), resume=False, threads=1)


def test_a_summary_counts_the_games_of_each_score(recorded: list[Path], tmp_path: Path) -> None:
    summary, dataset = summarise(recorded[1]), read_dataset(recorded[1])
    cut = tmp_path / "cut.h5"
    cut.write_bytes(recorded[1].read_bytes()[:-2000])

    assert summary.lenient.sum() == summary.strict.sum() == 200
    assert summary.lenient[3] == (dataset.scores == 3).sum()
    nothing = (dataset.scores == 0) | (dataset.lives == 0)
    assert summary.strict[0] == nothing.sum() > summary.lenient[0]
    with pytest.raises(HoadError, match=r"cut\.h5: "):
        summarise(cut)


def test_the_text_has_the_metadata_and_a_histogram(recorded: list[Path]) -> None:
    summary = summarise(recorded[0])

    lines = format_summary(summary).splitlines()

    assert lines[0] == str(recorded[0])
    for words in ("seed 0", "agents iggi + iggi", "total_episodes 200", "dataset_id hanabi-2p/"):
        assert any(" ".join(line.split()).startswith(words) for line in lines), words
    assert {"commit", "date", "hoad", "recipe"} <= {line.split()[0] for line in lines if line}
    bars = {int(line.split()[0]): line for line in lines[-int((summary.lenient > 0).sum()) :]}
    most = int(np.argmax(summary.lenient))
    assert bars[most].count("#") == 50
    assert f"{summary.lenient[most] / 2:.1f} %" in bars[most]


def test_scores_are_drawn_for_all_files(recorded: list[Path], tmp_path: Path) -> None:
    summaries = [summarise(path) for path in recorded]

    draw_scores(summaries[:1], tmp_path / "one.png")
    draw_scores(summaries, tmp_path / "two.png")

    one, two = (imread(tmp_path / f"{name}.png") for name in ("one", "two"))
    assert one.shape[1] == two.shape[1]
    assert two.shape[0] > 1.5 * one.shape[0]
    colours = np.unique(two.reshape(-1, two.shape[2]), axis=0)
    assert 1 < len(colours) <= 10_000, "a drawing, not a photograph"
    with pytest.raises(HoadError, match="200 files"):
        draw_scores(100 * summaries, tmp_path / "many.png")


def test_what_is_shown_lists_no_hundreds_of_people_and_cannot_command_the_terminal(
    tmp_path: Path,
) -> None:
    logs = random_logs(2, 100, seed=1)
    people = [("Ada", f"player {number}") for number in range(100)]
    write_dataset(tmp_path / "a.h5", make_dataset(logs, people, {}, "test"))
    lines = format_summary(summarise(tmp_path / "a.h5")).splitlines()
    assert lines[1].split(maxsplit=1) == ["agents", "Ada + player 0"]
    assert lines[21].strip() == "and 80 more"
    assert max(map(len, lines)) < 250

    path = tmp_path / "a\x1b[2J.h5"
    write_dataset(path, make_dataset(random_logs(2, 2, 1), [("a", "b")], {}, "test"))

    shown = format_summary(summarise(path))

    assert all(line.isprintable() for line in shown.splitlines())
    assert r"a\x1b[2J.h5" in shown


def code_of(document: str, part: str) -> str:
    """Return the block of code of a document in which this part is."""
    matches = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.M | re.S)
    [code] = [block for block in matches if part in block]
    return code


def test_a_network_learns_from_games_and_plays(
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
