"""The engine of all tables: it finds the cells that were played before, and plays the others."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain, groupby, islice
from typing import Any, Final, NamedTuple

import numpy as np

from hoad.adhoc_player import Beliefs, Episodes, play_episodes, trials_of
from hoad.agents.seeds import other_seed
from hoad.core.capacity import require_memory
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer
from hoad.core.progress import progress
from hoad.core.run_log import write_log_to
from hoad.core.workers import work
from hoad.game.stream import Purpose
from hoad.players.registry import Column
from hoad.players.roster import Roster
from hoad.reports.statistics import SCORES
from hoad.tables.kept_cells import KeptCell, cell_folder, kept_games, load_cells, save_cell
from hoad.tables.meta_training import MetaTraining, meta_training
from hoad.tables.recipe import TableRecipe
from hoad.tables.scores import Cell, CellKey

_EPISODE_BYTES: Final = 2_000  # memory for the game that an episode plays
_GAME_BYTES: Final = 40  # and for the scores of each game

_MOST_CELLS: Final = 8
"""Cells that a worker gets at a time where there are thousands: matchups are sent with them."""


def play_table(
    recipe: TableRecipe,
    rosters: Mapping[str, Roster],
    keys: Sequence[CellKey],
    made_with: Mapping[str, str | int],
    threads: int,
    resume: bool = False,
) -> dict[CellKey, Cell]:
    """Return the cells of a table: play those that its games' folder does not hold, and keep them.

    One program at a time plays in a folder. A program that is interrupted loses only the cells in
    progress. A change of HOAD's own code does not make a cell play again; ``made_with`` of each
    cell names the commit. The result does not depend on ``threads``.

    ``rosters`` make the players, by :attr:`CellKey.knows`. With ``resume`` what was played before
    is kept; else the folder of games must hold none of these partners.

    Raises:
        HoadError: an agent, a network or a population is missing; a kept file cannot be read;
            another program plays in the folder; it holds games and ``resume`` is false; or a file
            of a player or partner has changed while it played, and its cell is not kept.
    """
    games = recipe.episodes * recipe.games_per_episode
    size = f"{recipe.episodes:,} episodes of {recipe.games_per_episode:,} games"
    needed = _EPISODE_BYTES * recipe.episodes + _GAME_BYTES * games * len(keys)
    require_memory(needed, f"{size} in {len(keys)} cells", "play fewer with --episodes")
    kept: dict[tuple, _PartnerCells] = {}
    for key in keys:
        row = key.knows, key.partner
        if row not in kept:
            kept[row] = _PartnerCells(recipe, rosters[key.knows], key)
        kept[row].keys.append(key)
    cells: dict[CellKey, Cell] = {}
    if resume:
        for of_partner in kept.values():
            cells |= of_partner.kept_cells()
    missing = [key for key in dict.fromkeys(keys) if key not in cells]
    _check(rosters, missing)  # before there is a folder
    if not resume:
        refuse_games(recipe, keys)
    for key in missing:
        kept[key.knows, key.partner].begin(key)
    with ExitStack() as locks:
        for folder in dict.fromkeys((recipe.out, recipe.games_folder)):
            make_folder(folder)  # which may fail, so before hours of games
            locks.enter_context(only_writer(folder))
        write_log_to(recipe.out)
        rosters = _play_matchups(rosters, missing, threads)
        for key, played, seconds in _play(recipe, rosters, missing, threads):
            cell = Cell(**played._asdict(), made_with=made_with, seconds=seconds)
            cells[key] = kept[key.knows, key.partner].keep(key, cell)
    return {key: cells[key] for key in keys}


def refuse_games(recipe: TableRecipe, keys: Sequence[CellKey]) -> None:
    """Raise a HoadError if the folder of games holds some with a partner of these cells."""
    file = kept_games(recipe.games_folder)
    for folder in dict.fromkeys(cell_folder(key.knows, key.partner.name) for key in keys):
        if file.names(folder):
            remedy = "go on with --resume, or choose other folders with --out (and --games)"
            raise HoadError(f"{file.path}, {folder}: holds games already; {remedy}")


class _PartnerCells:
    """The kept cells with the same partner and the same knowledge."""

    def __init__(self, recipe: TableRecipe, roster: Roster, key: CellKey) -> None:
        self.keys: list[CellKey] = []
        self._roster = roster
        self._partner = key.partner
        self._file = kept_games(recipe.games_folder)
        self._folder = cell_folder(key.knows, key.partner.name)
        self._settings = recipe.settings
        self._is_shared = recipe.games is not None
        self._training = cache(meta_training)
        self._identity = cache(self._identity_now)

    def kept_cells(self) -> dict[CellKey, Cell]:
        """Return the cells that were played before.

        If a player's network is not on this machine, its cell is kept, as long as the options of
        all players are the same. So are those of players of the partner's meta-model
        if a milestone of it that has played is not on this machine: a model of the same name that
        is here is another one. A folder that several tables share may hold another table's player
        of that name, so there the cell is not kept.
        """
        cells = {}
        for key in self.keys:
            column, identity = Column.parse(key.player), self._identity(key.player)
            candidates = [kept for kept in self._kept if kept.player == column.name]
            elsewhere = column.kind.plays_meta_model and self._is_trained_elsewhere
            if self._is_shared or (identity and not elsewhere):
                candidates = [kept for kept in candidates if kept.identity == identity]
            else:
                options = self._roster.settings_identity
                candidates = [kept for kept in candidates if kept.options == options]
            if candidates:
                cells[key] = self._with_training(column, candidates[-1].cell)
        return cells

    def begin(self, key: CellKey) -> None:
        """Find out what the cell of a player is kept with; a HoadError if that is unreadable."""
        column = Column.parse(key.player)
        identity, _ = self._identity(column.name), self._all_settings
        assert identity is not None  # the player can be made
        if column.kind.plays_meta_model:
            self._trainings_of(column)

    def keep(self, key: CellKey, cell: Cell) -> Cell:
        """Save a cell that was played; a HoadError if its player or partner is another one now."""
        identity, options = self._identity(key.player), self._roster.settings_identity
        assert identity is not None
        self._refuse_changed(key.player)
        cell = self._with_training(Column.parse(key.player), cell)
        kept = KeptCell(key.player, self._all_settings, identity, options, cell)
        save_cell(self._file, self._folder, kept)
        return cell

    def _refuse_changed(self, player: str) -> None:
        """Raise a HoadError if a file of the player or partner has changed since the beginning.

        Workers may have read either version. The agents of a pool are those of the beginning.
        """
        changed = []
        if self._identity_now(player) != self._identity(player):
            changed.append(f"player {player}")
        if self._partner_now() != self._all_settings["partner"]:
            changed.append(f"partner {self._partner.name}")
        if changed:
            raise HoadError(
                f"{self._folder}: {' and '.join(changed)}: a network, population, file of games or "
                f"code changed while {player} played, so its games are not kept; leave such files "
                "as they are, and go on with --resume"
            )

    def _identity_now(self, player: str) -> str | None:
        return Column.parse(player).identity(self._roster, self._partner)

    def _partner_now(self) -> dict[str, str]:
        return {self._partner.name: self._roster.partner_identity(self._partner)}

    @cached_property
    def _all_settings(self) -> dict[str, Any]:
        return {**self._settings, "partner": self._partner_now()}

    @cached_property
    def _kept(self) -> list[KeptCell]:
        """The cells of these settings and this partner, the latest last."""
        cells = load_cells(self._file, self._folder)
        kept = [kept for kept in cells if kept.settings == self._all_settings]
        return sorted(kept, key=lambda kept: kept.cell.made_with["date"])

    @cached_property
    def _is_trained_elsewhere(self) -> bool:
        columns = (Column.parse(kept.player) for kept in self._kept)
        own = (column for column in columns if column.kind.plays_meta_model)
        return any(self._identity(column.name) is None for column in own)

    def _trainings_of(self, column: Column) -> tuple[MetaTraining, ...]:
        if self._is_trained_elsewhere:
            return ()
        names = column.bind(self._roster, self._partner).meta_models
        trainings = [self._training(name.partition("@")[0]) for name in names]
        return tuple(filter(None, trainings))

    def _with_training(self, column: Column, cell: Cell) -> Cell:
        """Return the cell with the trainings of its meta-models, as far as they are known here."""
        if not column.kind.plays_meta_model:
            return cell
        return replace(cell, trainings=self._trainings_of(column) or cell.trainings)


def _check(rosters: Mapping[str, Roster], missing: Sequence[CellKey]) -> None:
    """Raise a HoadError if a player or an agent cannot be made."""
    for roster in rosters.values():
        roster.check()
    for key in missing:
        Column.parse(key.player).check(rosters[key.knows], key.partner)


def _play_matchups(
    rosters: Mapping[str, Roster], missing: Sequence[CellKey], threads: int
) -> dict[str, Roster]:
    """Return the rosters with the matchups that some players need."""
    prepared = dict(rosters)
    for key in missing:
        roster = prepared[key.knows]
        if Column.parse(key.player).kind.needs_matchups and roster.matchups is None:
            prepared[key.knows] = replace(roster, matchups=roster.play_matchups(threads))
    return prepared


def _play(
    recipe: TableRecipe, rosters: Mapping[str, Roster], keys: Sequence[CellKey], threads: int
) -> Iterator[tuple[CellKey, "Played", float]]:
    """Yield each cell as soon as it is played, with its share of the wall time.

    The share is the time that workers took, divided by their number; cells of a block share it.
    """
    blocks = list(_blocks(recipe, rosters, keys))
    items = list(chain.from_iterable(blocks))
    workers = max(1, min(threads, len(items)))
    with (
        closing(work(_play_cells, items, threads)) as played,
        progress(len(items), "table", "cells or trials") as bar,
    ):
        for block in blocks:
            trials, seconds = [], 0.0
            for games, took in islice(played, len(block)):
                trials.append(games)
                seconds += took
                bar.update()
            for key, parts in zip(block[0].keys, zip(*trials, strict=True), strict=True):
                yield key, _join(parts), seconds / workers / len(block[0].keys)


class _Item(NamedTuple):
    """What a worker plays at a time: some cells, or one trial of a cell."""

    recipe: TableRecipe
    roster: Roster
    keys: Sequence[CellKey]
    trial: int | None = None


def _blocks(
    recipe: TableRecipe, rosters: Mapping[str, Roster], keys: Sequence[CellKey]
) -> Iterator[list[_Item]]:
    """Yield the items that hold the games of some cells together: one, or one for each trial."""

    def alike(key: CellKey) -> tuple[str, bool]:
        return key.knows, Column.parse(key.player).kind.splits_by_trial

    size = min(_MOST_CELLS, 1 + len(keys) // 1000)
    for (knows, splits), group in groupby(keys, key=alike):
        roster = rosters[knows]
        while some := list(islice(group, 1 if splits else size)):
            trials = range(roster.trials) if splits else [None]
            yield [_Item(recipe, roster, some, trial) for trial in trials]


def _play_cells(
    recipe: TableRecipe, roster: Roster, keys: Sequence[CellKey], trial: int | None
) -> tuple["list[Played]", float]:
    """Return the games of each cell, and the seconds that all took."""
    start = time.perf_counter()
    return [play_cell(recipe, roster, key, trial) for key in keys], time.perf_counter() - start


class Played(NamedTuple):
    """The games of a cell; the attributes are those of :class:`Cell`."""

    episodes: Episodes
    repetitions: np.ndarray
    beliefs: Beliefs | None


def play_cell(
    recipe: TableRecipe, roster: Roster, key: CellKey, trial: int | None = None
) -> Played:
    """Play the games of one player with one partner, or those of one trial."""
    player = Column.parse(key.player).make(roster, key.partner)
    partner, seed = roster.agent_named(key.partner.name), other_seed(recipe.seed, Purpose.TABLE)
    first, end = 0, recipe.episodes
    if trial is not None:
        player = player.in_trial(trial)
        trials = trials_of(recipe.episodes, roster.trials)
        first, end = np.searchsorted(trials, (trial, trial + 1)).tolist()
    size = end - first, recipe.games_per_episode
    episodes = play_episodes(player, partner, *size, seed, seat=recipe.seat, first_episode=first)
    return Played(episodes, player.repetitions(end - first), player.beliefs)


def _join(trials: Sequence[Played]) -> Played:
    """Join the games of a cell's trials. Players that are split by trial have no beliefs."""
    if len(trials) == 1:
        return trials[0]
    lenient, strict = (
        np.concatenate([getattr(trial.episodes, score) for trial in trials]) for score in SCORES
    )
    episodes = Episodes(lenient, strict, trials[0].episodes.seats)
    sizes = [trial.repetitions.max() + 1 for trial in trials[:-1]]
    first = np.cumsum([0, *sizes])
    repetitions = [trial.repetitions + start for trial, start in zip(trials, first, strict=True)]
    return Played(episodes, np.concatenate(repetitions), None)
