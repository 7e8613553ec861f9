"""How well partner models predict the moves of a stranger after a few of its games.

Which agent is the stranger follows from the games (:mod:`hoad.partners.strangers`).
Every model learns from the first self-play games only. A person does not play with itself: of a
stranger without self-play games, models learn from the first games with others. What models know of
other people before that is in :mod:`hoad.partners.others`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen
from hoad.partners.kinds import FOR_SEVERAL, KINDS, Knowledge, knowledge_without
from hoad.partners.others import Others, read_others
from hoad.partners.strangers import EVERYBODY, Strangers, read_strangers
from hoad.reports.page import Heading, Paragraph, Report, Table
from hoad.reports.statistics import estimate, show
from hoad.studies.prediction.measure import Prediction, evaluate_learned


@dataclass(frozen=True)
class Predictions:
    """What was measured, by file and method; by ``FILE:PERSON`` of everybody in a file.

    Attributes:
        alone: on self-play games, of files that have them.
        with_others: on the stranger's moves in games with others, of files that have them.
        players: in each game.
    """

    alone: dict[str, dict[str, Prediction]]
    with_others: dict[str, dict[str, Prediction]]
    players: int = 2


def measure_files(
    files: Sequence[Path],
    support: int = 10,
    test: int = 200,
    held_out: str | None = None,
    stranger: str | None = None,
    others: Sequence[Path] = (),
) -> Predictions:
    """Learn each stranger from its first games, and evaluate on further games.

    These are its self-play games, in the same file or else in the first that has any; of a stranger
    without any, such as a person, they are its games with others in the same file.

    Args:
        files: HDF5 or JSON Lines files of games, all of the same number of players. With three or
            more, only the models ``FOR_SEVERAL`` are measured, and ``others`` are refused.
        support: games to learn from.
        test: games to evaluate on at most, in self-play and with others each.
        held_out: the agent that the models may not know.
        stranger: the agent or person to predict, if the games do not tell; ``EVERYBODY`` for each
            person who has enough games.
        others: files with games of people, whom the models know; the stranger is left out.

    Raises:
        HoadError: a file cannot be read, or it is not clear who the stranger is; it has too few
            games; or an agent or a meta-model is missing.
    """
    if not files:
        raise HoadError("no files of games to predict")
    strangers = read_strangers(files, stranger, several=True)
    players = strangers[0].alone.logs.players
    if players > 2 and others:
        raise HoadError(f"{files[0]}: games of {players} players, and --others is for two")
    if stranger == EVERYBODY:
        strangers = _with_enough_games(strangers, support)
    learned_from = {games.stranger: games for games in reversed(strangers) if len(games.alone.logs)}
    for games in strangers:
        _check_support(games, support, games.stranger in learned_from)
    known = knowledge_without(HeldOut(held_out) if held_out else None, players)
    people = Others(known, read_others(others)) if others else None
    predictions = Predictions({}, {}, players)
    for games in progress(strangers, "predicting", "files"):
        if games.stranger in learned_from:
            own = games if len(games.alone.logs) else learned_from[games.stranger]
            first = own.alone.first(support)
            mixed = games.with_others.first(test)
        else:
            first = games.with_others.first(support)
            mixed = _after(games.with_others, support, test)
        unseen = _after(games.alone, support, test)
        about = people.about(games.stranger) if people else known
        alone, with_others = _predict(about, first, unseen, mixed)
        name = f"{games.path}:{games.stranger}" if stranger == EVERYBODY else str(games.path)
        if alone:
            predictions.alone[name] = alone
        if with_others:
            predictions.with_others[name] = with_others
    return predictions


def _with_enough_games(strangers: Sequence[Strangers], support: int) -> list[Strangers]:
    """Return those who have games left after the first ``support``; a HoadError for none."""
    enough = [
        games
        for games in strangers
        if len(games.alone.logs) > support
        or (not len(games.alone.logs) and len(games.with_others.logs) > support)
    ]
    if not enough:
        files = ", ".join(dict.fromkeys(str(games.path) for games in strangers))
        raise HoadError(f"{files}: nobody has {support + 1} games (--support)")
    return enough


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


def _predict(known: Knowledge, first: Seen, *unseen: Seen) -> tuple[dict[str, Prediction], ...]:
    """Return how well each method predicts each of some sets of games; none without a move."""
    learned = known.learn_all(first)
    evaluated = (evaluate_learned(learned, games) if len(games.choices) else {} for games in unseen)
    return tuple({kind: one.prediction() for kind, one in each.items()} for each in evaluated)


def words_for_several(players: int) -> str:
    """Return which methods are left out in games of so many players, in a line."""
    left_out = ", ".join(kind for kind in KINDS if kind not in FOR_SEVERAL)
    return (
        f"Games of {players} players: without {left_out} and the regression of mixture, which are "
        f"for two; the pool is the rule lists that play with {players}."
    )


_HEADING: Final = ("method", "nats a move", "accuracy", "seconds")


def report(result: Predictions) -> Report:
    """Return the log-loss, accuracy and time of all methods, by file."""
    parts = {"files": result.alone, "with_others": result.with_others}
    titles = {"files": "Self-play games", "with_others": "Games with others"}
    blocks: list[Heading | Paragraph | Table] = []
    if result.players > 2:
        blocks.append(Paragraph(words_for_several(result.players)))
    for part, by_file in parts.items():
        for file, methods in by_file.items():
            blocks += [Heading(f"{titles[part]}: {file}"), _table(methods)]
        if len(by_file) > 1:
            blocks += [Heading(f"{titles[part]}: mean of {len(by_file)}"), _means(by_file)]
    facts: dict[str, Any] = {
        part: {
            file: {method: vars(prediction) for method, prediction in methods.items()}
            for file, methods in by_file.items()
        }
        for part, by_file in parts.items()
        if by_file or part == "files"
    }
    return Report("Prediction of moves", blocks, [], facts)


def _means(by_file: Mapping[str, Mapping[str, Prediction]]) -> Table:
    """Return the means over files or people, with the 95 % interval over them."""
    methods = next(iter(by_file.values()))
    rows = []
    for method in methods:
        measured = [each[method] for each in by_file.values()]
        losses = estimate(np.array([each.log_loss for each in measured]))
        hits = estimate(np.array([each.accuracy for each in measured]))
        cells = show(losses, 3), show(hits, 3)
        rows.append((method, *cells, f"{np.mean([each.seconds for each in measured]):.1f}"))
    return Table([_HEADING, *rows])


def _table(methods: Mapping[str, Prediction]) -> Table:
    rows = [(method, *each.shown(), f"{each.seconds:.1f}") for method, each in methods.items()]
    return Table([_HEADING, *rows])
