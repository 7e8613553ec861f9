"""What the page lists besides games: all agents, and what a person's games tell of the person."""

import csv
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from hoad.agents.registry import agent_families
from hoad.core.paths import SHIPPED
from hoad.human.journal import LEARNED_FROM
from hoad.partners.choices import Seen
from hoad.partners.known_people import FIRST_GAMES, likeness
from hoad.partners.program.posterior import ProgramPosterior, rules_in_words
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record, logs_of_records

_CROSS_PLAY: Final = SHIPPED / "results" / "agents" / "results.csv"
"""The published table of all agents with each other."""

_MOST_RULES: Final = 6


@cache
def listed_agents() -> list[dict[str, Any]]:
    """Return all agents, the best in self-play first, then the prefixes, as JSON has them.

    Each has its ``name``, which ends with a colon for a prefix, which needs an argument; author or
    program that it comes from (``family``, empty for a prefix); what is special ``about`` it (empty
    for a rule list); and the published mean strict ``score`` in self-play, or None.
    """
    scores, families = _self_play_scores(), agent_families()
    names = sorted(families, key=lambda name: (not families[name][0], -scores.get(name, 0), name))
    return [
        {"name": name, "family": family, "about": about, "score": scores.get(name)}
        for name, (family, about) in ((name, families[name]) for name in names)
    ]


def _self_play_scores() -> dict[str, float]:
    """Return the scores by agent; none where the published table was not installed."""
    if not _CROSS_PLAY.exists():
        return {}
    with _CROSS_PLAY.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] == row["partner"]]
    return {row["agent"]: float(row["strict"]) for row in rows}


def describe_person(games: Sequence[Record]) -> dict[str, Any] | None:
    """Return what games tell of the person who played them; None for fewer than three.

    That is of how many ``games`` (the last ones, with whatever agents), what
    :class:`~hoad.partners.known_people.Likeness` has, with the ``differences`` in words, and the
    person's own ``rules`` in words, the first that applies first.
    """
    played = [game for game in games if len(game.actions) > game.players.index(PERSON)]
    if len(played) < FIRST_GAMES:
        return None
    last = played[-LEARNED_FROM:]
    seats = np.array([[name == PERSON for name in game.players] for game in last])
    seen = Seen(logs_of_records(last, PERSON), seats)
    program = ProgramPosterior()
    program.learn(seen)
    rules = rules_in_words(program)[:_MOST_RULES]
    found = likeness(seen)
    differences = [f"{each.words} ({each.compared})" for each in found.differences]
    return {"games": len(last), **vars(found), "differences": differences, "rules": rules}
