import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.replay.formats.jsonl import Record, read_records, write_records

LINE: dict[str, Any] = {
    "players": ["a", "b"],
    "seed": 1,
    "deck": list(range(25)) * 2,
    "actions": [10, 5, 0],
    "slots": [-1, 0, 4],
    "rule": [2, -1, 0],
    "score": 1,
    "hle_score": 0,
    "lives": 0,
    "turns": 3,
    "obs_sha1": "0123456789abcdef0123456789abcdef01234567",
    "chromosome": [8, 38],
    "aborted": True,
}
OPTIONAL = sorted(LINE.keys() - {"players", "deck", "actions"})


@st.composite
def records(draw: st.DrawFn) -> Record:
    names = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)
    players = draw(st.lists(names, min_size=2, max_size=5))
    kept = draw(st.sets(st.sampled_from(OPTIONAL)))
    deck = draw(st.lists(st.integers(0, 24), min_size=50, max_size=50))
    optional = {key: LINE[key] for key in kept}
    return Record(players=players, deck=deck, actions=[10, 5, 0], **optional)


@settings(deadline=None, max_examples=30)
@given(st.lists(records(), max_size=4), st.sampled_from([".jsonl", ".jsonl.gz"]))
def test_games_survive_the_disk(games: list[Record], suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a{suffix}")
        write_records(path, games)

        assert list(read_records(path)) == games


def test_the_same_games_make_the_same_file_with_keys_in_the_order_of_other_programs(
    tmp_path: Path,
) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write_records(tmp_path / name, [Record(**LINE)])

    written = (tmp_path / "a.jsonl.gz").read_bytes()
    assert written == (tmp_path / "b.jsonl.gz").read_bytes()
    assert list(json.loads(gzip.decompress(written))) == list(LINE)


@pytest.mark.parametrize("key", LINE)
def test_compulsory_keys_are_demanded_and_the_others_optional(tmp_path: Path, key: str) -> None:
    line = {name: value for name, value in LINE.items() if name != key}

    if key not in OPTIONAL:
        assert f"key {key} is missing" in complaint_about(tmp_path, line)
        return
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    assert key not in next(read_records(tmp_path / "a.jsonl")).notes


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players", ["a"]),
        ("players", ["a"] * 6),
        ("players", ["a", ""]),
        ("players", ["a", "b\x00"]),
        ("players", ["a", "b\n"]),
        ("players", "ab"),
        ("deck", [0] * 49),
        ("deck", [0] * 51),
        ("deck", [25] + [0] * 49),
        ("deck", [-1] + [0] * 49),
        ("deck", [True] + [0] * 49),
        ("actions", [10, 5, 20]),
        ("actions", [10, 5, -1]),
        ("actions", [10, 5, 0.0]),
        ("actions", None),
        ("seed", "1"),
        ("slots", [-1, 0]),
        ("slots", [-1, 0, 5]),
        ("rule", [2, -1, 0, 0]),
        ("rule", [2, -2, 0]),
        ("score", -1),
        ("lives", 1.5),
        ("turns", [3]),
        ("obs_sha1", "0123"),
        ("chromosome", []),
        ("chromosome", [-1]),
        ("aborted", 1),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, key: str, value: Any) -> None:
    complaint = complaint_about(tmp_path, LINE | {key: value})

    assert key.removesuffix("s") in complaint


def test_an_unknown_key_is_named_and_a_long_complaint_is_cut(tmp_path: Path) -> None:
    assert "unknown key colour" in complaint_about(tmp_path, LINE | {"colour": 1})
    assert len(complaint_about(tmp_path, LINE | {"deck": [10**9] * 10_000})) < 500


@pytest.mark.parametrize("line", ["", "{", "[]", "null", '{"players": NaN}', "\x00", "[" * 5000])
def test_a_line_that_is_no_game_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{json.dumps(LINE)}\n{line}\n{json.dumps(LINE)}\n")

    with pytest.raises(HoadError, match=rf"^{path}: line 2: [^\n]+$"):
        list(read_records(path))


def test_a_compressed_file_that_is_cut_short_or_none_and_a_missing_one_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl.gz"
    whole = gzip.compress(f"{json.dumps(LINE)}\n".encode() * 100)

    for content in (whole[:-20], whole[:50], b"plain text", whole[:30] + b"x" + whole[31:]):
        path.write_bytes(content)
        with pytest.raises(HoadError, match=r"a\.jsonl\.gz: not a complete gzip file"):
            list(read_records(path))
    with pytest.raises(HoadError, match=r"no\.jsonl: cannot read this log: No such file"):
        list(read_records(tmp_path / "no.jsonl"))


def complaint_about(folder: Path, line: dict[str, Any]) -> str:
    """Return what is said of a file whose second line is this one."""
    path = folder / "a.jsonl"
    path.write_text(f"{json.dumps(LINE)}\n{json.dumps(line)}\n")
    with pytest.raises(HoadError) as error:
        list(read_records(path))
    message = str(error.value)
    assert message.startswith(f"{path}: line 2: ")
    assert "\n" not in message
    return message
