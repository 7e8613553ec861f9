"""Games of a person's logit, from which a network of the person learns (distillation).

A person's games are few, and others play otherwise. The conditional logit predicts a person from
few games far better than a network does, since it looks at what a player of Hanabi looks at. So it
plays as many games as the network needs. Hinton et al. (2015) distil a model in the same way, but
from its probabilities; here the network learns the moves that were drawn from them.
"""

from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents.follow import turns_of_seats
from hoad.agents.games import play
from hoad.core.errors import HoadError
from hoad.game.log import join_logs
from hoad.learning.compute import derive_seed
from hoad.learning.games import Taught, person_games
from hoad.partners.choices import Seen
from hoad.partners.from_games import logit_of, make_logit
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.replay.formats.convert import read_games

_TAUGHT: Final = 2
"""Purpose of a seed; it keeps the decks of these games apart from others of a training."""


def teacher_moves(file: Path, person: str, games: int, seed: int) -> Taught:
    """Return the moves of a person's logit in at least so many games.

    The logit has learned the person's training games only. It plays the same number of
    games with the logit of each of the person's partners, in the person's seat of their first game.

    Raises:
        HoadError: the file cannot be read, or holds too few games; or the person met nobody.
    """
    weights, recorded = _learned_weights(file, person), read_games(file)
    teacher = logit_agent(f"logit of {person}", weights)
    seats = recorded.names == person
    met = seats.any(axis=1) & ~seats.all(axis=1)
    partners = np.unique(recorded.names[met][~seats[met]])
    if not len(partners):
        raise HoadError(f"{file}: {person} plays with itself only; imitate it with --logit-games 0")
    played = []
    for number, partner in enumerate(partners):
        at_table = seats[met & (recorded.names == partner).any(axis=1)][0]
        logit = make_logit(f"{file}:{partner}")
        agents = [teacher if own else logit for own in at_table]
        count = -(-games // len(partners))
        logs = play(agents, count, derive_seed(_TAUGHT, seed, number))
        played.append((logs, np.tile(at_table, (count, 1))))
    logs, at_tables = zip(*played, strict=True)
    moves = turns_of_seats(join_logs(logs), np.concatenate(at_tables))
    return Taught(moves, tuple(member.name for member in weights.members))


def _learned_weights(file: Path, person: str) -> LogitWeights:
    """Return what the logit has learned from a person's training games."""
    games = person_games(file, person)
    train = games.split()["train"]
    logit = logit_of(person, file)
    logit.learn(Seen(games.logs, games.seats).select(train))
    return logit.weights
