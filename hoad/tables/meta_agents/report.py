"""The report on a table of meta-agents, which learn from pools and meet the agents of pools."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

from hoad.bayes.pool import Pool
from hoad.evolution.population import chromosome_of
from hoad.reports.output import how_it_was_made, how_to_make_it_again, six_digits
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table, passage
from hoad.reports.plots import MOST_CURVES, Panel, Series, draw_lines, draw_niches
from hoad.reports.published import ACT_DIFFERENTLY, ESTIMATION_ERRORS, PUBLISHED_META_AGENTS
from hoad.reports.statistics import (
    INTERVAL,
    SCORES,
    WELCH_TEST,
    estimate,
    show,
    show_difference,
    show_p,
)
from hoad.studies.behaviour import FEATURE_LABELS
from hoad.tables.meta_agents.matchup_check import check_facts, check_page
from hoad.tables.meta_agents.table import MetaAgentsResult, Scenario

GAMES_DRAWN: Final = 6
"""Games whose beliefs are drawn, as in Canaan et al. 2022, figure 3."""

_MOST_LISTED: Final = 10  # partners of a pool that are listed one by one

_TEXTS: Final = "meta_agents.txt"


def meta_agents_report(result: MetaAgentsResult) -> Report:
    """Return the report: tables and figures, tidy rows by scenario, player and partner."""
    recipe = result.recipe.model_dump(mode="json")
    recipe |= {f"pool {pool.pop('name')}": pool for pool in recipe.pop("pools")}
    made = how_it_was_made(result.made_with, result.recipe.seed, result.seconds, recipe)
    rows = list(_tidy_rows(result))
    blocks, again = how_to_make_it_again("meta-agents", result.recipe.own_values)
    title = "Meta-agents with partners of known and of other pools"
    return Report(title, list(_page(result)), rows, _facts(result), [*made, *blocks], again)


def _tidy_rows(result: MetaAgentsResult) -> Iterator[dict[str, object]]:
    recipe = result.recipe
    for scenario, player in product(result.table.rows, recipe.players):
        cells = result.table.cells_of(scenario, player)
        size = {"episodes": recipe.episodes, "games": recipe.games_per_episode}
        for partner, cell in zip(result.pools[scenario.meets].agents, cells, strict=True):
            scores = {score: six_digits(cell.scores(score).mean()) for score in SCORES}
            words = _pools(result, scenario) | {"player": player, "partner": partner}
            yield {**words, **scores, **size}


def _pools(result: MetaAgentsResult, scenario: Scenario) -> dict[str, str]:
    return {"trained_on": result.names[scenario.knows], "met": result.names[scenario.meets]}


def _facts(result: MetaAgentsResult) -> dict[str, Any]:
    table, names = result.table, result.names
    return {
        "made_with": dict(result.made_with),
        "seconds": dict(result.seconds),
        "recipe": result.recipe.model_dump(mode="json"),
        "pools": dict(zip(names, (pool.agents for pool in result.pools), strict=True)),
        "cells": [_cell_facts(result, *key) for key in product(table.rows, result.recipe.players)],
        "comparisons": [
            {"first": first, "second": second}
            | _pools(result, scenario)
            | {"difference": asdict(comparisons.difference)}
            | {"paired_p": comparisons.paired.p, "welch_p": comparisons.welch.p}
            for scenario in table.rows
            for first, second in table.pairs()
            for comparisons in [table.compare(scenario, first, second, "lenient")]
        ],
        "gap_covered": {player: result.gap_covered(player) for player in table.players},
        "matchups_compared_with_published": list(map(check_facts, result.checks)),
        "response_tables": {name: result.best_responses(pool) for pool, name in enumerate(names)},
    }


def _cell_facts(result: MetaAgentsResult, scenario: Scenario, player: str) -> dict[str, Any]:
    table = result.table
    facts: dict[str, Any] = {**_pools(result, scenario), "player": player}
    for score in SCORES:
        facts[score] = asdict(table.over_repetitions(scenario, player, score))
    facts["by_game"] = [game.mean for game in table.by_game(scenario, player, "lenient")]
    if compared := result.compared_with_published.get((scenario, player)):
        facts["published"] = asdict(compared) | {"agrees": compared.agrees}
    if finding := result.finding(scenario, player):
        facts["finding"] = asdict(finding)
    if player == "niche":
        facts["estimation_errors"] = result.estimation_errors(scenario)
    return facts


def score_rows(result: MetaAgentsResult) -> list[list[str]]:
    """Return mean lenient scores as cells of text, with a heading: ``mean ± half width``."""
    table, pools, rows = result.table, range(len(result.pools)), []
    for knows, player in product(pools, table.players):
        scenarios = (Scenario(knows, meets) for meets in pools)
        scores = (table.over_repetitions(scenario, player, "lenient") for scenario in scenarios)
        rows.append([result.names[knows], player, *map(show, scores)])
    return [["trained on", "player", *(f"meets {name}" for name in result.names)], *rows]


def _page(result: MetaAgentsResult) -> Iterator[Block]:
    yield _what_was_played(result)
    yield Heading("Scores")
    yield Table(score_rows(result), numbers=False)
    yield _paragraph("scores", interval=INTERVAL)
    yield from _compared_with_published(result)
    yield from _gaps(result)
    yield from _tests(result)
    yield Heading("Score by game number")
    caption = passage(_TEXTS, "by_game", compared="generalist" in result.table.players)
    yield Figure("by_game.png", caption, lambda: _draw_by_game(result))
    yield from _finding(result)
    yield from _figures_on_grids(result)
    yield from _estimation(result)
    for check in result.checks:
        yield from check_page(check)


def _paragraph(name: str, **values: Any) -> Paragraph:
    return Paragraph(passage(_TEXTS, name, **values))


def _what_was_played(result: MetaAgentsResult) -> Paragraph:
    pools = zip(result.names, result.pools, strict=True)
    sizes = ", ".join(f"{name} ({len(pool.agents)} agents)" for name, pool in pools)
    return _paragraph("what_was_played", recipe=result.recipe, sizes=sizes)


def _compared_with_published(result: MetaAgentsResult) -> Iterator[Block]:
    compared = result.compared_with_published
    if not compared:
        return
    numbers = {"agreeing": sum(mean.agrees for mean in compared.values())}
    numbers |= {"compared": len(compared), "episodes": result.recipe.episodes}
    yield Heading(f"Compared with {PUBLISHED_META_AGENTS[result.recipe.compare_with].source}")
    yield _paragraph("compared_with_published", **numbers)
    rows = []
    for (scenario, player), mean in compared.items():
        means = (f"{mean.here:.2f}", f"{mean.published:.2f}", f"{mean.difference:+z.2f}")
        verdict = (f"{mean.limit:.2f}", "yes" if mean.agrees else "no")
        rows.append([*_pools(result, scenario).values(), player, *means, *verdict])
    heading = ["trained on", "meets", "player", "here", "published", "difference", "limit"]
    yield Table([[*heading, "within"], *rows], numbers=False)
    yield from _acting_differently(result)


def _acting_differently(result: MetaAgentsResult) -> Iterator[Block]:
    table, rows = result.table, []
    for meets, name in enumerate(result.names):
        for label, indices, rules in _listed_apart(result.pools[meets]):
            for knows, known in enumerate(result.names):
                cells = [table.cells_of(Scenario(knows, meets), p) for p in table.players]
                means = [np.mean([row[i].episodes.lenient for i in indices]) for row in cells]
                rows.append([f"{name}: {label}", rules, known, *(f"{mean:.2f}" for mean in means)])
    if rows:
        yield _paragraph("acting_differently")
        heading = ["partner", "rules", "trained on", *table.players]
        yield Table([heading, *rows], numbers=False)


def _listed_apart(pool: Pool) -> Iterator[tuple[str, list[int], str]]:
    """Yield label, indices and rules of such partners: one by one, or together if many."""
    ending = (sorted(ACT_DIFFERENTLY & set(chromosome_of(name))) for name in pool.agents)
    rules_of = {index: rules for index, rules in enumerate(ending) if rules}
    if len(rules_of) > _MOST_LISTED:
        yield f"{len(rules_of)} of {len(pool.agents)}", list(rules_of), "some of 78 to 82"
        return
    for index, rules in rules_of.items():
        yield pool.label(index), [index], ", ".join(map(str, rules))


def _gaps(result: MetaAgentsResult) -> Iterator[Block]:
    table, names = result.table, result.names
    others = [player for player in table.players if player not in ("generalist", "oracle")]
    if not {"generalist", "oracle"} <= set(table.players) or not others:
        return
    yield Heading("From generalist to oracle")
    yield _paragraph("gaps")
    rows = [["own pool", *names, "sum of gaps"]]
    for player in others:
        gaps = [result.gap_covered(player, scenario) for scenario in (*result.own_pool, None)]
        rows.append([player, *(f"{gap:.0%}" for gap in gaps)])
    yield Table(rows)
    foreign = result.other_pools
    if not foreign:
        return
    pairs = [f"{names[knows]} meets {names[meets]}" for knows, meets in foreign]
    rows = [["other pools", *pairs, "mean"]]
    for player in ["oracle", *others]:
        compared = [table.compare(each, player, "generalist", "lenient") for each in foreign]
        gains = [each.difference for each in compared]
        mean = np.mean([gain.mean for gain in gains])
        rows.append([player, *map(show_difference, gains), f"{mean:+z.2f}"])
    yield Table(rows)


def _tests(result: MetaAgentsResult) -> Iterator[Block]:
    table, rows = result.table, []
    for scenario, (first, second) in product(table.rows, table.pairs()):
        comparison = table.compare(scenario, first, second, "lenient")
        words = [*_pools(result, scenario).values(), f"{first} − {second}"]
        p = show_p(comparison.welch.p), show_p(comparison.paired.p)
        rows.append([*words, f"{comparison.paired.difference:+z.3f}", *p])
    if rows:
        yield Heading("Differences between players")
        yield _paragraph("tests", welch_test=WELCH_TEST)
        heading = ["trained on", "meets", "first − second", "difference", "Welch p", "paired p"]
        yield Table([heading, *rows], numbers=False)


def _finding(result: MetaAgentsResult) -> Iterator[Block]:
    games, rows = result.recipe.games_per_episode, []
    shown = sorted({1, 2, games // 2, games - 1} & set(range(1, games)))
    for player, scenario in product(result.learners, result.own_pool):
        finding = result.finding(scenario, player)
        assert finding is not None  # all partners are hypotheses
        shares = [f"{finding.found[game]:.0%}" for game in shown]
        end = [f"{finding.ever:.0%}", f"{finding.soon:.0f}", f"{finding.belief[-1]:.2f}"]
        rows.append([player, result.names[scenario.knows], *shares, *end])
    if rows:
        yield Heading("How often and how soon the partner is found")
        yield _paragraph("finding")
        heading = ["player", "pool", *(f"after {game}" for game in shown)]
        yield Table([[*heading, "in the end", "from game", "belief"], *rows], numbers=False)


def _draw_by_game(result: MetaAgentsResult) -> Any:
    """Draw the lenient score minus the generalist's, game by game; scores if none plays."""
    table, games = result.table, range(1, result.recipe.games_per_episode + 1)
    compared = "generalist" in table.players
    label = "mean lenient score" + (" minus the generalist's" if compared else "")
    titles = {"partners of the pool that it knows": result.own_pool}
    titles |= {"partners of other pools": result.other_pools} if result.other_pools else {}
    # random-response scores so much less that no room is left for the others.
    drawn = [player for player in table.players if player != "random-response"][:MOST_CURVES]
    panels = []
    for title, scenarios in titles.items():
        lines = []
        for player in drawn:
            scores = np.mean([table.scores(each, player, "lenient") for each in scenarios], axis=0)
            if compared:
                base = [table.scores(each, "generalist", "lenient") for each in scenarios]
                scores = scores - np.mean(base, axis=0)
            lines.append(Series.of_estimates(player, games, map(estimate, scores.T)))
        panels.append(Panel("game of the episode", label, lines, title))
    return draw_lines(panels)


