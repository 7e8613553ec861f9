import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from hoad.core.errors import HoadError
from hoad.game.log import logs_of
from hoad.replay.formats.ah2ac2 import sources
from hoad.replay.formats.convert import import_games
from tests.game.examples import random_logs
from tests.replay.formats.records import read_all, tensors_of


def write(path: Path, tensors: dict[str, np.ndarray]) -> Path:
    save_file(tensors | {"game_ids": np.arange(3)}, path)  # which is not read
    return path


@settings(deadline=None, max_examples=15)
@given(players=st.integers(2, 5), games=st.integers(1, 3), seed=st.integers(0, 999))
def test_games_are_read_as_they_were_played(players: int, games: int, seed: int) -> None:
    logs = random_logs(players, games, seed)

    with tempfile.TemporaryDirectory() as folder:
        records = read_all(sources(write(Path(folder, "a.safetensors"), tensors_of(logs))))

    assert [record.deck for record in records] == logs.decks.tolist()
    for game, record in enumerate(records):
        assert record.actions == logs.actions_of(game).tolist()
        assert record.players == ["human"] * players
        assert record.aborted is None


def test_a_file_becomes_a_dataset(tmp_path: Path) -> None:
    logs = random_logs(3, 4, 1)
    path = write(tmp_path / "a.safetensors", tensors_of(logs))

    dataset = import_games(path, tmp_path / "a.h5")

    assert dataset.agents == ("human", "human", "human")
    assert dataset.logs.actions.tolist() == logs.actions.tolist()
    assert dataset.metadata["source"] == "a.safetensors"


def test_a_game_that_people_stopped_is_marked(tmp_path: Path) -> None:
    logs = random_logs(2, 1, 1)
    opening = logs_of(2, logs.decks.tolist(), [logs.actions_of(0)[:9]])

    (record,) = read_all(sources(write(tmp_path / "a.safetensors", tensors_of(opening))))

    assert (len(record.actions), record.aborted) == (9, True)


def changed(key: str, index: Any, value: int) -> dict[str, np.ndarray]:
    tensors = tensors_of(random_logs(2, 3, 1))
    tensors[key][index] = value
    return tensors


@pytest.mark.parametrize(
    ("key", "index", "value", "complaint"),
    [
        ("scores", 1, 26, "game 1: score is 26 in the file"),
        ("decks", (1, 0, 0), 5, "game 1 has an entry in decks that is not a card"),
        ("decks", (1, 0, 1), -1, "game 1 has an entry in decks that is not a card"),
        ("decks", (1, slice(None), 1), 0, "game 1: the deck is not Hanabi's 50 cards"),
        ("actions", (1, 0, 0), 0, "game 1, turn 0: action 0 is illegal"),
        ("actions", (1, 0, 0), 20, "game 1 has a turn in which"),
        ("actions", (1, 0, 1), 3, "game 1 has a turn in which"),
        ("num_actions", 1, -1, "game 1 has num_actions outside of 0 to 120"),
        ("num_actions", 1, 121, "game 1 has num_actions outside of 0 to 120"),
        ("num_players", (), 6, "num_players is 6"),
        ("num_players", (), 3, "actions has the shape"),
    ],
)
def test_what_is_no_game_is_named(
    tmp_path: Path, key: str, index: Any, value: int, complaint: str
) -> None:
    path = write(tmp_path / "a.safetensors", changed(key, index, value))

    with pytest.raises(HoadError) as failure:
        read_all(sources(path))

    assert str(failure.value).startswith(f"{path}: ")
    assert complaint in str(failure.value)


WHOLE = "scores has an entry that is not a whole number"


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        *((key, None, f"no tensor {key}") for key in ("scores", "decks", "actions")),
        *((key, None, f"no tensor {key}") for key in ("num_actions", "num_players")),
        *(("scores", value, WHOLE) for value in (np.nan, np.inf, 0.5, 1e30)),
    ],
)
def test_no_tensor_may_be_missing_and_numbers_must_be_whole(
    tmp_path: Path, key: str, value: float | None, complaint: str
) -> None:
    tensors = tensors_of(random_logs(2, 1, 1))
    del tensors[key]
    if value is not None:
        tensors[key] = np.array([value])

    with pytest.raises(HoadError, match=rf"a\.safetensors: .*{complaint}"):
        read_all(sources(write(tmp_path / "a.safetensors", tensors)))
