import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.replay.dataset import read_dataset
from hoad.replay.formats.convert import import_games
from hoad.replay.formats.hanabidata import deck_of, read_experience, read_games
from hoad.replay.formats.jsonl import Record, read_records
from tests.replay.formats.records import write_log
from tests.scripts import runner_here

run = runner_here("record.py")


@pytest.fixture
def people(reference: Path) -> Path:
    """Converted games of half of the people, and some of the original logs in ``raw``."""
    folder = reference / "people"
    if not folder.is_dir():
        pytest.skip(f"no games of people in {reference}")
    return folder


def whole_game(folder: Path) -> Record:
    return next(r for r in read_records(folder / "hanabidata_people_1.jsonl.gz") if not r.aborted)


def facts_of(records: Iterable[Record]) -> list[tuple]:
    return sorted((r.players[0], r.seed, r.deck, r.actions, bool(r.aborted)) for r in records)


def test_original_logs_are_read_as_they_were_converted(people: Path) -> None:
    published = facts_of(read_records(people / "hanabidata_people_1.jsonl.gz"))

    records, *cut = read_games(people / "raw")

    assert len(records) == 24
    assert all(game in published for game in facts_of(records))
    assert all(deck_of(seed or 0) == deck for _, seed, deck, *_ in published)
    assert cut == [3, 167]
    games: dict[str, list[tuple[str, int | None]]] = {}  # of each person in order
    for record in records:
        games.setdefault(record.players[1], []).append((record.players[0], record.seed))
    assert list(games) == ["P001", "P002", "P003", "P004", "P005", "P006"]
    with_outer = [("eger-outer", seed) for seed in (5, 3560, 1914)]
    assert games["P001"] == [*with_outer, ("eger-full", 8369)]


def test_all_converted_games_survive_the_round_trip(people: Path, tmp_path: Path) -> None:
    records = list(read_records(people / "hanabidata_people_1.jsonl.gz"))
    before: dict[str, str] = {}
    for number, record in enumerate(records):
        person, name = record.players[1], f"{number:016x}"
        write_log(tmp_path, name, record, before.get(person, ""))
        before[person] = name

    imported, *cut = read_games(tmp_path)

    assert cut == [0, 0]
    assert [record.actions for record in imported] == [record.actions for record in records]
    assert facts_of(imported) == facts_of(records)
    assert len({record.players[1] for record in imported}) == 114


def test_a_chain_starts_where_the_game_before_is_lost_and_may_not_lead_back_to_itself(
    people: Path, tmp_path: Path
) -> None:
    game = whole_game(people)
    write_log(tmp_path, "1", game, before="lost")
    write_log(tmp_path, "2", game, before="1")
    records, *_ = read_games(tmp_path)
    assert [record.players[1] for record in records] == ["P001", "P001"]

    write_log(tmp_path, "1", game, before="2")
    with pytest.raises(HoadError, match="lead back"):
        read_games(tmp_path)
    (tmp_path / "game2.log").unlink()
    assert len(read_games(tmp_path)[0]) == 1


@pytest.mark.parametrize(
    "line",
    ["MOVE: 1 2 7 1 None None", "MOVE: 1 1 None 0", "MOVE: 0 2 0 1 None None", "MOVE: 1 3 0 x 1 1"],
)
def test_a_game_is_cut_before_a_malformed_move(people: Path, tmp_path: Path, line: str) -> None:
    game = whole_game(people)
    path = write_log(tmp_path, "1", game)
    lines = path.read_text().splitlines()
    moves = [index for index, text in enumerate(lines) if text.startswith("MOVE")]
    lines[moves[5]] = line
    path.write_text("\n".join(lines))

    [record], *cut = read_games(tmp_path)

    assert record.actions == game.actions[:5]
    assert record.aborted
    assert cut == [1, len(game.actions) - 5]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Treatment: (", "Treatment: [", "no program and seed"),
        ("[(", "(", "no list of cards"),
        ("[(", "[(4, 5), (", "not those of seed"),
        ("Score ", "Score 1", "by the rules"),
    ],
)
def test_a_log_that_contradicts_itself_is_refused(
    people: Path, tmp_path: Path, old: str, new: str, fault: str
) -> None:
    path = write_log(tmp_path, "1", whole_game(people))
    path.write_text(path.read_text().replace(old, new, 1))

    with pytest.raises(HoadError, match=rf"game1\.log: .*{fault}"):
        read_games(tmp_path)


def test_a_folder_becomes_a_dataset(people: Path, tmp_path: Path) -> None:
    shutil.copytree(people / "raw", tmp_path / "log")

    done = run("import", tmp_path / "log", tmp_path / "people.h5")

    assert done.returncode == 0
    assert "24 games" in done.stdout
    assert "167 actions cut from 3 games" in done.stdout
    dataset = read_dataset(tmp_path / "people.h5")
    assert dataset.metadata["cut_turns"] == 167
    assert dataset.pairings[0] == ("eger-outer", "P001")
    assert import_games(tmp_path / "log", tmp_path / "again.h5").scores.tolist() == (
        dataset.scores.tolist()
    )


def test_no_log_can_be_left_out(people: Path, tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=r"raw: .*name each other.*; import them without --skip"):
        import_games(people / "raw", tmp_path / "people.h5", [])


def test_experience_is_read_from_surveys_of_first_games(people: Path, tmp_path: Path) -> None:
    game = whole_game(people)
    for name, before in (("a", ""), ("b", "a"), ("c", ""), ("d", "")):
        write_log(tmp_path, name, game, before)
    (tmp_path / "surveya.log").write_text("age 20s\nexp intermediate\npublish yes\n")
    (tmp_path / "surveyb.log").write_text("exp new\n")  # of no first game
    (tmp_path / "surveyd.log").write_text("age 20s\n")

    assert read_experience(tmp_path) == {"P001": 3}


def test_experience_is_read_from_a_table(people: Path) -> None:
    stated = read_experience(people / "hanabidata_people_1.csv")

    assert (stated["P001"], stated["P003"], stated["P005"]) == (3, 4, 1)
    assert "P011" not in stated
    assert len(stated) == 106


def test_rows_longer_than_their_heading_and_a_mark_of_order_are_read(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("player,hanabi_experience\nP001,4,\n", encoding="utf-8-sig")

    assert read_experience(path) == {"P001": 4}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"\xff\xfe", "not a table"),
        (b"player,hanabi_experience\nP001," + 200_000 * b"3", "not a table"),
        (b"player\nP001,3,4\n", "expected the columns"),
        ("", "expected the columns"),
        ("name,hanabi_experience\nP001,3\n", "expected the columns"),
        ("player,hanabi_experience\nP001,5\n", "experience of P001: 5, expected 1 to 4"),
    ],
)
def test_other_tables_of_experience_are_refused(
    tmp_path: Path, text: str | bytes, fault: str
) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)

    with pytest.raises(HoadError, match=rf"people\.csv: {fault}"):
        read_experience(path)


def test_a_folder_without_logs_states_no_experience(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match="no games of HanabiData"):
        read_experience(tmp_path)
