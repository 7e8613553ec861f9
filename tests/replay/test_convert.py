import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hoad.errors import HoadError
from hoad.game.log import GameLogs
from hoad.replay.convert import export_games, import_games
from hoad.replay.hdf5 import make_dataset, read_dataset, write_dataset
from hoad.replay.jsonl import Record, read_records, write_records

MakeLogs = Callable[[int, int, int], GameLogs]


def records_of(logs: GameLogs) -> list[Record]:
    return [
        Record(
            players=["somebody"] * logs.players,
            deck=logs.decks[game].tolist(),
            actions=logs.actions_of(game).tolist(),
        )
        for game in range(len(logs))
    ]


@pytest.mark.parametrize(
    "name",
    [
        "hle_random_5p",
        "walton_iggi_piers",
        "walton_published_elites",
        "walton_rulewise",
        "quux_cheatbot_selfplay",
    ],
)
def test_reference_games_survive_the_round_trip(reference: Path, tmp_path: Path, name: str) -> None:
    source = reference / f"{name}.jsonl.gz"

    import_games(source, tmp_path / "a.h5")
    export_games(tmp_path / "a.h5", tmp_path / "b.jsonl")

    assert list(read_records(tmp_path / "b.jsonl")) == list(read_records(source))


def test_recorded_games_survive_the_round_trip(random_logs: MakeLogs, tmp_path: Path) -> None:
    dataset = make_dataset(random_logs(2, 5, 1), [("a", "b")], {"seed": 3}, "test")
    write_dataset(tmp_path / "a.h5", dataset)

    export_games(tmp_path / "a.h5", tmp_path / "a.jsonl.gz")
    imported = import_games(tmp_path / "a.jsonl.gz", tmp_path / "b.h5")

    assert imported.logs.actions.tolist() == dataset.logs.actions.tolist()
    assert imported.logs.decks.tolist() == dataset.logs.decks.tolist()
    assert imported.agents == ("a", "b")
    assert read_dataset(tmp_path / "b.h5").notes[0] == {
        "seed": 3,
        "score": int(dataset.scores[0]),
        "lives": int(dataset.lives[0]),
        "turns": len(dataset.logs.actions_of(0)),
    }


def test_games_of_different_numbers_of_players_are_refused(
    random_logs: MakeLogs, tmp_path: Path
) -> None:
    write_records(
        tmp_path / "a.jsonl",
        records_of(random_logs(2, 1, 1)) + records_of(random_logs(5, 1, 1)),
    )

    with pytest.raises(HoadError, match=r"a\.jsonl: games of 2 and 5 players"):
        import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")


def test_a_game_against_the_rules_is_named_and_nothing_written(
    random_logs: MakeLogs, tmp_path: Path
) -> None:
    first, second = records_of(random_logs(2, 2, 1))
    lie = second.model_copy(update={"actions": [0, *second.actions]})
    write_records(tmp_path / "a.jsonl", [first, lie])

    with pytest.raises(HoadError, match=r"a\.jsonl: game 1, turn 0: action 0 is illegal"):
        import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")

    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_file_that_exists_is_not_overwritten(random_logs: MakeLogs, tmp_path: Path) -> None:
    write_records(tmp_path / "a.jsonl", records_of(random_logs(2, 1, 1)))
    import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")

    with pytest.raises(HoadError, match=r"a\.h5: exists"):
        import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")
    with pytest.raises(HoadError, match=r"a\.jsonl: exists"):
        export_games(tmp_path / "a.h5", tmp_path / "a.jsonl")


def test_names_must_tell_the_format(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({}))

    with pytest.raises(HoadError, match=r"a\.json: expected a name that ends in \.jsonl"):
        import_games(tmp_path / "a.json", tmp_path / "a.h5")
    with pytest.raises(HoadError, match=r"b\.hdf: expected a name that ends in \.h5"):
        import_games(tmp_path / "a.jsonl", tmp_path / "b.hdf")
