"""The report on an ad-hoc table, in which players meet partners that they have never met."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import Any, Final

from hoad.agents.registry import shown_name
from hoad.players.registry import WITH_ELITES, Column
from hoad.reports.output import how_it_was_made, how_to_make_it_again, six_digits
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table, passage
from hoad.reports.published import published
from hoad.reports.statistics import (
    INTERVAL,
    PAIRED_TEST,
    SCORES,
    WELCH_TEST,
    Estimate,
    holm,
    show,
    show_difference,
    show_p,
)
from hoad.tables.adhoc.figures import (
    belief_figure,
    by_game_figure,
    distribution,
    draw_training,
    proximity,
    score_figures,
)
from hoad.tables.adhoc.recipe import PARTNERS, AdhocRecipe
from hoad.tables.adhoc.table import MOST_SIDE_BY_SIDE, AdhocResult, table_rows
from hoad.tables.meta_training import MetaTraining
from hoad.tables.scores import FEWEST_TO_TEST, SEATS

_FEWEST_DRAWN: Final = 10
"""Means of fewer games a pair are noise, and have no figure of cross-play."""

_TEXTS: Final = "adhoc.txt"
_STATISTICS: Final = {
    "interval": INTERVAL,
    "paired_test": PAIRED_TEST,
    "welch_test": WELCH_TEST,
    "fewest": FEWEST_TO_TEST,
}
"""What texts call intervals and tests."""

_TESTS: Final = {"paired": "paired", "welch": "Welch", "by_partner": "by-partner"}
"""The tests of :class:`~hoad.tables.scores.Comparisons` in a table."""

_HELD_OUT: Final = {"originals": "the agent itself", "imitators": "the agent's imitator"}
"""Partners of a meta-training's validation games, by its recipe's source."""


def adhoc_report(result: AdhocResult) -> Report:
    """Return the report: tables and figures, tidy rows by partner, player, score and seat."""
    rows = list(_tidy_rows(result))
    recipe, partner = result.recipe.own_values, result.recipe.partners[-1]
    row = f"--partners {shlex.quote(partner)}"
    blocks, again = how_to_make_it_again("adhoc", recipe, f"the row of {partner}", row)
    appendix = [*_how_it_was_made(result), *blocks]
    page = list(_page(result)) if result.recipe.figures else _without_figures(_page(result))
    title = "Ad-hoc play with partners never met"
    return Report(title, page, rows, _facts(result), appendix, again)


def _without_figures(page: Iterable[Block]) -> list[Block]:
    """Return the blocks that are no figures, without the headings that they leave empty."""
    blocks = [block for block in page if not isinstance(block, Figure)]
    following: list[Block | None] = [*blocks[1:], None]
    return [
        block
        for block, after in zip(blocks, following, strict=True)
        if not (isinstance(block, Heading) and isinstance(after, Heading | None))
    ]


def _tidy_rows(result: AdhocResult) -> Iterator[dict[str, object]]:
    """Yield the rows; ``games`` counts those of all partners where the row is a mean over some."""
    table = result.table
    for row, player, score, seat in product(table.rows, table.players, SCORES, SEATS):
        repetitions = table.over_repetitions(row, player, score, seat)
        games = table.over_games(row, player, score, seat)
        yield {
            "partner": row,
            "player": player,
            "score": score,
            "seat": seat,
            "mean": repetitions.mean,
            "half_width": repetitions.half_width,
            "repetitions": repetitions.count,
            "half_width_over_games": games.half_width,
            "games": games.count * len(result.partners_of(row)),
        }


def _six_digits_of(estimated: Estimate) -> dict[str, Any]:
    values = asdict(estimated)
    return values | {key: six_digits(values[key]) for key in ("mean", "half_width")}


def _facts(result: AdhocResult) -> dict[str, Any]:
    table = result.table
    cells = list(product(table.rows, table.players))
    return {
        "made_with": dict(result.made_with),
        "seconds": result.seconds,
        "recipe": result.recipe.model_dump(mode="json"),
        "played": {
            name: {"made_with": result.made_with_of(name), "seconds": result.seconds_of(name)}
            for name in result.recipe.players
        },
        "by_game": [
            {"partner": row, "player": player, "score": score}
            | {"games": [_six_digits_of(game) for game in table.by_game(row, player, score)]}
            for (row, player), score in product(cells, SCORES)
        ],
        "published": [
            {"partner": row, "player": player} | asdict(found)
            for row, player in cells
            for found in published(result.partners_of(row), player)
        ],
        "comparisons": {
            score: [
                {"first": first, "second": second}
                | {"difference": tests.difference.mean, "half_width": tests.difference.half_width}
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
        "meta_training": {partner: vars(run) for partner, run in result.trainings.items()},
    }


def _page(result: AdhocResult) -> Iterator[Block]:
    yield _what_was_played(result.recipe)
    yield Heading("The table")
    for score in SCORES:
        yield Table(table_rows(result, score))
    tested = result.table.can_compare(*result.competing)
    yield _paragraph("how_to_read", what_repeats=what_repeats(result.recipe), all_tested=tested)
    yield from score_figures(result)
    yield from distribution(result)
    yield Heading("Score by game number")
    yield by_game_figure(result)
    yield from belief_figure(result)
    yield Heading("By seat")
    for score, seat in product(SCORES, list(SEATS)[1:]):
        yield Table(table_rows(result, score, seat))
    yield from proximity(result)
    yield from _compared_with_published(result)
    yield from _differences(result)
    for player in ("low-shot", "search"):
        yield from _gains_by_partner(result, player)
    if (games := result.cross_play.games) >= _FEWEST_DRAWN:
        yield Heading("Cross-play")
        caption = f"Partners and agents with each other, {games:,} games a pair."
        yield result.cross_play.heat_maps(caption)
    yield from _meta_training(result.trainings)


def what_repeats(recipe: AdhocRecipe) -> str:
    """Say what the repetitions of the players are, over which intervals are taken."""
    return passage(_TEXTS, "what_repeats", meta_models=recipe.meta_models)


def _paragraph(name: str, **values: Any) -> Paragraph:
    return Paragraph(passage(_TEXTS, name, **_STATISTICS, **values))


def _what_was_played(recipe: AdhocRecipe) -> Paragraph:
    columns = [Column.parse(player) for player in recipe.players]
    return _paragraph(
        "what_was_played",
        recipe=recipe,
        partners=PARTNERS[recipe.source],
        from_others=list(dict.fromkeys(f"{c.word}:X" for c in columns if c.learned_from)),
        need_pool=any(column.kind.needs_pool for column in columns),
    )


def _compared_with_published(result: AdhocResult) -> Iterator[Block]:
    """Show each published figure next to ours of the same score and seat.

    The papers hold out no family.
    """
    if result.recipe.hold_out == "family":
        return
    table = result.table
    rows = []
    for row, player in product(table.rows, table.players):
        for figure in published(result.partners_of(row), player):
            ours = show(table.over_repetitions(row, player, figure.score, figure.seat))
            values, where = ", ".join(map(str, figure.values)), f"{figure.score}, {figure.seat}"
            rows.append([row, player, where, ours, values, figure.source])
    if rows:
        yield Heading("Compared with published figures")
        yield _paragraph("compared_with_published")
        heading = ["partner", "player", "score and seat", "here", "published", "source"]
        yield Table([heading, *rows], numbers=False)


def _differences(result: AdhocResult) -> Iterator[Block]:
    pairs = _pairs_to_show(result)
    if not pairs:
        return
    yield Heading("Differences between players")
    yield _paragraph("differences")
    names = [(shown_name(first), shown_name(second)) for first, second in pairs]
    columns = [["first − second", *(f"{first} − {second}" for first, second in names)]]
    for score in SCORES:
        comparisons = [result.table.compare(result.overall, *pair, score) for pair in pairs]
        columns.append([score, *(show_difference(each.difference) for each in comparisons)])
        for test, words in _TESTS.items():
            p = holm([getattr(each, test).p for each in comparisons])
            columns.append([f"{score} {words} p", *map(show_p, p)])
    yield Table(list(zip(*columns, strict=True)))


def _gains_by_partner(result: AdhocResult, player: str) -> Iterator[Block]:
    """Show what a player gains on each other player, with each partner."""
    table = result.table
    others = [other for other in table.players if other != player]
    if player not in table.players or not others:
        return
    yield Heading(f"What {player} gains on each other player")
    yield _paragraph("gains", player=player)
    rows = [[f"{player} minus", *map(shown_name, table.rows)]]
    for other in others:
        differences = [table.compare(row, player, other, "strict").difference for row in table.rows]
        rows.append([shown_name(other), *map(show_difference, differences)])
    yield Table(rows)


def _pairs_to_show(result: AdhocResult) -> list[tuple[str, str]]:
    """Return all pairs of players; of many, those with the best player and those of variants."""
    table = result.table
    if len(table.players) <= MOST_SIDE_BY_SIDE:
        return table.pairs()
    competing = result.competing
    best, _ = table.best(result.overall, competing, "strict")
    variants = [("low-shot", "zero-shot")]
    variants += [(player, player.removesuffix(WITH_ELITES)) for player in table.players]
    pairs = {(best, player) for player in competing if player != best}
    pairs |= {
        pair
        for pair in variants
        if len({*pair} & {*table.players}) == 2 and pair[::-1] not in pairs
    }
    return sorted(pairs, key=lambda pair: [table.players.index(player) for player in pair])


def _meta_training(trainings: Mapping[str, MetaTraining]) -> Iterator[Block]:
    if not trainings:
        return
    yield Heading("Training of the meta-models")
    facts = {f"maml:{name}": training.facts() for name, training in trainings.items()}
    heading = ["meta-model", *next(iter(facts.values()))]
    yield Table([heading, *([name, *fact.values()] for name, fact in facts.items())])
    if not any(training.curves for training in trainings.values()):
        return
    sources = {_HELD_OUT[run.metadata["recipe"]["source"]] for run in trainings.values()}
    caption = passage(_TEXTS, "training_curves", sources=sorted(sources))
    yield Figure("training.png", caption, partial(draw_training, trainings))


def _how_it_was_made(result: AdhocResult) -> Iterator[Block]:
    recipe = result.recipe.model_dump(mode="json")
    seconds = {"games and learning": result.seconds}
    yield from how_it_was_made(result.made_with, result.recipe.seed, seconds, recipe)
    if any(cell.made_with["date"] != result.made_with["date"] for cell in result.cells.values()):
        yield Paragraph("Not all games were played by that command:")
        heading = ["player", "wall time", "commits", "latest date", "machines"]
        rows = []
        for player in result.recipe.players:
            made, time = result.made_with_of(player), f"{result.seconds_of(player):.0f} s"
            commits, machines = (", ".join(made[key]) for key in ("commits", "machines"))
            rows.append([player, time, commits, made["date"], machines])
        yield Table([heading, *rows], numbers=False)
