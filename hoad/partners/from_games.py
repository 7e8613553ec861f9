"""Agents that play as the stranger of recorded games would.

``program:FILE``, ``logit:FILE``, ``low-shot:FILE`` and ``model:FILE`` (the mixture) are the partner
models of these names (:mod:`.kinds`) after all games of the stranger in the file
(:mod:`.strangers`). Where the games do not tell which player that is, ``FILE:PLAYER`` does. The
program draws each move from what it predicts, and the logit from the squares of these
probabilities. The network and the mixture make the move that they predict with the highest
probability. Logit and mixture know all plain fair agents but the stranger. Of a person, the prior
of the logit is what other people in the file do.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.agents.families import split_games_file
from hoad.agents.registry import is_agent, loads_code
from hoad.core.errors import HoadError
from hoad.core.identity import identity_of
from hoad.core.paths import checkpoint_root
from hoad.knowledge import HeldOut
from hoad.learning.games import checksum_of_logs
from hoad.learning.policies import PolicyAgent, network_file
from hoad.partners.agents import SHARPNESS, ModelAgent
from hoad.partners.kinds import META_MODEL, Knowledge, knowledge_without, meta_model_without
from hoad.partners.logit.agent import logit_agent
from hoad.partners.logit.model import Logit
from hoad.partners.meta_model import LowShot
from hoad.partners.mixture import Mixture
from hoad.partners.model import PartnerModel
from hoad.partners.others import prior_of_others, read_others
from hoad.partners.program.agent import lists_agent
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.regression.learner import Prior
from hoad.partners.strangers import is_person, read_strangers

MOST_GAMES: Final = 200
"""The posterior over programs is meant for few games, and takes a minute for so many."""

MOST_GAMES_OF_LOGIT: Final = 1_000
"""The regression takes a minute for so many games of people, who have one seat."""

_Stamp = tuple[str, str, int, int]
"""A file, the player that is the stranger (empty where the games tell), and the file's version."""

ModelT = TypeVar("ModelT", bound=PartnerModel)


def make_program(argument: str) -> Agent:
    """Return ``program:FILE``, the posterior over programs (raises what :func:`_learn` raises)."""
    name = f"program:{argument}"
    model, stranger, _ = _program(_stamp(name, *_file_and_player(argument)))
    agent = lists_agent(name, model.weighted_lists())
    agent.trained_on = (stranger,)
    return agent


def make_logit(argument: str) -> Agent:
    """Return ``logit:FILE``, the conditional logit (raises what :func:`_learn` raises).

    It draws from sharpened probabilities: players are surer of their moves than a model of them.
    With the logits of the three programs, those of P011, P013 and P015 of HanabiData scored 1.2 to
    3.7 points more with it in 100 games each (``benchmarks/sharpness.py``). They were 2.8 points
    from what these people scored, on the mean of nine scores, 3.6 without it, and 2.9 with the most
    probable move alone; these people played one to six games with each program.
    """
    name = f"logit:{argument}"
    stamp = _stamp(name, *_file_and_player(argument))
    model, stranger, _ = _logit(stamp, str(checkpoint_root()))
    agent = logit_agent(name, model.weights.sharpened(SHARPNESS))
    agent.trained_on = (stranger,)
    agent.plays_as = tuple(member.name for member in model.weights.members)
    return agent


def make_model(argument: str) -> Agent:
    """Return ``model:FILE``, the mixture of partner models (raises what :func:`_learn` raises)."""
    name = f"model:{argument}"
    stamp = _stamp(name, *_file_and_player(argument))
    known = _known_without(_stranger(stamp))
    model, stranger, games = _mixture(stamp, known)
    return _MixtureAgent(name, model, known, stranger, games)


class _MixtureAgent(ModelAgent):
    """Makes the likeliest move of a mixture.

    Its identity is that of what the mixture knew, and of the games.
    """

    def __init__(
        self, name: str, model: Mixture, known: Knowledge, stranger: str, games: str
    ) -> None:
        super().__init__(name, model, known.names)
        self.trained_on = (stranger,)
        self._known, self._games = known, games

    @property
    def identity(self) -> Hashable:
        """What the mixture knew, and the identity of the games that it learned."""
        agents = *self._known.pool, PolicyAgent(self.name, self._known.zero_shot.start)
        identities = [repr(agent.identity) for agent in agents]
        prior = self._known.prior and self._known.prior.identity
        return "model", self.plays_as, identity_of([*identities, prior]), self._games


def make_low_shot(argument: str) -> Agent:
    """Return ``low-shot:FILE``, the meta-model ``maml:rainbow`` adapted to the games in a file.

    ``low-shot:NAME:FILE`` adapts ``maml:NAME``; a HoadError if there is none, or as :func:`_learn`.
    """
    name = f"low-shot:{argument}"
    named, player = _file_and_player(argument)
    held_out, _, file = named.rpartition(":")
    held_out = held_out or META_MODEL
    network = network_file("maml", held_out)
    stamp = _stamp(name, file, player)
    model, stranger, games = _low_shot(held_out, network, _time_of(network), stamp)
    return _LowShotAgent(name, model, held_out, stranger, games)


