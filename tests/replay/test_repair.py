from pathlib import Path

import h5py
import numpy as np
import pytest

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.game.log import GameLogs
from hoad.replay.check import Notes
from hoad.replay.dataset import make_dataset, read_dataset, write_blocks, write_dataset
from hoad.replay.verify import repair
from tests.game.examples import random_logs

GAMES = 6_000


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return play([get_agent("iggi")] * 2, GAMES, seed=1)


@pytest.fixture
def recorded(logs: GameLogs, tmp_path: Path) -> Path:
    """A file of two blocks, as they are joined by a recording."""
    halves = [logs.select(np.arange(GAMES // 2)), logs.select(np.arange(GAMES // 2, GAMES))]
    blocks = [make_dataset(half, [("iggi", "iggi")], {}, "test") for half in halves]
    write_blocks(tmp_path / "a.h5", blocks, {"seed": 1, "first_game": 0})
    return tmp_path / "a.h5"


def damage_chunk(path: Path, name: str, place: tuple[int, ...]) -> None:
    """Change a byte in the middle of one chunk of an array."""
    with h5py.File(path) as file:
        chunk = file[name].id.get_chunk_info_by_coord(place)
    content = bytearray(path.read_bytes())
    content[chunk.byte_offset + chunk.size // 2] ^= 0xFF
    path.write_bytes(content)


def assert_saved(path: Path, logs: GameLogs, games: np.ndarray) -> None:
    """Check that these games are in the file, and the damaged file still there."""
    saved = read_dataset(path.with_name("a.repaired.h5"))
    rest = logs.select(games)
    assert np.array_equal(saved.logs.decks, rest.decks)
    assert np.array_equal(saved.logs.actions, rest.actions)
    assert saved.metadata["lost_games"] == len(logs) - len(games)
    assert saved.metadata["seed"] == 1
    assert path.exists()


@pytest.mark.parametrize(
    ("name", "place", "lost"),
    [("decks", (2048, 0), range(2048, 3072)), ("offsets", (1024,), range(1023, 2048))],
)
def test_a_damaged_chunk_of_decks_or_offsets_costs_its_games_only(
    recorded: Path, logs: GameLogs, name: str, place: tuple[int, ...], lost: range
) -> None:
    damage_chunk(recorded, name, place)

    done = repair(recorded)

    assert f"{recorded}: {GAMES - len(lost):,} of 6,000 games saved to" in done
    assert f"{len(lost):,}" in done
    assert_saved(recorded, logs, np.setdiff1d(np.arange(GAMES), lost))


def test_a_damaged_chunk_of_actions_costs_its_games(recorded: Path, logs: GameLogs) -> None:
    damage_chunk(recorded, "actions", (0,))

    repair(recorded)

    with h5py.File(recorded) as file:
        first = int(np.searchsorted(logs.offsets[:-1], file["actions"].chunks[0]))
    assert_saved(recorded, logs, np.arange(first, GAMES))


@pytest.mark.parametrize("name", ["scores", "lives", "pairing"])
def test_what_replaying_tells_is_not_missed(recorded: Path, logs: GameLogs, name: str) -> None:
    damage_chunk(recorded, name, (0,))

    repair(recorded)

    assert_saved(recorded, logs, np.arange(GAMES))


def test_games_against_rules_or_scores_are_left_out(recorded: Path, logs: GameLogs) -> None:
    with h5py.File(recorded, "a") as file:
        file["actions"][int(file["offsets"][7])] = 0
        file["scores"][9] = 25

    repair(recorded)

    assert_saved(recorded, logs, np.setdiff1d(np.arange(GAMES), [7, 9]))


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_the_games_before_a_cut_are_saved(recorded: Path, logs: GameLogs, share: float) -> None:
    content = recorded.read_bytes()
    recorded.write_bytes(content[: int(len(content) * share)])

    repair(recorded)

    saved = read_dataset(recorded.with_name("a.repaired.h5")).logs
    assert len(saved) > GAMES * (share - 0.4)
    rest = logs.select(np.arange(len(saved)))
    assert np.array_equal(saved.actions, rest.actions)


def test_most_games_of_a_short_recording_need_no_bounds(tmp_path: Path, logs: GameLogs) -> None:
    path = tmp_path / "a.h5"
    metadata = {"seed": 1, "first_game": 0, "recipe": "games = 6000"}
    write_dataset(path, make_dataset(logs, [("iggi", "iggi")], metadata, "test"))
    path.write_bytes(path.read_bytes()[: int(0.95 * path.stat().st_size)])

    repair(path)

    saved = len(read_dataset(tmp_path / "a.repaired.h5").logs)
    assert saved > 0.85 * GAMES
    assert_saved(path, logs, np.arange(saved))


def test_notes_before_and_after_a_damaged_piece_are_kept(tmp_path: Path) -> None:
    games = random_logs(3, 40, 1).select(np.arange(8000) % 40)
    notes: list[Notes] = [{"seed": number * 10**9} for number in range(8000)]
    path = tmp_path / "a.h5"
    write_dataset(path, make_dataset(games, [("a", "b", "c")], {}, "test", notes))
    damage_chunk(path, "notes", (65_536,))

    repair(path)

    saved = read_dataset(tmp_path / "a.repaired.h5")
    seeds = [note["seed"] // 10**9 for note in saved.notes]
    assert 3000 < len(seeds) < 8000
    assert (seeds[0], seeds[-1]) == (0, 7999)
    assert saved.logs.actions.tolist() == games.select(np.array(seeds)).actions.tolist()


def test_notes_that_would_fill_the_memory_are_not_read(recorded: Path) -> None:
    with h5py.File(recorded, "a") as file:
        options = {"maxshape": (None,), "chunks": (65_536,), "compression": "gzip"}
        file.create_dataset("notes", (2**40,), np.uint8, **options)

    with pytest.raises(HoadError, match="no game is left"):
        repair(recorded)


def test_damaged_metadata_are_reported_and_nothing_is_overwritten(recorded: Path) -> None:
    with h5py.File(recorded, "a") as file:
        file.attrs["date"] = "1926"

    assert "metadata" in repair(recorded)
    with pytest.raises(HoadError, match=r"a\.repaired\.h5: exists"):
        repair(recorded)


@pytest.mark.parametrize(
    ("name", "content"),
    [("foreign.h5", b"no HDF5"), ("empty.h5", b""), ("no.h5", None), ("a.jsonl", b"{}")],
)
def test_what_cannot_be_repaired_is_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(HoadError, match=rf"{name}: (cannot|only)") as caught:
        repair(tmp_path / name)

    assert "\n" not in str(caught.value)


def test_a_file_with_no_game_left_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    write_dataset(path, make_dataset(random_logs(2, 5, 1), [("a", "b")], {}, "test"))
    damage_chunk(path, "decks", (0, 0))

    with pytest.raises(HoadError, match="no game is left"):
        repair(path)

    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_block_is_removed_unless_somebody_records(tmp_path: Path) -> None:
    block = tmp_path / "a.h5.parts" / "0000000000.h5"
    block.parent.mkdir()
    block.write_bytes(b"damaged")

    with only_writer(block.parent), pytest.raises(HoadError, match="another program is writing"):
        repair(block)
    assert block.exists()

    assert f"{block}: removed" in repair(block)
    assert not block.exists()
