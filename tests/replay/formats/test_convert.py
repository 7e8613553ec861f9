import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save as torch_save

from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.replay.check import hash_observations, slots_used
from hoad.replay.dataset import make_dataset, read_dataset, write_dataset
from hoad.replay.formats.convert import export_games, import_games
from hoad.replay.formats.hanab_live import game_of, link_of
from hoad.replay.formats.jsonl import Record, read_records, write_records
from tests.game import examples
from tests.game.examples import random_logs
from tests.replay.formats.records import careful_logs, find_ends, records_of

NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=9)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A dataset of five games."""
    dataset = make_dataset(random_logs(2, 5, 1), [("a", "b")], {"seed": 3}, "test")
    write_dataset(tmp_path / "a.h5", dataset)
    return tmp_path / "a.h5"


@pytest.mark.parametrize(
    "name",
    [
        *("hle_random_5p", "walton_iggi_piers", "walton_published_elites"),
        *("walton_rulewise", "quux_cheatbot_selfplay"),
    ],
)
def test_reference_games_survive_the_round_trip(reference: Path, tmp_path: Path, name: str) -> None:
    source = reference / f"{name}.jsonl.gz"

    import_games(source, tmp_path / "a.h5")
    export_games(tmp_path / "a.h5", tmp_path / "b.jsonl")

    assert list(read_records(tmp_path / "b.jsonl")) == list(read_records(source))


def test_recorded_games_survive_the_round_trip(recorded: Path, tmp_path: Path) -> None:
    dataset = read_dataset(recorded)

    export_games(recorded, tmp_path / "a.jsonl.gz")
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


def test_games_of_different_numbers_of_players_are_refused(tmp_path: Path) -> None:
    write_records(
        tmp_path / "a.jsonl", records_of(random_logs(2, 1, 1)) + records_of(random_logs(5, 1, 1))
    )

    with pytest.raises(HoadError, match=r"a\.jsonl: games of 2 and 5 players"):
        import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")


def test_a_game_against_the_rules_is_named_and_nothing_written(tmp_path: Path) -> None:
    first, second = records_of(random_logs(2, 2, 1))
    lie = second.model_copy(update={"actions": [0, *second.actions]})
    write_records(tmp_path / "a.jsonl", [first, lie])

    with pytest.raises(HoadError, match=r"a\.jsonl: game 1, turn 0: action 0 is illegal"):
        import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")

    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_names_must_tell_the_format_and_be_new(tmp_path: Path) -> None:
    write_records(tmp_path / "a.jsonl", records_of(random_logs(2, 1, 1)))
    import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")
    refused: list[tuple[Callable[[Path, Path], object], str, str, str]] = [
        (import_games, "a.jsonl", "a.h5", r"a\.h5: exists"),
        (export_games, "a.h5", "a.jsonl", r"a\.jsonl: exists"),
        (import_games, "a.txt", "b.h5", r"a\.txt: expected a folder or a name that ends in"),
        (import_games, "a.jsonl", "b.hdf", r"b\.hdf: expected a name that ends in \.h5"),
        (export_games, "a.jsonl", "b.jsonl", r"a\.jsonl: expected a name that ends in \.h5"),
        (export_games, "a.h5", "b.txt", r"b\.txt: expected a name that ends in \.jsonl"),
    ]

    for convert, source, target, complaint in refused:
        with pytest.raises(HoadError, match=complaint):
            convert(tmp_path / source, tmp_path / target)


def test_one_game_is_chosen_and_for_hanab_live_has_a_link(recorded: Path, tmp_path: Path) -> None:
    logs = read_dataset(recorded).logs

    exported = export_games(recorded, tmp_path / "a.jsonl", game=3)
    linked = export_games(recorded, tmp_path / "a.json", game=0)

    (record,) = read_records(tmp_path / "a.jsonl")
    assert record.deck == logs.decks[3].tolist()
    assert record.actions == logs.actions_of(3).tolist()
    assert (exported.games, exported.turns, exported.link) == (1, len(record.actions), None)
    game = json.loads((tmp_path / "a.json").read_text())
    assert (game["players"], linked.link) == (["a", "b"], link_of(game))
    with pytest.raises(HoadError, match=r"a\.h5: no game 5, expected 0 to 4"):
        export_games(recorded, tmp_path / "b.jsonl", game=5)


def test_games_for_hanab_live_are_cut_and_come_back_but_for_that(tmp_path: Path) -> None:
    logs = careful_logs(2, 30, 1)
    ends, _ = find_ends(logs)
    write_dataset(tmp_path / "a.h5", make_dataset(logs, [("a", "b")], {}, "test"))

    exported = export_games(tmp_path / "a.h5", tmp_path / "a.json")
    imported = import_games(tmp_path / "a.json", tmp_path / "b.h5")

    assert exported.cut_games == (ends < np.diff(logs.offsets)).sum() > 0
    assert exported.cut_turns == len(logs.actions) - ends.sum()
    assert exported.turns == ends.sum() == len(imported.logs.actions)
    for game, end in enumerate(ends.tolist()):
        assert imported.logs.actions_of(game).tolist() == logs.actions_of(game)[:end].tolist()
    assert imported.agents == ("a", "b")


def test_an_aborted_game_survives_the_way_to_hanab_live_and_back(tmp_path: Path) -> None:
    (whole,) = records_of(random_logs(3, 1, 1))
    game = whole.model_copy(update={"actions": whole.actions[:7], "aborted": True})
    write_records(tmp_path / "a.jsonl", [game])

    import_games(tmp_path / "a.jsonl", tmp_path / "a.h5")
    export_games(tmp_path / "a.h5", tmp_path / "a.json")
    import_games(tmp_path / "a.json", tmp_path / "b.h5")
    export_games(tmp_path / "b.h5", tmp_path / "b.jsonl")

    assert list(read_records(tmp_path / "b.jsonl")) == [game]


def test_bad_games_of_a_folder_are_left_out_and_named_and_the_others_are_one_dataset(
    recorded: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for game in range(4):
        export_games(recorded, folder / f"{game}.json", game)
    whole = import_games(folder, tmp_path / "whole.h5")
    assert whole.logs.decks.tolist() == read_dataset(recorded).logs.decks[:4].tolist()
    (folder / "1.json").write_text("{}")
    (folder / "2.json").write_text("no JSON")
    (three,) = records_of(random_logs(3, 1, 1))
    (folder / "4.json").write_text(json.dumps([game_of(three)]))
    left_out: list[str] = []

    imported = import_games(folder, tmp_path / "b.h5", left_out)

    assert imported.logs.decks.tolist() == read_dataset(recorded).logs.decks[[0, 3]].tolist()
    assert [reason.partition(".json")[0][-1] for reason in left_out] == ["1", "2", "4"]
    assert "a game of 3 players among those of 2" in left_out[2]
    with pytest.raises(HoadError, match=r"1\.json: game 0: key players is missing"):
        import_games(folder, tmp_path / "c.h5")


def test_bad_lines_are_left_out_too(tmp_path: Path) -> None:
    records = records_of(random_logs(2, 4, 1))
    lines = [record.model_dump_json(exclude_none=True) for record in records]
    illegal = records[1].model_copy(update={"actions": [0]})
    false = records[2].model_copy(update={"score": 24})
    lines[1:3] = [one.model_dump_json(exclude_none=True) for one in (illegal, false)]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, "{", ""]))
    left_out: list[str] = []

    imported = import_games(tmp_path / "a.jsonl", tmp_path / "a.h5", left_out)

    assert imported.logs.decks.tolist() == [records[0].deck, records[3].deck]
    assert [reason.split(": ")[1] for reason in left_out] == ["line 2", "line 3", "line 5"]
    assert "turn 0: action 0 is illegal" in left_out[0] and "score is 24" in left_out[1]
    write_records(tmp_path / "b.jsonl", [*records_of(random_logs(3, 1, 1)), *records])
    text = (tmp_path / "b.jsonl").read_text().replace('"actions":[', '"actions":[0,', 1)
    (tmp_path / "b.jsonl").write_text(text)
    assert len(import_games(tmp_path / "b.jsonl", tmp_path / "b.h5", []).logs) == 4
    with pytest.raises(HoadError, match=r"a\.jsonl: no games"):
        (tmp_path / "a.jsonl").write_text("{")
        import_games(tmp_path / "a.jsonl", tmp_path / "c.h5", [])


def test_marks_of_byte_order_and_blank_last_lines_are_read_over_but_old_keys_are_named(
    tmp_path: Path,
) -> None:
    (record,) = records_of(random_logs(2, 1, 1))
    line = record.model_dump_json(exclude_none=True)
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\n\n \n")
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(game_of(record)).encode())

    for name in ("a.jsonl", "a.json"):
        imported = import_games(tmp_path / name, tmp_path / f"{name}.h5")
        assert imported.logs.actions.tolist()[:5] == record.actions[:5]

    (tmp_path / "a.jsonl").write_text(f"{line}\n\n{line}\n")
    with pytest.raises(HoadError, match="line 2"):
        import_games(tmp_path / "a.jsonl", tmp_path / "b.h5")
    game = game_of(record)
    game["deck"] = [{"suit": card["suitIndex"], "rank": card["rank"]} for card in game["deck"]]
    (tmp_path / "a.json").write_text(json.dumps(game))
    with pytest.raises(HoadError, match=r"deck\.0\.suitIndex is missing") as failure:
        import_games(tmp_path / "a.json", tmp_path / "b.h5")
    assert "recipe" not in str(failure.value)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.safetensors", "a.h5"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "Git LFS"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b"", "empty|no games"),
    ],
    ids=["pointer", "utf-16", "empty"],
)
def test_files_of_another_kind_are_called_so(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(HoadError, match=rf"{name}.*({said})"):
        if name == "a.h5":
            read_dataset(tmp_path / name)
        else:
            import_games(tmp_path / name, tmp_path / "b.h5")


def test_an_empty_folder_and_tensors_of_a_type_that_numpy_lacks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match="no games"):
        import_games(tmp_path, tmp_path / "a.h5")
    path = tmp_path / "a.safetensors"
    path.write_bytes(torch_save({"scores": torch.zeros(1, dtype=torch.bfloat16)}))

    with pytest.raises(HoadError, match="a tensor has the type bfloat16"):
        import_games(path, tmp_path / "a.h5")


@st.composite
def annotated_games(draw: st.DrawFn) -> list[Record]:
    """Whole games with any of the optional keys, true ones where they are checked."""
    players, games = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    logs = examples.random_logs(players, games, draw(st.integers(0, 99)))
    outcomes = replay(logs)
    records = []
    for game, record in enumerate(records_of(logs)):
        alone, turns = logs.select(np.array([game])), len(record.actions)
        known: dict[str, Any] = {
            "seed": draw(st.integers(-(10**30), 10**30)),
            "slots": slots_used(alone).tolist(),
            "rule": draw(st.lists(st.integers(-1, 71), min_size=turns, max_size=turns)),
            "score": int(outcomes.scores[game]),
            "hle_score": int(outcomes.strict[game]),
            "lives": int(outcomes.lives[game]),
            "turns": turns,
            "obs_sha1": hash_observations(alone),
            "chromosome": draw(st.lists(st.integers(0, 71), min_size=1, max_size=20)),
            "aborted": draw(st.booleans()),
        }
        kept = draw(st.sets(st.sampled_from(sorted(known))))
        names = draw(st.lists(NAMES, min_size=players, max_size=players))
        notes = {key: known[key] for key in kept} | {"players": names}
        records.append(record.model_copy(update=notes))
    return records


@settings(deadline=None, max_examples=25)
@given(annotated_games())
def test_all_keys_of_json_lines_survive_the_round_trip(games: list[Record]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder / "a.jsonl.gz", games)

        import_games(folder / "a.jsonl.gz", folder / "a.h5")
        export_games(folder / "a.h5", folder / "b.jsonl")

        assert list(read_records(folder / "b.jsonl")) == games
