"""Making the ad-hoc table: every player of a recipe meets every partner."""

import time

from hoad.adhoc.bayes.recorder import Beliefs
from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.seeds import TABLE, other_seed
from hoad.adhoc.session import play_session
from hoad.core.files import make_folder, only_writer
from hoad.core.progress import progress
from hoad.core.provenance import provenance
from hoad.core.workers import work
from hoad.evaluation.adhoc_numbers import AdhocResult
from hoad.evaluation.adhoc_players import PlayerMaker, check_players, play_pool
from hoad.evaluation.adhoc_recipe import META_AGENTS, AdhocRecipe
from hoad.evaluation.adhoc_rows import begin_row, refuse_rows, save_row
from hoad.evaluation.adhoc_table import Cell
from hoad.evaluation.crossplay import cross_play
from hoad.learning.names import name_in


def run_adhoc(recipe: AdhocRecipe, threads: int, resume: bool = False) -> AdhocResult:
    """Play all games of a recipe, and save each player's with each partner (:mod:`adhoc_rows`).

    One program at a time does so in a folder: a row is kept as a whole.

    Args:
        recipe: what to play.
        threads: number of threads; the result does not depend on it.
        resume: keep what was played before, and play the rest; else there must be nothing.

    Raises:
        HoadError: an agent, a network or a population is missing; another program plays this
            table; or see :func:`~hoad.evaluation.adhoc_rows.begin_row` and ``refuse_rows``.
    """
    if not resume:
        refuse_rows(recipe)
    make_folder(recipe.out)  # which may fail, so before hours of games
    with only_writer(recipe.out):
        return _run_adhoc(recipe, threads)


def _run_adhoc(recipe: AdhocRecipe, threads: int) -> AdhocResult:
    start, made_with = time.perf_counter(), provenance()
    rows = {partner: begin_row(recipe, partner, made_with) for partner in recipe.partners}
    missing = [
        (partner, player)
        for partner, row in rows.items()
        for player in recipe.players
        if player not in row.cells
    ]
    check_players(recipe, missing)
    knows_pool = any(player in META_AGENTS for _, player in missing)
    match_ups = play_pool(recipe, threads) if knows_pool else None
    items = [(recipe, match_ups, partner, player) for partner, player in missing]
    begun = done = time.perf_counter()
    with progress(len(missing), "ad-hoc table", "cells") as bar:
        for (partner, player), (cell, beliefs) in zip(
            missing, work(_play_cell, items, threads), strict=True
        ):
            row, now = rows[partner], time.perf_counter()
            row.cells[player], row.beliefs = cell, beliefs or row.beliefs
            commits = [*row.made_with.get("commits", []), made_with["commit"]]
            row.made_with = {**made_with, "commits": list(dict.fromkeys(commits))}
            row.seconds += now - done
            done = now
            save_row(recipe, partner, row)
            bar.update()
    names = dict.fromkeys(name_in(recipe.source, a) for a in (*recipe.partners, *recipe.agents))
    pairs = cross_play(list(names), recipe.cross_play_games, _seed(recipe), threads)
    besides = time.perf_counter() - start - (done - begun)
    return AdhocResult(recipe, rows, pairs, made_with, besides)


def _play_cell(
    recipe: AdhocRecipe, match_ups: MatchUps | None, partner: str, name: str
) -> tuple[Cell, Beliefs | None]:
    """Play one player's games with one partner; return what it believed as well, if it did."""
    maker = PlayerMaker(recipe, match_ups)
    session = play_session(
        maker.make(name, partner),
        maker.seated(partner),
        recipe.episodes,
        recipe.games_per_episode,
        _seed(recipe),
    )
    diary = maker.diaries.get(partner)
    beliefs = Beliefs(diary.hypotheses, diary.means) if diary else None
    return Cell(session, maker.repetitions(name)), beliefs


def _seed(recipe: AdhocRecipe) -> int:
    return other_seed(recipe.seed, TABLE)
