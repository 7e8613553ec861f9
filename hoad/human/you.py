"""What a person's games tell of the person, beside people whose games are public."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from hoad.human.journal import LEARNED_FROM
from hoad.partners.choices import Seen
from hoad.partners.known_people import FIRST_GAMES, likeness
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.program.words import rules_in_words
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, logs_of_records

_MOST_RULES: Final = 6


@dataclass(frozen=True)
class You:
    """A person beside others; see :class:`~hoad.partners.known_people.Likeness`.

    Attributes:
        games: how many games it is from: the last ones, with whatever agents.
        rules: the person's own rules in words, the first that applies first.
    """

    games: int
    loss: float
    harder: float
    people: int
    most_alike: str
    alike_loss: float
    rules: list[str]


def describe_person(games: Sequence[Record]) -> dict[str, Any] | None:
    """Return what games tell of the person who played them; None for fewer than three."""
    played = [game for game in games if len(game.actions) > game.players.index(PERSON)]
    if len(played) < FIRST_GAMES:
        return None
    last = played[-LEARNED_FROM:]
    seats = np.array([[name == PERSON for name in game.players] for game in last])
    seen = Seen(logs_of_records(last, PERSON), seats)
    program = ProgramPosterior()
    program.learn(seen.logs, seen.seats)
    compared = vars(likeness(seen))
    return asdict(You(len(last), **compared, rules=rules_in_words(program)[:_MOST_RULES]))
