import tempfile
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.replay.check import Notes
from hoad.replay.dataset import (
    Dataset,
    make_dataset,
    read_dataset,
    read_metadata,
    write_blocks,
    write_dataset,
)
from tests.game.examples import random_logs
from tests.replay.formats.records import careful_logs

ARRAYS = ["decks", "actions", "offsets"]
OUTCOMES = ["scores", "lives", "pairing"]
LOGS = random_logs(2, 20, 1)


def dataset_of(logs: GameLogs, *names: str) -> Dataset:
    players = [names or ("somebody",) * logs.players]
    return make_dataset(logs, players, {"seed": 3, "first_game": 0}, source="test")


def assert_same_games(dataset: Dataset, other: Dataset) -> None:
    assert dataset.pairings == other.pairings
    assert dataset.notes == other.notes
    for name in ARRAYS:
        assert np.array_equal(getattr(dataset.logs, name), getattr(other.logs, name)), name
    for name in OUTCOMES:
        assert np.array_equal(getattr(dataset, name), getattr(other, name)), name


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "a.h5"
    write_dataset(path, dataset_of(LOGS, "iggi", "piers"))
    return path


@settings(deadline=None, max_examples=15)
@given(players=st.integers(2, 5), games=st.integers(0, 3), seed=st.integers(0, 99))
def test_games_survive_the_disk(players: int, games: int, seed: int) -> None:
    dataset = dataset_of(random_logs(players, games, seed))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.h5")
        write_dataset(path, dataset)
        assert_same_games(read_dataset(path), dataset)


def test_notes_and_several_pairings_survive_the_disk(tmp_path: Path) -> None:
    players = [("a", "a"), ("b", "ü"), ("a", "a")]
    logs = random_logs(2, 3, 1)
    rule = [-1] * len(logs.actions_of(0))
    notes: list[Notes] = [{"seed": 1, "rule": rule}, {}, {"chromosome": [8]}]
    dataset = make_dataset(logs, players, {}, "test", notes)

    write_dataset(tmp_path / "a.h5", dataset)

    assert dataset.pairings == (("a", "a"), ("b", "ü"))
    assert_same_games(read_dataset(tmp_path / "a.h5"), dataset)
    with pytest.raises(HoadError, match="2 pairings"):
        _ = dataset.agents


def test_many_pairings_fit_and_too_many_are_refused(tmp_path: Path) -> None:
    logs = random_logs(2, 1, 1).select(np.zeros(2**16 + 1, np.int64))
    players = [("somebody", f"human being {number}") for number in range(2**16 + 1)]
    most = make_dataset(logs.select(np.arange(2**16)), players[:-1], {}, "test")

    write_dataset(tmp_path / "a.h5", most)

    assert_same_games(read_dataset(tmp_path / "a.h5"), most)
    with pytest.raises(HoadError, match="test: 65,537 pairings"):
        make_dataset(logs, players, {}, "test")


def test_a_file_written_in_blocks_is_that_written_as_a_whole(tmp_path: Path) -> None:
    logs = random_logs(2, 10, 1)
    notes: list[Notes] = [{"seed": number} for number in range(10)]
    whole = make_dataset(logs, [("a", "b")], {}, "test", notes)
    blocks = [
        make_dataset(logs.select(np.arange(*ends)), [("a", "b")], {}, "test", notes[slice(*ends)])
        for ends in [(0, 4), (4, 5), (5, 10)]
    ]

    write_dataset(tmp_path / "whole.h5", whole)
    write_blocks(tmp_path / "blocks.h5", iter(blocks), {})

    assert_same_games(read_dataset(tmp_path / "blocks.h5"), whole)
    assert read_metadata(tmp_path / "blocks.h5") == read_metadata(tmp_path / "whole.h5") | {
        "date": read_metadata(tmp_path / "blocks.h5")["date"]
    }


def test_blocks_that_cannot_be_read_leave_no_file(recorded: Path, tmp_path: Path) -> None:
    def read_blocks() -> Iterator[Dataset]:
        yield read_dataset(recorded)
        yield read_dataset(tmp_path / "no.h5")

    with pytest.raises(HoadError, match=r"no\.h5: cannot read"):
        write_blocks(tmp_path / "joined.h5", read_blocks(), {})

    assert list(tmp_path.iterdir()) == [recorded]


