import random
import time
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.core.recipe import check_recipe, load_recipe
from hoad.core.workers import work
from hoad.replay import recorder
from hoad.replay.dataset import make_dataset, read_dataset, read_metadata, write_dataset
from hoad.replay.recipe import Pair, PlayRecipe, file_name
from hoad.replay.recorder import BLOCK, PIECE, plan, record
from hoad.replay.verify import verify_files
from tests.agents.own_agent import write_agent
from tests.replay.contents import assert_same_file

SHORT = "flawed"  # its games take five turns


def recipe_of(*agents: str, games: int = 50, seed: int = 1) -> PlayRecipe:
    values = {"seed": seed, "games": games, "agents": agents}
    return check_recipe(values, PlayRecipe, "recipe")


def test_recorded_games_are_those_that_the_agents_play(tmp_path: Path) -> None:
    (path,) = record(recipe_of("iggi", games=30, seed=5), tmp_path, resume=False, threads=1)

    dataset = read_dataset(path)
    played = play([get_agent("iggi"), get_agent("iggi")], 30, seed=5)
    assert dataset.agents == ("iggi", "iggi")
    assert dataset.logs.actions.tolist() == played.actions.tolist()
    assert (dataset.metadata["seed"], dataset.metadata["first_game"]) == (5, 0)
    assert list(tmp_path.iterdir()) == [path]


def test_all_recordings_of_a_recipe_share_their_decks(tmp_path: Path) -> None:
    recipe = PlayRecipe(games=20, agents=("iggi",), pairs=(Pair(seats=("piers", "iggi")),))

    alone, paired = record(recipe, tmp_path, resume=False, threads=1)

    assert paired.name == "piers+iggi.h5"
    assert read_dataset(paired).agents == ("piers", "iggi")
    assert read_dataset(alone).logs.decks.tolist() == read_dataset(paired).logs.decks.tolist()
    assert read_dataset(alone).logs.actions.tolist() != read_dataset(paired).logs.actions.tolist()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_are_recorded_verified_and_recorded_again_by_the_recipe_in_their_metadata(
    tmp_path: Path, players: int
) -> None:
    alike, seats = ("legal-random",) * players, ("piers", *["iggi"] * (players - 1))
    pairs = (Pair(seats=seats),)
    recipe = PlayRecipe(players=players, seed=3, games=20, agents=alike[:1], pairs=pairs)

    paths = record(recipe, tmp_path, resume=False, threads=1)
    record(recipe, tmp_path, resume=True, threads=1)

    assert [path.name for path in paths] == [file_name(alike), file_name(seats)]
    assert read_dataset(paths[1]).agents == seats
    assert verify_files(paths, print).verified == 40
    for path in paths:
        (tmp_path / "one.toml").write_text(read_metadata(path)["recipe"])
        alone = load_recipe(tmp_path / "one.toml", PlayRecipe)
        (again,) = record(alone, tmp_path / "alone", resume=False, threads=1)
        assert_same_file(path, again)


def test_agents_of_two_players_are_not_recorded_with_three(tmp_path: Path) -> None:
    recipe = PlayRecipe(players=3, games=20, agents=("iggi", "simplebot"))

    with pytest.raises(HoadError, match="agent simplebot plays the two-player game only"):
        record(recipe, tmp_path / "new", resume=False, threads=1)

    assert not (tmp_path / "new").exists()


def test_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "BLOCK", 400)
    monkeypatch.setattr(recorder, "PIECE", 50)
    recipe = recipe_of("flawed", "legal-random", games=400 + 3 * 50 + 1)
    alone = record(recipe, tmp_path / "1", resume=False, threads=1)

    for threads in (2, 4):
        together = record(recipe, tmp_path / str(threads), resume=False, threads=threads)
        for one, many in zip(alone, together, strict=True):
            assert_same_file(one, many)


def test_a_block_is_shared_out_in_pieces() -> None:
    (recording,) = plan(recipe_of(SHORT, games=BLOCK + 3 * PIECE + 1), Path("datasets"))

    pieces = [piece for block in recording.blocks for piece in block.pieces]

    starts, sizes = zip(*pieces, strict=True)
    assert starts == tuple(range(0, BLOCK + 3 * PIECE + 1, PIECE))
    assert set(sizes[:-1]) == {PIECE}
    assert sum(sizes) == recording.games


def test_only_missing_blocks_are_played(tmp_path: Path) -> None:
    recipe = recipe_of(SHORT, games=2 * BLOCK + 100)
    (recording,) = plan(recipe, tmp_path)
    first, second, _ = recording.blocks
    seats = [get_agent(SHORT)] * 2
    others = play(seats, BLOCK, seed=99)  # to be recognised by
    metadata = {"seed": recipe.seed, "first_game": 0}
    recording.parts.mkdir()
    write_dataset(first.path, make_dataset(others, [(SHORT, SHORT)], metadata, "test"))
    second.path.with_name(f"{second.path.name}.{16 * 'a'}.part").write_bytes(b"of a killed program")

    (path,) = record(recipe, tmp_path, resume=True, threads=1)

    decks = read_dataset(path).logs.decks
    missing = play(seats, BLOCK + 100, recipe.seed, first_game=BLOCK)
    assert np.array_equal(decks, np.concatenate([others.decks, missing.decks]))
    assert list(tmp_path.iterdir()) == [path]


