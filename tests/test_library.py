"""What ``import hoad`` offers, and the block of the README that shows it."""

import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import hoad
from hoad.bayes.pool import agents_of
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.game.state import full_game
from tests.scripts import ROOT

IGGI = hoad.get_agent("iggi")


def test_every_name_is_there() -> None:
    assert set(hoad._MODULES) <= set(hoad.__all__) <= set(dir(hoad))
    for name in hoad.__all__:
        assert callable(getattr(hoad, name)), name
        assert getattr(hoad, name).__doc__
    with pytest.raises(AttributeError, match="absent"):
        _ = hoad.absent


def test_importing_hoad_loads_nothing_else_but_packages_are_there() -> None:
    program = (
        "import sys, hoad\nassert not {'torch', 'numba', 'numpy', 'pydantic'} & set(sys.modules)\n"
        "help(hoad.agents.View)\nprint(hoad.agents.get_agent('imitator:iggi'))"
    )

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert "legal_moves" in done.stdout and done.stdout.endswith("<PolicyAgent imitator:iggi>\n")
    assert {"agents", "game", "replay", "learning"} <= set(dir(hoad))


def test_objects_show_what_they_are_in_one_line(tmp_path: Path) -> None:
    [path] = hoad.record(["iggi"], games=3, out=tmp_path)
    games = hoad.read_games(path)
    turns = len(games.logs.actions)

    assert repr(games) == "<Dataset: 3 games of iggi and iggi>"
    assert repr(games.logs) == f"<GameLogs: 3 games, {turns} turns>"
    assert repr(hoad.RecordedGames(games)) == f"<RecordedGames: 3 games, {turns} turns>"
    assert repr(hoad.get_agent("iggi")) == "<RuleList iggi>"
    pairs, by_agent = (hoad.cross_play([one, "piers"], 2, seed=0) for one in ("iggi", IGGI))
    assert by_agent.agents == pairs.agents == ("iggi", "piers")
    assert by_agent.lenient.tolist() == pairs.lenient.tolist()
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
    assert {(row["partner"], row["player"]) for row in names["rows"]} >= {("simplebot", "low-shot")}
    assert "simplebot" in capsys.readouterr().out


def test_a_table_reads_networks_and_populations_again(tmp_path: Path) -> None:
    [before] = agents_of(["iggi"])

    few = {"episodes": 2, "trials": 2, "cross_play_games": 2}
    changes: dict = {"partners": ["iggi"], "players": ["self-play"], **few}
    hoad.adhoc_table(ROOT / "results/demo.toml", out=str(tmp_path), **changes)

    assert agents_of(["iggi"])[0] is not before


@pytest.mark.parametrize("games", ["logs", "dataset"])
def test_transitions_are_tensors_of_the_recorded_turns(games: str, tmp_path: Path) -> None:
    [path] = hoad.record(["iggi"], games=20, out=str(tmp_path), seed=3)
    recorded = hoad.read_games(str(path))
    turns = len(recorded.logs.actions)

    given = recorded if games == "dataset" else recorded.logs
    observations, legal, actions = next(hoad.transitions(given, batch_size=turns))

    assert observations.shape == (turns, 658) and set(observations.unique().tolist()) == {0, 1}
    assert legal.shape == (turns, 20) and legal[range(turns), actions].all()
    assert sorted(actions.tolist()) == sorted(recorded.logs.actions.tolist())


def _own_games(players: int, games: int = 2) -> GameLogs:
    return hoad.play([hoad.get_agent("iggi")] * players, games, seed=1)


USES = {
    "move_probabilities of a rule list": lambda logs: hoad.move_probabilities(IGGI, logs),
    "move_probabilities of a bot": lambda logs: hoad.move_probabilities(
        hoad.get_agent("simplebot"), logs
    ),
    "transitions": lambda logs: next(hoad.transitions(logs, batch_size=4)),
    "RecordedGames": lambda logs: hoad.RecordedGames(logs)[0],
    "adapt": lambda logs: hoad.adapt("iggi", logs),
}
"""What two-player games are used for."""


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_games_of_other_numbers_of_players_are_refused(use: str, players: int) -> None:
    message = f"games of {players} players, expected games of two players"
    with pytest.raises(HoadError, match=message):
        USES[use](_own_games(players))


@pytest.mark.parametrize("use", USES)
def test_illegal_games_are_refused(use: str) -> None:
    deck = _own_games(2).decks[:1]

    with pytest.raises(HoadError, match="game 0, turn 8: action 10 is illegal"):
        USES[use](logs_of(2, [full_game(2).full_deck()], [[10] * 300]))
    with pytest.raises(HoadError, match="game 0, turn 0: action 0 is illegal"):
        USES[use](logs_of(2, [deck[0]], [[0]]))


def test_without_games_there_is_nothing_to_learn() -> None:
    none = _own_games(2).select(np.zeros(0, np.int64))

    assert hoad.move_probabilities(IGGI, none).shape == (0,)
    assert len(hoad.RecordedGames(none)) == 0
    with pytest.raises(HoadError, match="no moves"):
        hoad.adapt("iggi", none)
    with pytest.raises(HoadError, match="no turns"):
        next(hoad.transitions(none))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_of_two_to_five_are_played_recorded_and_read(players: int, tmp_path: Path) -> None:
    [path] = hoad.record(["iggi"], games=2, out=tmp_path, seed=1, players=players)
    table = hoad.cross_play(["iggi"], games=2, seed=1, players=players)

    logs = hoad.read_games(path).logs

    assert logs.players == players
    assert logs.actions.tolist() == _own_games(players).actions.tolist()
    assert table.lenient.shape == (1, 1)
    refused = pytest.raises(HoadError, match="plays the two-player game only")
    with refused if players > 2 else nullcontext():
        hoad.play([hoad.get_agent("simplebot")] * players, 1, seed=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda out: hoad.play([], 1, seed=1), "0 agents at the table"),
        (lambda out: hoad.play([IGGI] * 6, 1, seed=1), "6 agents at the table"),
        (lambda out: hoad.play(cast(Any, ["iggi", "iggi"]), 1, seed=1), "'iggi' is no agent"),
        (lambda out: hoad.play([IGGI] * 2, -1, seed=1), "games is -1"),
        (lambda out: hoad.play([IGGI] * 2, 1, seed=-1), "seed is -1"),
        (lambda out: hoad.play([IGGI] * 2, 1, seed=2**63), "seed is 9223372036854775808"),
        (lambda out: hoad.play([IGGI] * 2, 1, seed=1, threads=0), "threads is 0"),
        (lambda out: hoad.cross_play([], 1, seed=1), "no agents"),
        (lambda out: hoad.cross_play(["iggi"], 0, seed=1), "games is 0"),
        (lambda out: hoad.cross_play(["iggi"], 1, seed=1, players=1), "1 agents at the table"),
        (lambda out: hoad.cross_play(["iggi"], 1, seed=1, threads=0), "threads is 0"),
        (lambda out: hoad.record([], 1, out), "agents and pairs are empty"),
        (lambda out: hoad.record(["iggi"], 0, out), "games = 0"),
        (lambda out: hoad.record(["iggi"], 1, out, players=6), "players = 6"),
        (lambda out: hoad.read_games(out), "cannot read this file"),
        (lambda out: hoad.move_probabilities(cast(Any, "iggi"), _own_games(2)), "is no agent"),
        (lambda out: hoad.adapt("iggi", cast(Any, [1])), "got list, expected GameLogs"),
        (lambda out: next(hoad.transitions(_own_games(2), batch_size=0)), "batch_size is 0"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(call, message: str, tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=message):
        call(tmp_path)
