"""A person's games on disk."""

import json
import os
import resource
from pathlib import Path
from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.human.journal import (
    EXPERIENCE,
    GAMES,
    LEARNED_FROM,
    UNFINISHED,
    Journal,
    Move,
    Note,
    Start,
    games_with,
)
from hoad.replay.formats.jsonl import Record, read_records
from tests.human.tables import Table

START = Start(agent="iggi", seat=0, seed=1, game=0, stream=9)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Record:
    table = Table(tmp_path_factory.mktemp("game"))
    table.begin("iggi")
    table.finish()
    return table.session.games[0]


def test_what_is_written_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.begin(START)
    journal.add(Move(move=15, stream=9))
    journal.add(Move(move=6, stream=2**63 + 5))
    for card, note in ((3, "red"), (7, 'a "note": x'), (3, "blue"), (7, "")):
        journal.write_note(Note(card=card, note=note))

    again = Journal(tmp_path)

    assert (again.start, again.moves) == (START, journal.moves)
    assert journal.notes == again.notes == {3: "blue"}  # the last one, and no empty one


def test_a_line_that_was_cut_short_is_dropped(tmp_path: Path) -> None:
    (tmp_path / UNFINISHED).write_bytes(b'{"agent":"ig')
    journal = Journal(tmp_path)
    assert journal.start is None
    journal.begin(START)
    journal.add(Move(move=15, stream=9))
    with (tmp_path / UNFINISHED).open("ab") as file:
        file.write(b'{"move":')

    again = Journal(tmp_path)
    again.add(Move(move=6, stream=9))

    assert [line.move for line in Journal(tmp_path).moves] == [15, 6]


def test_a_game_is_finished_once_even_by_a_killed_program(tmp_path: Path, game: Record) -> None:
    journal = Journal(tmp_path)
    journal.begin(START)
    unfinished = (tmp_path / UNFINISHED).read_bytes()
    journal.finish(game)
    (tmp_path / UNFINISHED).write_bytes(unfinished)  # killed before this file was removed

    Journal(tmp_path).finish(game)

    assert list(read_records(tmp_path / GAMES)) == [game]
    assert Journal(tmp_path).start is None


@pytest.mark.parametrize(
    "line",
    ['{"move":20,"stream":1}\n', f'{{"move":1,"stream":{2**64}}}\n', "1\n", '{"move":1}\n'],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    Journal(tmp_path).begin(START)
    with (tmp_path / UNFINISHED).open("a") as file:
        file.write(line)

    with pytest.raises(HoadError, match=f"{UNFINISHED}: line 2"):
        Journal(tmp_path)


@pytest.mark.parametrize(
    "changes", [{"seed": 2**62}, {"game": 2**62}, {"stream": 2**64}, {"agent": "rules:8,\t13"}]
)
def test_a_start_that_no_game_has_is_named(tmp_path: Path, changes: dict[str, Any]) -> None:
    (tmp_path / UNFINISHED).write_text(json.dumps(START.model_dump() | changes) + "\n")

    with pytest.raises(HoadError, match=f"{UNFINISHED}: line 1: .*{next(iter(changes))}"):
        Journal(tmp_path)


def test_a_file_that_cannot_be_removed_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.begin(START)
    (tmp_path / UNFINISHED).unlink()
    (tmp_path / UNFINISHED).mkdir()

    with pytest.raises(HoadError, match=f"{UNFINISHED}: cannot remove this file"):
        journal.finish(None)
    with pytest.raises(HoadError, match=f"{UNFINISHED}: cannot remove this file"):
        journal.begin(START)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"players": ["iggi", "piers"]}, "line 1: a game of iggi and piers"),
        ({"actions": [0], "slots": None}, "turn 0"),
    ],
)
def test_games_of_others_and_illegal_ones_are_refused(
    tmp_path: Path, game: Record, changes: dict[str, Any], complaint: str
) -> None:
    changed = game.model_copy(update=changes)
    (tmp_path / GAMES).write_text(changed.model_dump_json(exclude_none=True) + "\n")

    with pytest.raises(HoadError, match=complaint):
        Journal(tmp_path)


def test_the_last_games_with_an_agent(game: Record) -> None:
    other = game.model_copy(update={"players": ["piers", "person"]})

    games = games_with([other, *[game] * (LEARNED_FROM + 2), other], "iggi")

    assert games == [game] * LEARNED_FROM


@pytest.mark.parametrize("name", ["games.jsonl", "unfinished.jsonl", "experience.json"])
def test_no_link_is_followed_and_no_pipe_is_waited_for(tmp_path: Path, name: str) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "folder"
    victim.write_text("a line without an end")
    folder.mkdir()
    for make in (lambda: (folder / name).symlink_to(victim), lambda: os.mkfifo(folder / name)):
        make()
        with pytest.raises(HoadError, match=rf"{name}: (a link or a pipe|not a regular file)"):
            Journal(folder)
        (folder / name).unlink()

    assert victim.read_text() == "a line without an end"


def test_a_move_that_does_not_fit_on_the_disk_leaves_no_part_of_a_line(tmp_path: Path) -> None:
    journal, unlimited = Journal(tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    journal.begin(START)
    size = (tmp_path / UNFINISHED).stat().st_size

    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 5, unlimited[1]))
    try:
        with pytest.raises(HoadError, match=f"{UNFINISHED}: cannot write this file"):
            journal.add(Move(move=15, stream=9))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    journal.add(Move(move=6, stream=9))

    assert [line.move for line in Journal(tmp_path).moves] == [6]


def test_a_line_that_lacks_its_break_only_is_kept(tmp_path: Path, game: Record) -> None:
    (tmp_path / GAMES).write_text(game.model_dump_json(exclude_none=True))

    for _ in range(2):
        assert Journal(tmp_path).games == [game]
    assert (tmp_path / GAMES).read_bytes().endswith(b"}\n")


def test_an_empty_answer_is_asked_for_again(tmp_path: Path) -> None:
    (tmp_path / EXPERIENCE).touch()  # the disk was full

    journal = Journal(tmp_path)
    journal.record_experience(True)

    assert Journal(tmp_path).experience == journal.experience is not None
