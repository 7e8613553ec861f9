"""Games of people with three programs, published as HanabiData.

A folder holds a text file ``game<id>.log`` for each two-player game (Eger, Martens and Alfaro
Cordoba 2017, "An intentional AI for Hanabi"; folder ``log`` of the repository yawgmoth/HanabiData,
CC BY 4.0). The program sits in seat 0 and moves first. A game names its program and the seed of its
deck, the cards that are drawn, and its moves. It also names the game that the same person played
before it, so a person is a chain of games.

The program that hosted the games allows a discard at 8 hint tokens. HLE does not, so a game is cut
before the first move that HLE forbids, and marked ``aborted``.

A person's answers to questions before the first game are in ``survey<id>.log``, with the id of that
game: a line has the name of a question and that of the answer.
"""

import csv
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import reporting
from hoad.game.log import Outcomes, replay
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT
from hoad.replay.formats.jsonl import Record, logs_of_records, mark_aborted

PROGRAM: Final = "eger-"
"""The names of the programs begin with this: ``eger-intentional``."""

_FILES: Final = "game*.log"
_COPIES: Final = (3, 2, 2, 2, 1)
_DEALT: Final = 10  # cards of both hands
_COLOURS: Final = (2, 1, 3, 4, 0)  # of green, yellow, white, blue, red: their numbers in HLE
_HINT_COLOUR, _HINT_RANK, _PLAY_CARD, _DISCARD_CARD = range(4)

EXPERIENCE: Final = {
    1: "never played before",
    2: "1 to 10 games",
    3: "10 to 50 games",
    4: "more than 50 games",
}
"""What people stated of their experience with Hanabi."""

_ANSWERS: Final = ("new", "dabbling", "intermediate", "expert")  # in the order of EXPERIENCE

_NONE: Final = -1  # in place of a field that a move does not have

_TREATMENT: Final = re.compile(r"Treatment: \('(\w+)', (\d{1,18})\)")
_PREVIOUS: Final = re.compile(r"Old GID: (\w+)")
_SCORE: Final = re.compile(r"Score (\d{1,18})")
_EXPERIENCE: Final = re.compile(r"exp (\w+)")
_CARD: Final = re.compile(r"\(([0-4]), ([1-5])\)")


@dataclass(frozen=True)
class _Game:
    """One file. ``moves`` counts the lines of moves; ``actions`` are those before a malformed one.

    ``previous`` is the id of the same person's game before this one, empty for the first.
    """

    path: Path
    previous: str
    program: str
    seed: int
    deck: list[int]
    actions: list[int]
    moves: int
    score: int | None

    @property
    def id(self) -> str:
        return self.path.stem.removeprefix("game")


def is_corpus(folder: Path) -> bool:
    """Return whether a folder holds such files."""
    return folder.is_dir() and any(folder.glob(_FILES))


def read_games(folder: Path) -> tuple[list[Record], int, int]:
    """Read the games of a folder, and cut them before a move that HLE forbids.

    Returns:
        The games, by person, in the order in which the person played them; how many were cut, and
        how many moves that removed. People are P001, P002, ...: those with more games first, of
        those with equally many the one whose first game has the lower id.

    Raises:
        HoadError: a file cannot be read or has no program, seed or cards; its cards are not those
            of the seed; a game that was played to its end does not have the score that it states;
            or games name each other as the one before (the file is named).
    """
    people = _read_people(folder)
    ordered = [(name, game) for name, own in people.items() for game in own]
    played = [_record(name, game, game.actions) for name, game in ordered]
    illegal = replay(logs_of_records(played, folder)).illegal_turn.tolist()
    records = [
        _record(name, game, game.actions[: None if turn < 0 else turn])
        for (name, game), turn in zip(ordered, illegal, strict=True)
    ]
    outcomes = replay(logs_of_records(records, folder))
    _check_scores([game for _, game in ordered], outcomes)
    lost = [game.moves - len(r.actions) for (_, game), r in zip(ordered, records, strict=True)]
    return mark_aborted(records, outcomes.over), int(np.count_nonzero(lost)), sum(lost)


def read_experience(path: Path) -> dict[str, int]:
    """Return what people stated of their experience, a key of ``EXPERIENCE``, by person.

    ``path`` is the folder of logs with the surveys, or a CSV file with the columns ``player`` and
    ``hanabi_experience(1-4)``. People who stated none are left out.

    Raises:
        HoadError: the folder holds no games, or they cannot be read; the file cannot be read or has
            other columns, or an experience that is not 1 to 4.
    """
    if path.is_dir():
        return _experience_in_surveys(path)
    try:
        with reporting(path, "cannot read this file"):
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        reader = csv.DictReader(lines)
        names, rows = reader.fieldnames or (), list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise HoadError(f"{path}: not a table (CSV): {error}") from error
    columns = [name for name in names if name.startswith("hanabi_experience")]
    if not columns or "player" not in names:
        raise HoadError(f"{path}: expected the columns player and hanabi_experience(1-4)")
    stated = {str(row["player"]): row[columns[0]] for row in rows if row[columns[0]]}
    for person, value in stated.items():
        if value not in map(str, EXPERIENCE):
            raise HoadError(f"{path}: experience of {person}: {value!s:.20}, expected 1 to 4")
    return {person: int(value) for person, value in stated.items()}


