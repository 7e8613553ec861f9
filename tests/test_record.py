"""The commands of ``record.py``, as on a command line."""

import ctypes
import json
import os
import resource
import shutil
from pathlib import Path
from typing import Any

import h5py
import pytest

from hoad.evolution.population import save_population
from hoad.game.state import full_game
from hoad.replay.dataset import read_dataset, read_metadata
from tests.agents.own_agent import write_agent
from tests.evolution.test_population import small_population
from tests.scripts import assert_refused, run_in_fork, runner_here

GOOD_DECK = full_game(2).full_deck().tolist()

run = runner_here("record.py")


def limit_files() -> None:
    """Let the disk be full at 900,000 bytes a file; a block of iggi is larger."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, 900_000))


def obey_permissions() -> None:
    """Give up the superuser's right to write without permission (Linux: CAP_DAC_OVERRIDE)."""
    if os.geteuid() == 0:
        libc, override = ctypes.CDLL(None), 1 << 1
        version_3_of_this_process = (ctypes.c_uint32 * 2)(0x20080522, 0)
        capabilities = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice 32 bits
        assert libc.capget(version_3_of_this_process, capabilities) == 0
        for index in range(2):
            capabilities[index] &= ~override
        assert libc.capset(version_3_of_this_process, capabilities) == 0


def write_recipe(folder: Path, **values: Any) -> Path:
    path = folder / "recipe.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))
    return path


