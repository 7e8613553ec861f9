"""JSON Lines into HDF5 and back. Nothing is lost: see the dataset's notes."""

from collections.abc import Iterator
from pathlib import Path

from hoad.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.progress import progress
from hoad.replay.hdf5 import Dataset, make_dataset, read_dataset, write_dataset
from hoad.replay.jsonl import Record, is_json_lines, read_records, write_records


def import_games(source: Path, target: Path) -> Dataset:
    """Convert a JSON Lines file to HDF5; return what was written.

    Raises:
        HoadError: A file exists already or cannot be read or written; a game is malformed or
            not allowed by the rules (file and game or line are named); the games are not all
            of the same number of players.
    """
    _check_names(json_lines=source, hdf5=target, target=target)
    records = list(progress(read_records(source), "reading", unit="games"))
    dataset = make_dataset(
        _logs_of(records, source),
        [tuple(record.players) for record in records],
        {"source": source.name},
        source,
        [record.notes for record in records],
    )
    write_dataset(target, dataset)
    return dataset


def export_games(source: Path, target: Path) -> Dataset:
    """Convert an HDF5 file to JSON Lines; return what was written.

    Raises:
        HoadError: A file exists already, or cannot be read or written.
    """
    _check_names(json_lines=target, hdf5=source, target=target)
    dataset = read_dataset(source)
    write_records(target, progress(records_of(dataset), "writing", unit="games"))
    return dataset


def records_of(dataset: Dataset) -> Iterator[Record]:
    """Yield a line for each game: with its notes, where it has some, else with its outcome."""
    logs, seed = dataset.logs, dataset.card.get("seed")
    for game, pairing in enumerate(dataset.pairing.tolist()):
        actions = logs.actions_of(game).tolist()
        if dataset.notes:
            notes = dict(dataset.notes[game])
        else:
            score, lives = int(dataset.scores[game]), int(dataset.lives[game])
            notes = {"seed": seed, "score": score, "lives": lives, "turns": len(actions)}
        yield Record(
            players=list(dataset.pairings[pairing]),
            deck=logs.decks[game].tolist(),
            actions=actions,
            **notes,
        )


def _check_names(json_lines: Path, hdf5: Path, target: Path) -> None:
    if not is_json_lines(json_lines):
        raise HoadError(f"{json_lines}: expected a name that ends in .jsonl or .jsonl.gz")
    if hdf5.suffix != ".h5":
        raise HoadError(f"{hdf5}: expected a name that ends in .h5")
    if target.exists():
        raise HoadError(f"{target}: exists; remove it or choose another name")


def _logs_of(records: list[Record], source: Path) -> GameLogs:
    sizes = sorted({len(record.players) for record in records})
    if len(sizes) != 1:
        found = f"games of {' and '.join(map(str, sizes))} players" if sizes else "no games"
        raise HoadError(f"{source}: {found}; a dataset has games of one number of players")
    decks = [record.deck for record in records]
    return logs_of(sizes[0], decks, [record.actions for record in records])
