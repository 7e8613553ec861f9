"""Playing the ad-hoc table: held-out partners in rows, players in columns, on the same decks."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product, starmap
from typing import Any, Final

from hoad.adhoc_player import Beliefs
from hoad.agents.families import name_in
from hoad.agents.registry import get_agent, shown_name
from hoad.agents.seeds import other_seed
from hoad.core.provenance import provenance, provenance_of_all
from hoad.game.stream import Purpose
from hoad.players.registry import Column, knows_partner
from hoad.players.roster import Roster, TablePartner
from hoad.reports.page import Strong
from hoad.reports.statistics import show
from hoad.studies.crossplay import CrossPlay, cross_play
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.engine import play_table
from hoad.tables.meta_training import MetaTraining
from hoad.tables.scores import ALL_PARTNERS, Cell, CellKey, ScoreTable

ELITES: Final = "elites"
"""In keys of cells: what players know that have elites in their pool."""

MOST_SIDE_BY_SIDE: Final = 8
"""Players side by side, in a table or in a figure; more of them are below each other."""


def run_adhoc(recipe: AdhocRecipe, threads: int, resume: bool = False) -> "AdhocResult":
    """Play the games of a recipe; its folder keeps those of each player with each partner.

    The result does not depend on ``threads``; for ``resume`` and the errors see
    :func:`~hoad.tables.engine.play_table`.
    """
    start, made_with = time.perf_counter(), provenance()
    keys = list(starmap(cell_key, product(recipe.partners, recipe.players)))
    for name in recipe.mean_without:
        get_agent(name)  # a HoadError if it is misspelt
    played = play_table(recipe, rosters_of(recipe), keys, made_with, threads, resume)
    cells = {key._replace(knows=""): cell for key, cell in played.items()}  # players' names differ
    names = dict.fromkeys(name_in(recipe.source, a) for a in (*recipe.partners, *recipe.agents))
    seed = other_seed(recipe.seed, Purpose.TABLE)
    pairs_of_agents = cross_play(list(names), recipe.cross_play_games, seed, threads)
    now = sum(cell.seconds for cell in cells.values() if cell.made_with is made_with)
    seconds = time.perf_counter() - start - now
    return AdhocResult(recipe, cells, pairs_of_agents, made_with, seconds)


def rosters_of(recipe: AdhocRecipe) -> dict[str, Roster]:
    """Return what makes the players, by what they know: nothing else, or the elites too."""
    roster = Roster.of(recipe, pool_agents=recipe.pool)
    with_elites = {ELITES: replace(roster, population=recipe.elites)} if recipe.elites else {}
    return {"": roster, **with_elites}


def cell_key(partner: str, player: str) -> CellKey:
    """Return the key under which a cell is played and kept."""
    knows = ELITES if Column.parse(player).with_elites else ""
    return CellKey(knows, TablePartner(partner), player)


@dataclass(frozen=True, repr=False)
class AdhocResult:
    """The games of an ad-hoc table, and cross-play of its partners and agents with each other.

    ``other_seconds`` is wall time that belongs to no cell: matchups and cross-play.
    """

    recipe: AdhocRecipe
    cells: Mapping[CellKey, Cell]
    cross_play: CrossPlay
    made_with: Mapping[str, str | int]
    other_seconds: float

    def __repr__(self) -> str:
        partners, players = len(self.recipe.partners), len(self.recipe.players)
        return f"<AdhocResult: {partners} partners, {players} players>"

    @cached_property
    def table(self) -> ScoreTable[str]:
        """The scores: a row for each partner, then means over several.

        A row lists its cells by the first two fields of :class:`CellKey`.
        """
        partners = self.recipe.partners
        rows = {partner: [("", TablePartner(partner))] for partner in partners}
        left_out = [name for name in partners if name in self.recipe.mean_without]
        others = tuple(name for name in partners if name not in left_out)
        means = {ALL_PARTNERS: partners} if len(partners) > 1 else {}
        if left_out and len(others) > 1:
            means[f"all but {', '.join(left_out)}"] = others
        rows |= {row: [("", TablePartner(name)) for name in names] for row, names in means.items()}
        return ScoreTable(rows, self.recipe.players, self.cells)

    def partners_of(self, row: str) -> list[str]:
        """Return the partners that a row is the mean over."""
        return [partner.name for _, partner in self.table.rows[row]]

    @property
    def overall(self) -> str:
        """The row over all partners."""
        return ALL_PARTNERS if ALL_PARTNERS in self.table.rows else self.recipe.partners[0]

    @property
    def competing(self) -> list[str]:
        """The players that do not know the partner."""
        return [player for player in self.recipe.players if not knows_partner(player)]

    @property
    def knowing(self) -> list[str]:
        """The players that know the partner, such as self-play and oracle."""
        return [player for player in self.recipe.players if knows_partner(player)]

    def cells_of(self, player: str) -> list[Cell]:
        """Return the cells of a player, a cell for each partner."""
        return self.table.cells_of(self.overall, player)

    @property
    def beliefs(self) -> dict[tuple[str, str], Beliefs]:
        """What players believed, by partner and player."""
        by_key = {(key.partner.name, key.player): cell.beliefs for key, cell in self.cells.items()}
        return {key: beliefs for key, beliefs in by_key.items() if beliefs}

    @property
    def trainings(self) -> dict[str, MetaTraining]:
        """The trainings of the meta-models that play, as far as they are known, by their names."""
        rows = zip(*map(self.cells_of, self.recipe.players), strict=True)
        return {run.name: run for row in rows for cell in row for run in cell.trainings}

    def made_with_of(self, player: str) -> dict[str, Any]:
        """Return the provenance of the latest cell of a player; commits and machines of all."""
        return provenance_of_all([cell.made_with for cell in self.cells_of(player)])

    def seconds_of(self, player: str) -> float:
        """Return the wall time of all games of a player, and of its learning."""
        return sum(cell.seconds for cell in self.cells_of(player))

    @property
    def seconds(self) -> float:
        """Wall time of all games, and of all learning for them, also of earlier runs."""
        return self.other_seconds + sum(cell.seconds for cell in self.cells.values())


def table_rows(result: AdhocResult, score: str, seat: str = "both") -> list[list[str]]:
    """Return the ad-hoc table's cells as text, with a heading: ``mean ± half width``.

    Players that know the partner come last. The best of the others stands out in each row, and a
    dagger marks those that are not significantly worse (:meth:`ScoreTable.best`; over both seats).
    With many players the rows become columns.
    """
    table = result.table
    competing = result.competing
    players = [*competing, *result.knowing]
    words = f"{score} score" if seat == "both" else f"{score} score, {seat}"
    rows = [[words, *map(shown_name, players)]]
    for row in table.rows:
        cells = {p: show(table.over_repetitions(row, p, score, seat)) for p in players}
        if seat == "both" and len(competing) > 1:
            best, close = table.best(row, competing, score)
            cells[best] = Strong(cells[best])
            cells |= {player: cells[player] + " †" for player in close}
        rows.append([shown_name(row), *cells.values()])
    many = len(players) > MOST_SIDE_BY_SIDE
    return [list(column) for column in zip(*rows, strict=True)] if many else rows
