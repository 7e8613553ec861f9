"""Import of other programs' games into HDF5, and export to JSON Lines or hanab.live's JSON."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hoad.core.errors import HoadError
from hoad.core.files import check_target, make_folder, write_atomically
from hoad.core.progress import progress
from hoad.replay.check import check_games
from hoad.replay.dataset import Dataset, make_dataset, read_dataset, write_dataset
from hoad.replay.formats import ah2ac2, hanab_live, hanabidata, jaxmarl, jsonl
from hoad.replay.formats.jsonl import (
    Record,
    Source,
    is_json_lines,
    logs_of_records,
    read_records,
    write_records,
)


@dataclass(frozen=True)
class Exported:
    """How many games and turns were exported, and of how many games turns were cut.

    ``link`` opens the replay on hanab.live, if one game was exported for it.
    """

    games: int
    turns: int
    cut_games: int = 0
    cut_turns: int = 0
    link: str | None = None


def import_games(source: Path, target: Path, left_out: list[str] | None = None) -> Dataset:
    """Convert games to HDF5, after replaying them under the rules; return what was written.

    ``source`` is JSON Lines (``.jsonl``, ``.jsonl.gz``), hanab.live's JSON (``.json``, or a folder
    of such files), AH2AC2's games (``.safetensors``), or a folder with JaxMARL's games or
    HanabiData's logs; ``target`` is an ``.h5`` file, whose folder is made if it is missing. With a
    list ``left_out``, games that are refused do not refuse the others: why they are is added to it;
    of HanabiData's games, which name each other, none can be left out.
    The metadata ``cut_games`` and ``cut_turns`` count what was cut of games that broke HLE's rules.

    Raises:
        HoadError: The source cannot be read; the target exists or cannot be written; a game is
            malformed or breaks the rules (file and game or line are named); the games are not
            all of the same number of players; ``left_out`` is given for HanabiData's logs.
    """
    check_target(target, (".h5",))
    if hanabidata.is_corpus(source):
        if left_out is not None:
            raise HoadError(
                f"{source}: games of HanabiData name each other, so none can be left out; import "
                "them without --skip"
            )
        records, cut_games, cut_turns = hanabidata.read_games(source)
        dataset = _dataset_of(records, source, cut_games=cut_games, cut_turns=cut_turns)
    else:
        read = progress(_read_records(source, left_out), "reading", unit="games")
        dataset = _dataset_of(list(read), source)
    make_folder(target.parent)
    write_dataset(target, dataset, new=True)
    return dataset


def read_games(path: Path) -> Dataset:
    """Read an HDF5 or JSON Lines file, and replay its games under the rules.

    Raises:
        HoadError: The file cannot be read; it has no games, or games of different numbers of
            players; a game is malformed or breaks the rules (file and game or line are named).
    """
    if is_json_lines(path):
        return _dataset_of(list(read_records(path)), path)
    dataset = read_dataset(path)
    if not len(dataset.logs):
        raise HoadError(f"{path}: no games")
    return dataset


def read_games_of_two(path: Path, what: str) -> Dataset:
    """Read games as :func:`read_games` does; a HoadError if they are of more than two players.

    ``what`` is defined for two players, as the message says.
    """
    games = read_games(path)
    if (players := games.logs.players) != 2:
        raise HoadError(
            f"{path}: games of {players} players, and {what} is for two; games of 3 to 5 can be "
            "verified, exported, predicted and cross-played (docs/agents.md)"
        )
    return games


def export_games(source: Path, target: Path, game: int | None = None) -> Exported:
    """Convert all games of an HDF5 file, or the one numbered ``game``; return what was written.

    ``target`` is JSON Lines (``.jsonl``, ``.jsonl.gz``) or hanab.live's JSON (``.json``): a single
    game if ``game`` is given, else a list with one game a line, without turns after the point at
    which that site ends a game.

    Raises:
        HoadError: The source cannot be read, has no such game, or the target cannot be written.
    """
    check_target(target, (".jsonl", ".jsonl.gz", ".json"))
    if source.suffix != ".h5":
        raise HoadError(f"{source}: expected a name that ends in .h5")
    dataset = read_dataset(source)
    if game is not None and not 0 <= game < len(dataset.logs):
        raise HoadError(f"{source}: no game {game}, expected 0 to {len(dataset.logs) - 1}")
    games = range(len(dataset.logs)) if game is None else [game]
    records = progress((_record_of(dataset, g) for g in games), "writing", unit="games")
    if not is_json_lines(target):
        return _write_hanab_live(target, records, is_list=game is None)
    write_records(target, records, new=True)
    turns = len(dataset.logs.actions if game is None else dataset.logs.actions_of(game))
    return Exported(len(games), turns)


def _dataset_of(records: list[Record], source: Path, **about: int) -> Dataset:
    logs, notes = logs_of_records(records, source), [record.notes for record in records]
    players = [tuple(record.players) for record in records]
    return make_dataset(logs, players, {"source": source.name, **about}, source, notes)


def _record_of(dataset: Dataset, game: int) -> Record:
    """Return a game with its notes; if the dataset has no notes, with its outcome."""
    actions = dataset.logs.actions_of(game).tolist()
    if dataset.notes:
        notes = dict(dataset.notes[game])
    else:
        score, lives = int(dataset.scores[game]), int(dataset.lives[game])
        seed = dataset.metadata.get("seed")
        notes = {"seed": seed, "score": score, "lives": lives, "turns": len(actions)}
    players = list(dataset.pairings[dataset.pairing[game]])
    deck = dataset.logs.decks[game].tolist()
    return Record(players=players, deck=deck, actions=actions, **notes)


def _read_records(source: Path, left_out: list[str] | None) -> Iterator[Record]:
    """Yield the games; those that cannot be imported go to ``left_out``, if it is given."""
    players = 0
    for entry in _sources(source):
        try:
            record = entry.read()
            if left_out is not None:
                _refuse_faulty(record, entry.where, players or len(record.players))
                players = len(record.players)
        except HoadError as error:
            if left_out is None:
                raise
            left_out.append(str(error))
        else:
            yield record


def _refuse_faulty(record: Record, where: str, players: int) -> None:
    """Raise a HoadError for a game that would refuse all of a dataset."""
    if len(record.players) != players:
        odd_one = f"a game of {len(record.players)} players among those of {players}"
        raise HoadError(f"{where}: {odd_one}")
    for fault in check_games(logs_of_records([record], where), [record.notes])[1]:
        turn = "" if fault.turn is None else f"turn {fault.turn}: "
        raise HoadError(f"{where}: {turn}{fault.what}")


def _sources(source: Path) -> Iterator[Source]:
    if is_json_lines(source):
        yield from jsonl.sources(source)
    elif source.suffix == ".safetensors":
        yield from ah2ac2.sources(source)
    elif source.suffix == ".json":
        yield from hanab_live.sources(source)
    elif jaxmarl.is_corpus(source):
        yield from jaxmarl.sources(source)
    elif source.is_dir():
        for path in sorted(source.glob("*.json")):
            try:
                yield from hanab_live.sources(path)
            except HoadError as error:
                yield Source(str(path), partial(_refuse, error))
    else:
        raise HoadError(
            f"{source}: expected a folder or a name that ends in .jsonl, .jsonl.gz, .json or "
            ".safetensors"
        )


def _refuse(problem: HoadError) -> Record:
    raise problem


def _write_hanab_live(target: Path, records: Iterable[Record], is_list: bool) -> Exported:
    games = turns = cut_games = cut_turns = 0
    link = None
    with write_atomically(target, new=True) as file:
        for record in records:
            game = hanab_live.game_of(record)
            if is_list:
                file.write(b",\n" if games else b"[\n")
            else:
                link = hanab_live.link_of(game)
            file.write(json.dumps(game).encode())
            kept = sum(action["type"] < hanab_live.GAME_ENDED for action in game["actions"])
            games, turns = games + 1, turns + kept
            cut_games += kept < len(record.actions)
            cut_turns += len(record.actions) - kept
        file.write((b"\n]\n" if games else b"[]\n") if is_list else b"\n")
    return Exported(games, turns, cut_games, cut_turns, link)