def _experience_in_surveys(folder: Path) -> dict[str, int]:
    """Return the same from a folder of logs: a person's survey has the id of its first game."""
    people = _read_people(folder)
    if not people:
        raise HoadError(f"{folder}: no games of HanabiData ({_FILES})")
    stated = {}
    for person, games in people.items():
        survey = folder / f"survey{games[0].id}.log"
        if not survey.exists():
            continue
        with reporting(survey, "cannot read this survey"):
            lines = survey.read_text(encoding="utf-8", errors="replace").splitlines()
        answer = _first_match(_EXPERIENCE, lines)
        if answer is not None and answer[1] in _ANSWERS:
            stated[person] = _ANSWERS.index(answer[1]) + 1
    return stated


def deck_of(seed: int) -> list[int]:
    """Return the deck of a seed, card ids in drawing order, as Python 2's shuffle makes it."""
    cards = [
        colour * len(_COPIES) + rank
        for colour in _COLOURS
        for rank, copies in enumerate(_COPIES)
        for _ in range(copies)
    ]
    draw = random.Random(seed)
    for last in range(len(cards) - 1, 0, -1):
        other = int(draw.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def _record(person: str, game: _Game, actions: Sequence[int]) -> Record:
    players = [PROGRAM + game.program, person]
    return Record(players=players, seed=game.seed, deck=game.deck, actions=list(actions))


def _read_game(path: Path) -> _Game:
    with reporting(path, "cannot read this log"):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    treatment = _first_match(_TREATMENT, lines)
    drawn = next((line for line in lines if line.startswith("[(")), None)
    if treatment is None or drawn is None:
        missing = "no program and seed" if treatment is None else "no list of cards"
        raise HoadError(f"{path}: {missing}; restore this file from its source")
    deck, seed = deck_of(int(treatment[2])), int(treatment[2])
    cards = [_COLOURS[int(colour)] * 5 + int(rank) - 1 for colour, rank in _CARD.findall(drawn)]
    if cards != deck[_DEALT:]:
        raise HoadError(f"{path}: the cards are not those of seed {seed}; remove this game")
    previous, score = _first_match(_PREVIOUS, lines), _first_match(_SCORE, lines)
    moves = [line.split()[1:] for line in lines if line.startswith("MOVE:")]
    return _Game(
        path,
        previous[1] if previous else "",
        treatment[1],
        seed,
        deck,
        list(_actions(moves)),
        len(moves),
        int(score[1]) if score else None,
    )


def _first_match(pattern: re.Pattern[str], lines: Sequence[str]) -> re.Match[str] | None:
    return next((match for line in lines if (match := pattern.match(line))), None)


def _actions(moves: Sequence[Sequence[str]]) -> Iterator[int]:
    """Yield HLE's ids of the moves up to one that is malformed, or of the wrong player."""
    for turn, fields in enumerate(moves):
        try:
            player, kind, card, _, colour, rank = (
                _NONE if field == "None" else int(field) for field in fields
            )
        except ValueError:
            return
        action = _action(kind, card, colour, rank)
        if player != turn % 2 or action is None:
            return
        yield action


def _action(kind: int, card: int, colour: int, rank: int) -> int | None:
    """Return HLE's id of a move; None if it is malformed."""
    if kind == _HINT_COLOUR and colour in range(5):
        return COLOUR_HINT + _COLOURS[colour]
    if kind == _HINT_RANK and rank in range(1, 6):
        return RANK_HINT + rank - 1
    if kind in (_PLAY_CARD, _DISCARD_CARD) and card in range(5):
        return card + (PLAY if kind == _PLAY_CARD else 0)
    return None


def _read_people(folder: Path) -> dict[str, list[_Game]]:
    """Return the games of each person in a folder of logs."""
    games = {game.id: game for game in map(_read_game, sorted(folder.glob(_FILES)))}
    return _people(games, folder)


def _people(games: Mapping[str, _Game], folder: Path) -> dict[str, list[_Game]]:
    """Return the games of each person, in the order in which they were played, by name.

    A chain that names a game that is not in the folder starts there.
    """
    following: dict[str, list[_Game]] = defaultdict(list)
    for game in games.values():
        following[game.previous if game.previous in games else ""].append(game)
    chains = [list(_chain(first, following)) for first in following.pop("", [])]
    if sum(map(len, chains)) < len(games):
        chained = {game.id for chain in chains for game in chain}
        loop = next(game for game in games.values() if game.id not in chained)
        raise HoadError(f"{loop.path}: the games before this one lead back to it; restore {folder}")
    chains.sort(key=lambda chain: (-len(chain), chain[0].id))
    return {f"P{number:03}": chain for number, chain in enumerate(chains, start=1)}


def _chain(first: _Game, following: Mapping[str, Sequence[_Game]]) -> Iterator[_Game]:
    """Yield a person's games; of several after the same game, each one's followers come first."""
    waiting = [first]
    while waiting:
        game = waiting.pop()
        yield game
        waiting.extend(reversed(following.get(game.id, ())))


def _check_scores(games: Sequence[_Game], outcomes: Outcomes) -> None:
    for index in np.flatnonzero(outcomes.over).tolist():
        game, score = games[index], int(outcomes.scores[index])
        if game.score is not None and game.score != score and game.moves == len(game.actions):
            raise HoadError(
                f"{game.path}: the score is {game.score} in the log, {score} by the rules; "
                "remove this game or correct it"
            )