class _LowShotAgent(ModelAgent):
    """Makes the likeliest move of an adapted meta-model.

    Its identity is that of meta-model and games: adapting rounds differently on other machines.
    """

    def __init__(self, name: str, model: LowShot, held_out: str, stranger: str, games: str) -> None:
        super().__init__(name, model, (f"maml:{held_out}",))
        model.network()  # it adapts when it is first asked
        self.trained_on = (stranger,)
        self._games = games
        self._start = PolicyAgent(name, model.start)

    def masked_probabilities(self, batch: Batch) -> np.ndarray:
        """Return what it predicts, float64, shape ``(games, MOVES)``."""
        return self.expected(batch)

    @property
    def identity(self) -> Hashable:
        """The meta-model, and the identity of the games that it is adapted to."""
        return "low-shot", self._start.identity, self._games


@lru_cache(maxsize=8)
def _program(file: _Stamp) -> tuple[ProgramPosterior, str, str]:
    return _learn(lambda stranger: ProgramPosterior(), file, MOST_GAMES)


@lru_cache(maxsize=8)
def _logit(file: _Stamp, root: str) -> tuple[Logit, str, str]:
    return _learn(lambda stranger: logit_of(stranger, Path(file[0])), file, MOST_GAMES_OF_LOGIT)


def logit_of(stranger: str, file: Path) -> Logit:
    """Return a new logit of a stranger; of a person, other people of the file are its prior."""
    known = _known_without(stranger)
    prior = _prior(stranger, file, file.stat().st_mtime_ns) if is_person(stranger) else None
    return replace(known, prior=prior).logit() if prior else known.logit()


@lru_cache(maxsize=8)
def _prior(stranger: str, file: Path, time: int) -> Prior | None:
    return prior_of_others(read_others([file]), stranger)


@lru_cache(maxsize=8)
def _mixture(file: _Stamp, known: Knowledge) -> tuple[Mixture, str, str]:
    return _learn(lambda stranger: known.mixture(), file, MOST_GAMES)


def _known_without(stranger: str) -> Knowledge:
    """Return what models know of other agents; names found in games load no code.

    It is the same object as long as the meta-model is the same.
    """
    is_known = is_agent(stranger) and not loads_code(stranger)
    held_out = HeldOut(stranger) if is_known else None
    network = network_file("maml", meta_model_without(held_out))
    return _knowledge(held_out, str(checkpoint_root()), network, _time_of(network))


@lru_cache(maxsize=8)
def _knowledge(held_out: HeldOut | None, root: str, network: Path, time: int) -> Knowledge:
    return knowledge_without(held_out)


@lru_cache(maxsize=8)
def _low_shot(held_out: str, network: Path, time: int, file: _Stamp) -> tuple[LowShot, str, str]:
    return _learn(lambda stranger: LowShot(held_out), file)


def _learn(
    make: Callable[[str], ModelT], file: _Stamp, most: int | None = None
) -> tuple[ModelT, str, str]:
    """Return a model of the stranger in a file, the stranger's name, the identity of its games.

    ``make`` returns a new model for the name of the stranger. It raises a HoadError as
    :func:`~.strangers.read_strangers`, or for more games than the ``most``.
    """
    path, player = Path(file[0]), file[1]
    [games] = read_strangers([path], player or None)
    seen = games.all_games
    if most is not None and len(seen.logs) > most:
        problem = f"{len(seen.logs):,} games, expected at most {most}"
        raise HoadError(f"{path}: {problem}; imitate an agent with so many (train_imitator.py)")
    model = make(games.stranger)
    model.learn(seen)
    return model, games.stranger, identity_of([checksum_of_logs(seen.logs), seen.seats.tolist()])


@lru_cache(maxsize=8)
def _stranger(file: _Stamp) -> str:
    """Return the name of the stranger in a file (raises what :func:`_learn` raises)."""
    path, player = Path(file[0]), file[1]
    return player or read_strangers([path])[0].stranger


def _time_of(network: Path) -> int:
    """Return when a network was trained, as far as its file tells; 0 without the file."""
    return network.stat().st_mtime_ns if network.exists() else 0


def _file_and_player(argument: str) -> tuple[str, str]:
    return split_games_file(argument) or (argument, "")


def _stamp(name: str, file: str, player: str) -> _Stamp:
    """Return what tells whether a file is still the one that was read, and the player."""
    path = Path(file)
    if not (split_games_file(file) and path.is_file()):
        raise HoadError(f"agent {name}: no file of games {file!r} (*.h5, *.jsonl or *.jsonl.gz)")
    about = path.stat()
    return str(path), player, about.st_mtime_ns, about.st_size
