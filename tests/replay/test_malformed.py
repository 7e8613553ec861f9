"""Damaged and foreign files of every format: each is refused by name, none with a traceback."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from hoad.core.errors import HoadError
from hoad.replay.formats.convert import import_games
from hoad.replay.formats.hanab_live import game_of
from hoad.replay.formats.jsonl import Record
from tests.game.examples import random_logs
from tests.replay.formats.records import random_game, tensors_of, write_log

LOGS = random_logs(2, 3, 1)
CUTS = (0.0, 0.03, 0.2, 0.5, 0.8, 0.999)
NO_VALUES: tuple[Any, ...] = (
    *(None, True, 1.5, float("nan"), float("inf"), -(10**9), 10**30, "x", "\x00", "two\nlines"),
    *([], [[]], [None], {}, {"a": {"b": []}}),
)
"""Values that are wrong for every key that a game must have."""

Case = tuple[str, str, bytes]
"""What was done, the file's name, its content."""


def game_of_json_lines(game: int) -> dict[str, Any]:
    deck, actions = LOGS.decks[game].tolist(), LOGS.actions_of(game).tolist()
    return {"players": ["a", "b"], "deck": deck, "actions": actions, "turns": len(actions)}


def damaged_text(name: str, good: bytes) -> Iterator[Case]:
    """Text that is cut short, is no text, or is nested too deeply."""
    for share in CUTS:
        yield f"cut at {share}", name, good[: int(len(good.rstrip(b"\n]} ")) * share)]
    middle = len(good) // 2
    for junk in (b"\xff\xfe", b"\x00", b"\xc3\x28", b'"', b"}", b"]", b"[" * 2000, b"NaN"):
        yield f"{junk[:9]!r} in the middle", name, good[:middle] + junk + good[middle:]
        yield f"{junk[:9]!r} in front", name, junk + good
    for whole in (b"null", b"3", b'"text"', b"[[]]", b"1e400", b"1" * 6000, b"\xef\xbb\xbf", b"{]"):
        yield f"only {whole[:9]!r}", name, whole
    yield "another coding", name, good.decode().encode("utf-16")


