"""Games are checked before they are kept, files are verified, and damaged ones repaired."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.game.log import GameLogs, logs_of, replay
from hoad.replay.check import Fault, Notes, check_games, hash_observations, slots_used
from hoad.replay.dataset import make_dataset, read_dataset, write_blocks, write_dataset
from hoad.replay.verify import Verification, repair, verify_files, with_blocks
from tests.game.examples import random_logs
from tests.replay.formats.records import records_of


def first_fault(logs: GameLogs, **notes: Any) -> Fault | None:
    faults = check_games(logs, [notes])[1]
    return faults[0] if faults else None


def with_actions(logs: GameLogs, actions: list[int]) -> GameLogs:
    return logs_of(logs.players, logs.decks.tolist(), [actions])


@pytest.fixture(scope="module")
def game() -> GameLogs:
    return random_logs(2, 1, 7)


@settings(deadline=None, max_examples=12)
@given(players=st.integers(2, 5), seed=st.integers(0, 99))
def test_games_that_were_played_have_no_faults(players: int, seed: int) -> None:
    logs = random_logs(players, 3, seed)
    facts = replay(logs)
    notes = [
        {
            "score": facts.scores[i],
            "hle_score": facts.strict[i],
            "lives": facts.lives[i],
            "turns": len(logs.actions_of(i)),
            "obs_sha1": hash_observations(logs.select(np.array([i]))),
            "slots": slots_used(logs.select(np.array([i]))).tolist(),
        }
        for i in range(3)
    ]

    outcomes, faults = check_games(logs, notes)

    assert faults == []
    assert (outcomes.scores == facts.scores).all()


def test_an_illegal_action_and_one_after_the_end_are_named_with_their_turns(game: GameLogs) -> None:
    actions = game.actions.tolist()

    illegal = first_fault(with_actions(game, [0, *actions]))  # eight tokens forbid a discard
    late = first_fault(with_actions(game, [*actions, 5]))

    assert illegal == Fault(0, 0, "action 0 is illegal")
    assert late == Fault(0, len(actions), "action 5 comes after the game's end")


def test_a_game_must_be_over_unless_it_was_aborted(game: GameLogs) -> None:
    cut = with_actions(game, game.actions.tolist()[:-1])

    fault = first_fault(cut)

    assert fault is not None
    assert fault.turn == len(cut.actions)
    assert "before the game is over" in fault.what
    assert first_fault(cut, aborted=True) is None


@pytest.mark.parametrize("key", ["score", "hle_score", "lives", "turns", "obs_sha1"])
def test_a_wrong_value_in_the_notes_is_a_fault_of_the_game(game: GameLogs, key: str) -> None:
    fault = first_fault(game, **{key: "0" * 40 if key == "obs_sha1" else 99})

    assert fault is not None
    assert (fault.game, fault.turn) == (0, None)
    said = "is not the hash" if key == "obs_sha1" else "is 99 in the log"
    assert fault.what.startswith(f"{key} {said}")


def test_a_wrong_slot_is_named_with_its_turn_and_a_wrong_deck_alone(game: GameLogs) -> None:
    slots = slots_used(game).tolist()
    turn = next(turn for turn, slot in enumerate(slots) if slot > 0)
    slots[turn] = 0
    fault = first_fault(game, slots=slots)
    assert fault is not None
    assert (fault.turn, fault.what.startswith("slot is 0 in the log")) == (turn, True)

    logs = random_logs(2, 4, 1)
    decks = logs.decks.copy()
    decks[1] = 0
    outcomes, faults = check_games(replace(logs, decks=decks))
    assert [str(fault) for fault in faults] == ["game 1: the deck is not Hanabi's 50 cards"]
    assert (outcomes.scores[[0, 2, 3]] == replay(logs).scores[[0, 2, 3]]).all()


def verify(*paths: Path) -> tuple[Verification, list[str]]:
    messages: list[str] = []
    return verify_files(paths, messages.append), messages


def lines_of(logs: GameLogs) -> list[dict[str, Any]]:
    return [record.model_dump(exclude_none=True) for record in records_of(logs)]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def test_reference_games_are_true(reference: Path) -> None:
    files = sorted(reference.glob("*.jsonl.gz"))
    texts = [gzip.decompress(file.read_bytes()) for file in files]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]

    verification, messages = verify(*files)

    assert messages == []
    assert verification.games == verification.verified == len(lines) > 10_000
    hashed = sum(len(line["actions"]) for line in lines if "obs_sha1" in line)
    assert verification.observations_checked == hashed > 30_000


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_each_faulty_line_is_named_and_the_others_are_verified(tmp_path: Path, suffix: str) -> None:
    good = [line for players in (2, 3, 4, 5) for line in lines_of(random_logs(players, 2, 1))]
    whole, _ = verify(write_lines(tmp_path / "good.jsonl", good))
    assert whole == Verification(games=8, verified=8)

    lines = lines_of(random_logs(2, 3, 1)) + lines_of(random_logs(4, 3, 1))
    lines[0]["obs_sha1"] = hash_observations(random_logs(2, 1, 1))
    lines[1]["actions"][3] = 99
    lines[2]["score"] = 25
    lines[4]["deck"] = [0] * 50
    lines[5]["actions"].append(0)
    path = write_lines(tmp_path / f"a{suffix}", lines)

    verification, messages = verify(path)

    assert verification == Verification(6, 2, 4, observations_checked=len(lines[0]["actions"]))
    assert [message.split(",")[0] for message in messages] == [
        f"{path}: line {line}" for line in (2, 3, 5, 6)
    ]
    turn = len(lines[5]["actions"]) - 1
    assert messages[3].endswith(f"line 6, game 5, turn {turn}: action 0 comes after the game's end")


def test_what_is_left_of_a_compressed_log_is_verified(tmp_path: Path) -> None:
    whole = write_lines(tmp_path / "a.jsonl.gz", lines_of(random_logs(2, 50, 1)))
    whole.write_bytes(whole.read_bytes()[:-100])

    verification, messages = verify(whole)

    assert verification.failed == len(messages) == 1
    assert 10 < verification.verified < 50
    assert "not a complete gzip file" in messages[0]


def test_faulty_games_of_a_dataset_are_named(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.h5", tmp_path / "bad.h5"
    dataset = make_dataset(random_logs(3, 9, 1), [("a", "b", "c")], {}, "test")
    write_dataset(good, dataset)
    write_dataset(bad, dataset)
    with h5py.File(bad, "a") as file:
        file["actions"][int(file["offsets"][4])] = 0
        file["actions"][int(file["offsets"][7])] = 0

    verification, messages = verify(good, bad)

    assert verification == Verification(games=18, verified=16, failed=2)
    assert messages == [f"{bad}: game {game}, turn 0: action 0 is illegal" for game in (4, 7)]


def test_an_unreadable_file_counts_as_one_failed_game(tmp_path: Path) -> None:
    good = write_lines(tmp_path / "good.jsonl", lines_of(random_logs(2, 3, 1)))
    (tmp_path / "bad.h5").write_text("not HDF5")
    absent = [with_blocks(tmp_path / name)[0] for name in ("absent.h5", "absent.h5.parts")]

    verification, messages = verify(tmp_path / "no.jsonl", tmp_path / "bad.h5", *absent, good)

    assert verification == Verification(games=7, verified=3, failed=4)
    assert len(messages) == 4
    assert all(message.startswith(str(tmp_path / "absent.h5")) for message in messages[2:])


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


def write_whole(path: Path, logs: GameLogs) -> Path:
    """Write the games as a single block."""
    metadata = {"seed": 1, "first_game": 0, "recipe": "games = 6000"}
    write_dataset(path, make_dataset(logs, [("iggi", "iggi")], metadata, "test"))
    return path


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
    path = write_whole(tmp_path / "a.h5", logs)
    path.write_bytes(path.read_bytes()[: int(0.95 * path.stat().st_size)])

    repair(path)

    saved = len(read_dataset(tmp_path / "a.repaired.h5").logs)
    assert saved > 0.85 * GAMES
    assert_saved(path, logs, np.arange(saved))


@pytest.mark.parametrize(
    ("name", "value", "lost"),
    [
        ("offsets", 10**9, range(1022, 2048)),
        ("offsets", -9, range(1022, 2048)),
        ("decks", 99, range(1023, 2048)),
    ],
)
def test_a_forged_bound_or_deck_next_to_a_damaged_bound_costs_these_games_only(
    tmp_path: Path, logs: GameLogs, name: str, value: int, lost: range
) -> None:
    path = write_whole(tmp_path / "a.h5", logs)
    with h5py.File(path, "a") as file:
        file[name][1023] = value
    damage_chunk(path, "offsets", (1024,))

    repair(path)

    assert_saved(path, logs, np.setdiff1d(np.arange(GAMES), lost))


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


def test_games_of_too_many_players_are_refused_with_the_file(recorded: Path) -> None:
    with h5py.File(recorded, "a") as file:
        file.attrs["players"] = 7

    with pytest.raises(HoadError, match=r"a\.h5: cannot be repaired: "):
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
