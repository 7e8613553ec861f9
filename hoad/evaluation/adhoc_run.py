"""Making the ad-hoc table: every player of a recipe meets every partner."""

import time
from itertools import product

from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.seeds import TABLE, other_seed
from hoad.adhoc.session import play_session
from hoad.evaluation.adhoc_numbers import AdhocResult
from hoad.evaluation.adhoc_players import PlayerMaker, check_players, play_pool
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_table import AdhocTable, Cell
from hoad.evaluation.belief_diary import BeliefDiary
from hoad.evaluation.crossplay import cross_play
from hoad.files import make_folder
from hoad.progress import progress
from hoad.provenance import provenance
from hoad.workers import work


def run_adhoc(recipe: AdhocRecipe, threads: int) -> AdhocResult:
    """Play all games of a recipe.

    Args:
        recipe: what to play.
        threads: that play, where no other :func:`~hoad.workers.workers` do; the result does not
            depend on it.

    Raises:
        HoadError: an agent, a network or a population is missing.
    """
    start, made_with = time.perf_counter(), provenance()
    make_folder(recipe.out)  # which may fail, so before hours of games
    check_players(recipe)
    match_ups = play_pool(recipe, threads)
    whom = list(product(recipe.partners, recipe.players))
    items = [(recipe, match_ups, partner, player) for partner, player in whom]
    cells, diaries = {}, {}
    with progress(len(whom), "ad-hoc table", "cells") as bar:
        for key, (cell, diary) in zip(whom, work(_play_cell, items, threads), strict=True):
            cells[key] = cell
            if diary is not None:
                diaries[key[0]] = diary
            bar.update()
    maker = PlayerMaker(recipe)
    names = dict.fromkeys(map(maker.seated_name, (*recipe.partners, *recipe.agents)))
    pairs = cross_play(list(names), recipe.cross_play_games, _seed(recipe), threads)
    seconds = time.perf_counter() - start
    table = AdhocTable(recipe.partners, recipe.players, cells)
    return AdhocResult(recipe, table, pairs, diaries, made_with, seconds)


def _play_cell(
    recipe: AdhocRecipe, match_ups: MatchUps | None, partner: str, name: str
) -> tuple[Cell, BeliefDiary | None]:
    """Play one player's games with one partner; return what it believed as well, if it did."""
    maker = PlayerMaker(recipe, match_ups)
    session = play_session(
        maker.make(name, partner),
        maker.seated(partner),
        recipe.episodes,
        recipe.games_per_episode,
        _seed(recipe),
    )
    return Cell(session, maker.repetitions(name)), maker.diaries.get(partner)


def _seed(recipe: AdhocRecipe) -> int:
    return other_seed(recipe.seed, TABLE)
