import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import pytest

from hoad.game.log import GameLogs
from hoad.replay.check import hash_observations
from hoad.replay.dataset import make_dataset, write_dataset
from hoad.replay.formats.jsonl import Record
from hoad.replay.verify import Verification, verify_files, with_blocks

MakeLogs = Callable[[int, int, int], GameLogs]


def verify(*paths: Path) -> tuple[Verification, list[str]]:
    messages: list[str] = []
    return verify_files(paths, messages.append), messages


def lines_of(logs: GameLogs) -> list[dict[str, Any]]:
    return [
        {
            "players": ["somebody"] * logs.players,
            "deck": logs.decks[game].tolist(),
            "actions": logs.actions_of(game).tolist(),
        }
        for game in range(len(logs))
    ]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def test_reference_games_are_true(reference: Path) -> None:
    files = sorted(reference.glob("*.jsonl.gz"))
    lines = [
        json.loads(line)
        for file in files
        for line in gzip.decompress(file.read_bytes()).splitlines()
    ]

    found, messages = verify(*files)

    assert messages == []
    assert found.games == found.verified == len(lines) > 10_000
    hashed = sum(len(line["actions"]) for line in lines if "obs_sha1" in line)
    assert found.observations_checked == hashed > 30_000


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_each_faulty_line_is_named_and_the_others_are_verified(
    random_logs: MakeLogs, tmp_path: Path, suffix: str
) -> None:
    lines = lines_of(random_logs(2, 3, 1)) + lines_of(random_logs(4, 3, 1))
    lines[0]["obs_sha1"] = hash_observations(random_logs(2, 1, 1))
    lines[1]["actions"][3] = 99
    lines[2]["score"] = 25
    lines[4]["deck"] = [0] * 50
    lines[5]["actions"].append(0)
    path = write_lines(tmp_path / f"a{suffix}", lines)

    found, messages = verify(path)

    assert found == Verification(6, 2, 4, observations_checked=len(lines[0]["actions"]))
    assert [message.split(",")[0] for message in messages] == [
        f"{path}: line {line}" for line in (2, 3, 5, 6)
    ]
    turn = len(lines[5]["actions"]) - 1
    assert messages[3].endswith(f"line 6, game 5, turn {turn}: action 0 comes after the game's end")


def test_what_is_left_of_a_compressed_log_is_verified(
    random_logs: MakeLogs, tmp_path: Path
) -> None:
    whole = write_lines(tmp_path / "a.jsonl.gz", lines_of(random_logs(2, 50, 1)))
    whole.write_bytes(whole.read_bytes()[:-100])

    found, messages = verify(whole)

    assert found.failed == len(messages) == 1
    assert 10 < found.verified < 50
    assert "not a complete gzip file" in messages[0]


def test_faulty_games_of_a_dataset_are_named(random_logs: MakeLogs, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.h5", tmp_path / "bad.h5"
    dataset = make_dataset(random_logs(3, 9, 1), [("a", "b", "c")], {}, "test")
    write_dataset(good, dataset)
    write_dataset(bad, dataset)
    with h5py.File(bad, "a") as file:
        file["actions"][int(file["offsets"][4])] = 0
        file["actions"][int(file["offsets"][7])] = 0

    found, messages = verify(good, bad)

    assert found == Verification(games=18, verified=16, failed=2)
    assert messages == [f"{bad}: game {game}, turn 0: action 0 is illegal" for game in (4, 7)]


def test_an_unreadable_file_counts_as_one_failed_game(
    random_logs: MakeLogs, tmp_path: Path
) -> None:
    good = write_lines(tmp_path / "good.jsonl", lines_of(random_logs(2, 3, 1)))
    (tmp_path / "bad.h5").write_text("not HDF5")

    found, messages = verify(tmp_path / "no.jsonl", tmp_path / "bad.h5", good)

    assert found == Verification(games=5, verified=3, failed=2)
    assert len(messages) == 2


def test_blocks_that_do_not_exist_are_not_verified(tmp_path: Path) -> None:
    for name in ("absent.h5", "absent.h5.parts"):
        [path] = with_blocks(tmp_path / name)
        found, messages = verify(path)

        assert found == Verification(games=1, failed=1)
        assert messages[0].startswith(str(tmp_path / name))


def test_a_log_of_another_number_of_players_is_no_fault(
    random_logs: MakeLogs, tmp_path: Path
) -> None:
    lines = [line for players in (2, 3, 4, 5) for line in lines_of(random_logs(players, 2, 1))]
    assert all(Record(**line) for line in lines)

    found, _ = verify(write_lines(tmp_path / "a.jsonl", lines))

    assert found == Verification(games=8, verified=8)