def test_a_resumed_recording_asks_for_the_disk_that_it_will_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(recorder, "require_disk", lambda folder, needed, *_: asked.append(needed))
    recipe = recipe_of(SHORT, "iggi", games=2 * BLOCK)
    for recording in plan(recipe, tmp_path):
        recording.parts.mkdir()
        recording.blocks[0].path.touch()

    with pytest.raises(HoadError, match="empty"):  # the blocks are
        record(recipe, tmp_path, resume=True, threads=1)

    # Two files, and the second block of one of them.
    assert asked == [(4 + 1) * BLOCK * recorder._GAME_BYTES]


def test_a_file_of_the_users_own_among_the_blocks_stays(tmp_path: Path) -> None:
    recipe = recipe_of(SHORT, games=10)
    (recording,) = plan(recipe, tmp_path)
    recording.parts.mkdir()
    (recording.parts / "notes.txt").write_text("mine")

    (path,) = record(recipe, tmp_path, resume=True, threads=1)

    assert len(read_dataset(path).logs) == 10
    assert [file.name for file in recording.parts.iterdir()] == ["notes.txt"]
    assert (recording.parts / "notes.txt").read_text() == "mine"


def test_recordings_that_exist_or_were_interrupted_are_kept(tmp_path: Path) -> None:
    (path,) = record(recipe_of(SHORT), tmp_path, resume=False, threads=1)
    before = path.read_bytes()

    with pytest.raises(HoadError, match=r"flawed\.h5: exists; keep it with --resume"):
        record(recipe_of("iggi", SHORT), tmp_path, resume=False, threads=1)
    assert not (tmp_path / "iggi.h5").exists()

    (tmp_path / "iggi.h5.parts").mkdir()
    with pytest.raises(HoadError, match=r"iggi\.h5\.parts: holds an interrupted recording"):
        record(recipe_of("iggi"), tmp_path, resume=False, threads=1)
    record(recipe_of(SHORT, "iggi"), tmp_path, resume=True, threads=1)
    assert path.read_bytes() == before
    assert (tmp_path / "iggi.h5").exists()


def test_an_interruption_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "BLOCK", 20)
    monkeypatch.setattr(recorder, "_AHEAD", 1)
    recipe, original = recipe_of(SHORT), recorder._play_blocks

    def play_blocks(recording, blocks, *rest) -> None:
        if blocks[0].first_game == 40:
            raise KeyboardInterrupt
        original(recording, blocks, *rest)

    monkeypatch.setattr(recorder, "_play_blocks", play_blocks)

    with pytest.raises(KeyboardInterrupt, match=r"40 of its 50 games are kept, .*--resume"):
        record(recipe, tmp_path, resume=False, threads=1)


def test_an_interruption_after_the_last_game_says_that_all_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = recorder._remove_blocks

    def remove_blocks(recording) -> None:
        remove(recording)
        raise KeyboardInterrupt

    monkeypatch.setattr(recorder, "_remove_blocks", remove_blocks)

    for resume in (False, True):
        with pytest.raises(KeyboardInterrupt, match=r"50 of its 50 games are kept"):
            record(recipe_of(SHORT), tmp_path, resume=resume, threads=1)


@pytest.mark.parametrize(
    ("changed", "named"), [({"seed": 2}, "seed is 1"), ({"games": 51}, "total_episodes is 50")]
)
def test_another_recipe_is_not_resumed(tmp_path: Path, changed: dict[str, int], named: str) -> None:
    record(recipe_of(SHORT), tmp_path, resume=False, threads=1)

    with pytest.raises(HoadError, match=rf"flawed\.h5: another recording \({named}"):
        record(recipe_of(SHORT).model_copy(update=changed), tmp_path, resume=True, threads=1)


def test_resuming_with_another_agent_of_the_same_name_is_refused(tmp_path: Path) -> None:
    recipe = recipe_of(write_agent(tmp_path, move=0), games=3)
    record(recipe, tmp_path, resume=False, threads=1)
    record(recipe, tmp_path, resume=True, threads=1)

    write_agent(tmp_path, move=1)

    with pytest.raises(HoadError, match=r"recorded with another python:.*mine\.py:Mine than"):
        record(recipe, tmp_path, resume=True, threads=1)


def test_few_blocks_are_played_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_a_time = []

    def counted(function: Any, items: Iterable[tuple[Any, ...]], threads: int) -> Iterator[Any]:
        items = list(items)
        at_a_time.append(len(items))
        return work(function, items, threads)

    monkeypatch.setattr(recorder, "BLOCK", 2 * PIECE)
    monkeypatch.setattr(recorder, "_AHEAD", 2)
    monkeypatch.setattr(recorder, "work", counted)

    record(recipe_of(SHORT, games=9 * PIECE), tmp_path, resume=False, threads=2)

    assert at_a_time == [4, 4, 1]


