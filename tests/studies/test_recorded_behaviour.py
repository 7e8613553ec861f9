"""Communicativeness, information per play and niches of the players of recorded games."""

from pathlib import Path

import numpy as np
import pytest

import hoad
from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.core.errors import HoadError
from hoad.game.log import join_logs
from hoad.replay.dataset import make_dataset, write_dataset
from hoad.studies.recorded_behaviour import measure_recorded
from tests.scripts import run_here

IGGI, PIERS = "iggi", "piers"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of two players who change seats, and one in which the first plays with itself."""
    iggi, piers = get_agent(IGGI), get_agent(PIERS)
    games = [play(pair, 20, seed=3) for pair in ([iggi, piers], [piers, iggi])]
    names = [(IGGI, PIERS)] * 20 + [(PIERS, IGGI)] * 20
    path = tmp_path_factory.mktemp("games") / "both.h5"
    write_dataset(path, make_dataset(join_logs(games), names, {"source": "test"}, path))
    return path


def test_features_are_those_of_the_player_in_both_seats(path: Path) -> None:
    shown = measure_recorded([path]).shown

    counts = count_behaviour(hoad.read_games(path).logs)
    expected = counts[:20, 0].sum(0) + counts[20:, 1].sum(0)
    assert list(shown) == [(str(path), IGGI), (str(path), PIERS)]
    iggi = shown[str(path), IGGI]
    assert (iggi.games, iggi.niche((5, 5))) == (40, _niche(features_of(expected), 5))
    np.testing.assert_allclose(iggi.features, features_of(expected))
    turns = len(hoad.read_games(path).logs.actions)
    assert iggi.turns + shown[str(path), PIERS].turns == turns


def test_errors_shrink_with_the_root_of_the_games(tmp_path: Path) -> None:
    few, many = (hoad.record([IGGI], games, tmp_path / str(games))[0] for games in (100, 1600))

    errors = [measure_recorded([path]).shown[str(path), IGGI].errors for path in (few, many)]

    np.testing.assert_allclose(errors[0] / errors[1], 4, rtol=0.35)


def test_the_command_shows_niches(path: Path) -> None:
    done = run_here("evaluate.py", "behaviour", path)

    assert done.returncode == 0, done.stderr
    shown = measure_recorded([path]).shown
    for (_, name), one in shown.items():
        [line] = [line for line in done.stdout.splitlines() if f" {name} " in line]
        assert line.split()[-2:] == [one.niche((5, 5)), one.niche((20, 20))]


def test_games_of_more_players_are_refused(tmp_path: Path) -> None:
    [path] = hoad.record([IGGI], 3, tmp_path, players=3)

    with pytest.raises(HoadError, match="games of 3 players"):
        measure_recorded([path])


def _niche(features: np.ndarray, size: int) -> str:
    return ",".join(str(min(int(feature * size), size - 1)) for feature in features)
