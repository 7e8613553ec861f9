"""What ``import hoad`` offers, and the block of the README that shows it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import hoad
from hoad.bayes.pool import agents_of
from tests.scripts import ROOT


def test_every_name_is_there() -> None:
    assert set(hoad._MODULES) <= set(hoad.__all__) <= set(dir(hoad))
    for name in hoad.__all__:
        assert callable(getattr(hoad, name)), name
        assert getattr(hoad, name).__doc__
    with pytest.raises(AttributeError, match="absent"):
        _ = hoad.absent


def test_importing_hoad_loads_nothing_else() -> None:
    program = "import sys, hoad\nassert not {'torch', 'numba', 'numpy', 'tyro'} & set(sys.modules)"

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_packages_are_there_without_another_import() -> None:
    program = "import hoad\nhelp(hoad.agents.View)\nprint(hoad.agents.get_agent('imitator:iggi'))"

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert "legal_moves" in done.stdout and done.stdout.endswith("<PolicyAgent imitator:iggi>\n")
    assert {"agents", "game", "replay", "learning"} <= set(dir(hoad))


def test_agents_themselves_play_cross_play() -> None:
    iggi = hoad.get_agent("iggi")

    by_name, by_agent = (hoad.cross_play([one, "piers"], 10, seed=1) for one in ("iggi", iggi))

    assert by_agent.agents == by_name.agents == ("iggi", "piers")
    assert by_agent.lenient.tolist() == by_name.lenient.tolist()


def test_objects_show_what_they_are_in_one_line(tmp_path: Path) -> None:
    [path] = hoad.record(["iggi"], games=3, out=tmp_path)
    games = hoad.read_games(path)
    turns = len(games.logs.actions)

    assert repr(games) == "<Dataset: 3 games of iggi and iggi>"
    assert repr(games.logs) == f"<GameLogs: 3 games, {turns} turns>"
    assert repr(hoad.RecordedGames(games)) == f"<RecordedGames: 3 games, {turns} turns>"
    assert repr(hoad.get_agent("iggi")) == "<RuleList iggi>"
    pairs = hoad.cross_play(["iggi", "piers"], games=2, seed=0)
    assert repr(pairs) == "<CrossPlay of iggi, piers: 2 games per pair>"
    page = hoad.studies.crossplay.report(pairs)
    assert repr(page) == "<Report 'Cross-play': 4 rows, 0 figures>"


def test_the_readme_shows_how_to_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "README.md").read_text()
    [block] = re.findall(r"^## As a library\n.*?^```python\n(.*?)^```", text, re.DOTALL | re.M)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "demo.toml").symlink_to(ROOT / "results" / "demo.toml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    names: dict = {}

    exec(block, names)

    assert len(block.splitlines()) <= 15
    others = {"AdhocLearner", "move_probabilities", "RecordedGames"}  # in examples with own tests
    assert all(f"hoad.{name}(" in block for name in {*hoad.__all__} - others)
    assert {(row["partner"], row["player"]) for row in names["rows"]} >= {("iggi", "low-shot")}
    assert "iggi" in capsys.readouterr().out


def test_a_table_reads_networks_and_populations_anew(tmp_path: Path) -> None:
    [before] = agents_of(["iggi"])

    hoad.adhoc_table(
        ROOT / "results/demo.toml",
        partners=["iggi"],
        players=["self-play"],
        episodes=2,
        trials=2,
        cross_play_games=2,
        out=str(tmp_path),
    )

    assert agents_of(["iggi"])[0] is not before


@pytest.mark.parametrize("games", ["logs", "dataset"])
def test_transitions_are_tensors_of_the_recorded_turns(games: str, tmp_path: Path) -> None:
    [path] = hoad.record(["iggi"], games=20, out=str(tmp_path), seed=3)
    recorded = hoad.read_games(str(path))
    turns = len(recorded.logs.actions)

    observations, legal, actions = next(
        hoad.transitions(recorded if games == "dataset" else recorded.logs, batch_size=turns)
    )

    assert observations.shape == (turns, 658) and set(observations.unique().tolist()) == {0, 1}
    assert legal.shape == (turns, 20) and legal[range(turns), actions].all()
    assert sorted(actions.tolist()) == sorted(recorded.logs.actions.tolist())
