"""The report on an ad-hoc table, in which players meet partners that they have never met."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

from hoad.adhoc.player import Beliefs
from hoad.adhoc.players.column import FORMER, WITH_ELITES, Column
from hoad.core.files import safe_name
from hoad.evaluation.adhoc.proximity import proximity
from hoad.evaluation.adhoc.recipe import AdhocRecipe
from hoad.evaluation.adhoc.table import AdhocResult
from hoad.evaluation.meta_training import SHOTS, MetaTraining
from hoad.evaluation.published import Published, published
from hoad.evaluation.report.output import how_it_was_made
from hoad.evaluation.report.page import Block, Figure, Heading, Paragraph, Report, Strong, Table
from hoad.evaluation.report.plots import (
    PERFECT,
    SCORE_RANGE,
    Panel,
    Series,
    draw_intervals,
    draw_lines,
    draw_matrices,
    styles_of,
)
from hoad.evaluation.statistics import SCORES, holm, means_and_widths, show, show_p
from hoad.evaluation.tables.cells import SEATS

TITLE: Final = "Ad-hoc play with partners never met"

_MOST_COLUMNS: Final = 8
"""Players in the columns of a table; more of them are in its rows."""

_TESTS: Final = {"paired": "paired", "welch": "Welch", "by_partner": "by-partner"}
"""The tests of :class:`Comparisons` in a table."""

_HOLD_OUT: Final = {
    "agent": "the partner of a row is",
    "family": "the family of the partner of a row is",
}

_HELD_OUT: Final = {"originals": "the agent itself", "imitators": "the agent's imitator"}
"""Partners of a meta-training's validation games, by its recipe's source."""


def table_rows(result: AdhocResult, score: str, seat: str = "both") -> list[list[str]]:
    """Return the ad-hoc table's cells as text, with a heading: ``mean ± half width``.

    Players that know the partner come last. The best of the others stands out in each row, and a
    dagger marks those that are not significantly worse (:meth:`ScoreTable.best`; over both seats).
    With many players the rows become columns.
    """
    table = result.table
    competing = [player for player in table.players if not _knows_partner(player)]
    players = [*competing, *(player for player in table.players if _knows_partner(player))]
    words = f"{score} score" if seat == "both" else f"{score} score, {seat}"
    rows = [[words, *players]]
    for row in table.rows:
        cells = {p: show(table.over_repetitions(row, p, score, seat)) for p in players}
        if seat == "both" and len(competing) > 1:
            best, close = table.best(row, competing, score)
            cells[best] = Strong(cells[best])
            cells |= {player: cells[player] + " †" for player in close}
        rows.append([row, *cells.values()])
    many = len(players) > _MOST_COLUMNS
    return [list(column) for column in zip(*rows, strict=True)] if many else rows


def _knows_partner(player: str) -> bool:
    return Column.parse(player).kind.knows_partner


def adhoc_report(result: AdhocResult) -> Report:
    """Return the report: tables and figures, tidy rows by partner, player, score and seat."""
    rows = list(_tidy_rows(result))
    return Report(TITLE, list(_page(result)), rows, _facts(result), list(_how_it_was_made(result)))


def _tidy_rows(result: AdhocResult) -> Iterator[dict[str, object]]:
    """Yield the rows; ``games`` counts those of all partners where the row is a mean over some."""
    table = result.table
    for cell in product(table.rows, table.players, SCORES, SEATS):
        repetitions, games = table.over_repetitions(*cell), table.over_games(*cell)
        yield dict(zip(("partner", "player", "score", "seat"), cell, strict=True)) | {
            "mean": repetitions.mean,
            "half_width": repetitions.half_width,
            "repetitions": repetitions.count,
            "half_width_over_games": games.half_width,
            "games": games.count * len(result.partners_of(cell[0])),
        }


def _facts(result: AdhocResult) -> dict[str, Any]:
    table = result.table
    cells = list(product(table.rows, table.players))
    return {
        "made_with": dict(result.made_with),
        "seconds": result.seconds,
        "recipe": result.recipe.model_dump(mode="json"),
        "played": {
            name: {"made_with": result.made_with_of(name), "seconds": result.seconds_of(name)}
            for name in result.recipe.partners
        },
        "by_game": [
            {"partner": row, "player": player, "score": score}
            | {"games": [asdict(one) for one in table.by_game(row, player, score)]}
            for (row, player), score in product(cells, SCORES)
        ],
        "published": [
            {"partner": row, "player": player} | asdict(found)
            for row, player in cells
            for found in _published(result, row, player)
        ],
        "comparisons": {
            score: [
                {"first": first, "second": second, "difference": tests.paired.difference}
                | {f"{test}_p": getattr(tests, test).p for test in _TESTS}
                for first, second in table.pairs()
                for tests in [table.compare(result.overall, first, second, score)]
            ]
            for score in SCORES
        },
        "beliefs": [
            {"partner": partner, "player": player}
            | {"hypotheses": beliefs.hypotheses, "means": beliefs.means}
            for (partner, player), beliefs in result.beliefs.items()
        ],
        "cross_play": result.cross_play.as_mapping(),
        "meta_training": {partner: vars(found) for partner, found in result.trainings.items()},
    }


def _published(result: AdhocResult, row: str, player: str) -> list[Published]:
    return published(result.partners_of(row), FORMER.get(player, player))


def _page(result: AdhocResult) -> Iterator[Block]:
    yield Paragraph(_what_was_played(result.recipe))
    yield Heading("The table")
    for score in SCORES:
        yield Table(table_rows(result, score))
    yield Paragraph(
        "Mean ± half the width of the 95 % interval (Student's t) over repetitions: trials for "
        "players that learn in trials, and episodes for the others. "
        "Lenient: cards on the fireworks; strict: 0 when the last life is lost. Bold: the best "
        "player of those that do not know the partner (self-play and oracle do). †: not "
        "significantly worse than the best (paired t-test over repetitions on the same decks, "
        "5 %, with Holm's correction for the number of players)."
    )
    caption = "Mean scores with 95 % intervals over repetitions."
    yield Figure("players.png", caption, lambda: _draw_players(result))
    yield Heading("Score by game number")
    caption = "Mean score of each game of an episode, with 95 % intervals over repetitions."
    yield Figure("by_game.png", caption, lambda: _draw_by_game(result))
    for (partner, player), beliefs in result.beliefs.items():
        yield _belief_figure(result, partner, player, beliefs)
    yield Heading("By seat")
    for score, seat in product(SCORES, list(SEATS)[1:]):
        yield Table(table_rows(result, score, seat))
    yield from proximity(result)
    yield from _compared_with_published(result)
    yield from _differences(result)
    yield Heading("Cross-play")
    caption = f"Partners and agents with each other, {result.cross_play.games:,} games a pair."
    yield result.cross_play.heat_maps(caption)
    yield from _meta_training(result.trainings)


def _what_was_played(recipe: AdhocRecipe) -> str:
    games = recipe.episodes * recipe.games_per_episode
    return (
        f"Each player meets each partner in {games:,} games: {recipe.episodes:,} episodes of "
        f"{recipe.games_per_episode} games, half of them in each seat, on the same decks for all "
        f"players. Partners are {recipe.source}. Players that learn from games of the partner "
        f"before they meet it do so in {recipe.trials} trials, each from {recipe.support_games} "
        f"new self-play games. Apart from these games, {_HOLD_OUT[recipe.hold_out]} held out: of "
        "the training of its meta-model, of the pools of meta-agents and of random partners. "
        f"Responses maximise the {recipe.score} score. The decks are disjoint from those of all "
        "training. " + _trainings(recipe.meta_models)
    )


def _trainings(meta_models: int) -> str:
    once = (
        "A network with a name was trained once: the intervals do not include the variation "
        "between trainings."
    )
    if meta_models == 1:
        return once
    return (
        f"Zero-shot and low-shot play {meta_models} meta-models, trained with seeds 0 to "
        f"{meta_models - 1}, in turn by trial: their intervals are over seeds and trials. "
        + once.replace("A network", "Any other network")
    )


def _draw_players(result: AdhocResult) -> Any:
    table = result.table
    panels: dict[str, dict[str, tuple[np.ndarray, np.ndarray]]] = {}
    for score, player in product(SCORES, table.players):
        found = [table.over_repetitions(row, player, score) for row in table.rows]
        panels.setdefault(f"{score} score", {})[player] = means_and_widths(found)
    return draw_intervals(panels, list(table.rows), "held-out partner")


def _draw_by_game(result: AdhocResult) -> Any:
    table, row = result.table, result.overall
    games = range(1, result.recipe.games_per_episode + 1)
    styles = styles_of(table.players)
    panels = []
    for score in SCORES:
        lines = []
        for colour, player in enumerate(table.players):
            means, widths = means_and_widths(table.by_game(row, player, score))
            lines.append(Series(player, games, means, colour, widths, style=styles[player]))
        label = "game of the episode (odd: partner first)"
        panels.append(Panel(label, f"{score} score", lines, y_range=SCORE_RANGE))
    return draw_lines(panels, title=f"with {row}")


def _belief_figure(result: AdhocResult, partner: str, player: str, beliefs: Beliefs) -> Figure:
    several = len({player for _, player in result.beliefs}) > 1
    name = "_".join(["belief", safe_name(partner), *([safe_name(player)] if several else [])])
    labels = beliefs.hypotheses, [str(game + 1) for game in range(len(beliefs.means))]
    panels = {f"belief about {partner}": beliefs.means.T}
    sides = ("hypothesis", "before this game of the episode")
    draw = partial(
        draw_matrices, panels, labels, sides, 1, colour_map="magma_r", unit="mean belief"
    )
    caption = f"What {player} believes about {partner}, mean over the episodes."
    return Figure(f"{name}.png", caption, draw)


def _compared_with_published(result: AdhocResult) -> Iterator[Block]:
    """Show each published figure next to ours of the same score and seat."""
    table = result.table
    rows = []
    for row, player in product(table.rows, table.players):
        for figure in _published(result, row, player):
            ours = show(table.over_repetitions(row, player, figure.score, figure.seat))
            values, where = ", ".join(map(str, figure.values)), f"{figure.score}, {figure.seat}"
            rows.append([row, player, where, ours, values, figure.source])
    if rows:
        yield Heading("Compared with published figures")
        yield Paragraph(
            "In the seat that the publication used. The thesis's partners are imitators, and its "
            "meta-models took some 30,000 (2 epochs) and 71,000 steps (5); other pools and "
            "partners have other scores. Means over some of its partners are not the thesis's own."
        )
        heading = ["partner", "player", "score and seat", "here", "published", "source"]
        yield Table([heading, *rows], numbers=False)


def _differences(result: AdhocResult) -> Iterator[Block]:
    pairs = _pairs_to_show(result)
    if not pairs:
        return
    yield Heading("Differences between players")
    yield Paragraph(
        "Over all partners. p of the paired t-test, whose pairs are repetitions on the same "
        "decks, and of Welch's t-test: with these partners and networks, what would other decks "
        "and trials show? By partner: p of the paired t-test whose pairs are the means with each "
        "partner: what would other partners show? All are two-sided, with Holm's correction for "
        "the number of rows; results.json has all pairs, not corrected."
    )
    columns = [["first − second", *(f"{first} − {second}" for first, second in pairs)]]
    for score in SCORES:
        found = [result.table.compare(result.overall, *pair, score) for pair in pairs]
        columns.append([score, *(f"{one.paired.difference:+.2f}" for one in found)])
        for test, words in _TESTS.items():
            p = holm([getattr(one, test).p for one in found])
            columns.append([f"{score} {words} p", *map(show_p, p)])
    yield Table(list(zip(*columns, strict=True)))


def _pairs_to_show(result: AdhocResult) -> list[tuple[str, str]]:
    """Return all pairs of players; of many, those with the best player and those of variants."""
    table = result.table
    if len(table.players) <= _MOST_COLUMNS:
        return table.pairs()
    competing = [player for player in table.players if not _knows_partner(player)]
    best, _ = table.best(result.overall, competing, "strict")
    variants = [("low-shot", "zero-shot")]
    variants += [(player, player.removesuffix(WITH_ELITES)) for player in table.players]
    known = {(best, player) for player in competing if player != best}
    known |= {pair for pair in variants if len({*pair} & {*table.players}) == 2}
    return sorted(known, key=lambda pair: [table.players.index(player) for player in pair])


def _meta_training(trainings: Mapping[str, MetaTraining]) -> Iterator[Block]:
    if not trainings:
        return
    yield Heading("Training of the meta-models")
    facts = {f"maml:{name}": training.facts() for name, training in trainings.items()}
    heading = ["meta-model", *next(iter(facts.values()))]
    yield Table([heading, *([name, *found.values()] for name, found in facts.items())])
    if not any(training.curves for training in trainings.values()):
        return
    sources = {_HELD_OUT[one.metadata["recipe"]["source"]] for one in trainings.values()}
    yield Figure(
        "training.png",
        "Scores of each meta-model with its held-out partner during training (of a family, the "
        f"mean over its agents). The partner is {' or '.join(sorted(sources))}, whatever the "
        "partners of the table are. Low-shot takes "
        "one inner step here, as in training; in the table it takes the inner steps at play. The "
        "partner has no influence on the choice of the checkpoint that plays, nor of the inner "
        "rate among those of the recipe.",
        lambda: _draw_training(trainings),
    )


def _draw_training(trainings: Mapping[str, MetaTraining]) -> Any:
    panels = []
    for what, highest in (("accuracy", 1), ("strict score", PERFECT)):
        lines = []
        for colour, (name, training) in enumerate(trainings.items()):
            for shot, line in zip(SHOTS, ("--", "-"), strict=True):
                steps, values = training.curves.get(f"held-out/{shot} {what}", ([], []))
                lines.append(Series(f"{name}, {shot}", steps, values, colour, None, line, "."))
        label = f"{what} with the held-out partner"
        panels.append(Panel("steps of meta-training", label, lines, y_range=(0, highest)))
    return draw_lines(panels)


def _how_it_was_made(result: AdhocResult) -> Iterator[Block]:
    recipe = result.recipe.model_dump(mode="json")
    seconds = {"games and learning": result.seconds}
    yield from how_it_was_made(result.made_with, result.recipe.seed, seconds, recipe)
    made_with = {partner: result.made_with_of(partner) for partner in result.recipe.partners}
    if {one["date"] for one in made_with.values()} != {result.made_with["date"]}:
        yield Paragraph("Not all rows were played by that command:")
        keys = ("date", "platform", "cpus")
        rows = [
            [partner, f"{result.seconds_of(partner):.0f} s", ", ".join(made["commits"])]
            + [str(made[key]) for key in keys]
            for partner, made in made_with.items()
        ]
        yield Table([["partner", "wall time", "commits", *keys], *rows], numbers=False)