def _figures_on_grids(result: MetaAgentsResult) -> Iterator[Block]:
    if any(pool.grid is None or None in pool.niches for pool in result.pools):
        return
    pool, wanted = result.pools[0], result.recipe.belief_about
    labels = [pool.label(index) for index in range(len(pool.agents))]
    index = labels.index(wanted) if wanted else 0
    if result.learners:
        yield Heading("Beliefs over the grid")
    for player in result.learners:
        about = {"player": player, "partner": labels[index], "pool": result.names[0]}
        draw = partial(_draw_beliefs, result, player, index)
        yield Figure(f"belief_{player}.png", passage(_TEXTS, "belief", **about), draw)
    if any(pool.responses for pool in result.recipe.pools):
        return
    yield Heading("Best responses")
    caption = "Features of the niche of the best response to each hypothesis, in the first seat."
    yield Figure("responses.png", caption, partial(_draw_responses, result))


def _draw_beliefs(result: MetaAgentsResult, player: str, index: int) -> Any:
    """Draw the belief before the first games of the first episode, by niche."""
    pool = result.pools[0]
    beliefs = result.table.cells_of(Scenario(0, 0), player)[index].beliefs
    assert beliefs is not None
    shown = beliefs.of_first_episode[:GAMES_DRAWN]
    grids = [_on_grid(pool, belief) for belief in shown]
    panels = [(f"game {game}", grid) for game, grid in enumerate(grids, start=1)]
    first, second = FEATURE_LABELS
    return draw_niches([panels], (first, second), "belief", "magma_r", pool.niches[index])


