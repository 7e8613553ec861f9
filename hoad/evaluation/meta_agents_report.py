"""The report of a table of meta-agents: one page with tables and figures."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents.behaviour import FEATURES
from hoad.core.files import make_folder
from hoad.evaluation.matchup_page import check_page
from hoad.evaluation.meta_agents_figures import draw_beliefs, draw_by_game, draw_response_tables
from hoad.evaluation.meta_agents_numbers import (
    acting_differently,
    as_csv,
    as_mapping,
    beside_published,
    estimation_errors,
    finding,
)
from hoad.evaluation.meta_agents_players import GENERALIST, ORACLE_NAME
from hoad.evaluation.meta_agents_run import MetaAgentsResult
from hoad.evaluation.published import ESTIMATION_ERRORS, PUBLISHED_META_AGENTS
from hoad.evaluation.report.old import (
    Block,
    Heading,
    Paragraph,
    Table,
    how_it_was_made,
    old_figure,
    write_report,
)
from hoad.evaluation.statistics import show, show_p

TITLE: Final = "Meta-agents with partners of known and of other pools"

_MOST_LISTED: Final = 10
"""Partners of a pool that are listed one by one."""

_UPDATES: Final = {
    "last_game": "the partner's behaviour in the last game",
    "cumulative": "the partner's behaviour in all games of the episode so far, at every update",
    "as_published": "what the published program observes: the partner's behaviour in all games "
    "of the episode so far, at every update, but no moves before its own first and after its own "
    "last move of a game; features that are not defined yet count as 0, and hypotheses that never "
    "showed a feature with a response are ruled out",
}


def write_meta_agents_report(result: MetaAgentsResult) -> Path:
    """Write page, figures, JSON and CSV into the recipe's folder; return the page.

    Raises:
        HoadError: nothing can be written there.
    """
    folder = result.recipe.out
    make_folder(folder)
    _draw(result)
    return write_report(folder, _page(result), as_mapping(result), as_csv(result))


def score_rows(result: MetaAgentsResult) -> list[list[str]]:
    """Return mean lenient scores as cells of text, with a heading: ``mean ± half width``."""
    table = result.table
    pools = range(len(table.pools))
    heading = ["trained on", "player", *(f"meets {name}" for name in table.pools)]
    rows = []
    for trained, player in product(pools, table.players):
        scores = [show(table.score((trained, met), player)) for met in pools]
        rows.append([table.pools[trained], player, *scores])
    return [heading, *rows]


def _draw(result: MetaAgentsResult) -> None:
    folder, table = result.recipe.out, result.table
    draw_by_game(table, folder / "by_game.png")
    if not _have_niches(result):
        return
    draw_response_tables(result.trainings, table.pools, folder / "responses.png")
    for player in _learners(result):
        beliefs = table.cells[0, 0, player].beliefs
        assert beliefs is not None
        index, pool = _whom_beliefs_are_about(result), result.pools[0]
        path = folder / f"belief_{player}.png"
        draw_beliefs(beliefs.of_first_episode[index], pool, pool.niches[index], path)


def _page(result: MetaAgentsResult) -> Iterator[Block]:
    yield Heading(TITLE, level=1)
    yield Paragraph(_what_was_played(result))
    yield Heading("Scores")
    yield Table(score_rows(result), numbers=False)
    yield Paragraph(
        "Mean lenient score ± half the width of its 95 % interval (Student's t) over episodes, "
        "whose values are means over all partners and games. Who the players are is told in "
        "results/README.md."
    )
    yield from _beside_published(result)
    yield from _gaps(result)
    yield from _tests(result)
    yield Heading("Score by game number")
    yield old_figure(
        result.recipe.out / "by_game.png",
        "How much more than the generalist each player scores; mean over partners and pools, with "
        "95 % intervals of the paired differences over episodes.",
    )
    yield from _finding(result)
    yield from _figures_on_grids(result)
    yield from _estimation(result)
    for check in result.checks:
        yield from check_page(check)
    yield from _how_it_was_made(result)


def _what_was_played(result: MetaAgentsResult) -> str:
    recipe = result.recipe
    sizes = ", ".join(
        f"{name} ({len(pool.agents)} agents)"
        for name, pool in zip(result.table.pools, result.pools, strict=True)
    )
    games = recipe.episodes * recipe.games_per_episode
    seat = "in both seats in turn" if recipe.seats == "both" else "always in the first seat"
    knowledge = (
        "the match-ups that were published with the populations"
        if recipe.published_match_ups
        else f"{recipe.matchup_games:,} games of each ordered pair, on other decks"
    )
    observed = _UPDATES[recipe.evidence]
    return (
        f"Meta-agents know one of the pools {sizes}: its agents are their hypotheses and their "
        f"responses, and what they know of them is {knowledge}. They meet each agent of each "
        f"pool in {games:,} games: {recipe.episodes:,} episodes of {recipe.games_per_episode} "
        f"games, {seat}, with the same decks for all partners and players. Adaptive observes "
        f"{observed}."
    )


def _beside_published(result: MetaAgentsResult) -> Iterator[Block]:
    beside, table = beside_published(result), result.table
    if not beside:
        return
    apart = sum(not one.agrees for one in beside.values())
    yield Heading(f"Beside {PUBLISHED_META_AGENTS[result.recipe.beside].source}")
    yield Paragraph(
        f"The two means may be 3·√2 standard errors apart, where the standard error is that of "
        f"our {result.recipe.episodes} episodes: {len(beside) - apart} of {len(beside)} cells "
        f"are within."
    )
    rows = [
        [
            table.pools[trained],
            table.pools[met],
            player,
            f"{one.here:.2f}",
            f"{one.published:.2f}",
            f"{one.difference:+z.2f}",
            f"{one.limit:.2f}",
            "yes" if one.agrees else "no",
        ]
        for (trained, met, player), one in beside.items()
    ]
    heading = ["trained on", "meets", "player", "here", "published", "difference", "limit"]
    yield Table([[*heading, "within"], *rows], numbers=False)
    yield from _acting_differently(result)


def _acting_differently(result: MetaAgentsResult) -> Iterator[Block]:
    table = result.table
    rows = []
    for met, name in enumerate(table.pools):
        for label, indices, rules in _listed_apart(result, met):
            for trained, trained_name in enumerate(table.pools):
                cells = [table.cells[trained, met, player] for player in table.players]
                scores = [f"{cell.lenient[indices].mean():.2f}" for cell in cells]
                rows.append([f"{name}: {label}", rules, trained_name, *scores])
    if rows:
        yield Paragraph(
            "Partners with rules 78 to 82, listed apart: where these rules find no hint, the "
            "published program ends the game at its present score, and here they do not fire. "
            "Our mean scores with them, which are part of the cells above:"
        )
        heading = ["partner", "rules", "trained on", *table.players]
        yield Table([heading, *rows], numbers=False)


def _listed_apart(result: MetaAgentsResult, met: int) -> Iterator[tuple[str, list[int], str]]:
    """Yield label, indices and rules of such partners: one by one, or together if many."""
    pool, found = result.pools[met], acting_differently(result, met)
    if len(found) > _MOST_LISTED:
        yield f"{len(found)} of {len(pool.agents)}", list(found), "some of 78 to 82"
        return
    for index, rules in found.items():
        yield pool.label(index), [index], ", ".join(map(str, rules))


def _gaps(result: MetaAgentsResult) -> Iterator[Block]:
    table = result.table
    others = [player for player in table.players if player not in (GENERALIST, ORACLE_NAME)]
    if not {GENERALIST, ORACLE_NAME} <= set(table.players) or not others:
        return
    yield Heading("From generalist to oracle")
    yield Paragraph(
        "With the pool that they know: which part of the way from the generalist's score to the "
        "oracle's a player goes. With other pools: its mean score minus the generalist's, with the "
        "95 % interval of the paired difference over episodes."
    )
    own = [(pool, pool) for pool in range(len(table.pools))]
    rows = [
        [player, *(f"{table.gap_covered(player, pair):.0%}" for pair in (*own, None))]
        for player in others
    ]
    yield Table([["own pool", *table.pools, "sum of gaps"], *rows])
    foreign = [pair for pair in table.scenarios if pair[0] != pair[1]]
    if not foreign:
        return
    heading = [f"{table.pools[trained]} meets {table.pools[met]}" for trained, met in foreign]
    rows = []
    for player in [ORACLE_NAME, *others]:
        found = [table.compare(pair, player, GENERALIST)[0] for pair in foreign]
        mean = np.mean([one.mean for one in found])
        rows.append([player, *(f"{one.mean:+z.2f} ± {one.half_width:.2f}" for one in found)])
        rows[-1].append(f"{mean:+z.2f}")
    yield Table([["other pools", *heading, "mean"], *rows])


def _tests(result: MetaAgentsResult) -> Iterator[Block]:
    table = result.table
    rows = []
    for (trained, met), first, second in table.comparisons():
        _, paired, welch = table.compare((trained, met), first, second)
        where = [table.pools[trained], table.pools[met], f"{first} − {second}"]
        rows.append([*where, f"{paired.difference:+z.3f}", show_p(welch.p), show_p(paired.p)])
    if rows:
        yield Heading("Differences between players")
        yield Paragraph(
            "p of Welch's t-test over episode means, as published, and of the paired test, which "
            "uses that decks are shared; two-sided, not corrected for the number of comparisons."
        )
        heading = ["trained on", "meets", "first − second", "difference", "Welch p", "paired p"]
        yield Table([heading, *rows], numbers=False)


def _finding(result: MetaAgentsResult) -> Iterator[Block]:
    table = result.table
    games = result.recipe.games_per_episode
    shown = sorted({1, 2, games // 2, games - 1} & set(range(1, games)))
    rows = []
    for player in _learners(result):
        for pool, name in enumerate(table.pools):
            beliefs = table.cells[pool, pool, player].beliefs
            assert beliefs is not None
            found = finding(beliefs)
            rows.append(
                [player, name]
                + [f"{found.found[game]:.0%}" for game in shown]
                + [f"{found.ever:.0%}", f"{found.soon:.0f}", f"{found.belief[-1]:.2f}"]
            )
    if rows:
        yield Heading("How often and how soon the partner is found")
        yield Paragraph(
            "With the pool that they know: share of episodes in which no other hypothesis is as "
            "likely as the partner after so many games; share in which that is so before the last "
            "game, and the median of the game from which on it is so; mean belief in the partner "
            "before the last game. Some elites of a population are nearly the same agent."
        )
        heading = ["player", "pool", *(f"after {game}" for game in shown)]
        yield Table([[*heading, "in the end", "from game", "belief"], *rows], numbers=False)


def _figures_on_grids(result: MetaAgentsResult) -> Iterator[Block]:
    if not _have_niches(result):
        return
    folder, learners = result.recipe.out, _learners(result)
    label = result.pools[0].label(_whom_beliefs_are_about(result))
    if learners:
        yield Heading("Beliefs over the grid")
    for player in learners:
        yield old_figure(
            folder / f"belief_{player}.png",
            f"What {player} believes about {label} of pool {result.table.pools[0]}, which it "
            "knows, in the first episode; the partner is framed.",
        )
    yield Heading("Best responses")
    yield old_figure(
        folder / "responses.png",
        "Features of the niche of the best response to each hypothesis, in the first seat.",
    )


def _estimation(result: MetaAgentsResult) -> Iterator[Block]:
    if "niche" not in result.table.players:
        return
    yield Heading("How far off the estimated features are")
    yield Paragraph(
        "Of niche, with the pool that it knows, after the last game: estimated feature "
        "minus the middle of the partner's niche, mean over partners and episodes."
    )
    words = [feature.replace("_", " ") for feature in FEATURES]
    heading = [f"{kind} error: {word}" for kind in ("absolute", "signed") for word in words]
    rows = [
        [name, *(f"{error:+z.2f}" for error in estimation_errors(result, pool, pool).ravel())]
        for pool, name in enumerate(result.table.pools)
    ]
    if result.recipe.beside == "canaan-2020":
        there = [f"{error:+.2f}" for errors in ESTIMATION_ERRORS for error in errors]
        rows.append(["published, of pool 1", *there])
    yield Table([["pool", *heading], *rows])


def _how_it_was_made(result: MetaAgentsResult) -> Iterator[Block]:
    recipe = result.recipe.model_dump(mode="json")
    pools = {f"pool {pool.pop('name')}": pool for pool in recipe.pop("pools")}
    return how_it_was_made(result.made_with, result.recipe.seed, result.seconds, recipe | pools)


def _learners(result: MetaAgentsResult) -> list[str]:
    table = result.table
    return [player for player in table.players if table.cells[0, 0, player].beliefs is not None]


def _have_niches(result: MetaAgentsResult) -> bool:
    return all(pool.grid is not None and None not in pool.niches for pool in result.pools)


def _whom_beliefs_are_about(result: MetaAgentsResult) -> int:
    pool, wanted = result.pools[0], result.recipe.belief_about
    labels = [pool.label(index) for index in range(len(pool.agents))]
    return labels.index(wanted) if wanted else 0