def game_of(**values: Any) -> str:
    game = {"players": ["a", "b"], "deck": GOOD_DECK, "actions": [5]}
    return json.dumps(game | values) + "\n"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with recorded games of iggi."""
    folder = tmp_path_factory.mktemp("recorded")
    result = run("play", write_recipe(folder, games=40, agents=["iggi"]), "--out", folder)
    assert result.returncode == 0, result.stderr
    assert "iggi.h5: 40 games" in result.stdout
    return folder


def test_games_are_played_verified_exported_and_imported(recorded: Path, tmp_path: Path) -> None:
    exported = run("export", recorded / "iggi.h5", tmp_path / "a.jsonl.gz")
    imported = run("import", tmp_path / "a.jsonl.gz", tmp_path / "a.h5")
    files = [recorded / "iggi.h5", tmp_path / "a.jsonl.gz", tmp_path / "a.h5"]
    verified = run("verify", *files, "--json")

    assert (exported.returncode, imported.returncode) == (0, 0)
    assert verified.returncode == 0, verified.stderr
    counted = {"games": 120, "verified": 120, "failed": 0, "observations_checked": 0}
    assert json.loads(verified.stdout.splitlines()[-1]) == counted
    first, last = read_dataset(files[0]).logs, read_dataset(files[2]).logs
    assert first.actions.tolist() == last.actions.tolist()


def test_every_failed_game_has_a_line_and_verifying_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(game_of(actions=[0]) + game_of(aborted=True, actions=[5]) + game_of(deck=[0]))

    result = run("verify", path, "--json")

    assert result.returncode == 2
    named = [line.split(":")[1] for line in result.stderr.splitlines()]
    assert named == [" line 1, game 0, turn 0", " line 3, game 2"]
    assert json.loads(result.stdout)["failed"] == 2
    assert json.loads(result.stdout)["verified"] == 1


def test_bad_logs_are_refused(tmp_path: Path, recorded: Path) -> None:
    log, out = tmp_path / "a.jsonl", tmp_path / "a.h5"

    log.write_text(game_of(aborted=True, actions=[5]) + game_of(aborted=True, actions=[5, 0, 0]))
    assert_refused(run("import", log, out), f"{log}: game 1, turn 1: action 0 is illegal")

    log.write_text(game_of(deck=[0] * 50))
    assert_refused(run("import", log, out), f"{log}: game 0", "deck")

    log.write_text(game_of(weather="fine"))
    assert_refused(run("import", log, out), f"{log}: line 1", "weather")

    cut = tmp_path / "cut.h5"
    cut.write_bytes((recorded / "iggi.h5").read_bytes()[:-1000])
    assert_refused(run("verify", cut), f"{cut}: ", "cut short")
    assert_refused(run("export", cut, tmp_path / "b.jsonl"), f"{cut}: ", "cut short")
    assert_refused(run("export", log, tmp_path / "b.jsonl"), "expected a name that ends in .h5")
    assert not out.exists()


def test_a_full_disk_costs_nothing_that_was_recorded(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, games=18_000, agents=["flawed", "iggi"])

    full = run_in_fork(limit_files, "record.py", "play", recipe, "--out", tmp_path)
    kept = (tmp_path / "flawed.h5").read_bytes()
    resumed = run("play", recipe, "--out", tmp_path, "--resume")

    assert_refused(full, str(tmp_path / "iggi.h5"), "File too large")
    assert resumed.returncode == 0, resumed.stderr
    assert (tmp_path / "flawed.h5").read_bytes() == kept
    assert len(read_dataset(tmp_path / "iggi.h5").logs) == 18_000


def test_a_folder_that_cannot_be_written_is_named(recorded: Path, tmp_path: Path) -> None:
    recipe, folder, parts = recorded / "recipe.toml", tmp_path / "out", tmp_path / "iggi.h5.parts"
    for place in (folder, parts):
        place.mkdir(mode=0o555)
    refused = {
        folder: ("play", recipe, "--out", folder),
        folder / "new": ("play", recipe, "--out", folder / "new"),
        folder / "a.jsonl": ("export", recorded / "iggi.h5", folder / "a.jsonl"),
        parts: ("play", recipe, "--out", tmp_path, "--resume"),
    }

    for place, words in refused.items():
        result = run_in_fork(obey_permissions, "record.py", *words)

        assert_refused(result, f"{place}", "Permission denied")
    assert list(folder.iterdir()) == []
    (tmp_path / "file").write_text("no folder")
    for place in (tmp_path / "file", Path("/proc/hoad")):
        assert_refused(run("play", recipe, "--out", place), str(place))


def test_a_damaged_block_is_removed_and_played_again(recorded: Path, tmp_path: Path) -> None:
    parts = tmp_path / "iggi.h5.parts"
    parts.mkdir()
    block = parts / "0000000000.h5"
    block.write_bytes((recorded / "iggi.h5").read_bytes()[:-1])

    play = ("play", recorded / "recipe.toml", "--out", tmp_path, "--resume")
    assert_refused(run(*play), f"{block}: ")
    done = run("verify", tmp_path / "iggi.h5")
    repaired = run("verify", tmp_path / "iggi.h5", "--repair")
    resumed = run(*play)

    assert_refused(done, f"{block}: ")
    assert repaired.returncode == 2
    assert f"{block}: removed; " in repaired.stdout
    assert resumed.returncode == 0, resumed.stderr
    before, after = (read_dataset(folder / "iggi.h5").logs for folder in (recorded, tmp_path))
    assert before.actions.tolist() == after.actions.tolist()


def test_what_is_left_of_a_damaged_file_is_saved_beside_it(recorded: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "iggi.h5"
    shutil.copy(recorded / "iggi.h5", damaged)
    with h5py.File(damaged, "a") as file:
        file["actions"][int(file["offsets"][3])] = 0
    content = damaged.read_bytes()

    repaired = run("verify", damaged, "--repair")
    again = run("verify", tmp_path / "iggi.repaired.h5")

    assert repaired.returncode == 2
    assert "game 3, turn 0: action 0 is illegal" in repaired.stderr
    assert "39 of 40 games saved to" in repaired.stdout
    assert damaged.read_bytes() == content
    assert (again.returncode, again.stdout.split(";")[0]) == (0, "39 games: 39 verified, 0 failed")


def test_metadata_are_shown_and_scores_drawn(recorded: Path, tmp_path: Path) -> None:
    shown = run("info", recorded / "iggi.h5", "--png", tmp_path / "scores.png")

    assert shown.returncode == 0, shown.stderr
    assert "total_episodes      40" in shown.stdout
    assert 'agents = ["iggi"]' in shown.stdout
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    assert_refused(run("info", tmp_path / "scores.png"), "scores.png: not an HDF5 file")
    for path in (tmp_path / "iggi.h5", tmp_path / "iggi.png"):  # written over no games
        shutil.copy(recorded / "iggi.h5", path)
        assert_refused(run("info", "--png", path, recorded / "iggi.h5"), path.name)
        assert path.read_bytes() == (recorded / "iggi.h5").read_bytes()


def test_any_agent_with_a_name_can_be_recorded(tmp_path: Path) -> None:
    population = small_population((5, 5), ((0, 3), (8, 13, 38, 27), 15.0))
    save_population(tmp_path / "small.json", population)
    agents = [f"elite:{tmp_path}/small.json/0,3", write_agent(tmp_path), "noisy:0.1:simplebot"]

    result = run("play", write_recipe(tmp_path, games=5, agents=agents), "--out", tmp_path)

    assert result.returncode == 0, result.stderr
    assert [read_metadata(path)["total_episodes"] for path in tmp_path.glob("*.h5")] == [5, 5, 5]
