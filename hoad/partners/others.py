"""Games of other strangers, as prior knowledge of a new one.

A stranger is never part of its own prior. The others are divided into folds: where the stranger is
one of them, the prior comes from all folds but its own. So one prior serves many strangers.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.partners.choices import Seen, join_seen
from hoad.partners.kinds import Knowledge
from hoad.partners.regression.inputs import FIXED, input_groups, regression_inputs
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.population import MOST_GAMES, Observed, fit_population, observe
from hoad.partners.strangers import EVERYBODY, read_strangers

PEOPLE_FOLDS: Final = 5
"""Folds of the others."""


class Others:
    """What models know of a stranger when they know the ``games`` of others, by name."""

    def __init__(self, known: Knowledge, games: Mapping[str, Seen]) -> None:
        self._known, self.games = known, games
        self._by_fold: dict[int | None, Knowledge] = {}

    def about(self, stranger: str) -> Knowledge:
        """Return what models may know of a stranger; a HoadError if there are no others."""
        fold = self.fold_of(stranger)
        if fold not in self._by_fold:
            others = people_of_other_folds(self.games, fold)
            if not others:
                raise HoadError(
                    f"{stranger}: no games of others, whom models could know (--others)"
                )
            self._by_fold[fold] = self._known.knowing([self._observed[name] for name in others])
        return self._by_fold[fold]

    def fold_of(self, name: str) -> int | None:
        """Return the fold of one of the others; None for anybody else."""
        return self._folds.get(name)

    @cached_property
    def _folds(self) -> dict[str, int]:
        return _folds(self.games)

    @cached_property
    def _observed(self) -> dict[str, Observed]:
        inputs_of = self._known.relating_inputs
        return {
            name: observe(seen.first(MOST_GAMES), inputs_of)
            for name, seen in progress(self.games.items(), "learning others", "players")
        }


def prior_of_others(games: Mapping[str, Seen], stranger: str) -> Prior | None:
    """Return what other people, two or more, tell of a stranger's weights of rules and traits."""
    others = [seen.first(MOST_GAMES) for name, seen in games.items() if name != stranger]
    if len(others) < 2:
        return None
    observed = [observe(seen, lambda asked: regression_inputs(asked, ())) for seen in others]
    return fit_population(observed, input_groups(FIXED))


def people_of_other_folds(games: Mapping[str, Seen], fold: int | None) -> dict[str, Seen]:
    """Return those of some people who are not in a fold, by name; all of them for None."""
    folds = _folds(games)
    return {name: seen for name, seen in games.items() if folds[name] != fold}


def _folds(games: Mapping[str, Seen]) -> dict[str, int]:
    return {name: number % PEOPLE_FOLDS for number, name in enumerate(games)}


def read_others(files: Sequence[Path]) -> dict[str, Seen]:
    """Return the games of all people in files, by name; a HoadError for none or bad files."""
    by_name: dict[str, Seen] = {}
    for games in read_strangers(files, EVERYBODY):
        seen = games.all_games
        earlier = by_name.get(games.stranger)
        by_name[games.stranger] = join_seen([earlier, seen]) if earlier else seen
    return by_name
