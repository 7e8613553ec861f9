"""What a person's games tell of the person, beside people whose games are public."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hoad.human.journal import LEARNED_FROM
from hoad.partners.choices import Seen
from hoad.partners.known_people import FIRST_GAMES, likeness
from hoad.partners.program.posterior import ProgramPosterior, rules_in_words
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, logs_of_records

_MOST_RULES: Final = 6


def describe_person(games: Sequence[Record]) -> dict[str, Any] | None:
    """Return what games tell of the person who played them; None for fewer than three.

    That is of how many ``games`` (the last ones, with whatever agents), what
    :class:`~hoad.partners.known_people.Likeness` has, and the person's own ``rules`` in words, the
    first that applies first.
    """
    played = [game for game in games if len(game.actions) > game.players.index(PERSON)]
    if len(played) < FIRST_GAMES:
        return None
    last = played[-LEARNED_FROM:]
    seats = np.array([[name == PERSON for name in game.players] for game in last])
    seen = Seen(logs_of_records(last, PERSON), seats)
    program = ProgramPosterior()
    program.learn(seen.logs, seen.seats)
    rules = rules_in_words(program)[:_MOST_RULES]
    return {"games": len(last), **vars(likeness(seen)), "rules": rules}
