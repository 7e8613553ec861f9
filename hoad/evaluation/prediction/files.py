"""How well partner models predict the moves of a stranger after a few of its games.

The games of a file tell which agent is the stranger: the one that plays with itself. In games with
others, the stranger is the agent that sits in all of them, and of which self-play games are given,
in the same file or another. Every model learns from the first self-play games only. A person does
not play with itself: of a stranger that is named, models learn from the first games with others.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hoad.adhoc.partner_models.choices import Seen
from hoad.adhoc.partner_models.kinds import KINDS, Knowledge, knowledge
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.evaluation.prediction.measure import Prediction, evaluate
from hoad.evaluation.report.page import Heading, Report, Table
from hoad.replay.dataset import Dataset
from hoad.replay.formats.convert import read_games


@dataclass(frozen=True)
class Strangers:
    """The games of one file.

    Attributes:
        path: the file.
        stranger: name of the agent that is to be predicted.
        alone: its self-play games, with both seats.
        with_others: its games with others, with its seat.
    """

    path: Path
    stranger: str
    alone: Seen
    with_others: Seen


@dataclass(frozen=True)
class Predictions:
    """What was measured, by file and method.

    Attributes:
        alone: on self-play games, of files that have them.
        with_others: on the stranger's moves in games with others, of files that have them.
    """

    alone: dict[str, dict[str, Prediction]]
    with_others: dict[str, dict[str, Prediction]]


def measure_predictions(
    files: Sequence[Path],
    support: int = 10,
    test: int = 200,
    held_out: str | None = None,
    stranger: str | None = None,
) -> Predictions:
    """Learn each stranger from its first games, and evaluate on further games.

    These are its self-play games; of a stranger without any, which must be named, they are its
    games with others in the same file.

    Args:
        files: HDF5 or JSON Lines files of two-player games.
        support: games to learn from.
        test: games to evaluate on at most, in self-play and with others each.
        held_out: the agent that the models may not know.
        stranger: the agent or person to predict, if the games do not tell.

    Raises:
        HoadError: a file cannot be read, or it is not clear who the stranger is; it has too few
            games; or an agent or a meta-model is missing.
    """
    known = knowledge(held_out)
    given = read_strangers(files, stranger)
    learned_from = {games.stranger: games for games in given if len(games.alone.logs)}
    for games in given:
        _check_support(games, support, games.stranger in learned_from)
    found = Predictions({}, {})
    for games in progress(given, "predicting", "files"):
        if games.stranger in learned_from:
            own = games if len(games.alone.logs) else learned_from[games.stranger]
            first = own.alone.select(np.arange(support))
            others = games.with_others.select(np.arange(len(games.with_others.logs))[:test])
        else:
            first = games.with_others.select(np.arange(support))
            others = _after(games.with_others, support, test)
        unseen = _after(games.alone, support, test)
        alone, with_others = _predict(known, first, unseen, others)
        if len(unseen.logs):
            found.alone[str(games.path)] = alone
        if len(others.logs):
            found.with_others[str(games.path)] = with_others
    return found


def _after(games: Seen, support: int, test: int) -> Seen:
    """Return at most ``test`` games after the first ``support``."""
    return games.select(np.arange(support, len(games.logs))[:test])


def _check_support(games: Strangers, support: int, plays_alone: bool) -> None:
    """Refuse a file with too few games to learn from and to evaluate on."""
    count = len((games.alone if plays_alone else games.with_others).logs)
    if (count or not plays_alone) and count <= support:
        kind = "self-play games" if plays_alone else "games"
        raise HoadError(
            f"{games.path}: {count} {kind} of {games.stranger}, expected at least "
            f"{support + 1}: {support} to learn from (--support) and one to evaluate on"
        )


def read_strangers(files: Sequence[Path], stranger: str | None = None) -> list[Strangers]:
    """Read the files, and tell who the stranger of each is (raises what it is raised above)."""
    read = {path: read_games(path) for path in files}
    for path, games in read.items():
        if games.logs.players != 2:
            raise HoadError(
                f"{path}: games of {games.logs.players} players, but agents play the two-player "
                "game; leave this file out"
            )
    if stranger is not None:
        return [_split(path, games, stranger, []) for path, games in read.items()]
    own = {path: _self_play_agent(path, games) for path, games in read.items()}
    known = sorted({name for name in own.values() if name})
    return [_split(path, games, own[path], known) for path, games in read.items()]


def _self_play_agent(path: Path, games: Dataset) -> str | None:
    """Return the agent that plays with itself in these games; None if there is none."""
    alone = sorted({pair[0] for pair in games.pairings if len(set(pair)) == 1})
    if len(alone) > 1:
        raise HoadError(
            f"{path}: self-play games of {' and '.join(alone)}, expected those of one agent; "
            "give a file for each"
        )
    return alone[0] if alone else None


def _split(path: Path, games: Dataset, own: str | None, known: Sequence[str]) -> Strangers:
    sits = {name: (games.names == name).any(axis=1).all() for name in ([own] if own else known)}
    found = [name for name, everywhere in sits.items() if everywhere]
    if len(found) != 1:
        names = ", ".join(sorted(set(games.names.flat)))
        raise HoadError(
            f"{path}: games of {names}; expected self-play games of one agent, or games of one "
            "agent with others and its self-play games in this file or another; or name the one "
            "that sits in all games with --stranger"
        )
    seats = games.names == found[0]
    alone = Seen(games.logs, seats).select(np.flatnonzero(seats.all(axis=1)))
    others = Seen(games.logs, seats).select(np.flatnonzero(~seats.all(axis=1)))
    return Strangers(path, found[0], alone, others)


def _predict(known: Knowledge, first: Seen, *unseen: Seen) -> tuple[dict[str, Prediction], ...]:
    """Return how well each method predicts each of some sets of games."""
    found: tuple[dict[str, Prediction], ...] = tuple({} for _ in unseen)
    for kind in KINDS:
        model, learning = known.make(kind), time.process_time()
        model.learn(first.logs, first.seats)
        learning = time.process_time() - learning
        for games, measured in zip(unseen, found, strict=True):
            if len(games.logs):
                measured[kind] = evaluate(model, games).prediction(learning)
    return found


def report(found: Predictions) -> Report:
    """Return the log-loss, accuracy and time of all methods, by file."""
    parts = {"files": found.alone, "with_others": found.with_others}
    titles = {"files": "Self-play games", "with_others": "Games with others"}
    blocks: list[Heading | Table] = []
    for part, by_file in parts.items():
        for file, methods in by_file.items():
            blocks += [Heading(f"{titles[part]}: {file}"), _table(methods)]
    rows = [
        {"games": part, "file": file, "method": method, **vars(one)}
        for part, by_file in parts.items()
        for file, methods in by_file.items()
        for method, one in methods.items()
    ]
    facts: dict[str, Any] = {
        part: {
            file: {method: vars(one) for method, one in methods.items()}
            for file, methods in by_file.items()
        }
        for part, by_file in parts.items()
        if by_file or part == "files"
    }
    return Report("Prediction of moves", blocks, rows, facts)


def _table(methods: Mapping[str, Prediction]) -> Table:
    rows = [
        (method, f"{one.log_loss:.3f}", f"{one.accuracy:.1%}", f"{one.seconds:.1f}")
        for method, one in methods.items()
    ]
    return Table([("method", "nats a move", "accuracy", "seconds"), *rows])
