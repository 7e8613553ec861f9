"""A partner model: the posterior over programs, ordered lists of rules.

:mod:`.prior` has the prior on lists; :mod:`.particles` and :mod:`.sampler` draw from the posterior.
"""

from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.agents.rules.soft_list import soft_list_agent
from hoad.core.errors import HoadError
from hoad.partners.choices import Seen
from hoad.partners.model import Ensemble, PartnerModel
from hoad.partners.positions import Asked, refuse_other_players
from hoad.partners.program.firing import FiringTable, firing_table, rules_for
from hoad.partners.program.particles import (
    ProgramParticles,
    draw_particles,
    lead_to_posterior,
    spread_over_alike,
    update,
    weigh,
)
from hoad.partners.program.prediction import WeightedLists, predict_moves
from hoad.partners.program.prior import LONGEST, SKIP_A, SKIP_B, STRAY_AB, log_prior
from hoad.partners.program.sampler import PackedTable, pack_table

_NOTHING: Final = -1

_MOST_RECENT: Final = 100
_recent: dict[tuple[int, str], ProgramParticles] = {}
_changing: Final = Lock()


class Programs(NamedTuple):
    """The different lists of a posterior."""

    lists: np.ndarray  # rules (indices of rows, -1 after the last one), int64, (lists, LONGEST)
    skips: np.ndarray  # how often each is skipped, float64, same shape
    strays: np.ndarray  # how often a skip leads astray, float64, (lists,)
    shares: np.ndarray  # the probabilities of the lists, float64, (lists,)


class ProgramPosterior(PartnerModel):
    """Believes that the partner follows an ordered list of rules, and skips each at times.

    Args:
        seed: of the random lists; the same games and seed give the same model.
        players: in the games; a HoadError for games of others. With several, :meth:`ensemble` and
            :attr:`likeliest` raise one too, because their agents play games of two.

    Attributes:
        rules: the rules of the lists, as rows, with their numbers in the catalogue.
        particles: lists of rules, drawn from the posterior.
        table: what each rule does in the games learned; None before the first.
    """

    name = "program"

    def __init__(self, seed: int = 0, players: int = 2) -> None:
        self._seed, self._players = seed, players
        self.rules = rules_for(players)
        self.particles = draw_particles(seed, len(self.rules))
        self.table: FiringTable | None = None
        self._evidence: PackedTable | None = None  # the table, as the sampler reads it
        self._programs: Programs | None = None  # since the last game, once asked for

    def learn(self, games: Seen) -> None:
        refuse_other_players(games, self._players)
        further = firing_table(games)
        if not len(further.legal):
            return
        before, old = self.table, self._evidence
        table = further if before is None else before.extend(further)
        evidence = pack_table(table)
        if before is not None and old is not None and len(further.legal) < len(before.legal):
            update(self.particles, old, evidence)
        else:  # the lists of few games are a poor start for many
            self.particles = _particles_of(self._seed, table, evidence)
        spread_over_alike(self.particles, table.alike)
        self.table, self._evidence, self._programs = table, evidence, None

    def expected(self, games: Asked) -> np.ndarray:
        refuse_other_players(games, self._players)
        return predict_moves(games.states, self.weighted_lists(), self._players)

    def ensemble(self) -> Ensemble:
        """Return the hypotheses that the model believes in now, for rollouts."""
        if self._players > 2:
            raise HoadError(f"no agent plays a program of games of {self._players} players")
        lists, skips, strays, shares = self.programs()
        rows = [*self.rules]
        agents = [
            soft_list_agent(
                f"program {index}",
                [rows[rule] for rule in rules[rules >= 0]],
                skip[rules >= 0],
                stray,
            )
            for index, (rules, skip, stray) in enumerate(zip(lists, skips, strays, strict=True))
        ]
        return Ensemble(agents, shares, 0.0)

    @property
    def best_particle(self) -> int:
        """The index of the particle with the most probable list."""
        particles, log_likelihoods = self.particles, np.zeros(len(self.particles.lists))
        if self._evidence is not None:
            log_likelihoods = weigh(particles, self._evidence)[0]
        return int((log_likelihoods + log_prior(particles.lengths, len(self.rules))).argmax())

    @property
    def likeliest(self) -> Agent:
        """The most probable program of the posterior."""
        particle = self.best_particle
        best = self.particles.lists[particle].copy()
        best[self.particles.lengths[particle] :] = _NOTHING
        index = (self.programs().lists == best).all(axis=1).argmax()
        return self.ensemble().agents[index]

    def weighted_lists(self) -> WeightedLists:
        """Return the lists of the posterior as they predict: with the rules that they use only."""
        lists, skips, strays, shares = self.programs()
        used, indices = np.unique(lists, return_inverse=True)
        indices = indices.reshape(lists.shape) - int(used[0] == _NOTHING)
        rows = np.array([*self.rules])[used[used != _NOTHING]]
        return WeightedLists(rows, indices, skips, strays, shares)

    def programs(self) -> Programs:
        """Return the different lists of the posterior; they are counted once after a game."""
        if self._programs is None:
            self._programs = self._count_programs()
        return self._programs

    def _count_programs(self) -> Programs:
        particles = self.particles
        counts = np.zeros((len(particles.lists), LONGEST + 1, 2), np.int64)
        if self._evidence is not None:
            counts = weigh(particles, self._evidence)[1]
        held = np.arange(LONGEST) < particles.lengths[:, None]
        lists = np.where(held, particles.lists, _NOTHING)
        rules, led_on, astray = counts[:, :-1], counts[:, -1, 0], counts[:, -1, 1]
        skips = (rules[..., 1] + SKIP_A) / (rules.sum(-1) + SKIP_A + SKIP_B)
        strays = (astray + STRAY_AB) / (astray + led_on + 2 * STRAY_AB)
        distinct, first, times = np.unique(lists, axis=0, return_index=True, return_counts=True)
        return Programs(distinct, skips[first], strays[first], times / times.sum())


