"""A finished game, as the page shows it again: turn by turn, and what it tells of both players."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hoad.core.errors import HoadError
from hoad.game.view import turns_of
from hoad.human.beliefs import BeliefInPartner, belief_by_game, pool_names
from hoad.human.journal import games_with
from hoad.partners.strangers import PERSON
from hoad.replay.formats import hanab_live
from hoad.replay.formats.jsonl import Record, logs_of_records
from hoad.watch.page import game_data


@dataclass(frozen=True)
class GameReview:
    """A finished game."""

    game: int  # its index
    agent: str  # the person's partner
    seat: int  # where the person sat
    score: int  # the lenient score
    strict: int  # 0 after the third lost life
    aborted: bool  # whether the game was given up
    data: dict[str, Any]  # the game (:func:`hoad.watch.page.game_data`)
    notes: dict[str, str]  # the person's notes on cards, by index in the deck
    names: list[str]  # the hypotheses of the beliefs
    beliefs: list[list[float]]  # by turn, what the person could believe of the agent
    # by game, up to this one, what the agent could believe of the person: the last ten games
    # with this agent
    learned: list[list[float]]
    link: str  # opens the replay on hanab.live


def review(games: Sequence[Record], index: int) -> GameReview:
    """Return one of the finished games; a HoadError if there is no such game."""
    game = game_of(games, index)
    seat = game.players.index(PERSON)
    logs = logs_of_records([game], PERSON)
    turns = list(turns_of(logs.decks[0], logs.actions))
    belief = BeliefInPartner(seat, logs.decks[0])
    belief.follow(game.actions)
    agent = game.players[1 - seat]
    together = games_with(games[: index + 1], agent)
    seats = [record.players.index(PERSON) for record in together]
    return GameReview(
        game=index,
        agent=agent,
        seat=seat,
        score=game.score or 0,
        strict=game.hle_score or 0,
        aborted=bool(game.aborted),
        data=game_data(turns),
        notes=game.card_notes or {},
        names=pool_names(),
        beliefs=_rounded(belief.beliefs),
        learned=_rounded(belief_by_game(logs_of_records(together, PERSON), seats)),
        link=hanab_live.link_of(hanab_live.game_of(game)),
    )


def site_game(games: Sequence[Record], index: int) -> dict[str, Any]:
    """Return a finished game in hanab.live's format; a HoadError if there is no such game."""
    return hanab_live.game_of(game_of(games, index))


def game_of(games: Sequence[Record], index: int) -> Record:
    """Return a finished game; a HoadError if there is no such game."""
    if not 0 <= index < len(games):
        raise HoadError(f"no game {index}; {len(games)} games have been played")
    return games[index]


def _rounded(beliefs: Sequence[np.ndarray]) -> list[list[float]]:
    return [belief.round(4).tolist() for belief in beliefs]
