"""Making the ad-hoc table: every player of a recipe meets every partner."""

import time
from itertools import product

from hoad.adhoc.seeds import TABLE, other_seed
from hoad.adhoc.session import play_session
from hoad.evaluation.adhoc_players import PlayerMaker
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_table import AdhocTable, Cell
from hoad.evaluation.crossplay import cross_play
from hoad.evaluation.results import AdhocResult
from hoad.progress import progress
from hoad.provenance import provenance
from hoad.replay.files import make_folder


def run_adhoc(recipe: AdhocRecipe, threads: int) -> AdhocResult:
    """Play all games of a recipe.

    Args:
        recipe: what to play.
        threads: for compiled agents; the result does not depend on it.

    Raises:
        HoadError: an agent, a network or a population is missing.
    """
    start = time.perf_counter()
    make_folder(recipe.out)  # which may fail, so before hours of games
    maker = PlayerMaker(recipe, threads)
    # Made first, so that a missing network is noticed before the games of the table.
    players = {
        (partner, name): maker.make(name, partner)
        for partner, name in product(recipe.partners, recipe.players)
    }
    seed = other_seed(recipe.seed, TABLE)
    cells = {}
    for partner, name in progress(list(players), "ad-hoc table", "cells"):
        session = play_session(
            players.pop((partner, name)),  # and forgotten, for it may hold many networks
            maker.seated(partner),
            recipe.episodes,
            recipe.games_per_episode,
            seed,
            threads,
        )
        cells[partner, name] = Cell(session, maker.repetitions(name))
    names = dict.fromkeys(map(maker.seated_name, (*recipe.partners, *recipe.agents)))
    pairs = cross_play(list(names), recipe.cross_play_games, seed, threads)
    seconds = time.perf_counter() - start
    table = AdhocTable(recipe.partners, recipe.players, cells)
    return AdhocResult(recipe, table, pairs, maker.diaries, provenance(), seconds)