def _particles_of(seed: int, table: FiringTable, evidence: PackedTable) -> ProgramParticles:
    """Return lists drawn from the posterior of some decisions.

    Players of a table that learn from the same games share them: they take half a second.
    """
    key = seed, sha256(table.weights.tobytes() + table.legal.tobytes()).hexdigest()
    particles = _recent.get(key)
    if particles is None:
        particles = draw_particles(seed, len(table.weights))
        lead_to_posterior(particles, evidence)
        with _changing:
            if len(_recent) >= _MOST_RECENT:
                _recent.pop(next(iter(_recent)))
            _recent[key] = particles
    return deepcopy(particles)


def program_in_words(model: ProgramPosterior) -> list[str]:
    """Return the likeliest program of a model that has learned, a line for each rule, in order.

    Each line names the rule, the moves that it made and those at which it was skipped in the games
    learned, and the share of the programs that hold it or a rule that looks the same in these
    games. Rules that made no move are left out; so are all before the first game.
    """
    return [
        f"{number} {CATALOGUE[number].name}: {made} moves, skipped at {skipped}, in {share:.0%} of "
        "programs"
        for number, made, skipped, share in _rules(model)
    ]


def rules_in_words(model: ProgramPosterior) -> list[str]:
    """Return the same rules for everybody to read: each with how often it was followed."""
    return [
        f"{CATALOGUE[number].words} ({made} of {made + skipped} times)"
        for number, made, skipped, _ in _rules(model)
    ]


def _rules(model: ProgramPosterior) -> Iterator[tuple[int, int, int, float]]:
    """Yield number, moves made, moves at which it was skipped, and the share of programs."""
    if model.table is None or model._evidence is None:
        return
    particles, groups, numbers = model.particles, model.table.alike, [*model.rules.values()]
    best, (_, counts) = model.best_particle, weigh(particles, model._evidence)
    held = np.arange(particles.lists.shape[1]) < particles.lengths[:, None]
    for place in range(particles.lengths[best]):
        rule = int(particles.lists[best, place])
        made, skipped = counts[best, place].tolist()
        if made:
            alike = (groups[particles.lists] == groups[rule]) & held
            yield numbers[rule], made, skipped, float(alike.any(axis=1).mean())
