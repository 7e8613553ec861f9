"""A program that was induced from games, in words."""

from collections.abc import Iterator

import numpy as np

from hoad.agents.rules.catalogue import CATALOGUE
from hoad.partners.program.firing import NUMBERS
from hoad.partners.program.particles import weigh
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.program.sampler import pack_table


def program_in_words(model: ProgramPosterior) -> list[str]:
    """Return the likeliest program of a model that has learned, a line for each rule, in order.

    Each line names the rule, the moves that it made and those at which it was skipped in the games
    learned, and the share of the programs that hold it or a rule that looks the same in these
    games. Rules that made no move are left out; so are all before the first game.
    """
    return [
        f"{NUMBERS[rule]} {CATALOGUE[NUMBERS[rule]].name}: {made} moves, skipped at {skipped}, in "
        f"{share:.0%} of programs"
        for rule, made, skipped, share in _rules(model)
    ]


def rules_in_words(model: ProgramPosterior) -> list[str]:
    """Return the same rules for everybody to read: each with how often it was followed."""
    return [
        f"{CATALOGUE[NUMBERS[rule]].words} ({made} of {made + skipped} times)"
        for rule, made, skipped, _ in _rules(model)
    ]


def _rules(model: ProgramPosterior) -> Iterator[tuple[int, int, int, float]]:
    """Yield rule, moves made, moves at which it was skipped, and the share of programs."""
    if model.table is None:
        return
    particles, groups = model.particles, model.table.alike
    best, (_, counts) = model.best, weigh(particles, pack_table(model.table))
    held = np.arange(particles.lists.shape[1]) < particles.lengths[:, None]
    for place in range(particles.lengths[best]):
        rule = int(particles.lists[best, place])
        made, skipped = counts[best, place].tolist()
        if made:
            alike = (groups[particles.lists] == groups[rule]) & held
            yield rule, made, skipped, float(alike.any(axis=1).mean())