def test_games_against_the_rules_are_refused() -> None:
    logs = random_logs(2, 2, 1)
    actions = [logs.actions_of(0).tolist(), [0]]

    with pytest.raises(HoadError, match="test: game 1, turn 0: action 0 is illegal"):
        dataset_of(logs_of(2, logs.decks.tolist(), actions))


def test_a_file_cut_anywhere_is_refused(recorded: Path, tmp_path: Path) -> None:
    whole, cut = recorded.read_bytes(), tmp_path / "cut.h5"

    for length in np.linspace(0, len(whole) - 1, 60).astype(int):
        cut.write_bytes(whole[:length])
        with pytest.raises(HoadError, match=r"cut\.h5: .*(cut short|damaged)"):
            read_dataset(cut)


def test_a_damaged_byte_is_never_read_as_another_game(recorded: Path, tmp_path: Path) -> None:
    whole, path = recorded.read_bytes(), tmp_path / "damaged.h5"
    original = read_dataset(recorded)
    refused = 0

    for place in np.linspace(0, len(whole) - 1, 200).astype(int):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            assert_same_games(read_dataset(path), original)
        except HoadError as error:
            assert str(error).startswith(str(path))
            assert "\n" not in str(error)
            refused += 1

    assert refused > 5


@pytest.mark.parametrize("name", [*ARRAYS, *OUTCOMES])
def test_a_missing_array_is_refused(recorded: Path, name: str) -> None:
    with h5py.File(recorded, "a") as file:
        del file[name]

    with pytest.raises(HoadError, match=rf"a\.h5: damaged .*{name}"):
        read_dataset(recorded)


@pytest.mark.parametrize(
    ("name", "index", "value", "said"),
    [
        ("scores", 0, 25, r"damaged \(mean_lenient_score do not fit"),
        ("lives", 0, 7, r"damaged \(mean_strict_score do not fit"),
        ("offsets", 1, 5000, r"damaged \(offsets do not fit"),
        ("pairing", 0, 1, r"damaged \(pairing do not fit"),
        ("decks", 0, 99, "game 0: the deck is not Hanabi's 50 cards"),
        ("actions", LOGS.offsets[2], 0, "game 2, turn 0: action 0 is illegal"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(
    recorded: Path, name: str, index: int, value: int, said: str
) -> None:
    with h5py.File(recorded, "a") as file:
        file[name][index] = value

    with pytest.raises(HoadError, match=rf"a\.h5: {said}"):
        read_dataset(recorded)


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("scores", [25, 20], "game 0: score is 25 in the log, 20 by the rules"),
        ("lives", [2, 3], "game 0: lives is 2 in the log, 3 by the rules"),
    ],
)
def test_wrong_outcomes_that_keep_the_totals_are_refused(
    tmp_path: Path, name: str, values: list[int], said: str
) -> None:
    path = tmp_path / "a.h5"
    write_dataset(path, dataset_of(careful_logs(2, 2, 1), "iggi", "piers"))
    with h5py.File(path, "a") as file:
        file[name][:] = values

    with pytest.raises(HoadError, match=rf"a\.h5: {said}"):
        read_dataset(path)


@pytest.mark.parametrize(
    ("version", "remedy"),
    [(99, "update HOAD"), (0, "record it again, or"), ("new", "record it again, or")],
)
def test_another_version_has_a_remedy(recorded: Path, version: int | str, remedy: str) -> None:
    with h5py.File(recorded, "a") as file:
        file.attrs["version"] = version

    with pytest.raises(HoadError) as refusal:
        read_dataset(recorded)

    expected = f"{recorded}: format version {version}, but this HOAD reads version 1; {remedy}"
    assert str(refusal.value).startswith(expected)


def test_missing_and_foreign_files_are_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "foreign.h5", "w") as file:
        file["x"] = [1]
    with h5py.File(tmp_path / "bare.h5", "w") as file:
        file.attrs.update({"format": "hoad-replay", "version": 1})

    with pytest.raises(HoadError, match=r"bare\.h5: damaged"):
        read_metadata(tmp_path / "bare.h5")
    with pytest.raises(HoadError, match=r"foreign\.h5: an HDF5 file, but not"):
        read_dataset(tmp_path / "foreign.h5")
    with pytest.raises(HoadError, match=r"no\.h5: cannot read this file: No such file"):
        read_dataset(tmp_path / "no.h5")