def test_a_damaged_block_is_named(tmp_path: Path) -> None:
    (recording,) = plan(recipe_of(SHORT, games=BLOCK + 10), tmp_path)
    (small,) = record(recipe_of(SHORT, games=BLOCK), tmp_path, resume=False, threads=1)
    recording.parts.mkdir()
    content = bytearray(small.read_bytes())
    content[len(content) // 2] ^= 0xFF
    recording.blocks[0].path.write_bytes(content)
    small.unlink()

    with pytest.raises(HoadError, match=r"0000000000\.h5: damaged; .*--repair.*--resume"):
        record(recipe_of(SHORT, games=BLOCK + 10), tmp_path, resume=True, threads=1)


@pytest.mark.parametrize(
    ("agents", "name"),
    [
        (("iggi", "iggi"), "iggi.h5"),
        (("piers", "iggi"), "piers+iggi.h5"),
        (("rules:8,13", "rules:8,13"), "rules_8,13.h5"),
        (("elite:run1/3,4", "a b"), "elite_run1_3,4+a_b.h5"),
    ],
)
def test_file_names_have_safe_characters(agents: tuple[str, ...], name: str) -> None:
    assert file_name(agents) == name
    with pytest.raises(HoadError, match=r"maml_a_b\.h5: 2 recordings"):
        plan(recipe_of("maml:a/b", "maml:a_b"), Path("datasets"))


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"games": 1}, "agents and pairs are empty"),
        ({"games": 0, "agents": ["iggi"]}, "games = 0"),
        ({"games": 10**400, "agents": ["iggi"]}, "games = 10+: "),
        ({"games": 1, "agents": ["iggi"], "sed": 1}, "unknown key sed"),
        ({"games": 1, "pairs": [{"seats": ["iggi"]}]}, "pairs.0.seats"),
        ({"agents": ["iggi"]}, "key games is missing"),
        ({"games": 1, "players": 6, "agents": ["iggi"]}, "players = 6"),
        ({"games": 1, "players": 3, "pairs": [{"seats": ["iggi", "piers"]}]}, "pairs has 2 seats"),
        ({"games": 1, "pairs": [{"seats": ["iggi"] * 3}]}, "pairs has 3 seats"),
    ],
)
def test_a_wrong_recipe_is_refused_by_name(values: dict[str, object], named: str) -> None:
    with pytest.raises(HoadError, match=named):
        check_recipe(values, PlayRecipe, source="test")


def start(recipe: PlayRecipe, out: Path) -> BaseProcess:
    """Record in another process, which has loaded all it needs."""
    process = get_context("fork").Process(target=record, args=(recipe, out, True, 1))
    process.start()
    return process


def test_recordings_killed_at_any_moment_lose_no_complete_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = 10
    monkeypatch.setattr(recorder, "BLOCK", games)  # many blocks in little time
    monkeypatch.setattr(recorder, "_AHEAD", 4)
    blocks_of_all = 8
    recipe, moments = recipe_of("iggi", games=blocks_of_all * games), random.Random(1)
    begin = time.monotonic()
    (whole,) = record(recipe, tmp_path / "whole", resume=False, threads=1)
    of_a_block = (time.monotonic() - begin) / blocks_of_all
    found = []

    for trial in range(blocks_of_all):
        (recording,) = plan(recipe, tmp_path / str(trial))
        process = start(recipe, tmp_path / str(trial))
        while process.is_alive() and len(list(recording.parts.glob("*.h5"))) < trial:
            time.sleep(0.0005)
        time.sleep(of_a_block * moments.random())
        process.kill()
        process.join()
        blocks = sorted(recording.parts.glob("*.h5"))
        assert sum(len(read_dataset(block).logs) for block in blocks) == games * len(blocks)
        found.append(len(blocks))

        record(recipe, tmp_path / str(trial), resume=True, threads=1)

        assert_same_file(recording.path, whole)
        assert list((tmp_path / str(trial)).iterdir()) == [recording.path]
    assert len(set(found)) > 3, "the moments were not at all random"


def test_a_second_writer_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    recipe = recipe_of(SHORT, games=40 * BLOCK)
    (recording,) = plan(recipe, tmp_path)
    first = start(recipe, tmp_path)
    while not list(recording.parts.glob("*.h5")):
        assert first.is_alive()
        time.sleep(0.005)

    for resume in (False, True):
        with pytest.raises(HoadError, match=r"flawed\.h5\.parts: another program is writing"):
            record(recipe, tmp_path, resume, threads=1)
    assert first.is_alive()
    first.kill()
    first.join()

    with only_writer(recording.parts):
        assert list(recording.parts.glob("*.h5")), "a killed writer leaves its blocks, no lock"