def _draw_responses(result: MetaAgentsResult) -> Any:
    """Draw the features of the best response: a row for each feature, a column for each pool."""
    panels: list[list[tuple[str, np.ndarray]]] = [[], []]
    for number, pool in enumerate(result.pools):
        niches = np.array(pool.niches, dtype=np.float64)
        responses = (niches[result.best_responses(number)] + 0.5) / np.array(pool.grid)
        for row, words, feature in zip(panels, FEATURE_LABELS, responses.T, strict=True):
            row.append((f"{result.names[number]}: {words}", _on_grid(pool, feature)))
    first, second = (f"{label} of the hypothesis" for label in FEATURE_LABELS)
    return draw_niches(panels, (first, second), "of the best response")


def _on_grid(pool: Pool, values: np.ndarray) -> np.ndarray:
    """Return the values of elites by niche; NaN where a niche is empty."""
    assert pool.grid is not None
    grid = np.full(pool.grid, np.nan)
    grid[tuple(np.array(pool.niches).T)] = values
    return grid


def _estimation(result: MetaAgentsResult) -> Iterator[Block]:
    if "niche" not in result.recipe.players:
        return
    yield Heading("Errors of the estimated features")
    yield _paragraph("estimation")
    kinds = product(("absolute", "signed"), FEATURE_LABELS)
    heading = [f"{kind} error: {label}" for kind, label in kinds]
    errors = {result.names[own.knows]: result.estimation_errors(own) for own in result.own_pool}
    if result.recipe.compare_with == "canaan-2020":
        errors["published, of pool 1"] = np.array(ESTIMATION_ERRORS)
    rows = [[name, *(f"{e:+z.2f}" for e in error.ravel())] for name, error in errors.items()]
    yield Table([["pool", *heading], *rows])
