"""How well partner models predict the stranger of recorded games."""

import json
from pathlib import Path

import numpy as np
import pytest

import hoad
from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.partners.kinds import FOR_SEVERAL, KINDS, POPULATION, knowledge_without
from hoad.partners.others import Others, read_others
from hoad.partners.strangers import EVERYBODY, read_strangers
from hoad.replay.formats.jsonl import write_records
from hoad.studies.prediction.files import measure_files
from hoad.studies.prediction.measure import Prediction
from tests.replay.formats.records import records_of
from tests.scripts import assert_refused, runner_here

run = runner_here("evaluate.py")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Games of three people, who play as iggi, with a program."""
    records = []
    for number in (1, 2, 3):
        logs = play([get_agent("piers"), get_agent("iggi")], 4, seed=number)
        records += records_of(logs, "eger-full", f"P00{number}")
    write_records(tmp_path / "people.jsonl", records)
    return tmp_path / "people.jsonl"


def write(path: Path, *pairs: str, games: int = 4) -> Path:
    """Write games of each pair, such as iggi-piers."""
    records = []
    for names in (pair.split("-") for pair in pairs):
        records += records_of(play([get_agent(name) for name in names], games, seed=9), *names)
    write_records(path, records)
    return path


def test_the_stranger_plays_with_itself_and_sits_in_all_games(tmp_path: Path) -> None:
    mixed = write(tmp_path / "mixed.jsonl", "iggi-iggi", "iggi-piers", "outer-iggi")

    [games] = read_strangers([mixed])

    assert games.stranger == "iggi"
    assert (len(games.alone.logs), len(games.with_others.logs)) == (4, 8)
    assert games.alone.seats.all()
    seats = [[True, False]] * 4 + [[False, True]] * 4
    assert games.with_others.seats.tolist() == seats
    named = write(tmp_path / "named.jsonl", "iggi-piers", "piers-outer", "outer-iggi")
    [games] = read_strangers([named], "iggi")  # who need not sit in all of them
    assert games.with_others.seats.tolist() == seats


def test_self_play_games_may_be_in_another_file(tmp_path: Path) -> None:
    alone = write(tmp_path / "iggi.jsonl", "iggi-iggi")
    others = write(tmp_path / "others.jsonl", "iggi-piers")

    first, second = read_strangers([others, alone])

    assert (first.stranger, len(first.alone.logs), len(first.with_others.logs)) == ("iggi", 0, 4)
    assert (second.stranger, len(second.alone.logs)) == ("iggi", 4)


@pytest.mark.parametrize(
    ("pairs", "named"),
    [
        (("iggi-iggi", "piers-piers"), "iggi and piers"),
        (("iggi-piers",), "iggi, piers"),
        (("iggi-iggi", "outer-piers"), "iggi, outer, piers"),
    ],
)
def test_unclear_strangers_are_refused(tmp_path: Path, pairs: tuple[str, ...], named: str) -> None:
    with pytest.raises(HoadError, match=named):
        read_strangers([write(tmp_path / "games.jsonl", *pairs, games=1)])


def test_predict_ends_with_a_line_of_json(tmp_path: Path) -> None:
    alone = write(tmp_path / "iggi.jsonl", "iggi-iggi", games=5)
    others = write(tmp_path / "others.jsonl", "iggi-piers", games=2)

    words = (alone, others, "--support", 3, "--held-out", "iggi", "--json")
    result = run("predict", *words)

    assert result.returncode == 0, result.stderr
    facts = json.loads(result.stdout.splitlines()[-1])
    assert {key: list(files) for key, files in facts.items()} == {
        "files": [str(alone)],
        "with_others": [str(others)],
    }
    for methods in (facts["files"][str(alone)], facts["with_others"][str(others)]):
        assert list(methods) == list(KINDS)
        keys = ("log_loss", "accuracy", "seconds", "half_width", "accuracy_half_width")
        assert {tuple(one) for one in methods.values()} == {keys}
        assert methods["mixture"]["log_loss"] < 0.5 < methods["uniform"]["log_loss"]


def test_a_person_is_predicted_from_games_with_others(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", "iggi-piers", "piers-outer", games=3)

    predictions = measure_files([path], support=2, stranger="piers")

    methods = predictions.with_others[str(path)]
    assert predictions.alone == {}
    assert methods["pool"].log_loss < 0.5 < methods["uniform"].log_loss


def test_a_prediction_of_one_game_is_shown_without_intervals() -> None:
    assert Prediction(0.4, 0.8, 1.0, np.nan, np.nan).shown() == ["0.400", "0.800"]
    assert Prediction(0.4, 0.8, 1.0, 0.1, 0.02).shown() == ["0.400 ± 0.100", "0.800 ± 0.020"]


def test_each_person_is_predicted_with_others_as_prior_knowledge(people: Path) -> None:
    strangers = read_strangers([people], EVERYBODY)
    assert [games.stranger for games in strangers] == ["P001", "P002", "P003"]
    assert {len(games.with_others.logs) for games in strangers} == {4}

    predictions = measure_files([people], support=0, stranger=EVERYBODY, others=[people])

    assert list(predictions.with_others) == [f"{people}:P00{number}" for number in (1, 2, 3)]
    for methods in predictions.with_others.values():
        assert list(methods) == [*KINDS, POPULATION]
        known = methods[POPULATION]
        assert known.log_loss < methods["zero-shot"].log_loss < methods["uniform"].log_loss
        assert abs(methods["mixture"].log_loss - known.log_loss) < 0.1


def test_a_person_without_a_move_in_the_test_games_has_no_results(tmp_path: Path) -> None:
    records = []
    for number, turns in ((1, [None, None]), (2, [None, 1])):
        logs = play([get_agent("piers"), get_agent("iggi")], 2, seed=number)
        games = zip(records_of(logs, "eger-full", f"P00{number}"), turns, strict=True)
        records += [
            game.model_copy(update={"actions": game.actions[:most], "aborted": most is not None})
            for game, most in games
        ]
    write_records(tmp_path / "people.jsonl", records)

    measured = measure_files([tmp_path / "people.jsonl"], support=1, stranger=EVERYBODY)

    assert list(measured.with_others) == [f"{tmp_path / 'people.jsonl'}:P001"]


def test_a_person_is_no_part_of_its_own_prior(people: Path) -> None:
    known, games = knowledge_without(None), read_others([people])
    changed = {**games, "P001": games["P002"]}

    first, second = (Others(known, each).about("P001").population for each in (games, changed))

    assert first is not None and second is not None
    np.testing.assert_array_equal(first.means, second.means)


def test_nobody_with_enough_games_is_refused(people: Path) -> None:
    with pytest.raises(HoadError, match="nobody has 5 games"):
        measure_files([people], support=4, stranger=EVERYBODY)
    with pytest.raises(HoadError, match="no games of people"):
        read_strangers([write(people.with_name("bots.jsonl"), "iggi-piers")], EVERYBODY)


@pytest.mark.parametrize("words", [("valuebot",), ("piers", "--support", 6)])
def test_an_unpredictable_stranger_is_refused(tmp_path: Path, words: tuple[object, ...]) -> None:
    path = write(tmp_path / "games.jsonl", "iggi-piers", "piers-outer", games=3)

    assert_refused(run("predict", path, "--stranger", *words), path, words[-1])


def test_files_of_other_games_are_refused(tmp_path: Path) -> None:
    path, damaged = write(tmp_path / "iggi.jsonl", "iggi-iggi"), tmp_path / "iggi.h5"
    damaged.write_bytes(b"\x89HDF")

    assert_refused(run("predict", path, "--support", 4), path, "--support", "5")
    assert_refused(run("predict", damaged), damaged)


def test_a_stranger_among_four_is_predicted_by_the_methods_for_several_players(
    tmp_path: Path,
) -> None:
    [alone] = hoad.record(["iggi"], 8, tmp_path, players=4)
    others = tmp_path / "others.jsonl"
    tables = [("iggi", "piers", "outer", "iggi"), ("outer", "piers", "outer", "iggi")]
    records = []
    for names in tables:
        records += records_of(play([get_agent(name) for name in names], 2, seed=9), *names)
    write_records(others, records)

    result = run("predict", alone, others, "--support", 5, "--held-out", "iggi", "--json")
    named = read_strangers([others], "piers", several=True)[0].with_others

    assert result.returncode == 0, result.stderr
    assert "Games of 4 players: without zero-shot, low-shot, logit and" in result.stdout
    facts = json.loads(result.stdout.splitlines()[-1])
    for methods in (facts["files"][str(alone)], facts["with_others"][str(others)]):
        assert tuple(methods) == FOR_SEVERAL
        losses = {method: each["log_loss"] for method, each in methods.items()}
        assert losses["program"] < 0.3 < 2.0 < losses["uniform"]
        assert losses["mixture"] < min(losses.values()) + 0.05
    assert named.seats.tolist() == [[False, True, False, False]] * 4


def test_what_is_for_two_players_refuses_games_of_three_in_one_line(tmp_path: Path) -> None:
    [of_three] = hoad.record(["iggi"], 3, tmp_path / "three", players=3)
    of_two = write(tmp_path / "iggi.jsonl", "iggi-iggi")

    assert_refused(run("predict", of_two, of_three), of_three, "games of 3 players", "2")
    assert_refused(run("predict", of_three, "--others", of_two), of_three, "--others")
    assert_refused(run("predict", of_three, "--stranger", "piers"), of_three, "piers")
    assert_refused(run("predict", of_three, "--support", 3), of_three, "--support")
    with pytest.raises(HoadError, match=r"\.h5: games of 3 players, and .* is for two"):
        get_agent(f"program:{of_three}")