def wrong_values(game: dict[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key in keys:
        yield f"no {key}", {name: value for name, value in game.items() if name != key}
        for value in NO_VALUES:
            yield f"{key} is {value!r:.20}", game | {key: value}
        for value in NO_VALUES:
            yield f"{key} begins with {value!r:.20}", game | {key: [value, *game[key][1:]]}
        yield f"{key} is too long", game | {key: game[key] * 9}
    yield "another key", game | {"weather": 1}
    yield "a key of two lines", game | {"a\nb": 1}


def json_lines() -> Iterator[Case]:
    lines = [json.dumps(game_of_json_lines(game)).encode() for game in range(3)]
    yield from damaged_text("a.jsonl", lines[0])
    for what, value in wrong_values(game_of_json_lines(1), ("deck", "actions")):
        yield what, "a.jsonl", b"\n".join([lines[0], json.dumps(value).encode(), lines[2]])
    for key in ("turns", "score", "slots", "rule", "obs_sha1", "aborted", "chromosome"):
        for value in ("x", -5, [-9], {"a": 1}, 0.5):
            game = game_of_json_lines(1) | {key: value}
            yield f"{key} is {value}", "a.jsonl", json.dumps(game).encode()


def gzipped() -> Iterator[Case]:
    lines = b"\n".join(json.dumps(game_of_json_lines(game)).encode() for game in range(3))
    packed = gzip.compress(lines, mtime=0)
    for share in CUTS:
        yield f"cut at {share}", "a.jsonl.gz", packed[: int(len(packed) * share)]
    for place in np.linspace(10, len(packed) - 9, 12).astype(int).tolist():
        content = packed[:place] + bytes([packed[place] ^ 0xFF]) + packed[place + 1 :]
        yield f"byte {place} flipped", "a.jsonl.gz", content
    yield "not packed", "a.jsonl.gz", lines
    yield "junk behind", "a.jsonl.gz", packed + b"junk"
    yield "junk in it", "a.jsonl.gz", gzip.compress(b"\x00\xff" * 99)


def hanab_live() -> Iterator[Case]:
    games = [game_of(Record(**game_of_json_lines(game))) for game in range(3)]
    yield from damaged_text("a.json", json.dumps(games).encode())
    for what, value in wrong_values(games[1], ("deck", "actions")):
        yield what, "a.json", json.dumps([games[0], value, games[2]]).encode()
    for key in ("type", "target", "value"):
        for value in NO_VALUES:
            if (key, value) != ("value", None):
                actions = [games[0]["actions"][0] | {key: value}, *games[0]["actions"][1:]]
                content = json.dumps(games[0] | {"actions": actions}).encode()
                yield f"{key} is {value!r:.20}", "a.json", content


def safetensors() -> Iterator[Case]:
    tensors = tensors_of(LOGS)
    good = save(tensors)
    for share in CUTS:
        yield f"cut at {share}", "a.safetensors", good[: int(len(good) * share)]
    for place in range(0, 8):
        yield f"length byte {place}", "a.safetensors", good[:place] + b"\xff" + good[place + 1 :]
    header = int.from_bytes(good[:8], "little")
    for place in range(8, 8 + len(good[8 : 8 + header].rstrip()), 9):
        content = good[:place] + b"\x01" + good[place + 1 :]
        yield f"header byte {place}", "a.safetensors", content
    for key, tensor in tensors.items():
        without = {name: value for name, value in tensors.items() if name != key}
        yield f"no {key}", "a.safetensors", save(without)
        for what, other in (
            ("text", np.zeros(tensor.shape, np.bool_)),
            ("nan", np.full(tensor.shape, np.nan)),
            ("huge", np.full(tensor.shape, 2**62)),
            ("negative", np.full(tensor.shape, -7)),
            ("flat", np.zeros(7, np.int64)),
            ("empty", np.zeros((0, 3), np.int64)),
        ):
            yield f"{key} is {what}", "a.safetensors", save(without | {key: other})


def jaxmarl() -> Iterator[Case]:
    """Damage to decks.json; a good actions.json is in the same folder."""
    decks = [[[card // 5, card % 5] for card in deck] for deck in LOGS.decks.tolist()]
    yield from damaged_text("decks.json", json.dumps(decks).encode())
    for value in NO_VALUES:
        yield f"deck {value!r:.20}", "decks.json", json.dumps([value, *decks[1:]]).encode()
        deck = [value, *decks[0][1:]]
        yield f"card {value!r:.20}", "decks.json", json.dumps([deck, *decks[1:]]).encode()


def hanabidata() -> Iterator[Case]:
    """Damage to a log before its moves; a damaged move cuts the game."""
    with TemporaryDirectory() as folder:
        good = write_log(Path(folder), "1", random_game(1)).read_text()
    treatment, drawn, *moves = good.splitlines()
    for share in CUTS:
        yield f"cut at {share}", "game1.log", good[: int(len(treatment + drawn) * share)].encode()
    for seed in ("", "-1", "x", "2", "1.5", "[1]", "9" * 18, "9" * 5_000):
        lines = [treatment.replace("1)", f"{seed})"), drawn, *moves]
        yield f"seed is {seed:.20}", "game1.log", "\n".join(lines).encode()
    _, others = drawn.split("), ", 1)
    for card in ("", "(7, 1), ", "(0, 0), ", "(0, 9), ", f"({'9' * 5_000}, 1), ", "(0, 1), " * 2):
        lines = [treatment, f"[{card}{others}", *moves]
        yield f"first card {card:.20}", "game1.log", "\n".join(lines).encode()
    for what in ("no program", "no cards"):
        lines = [drawn if what == "no program" else treatment, *moves]
        yield what, "game1.log", "\n".join(lines).encode()
    yield "another coding", "game1.log", good.encode("utf-16")


Cases = Callable[[], Iterator[Case]]
FORMATS: list[Cases] = [json_lines, gzipped, hanab_live, safetensors, jaxmarl, hanabidata]


def refuse(read: Callable[[], Any], path: Path, what: str) -> None:
    """Fail unless reading raises an error of one line that begins with the file's name."""
    try:
        read()
    except HoadError as error:
        assert str(error).startswith(str(path)), f"{what}: {error}"
        assert len(str(error).splitlines()) == 1, f"{what}: {error}"
        assert len(str(error)) < 800, f"{what}: {error}"
    else:
        pytest.fail(f"{path.name}, {what}: not refused")


@pytest.mark.parametrize("cases", FORMATS, ids=lambda cases: cases.__name__)
def test_every_damaged_file_is_refused_by_name(cases: Cases, tmp_path: Path) -> None:
    actions = [LOGS.actions_of(game).tolist() for game in range(3)]
    for what, name, content in cases():
        path = tmp_path / name
        path.write_bytes(content)
        source = path
        if name in ("decks.json", "game1.log"):
            source = tmp_path
        if name == "decks.json":
            (tmp_path / "actions.json").write_text(json.dumps(actions))
        refuse(lambda: import_games(source, tmp_path / "a.h5"), source, what)  # noqa: B023
        assert not (tmp_path / "a.h5").exists()


def test_the_corpus_is_large() -> None:
    assert sum(1 for cases in FORMATS for _ in cases()) >= 400
