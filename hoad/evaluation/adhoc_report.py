"""The report of an ad-hoc evaluation: one page with tables and figures."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hoad.core.files import make_folder, safe_name
from hoad.evaluation.adhoc_numbers import AdhocResult, as_csv, as_mapping
from hoad.evaluation.adhoc_table import SEATS, AdhocTable, Comparisons
from hoad.evaluation.meta_training import MetaTraining
from hoad.evaluation.published import published
from hoad.evaluation.report.old import (
    Block,
    Heading,
    Paragraph,
    Table,
    draw_belief,
    draw_by_game,
    draw_cross_play,
    draw_players,
    draw_training,
    how_it_was_made,
    old_figure,
    write_report,
)
from hoad.evaluation.statistics import SCORES, show, show_p

_TRAINING: Final = "training.png"

_OF_A_ROW: Final = ("date", "platform", "cpus")

_TESTS: Final = (" paired p", " Welch p", " by-partner p")

_HELD_OUT: Final = {"originals": "the agent itself", "imitators": "the agent's imitator"}
"""Whom a training plays validation games with, by its recipe's source."""

TITLE: Final = "Ad-hoc play with partners never met"


def write_adhoc_report(result: AdhocResult) -> Path:
    """Write page, figures, JSON and CSV into the recipe's folder; return the page.

    Raises:
        HoadError: nothing can be written there.
    """
    folder = result.recipe.out
    make_folder(folder)
    draw_players(result.table, folder / "players.png")
    draw_by_game(result.table, folder / "by_game.png")
    draw_cross_play(result.cross_play, folder / "cross_play.png")
    for partner, beliefs in result.beliefs.items():
        draw_belief(beliefs, partner, folder / _belief_file(partner))
    trainings = result.trainings
    if any(training.curves for training in trainings.values()):
        draw_training(trainings, folder / _TRAINING)
    page = [*_page(result), *_meta_training(trainings, folder), *_how_it_was_made(result)]
    return write_report(folder, page, as_mapping(result), as_csv(result))


def table_rows(table: AdhocTable, score: str, seat: str = "both") -> list[list[str]]:
    """Return the ad-hoc table's cells as text, with a heading: ``mean ± half width``."""
    heading = [f"{score} score", *table.players]
    return [
        heading,
        *(
            [row, *(show(table.over_repetitions(row, p, score, seat)) for p in table.players)]
            for row in table.rows
        ),
    ]


def _page(result: AdhocResult) -> Iterator[Block]:
    table, folder = result.table, result.recipe.out
    yield Heading(TITLE, level=1)
    yield Paragraph(_what_was_played(result))
    yield Heading("The table")
    for score in SCORES:
        yield Table(table_rows(table, score))
    yield Paragraph(
        "Mean ± half the width of the 95 % interval (Student's t) over repetitions: trials for "
        "low-shot and naive, which learn the partner anew in each, and episodes for the others. "
        "Lenient: cards on the fireworks; strict: 0 when the last life is lost."
    )
    yield old_figure(folder / "players.png", "Mean scores with 95 % intervals over repetitions.")
    yield Heading("Score by game number")
    yield old_figure(
        folder / "by_game.png",
        "Mean score of each game of an episode, with 95 % intervals over repetitions.",
    )
    for partner in result.beliefs:
        yield old_figure(
            folder / _belief_file(partner),
            f"What adaptive believes about {partner}, mean over the episodes.",
        )
    yield from _by_seat(table)
    yield from _beside_published(table)
    yield from _differences(table)
    yield Heading("Cross-play")
    yield old_figure(
        folder / "cross_play.png",
        f"Partners and agents with each other, {result.cross_play.games:,} games a pair.",
    )


def _belief_file(partner: str) -> str:
    return "belief_" + safe_name(partner) + ".png"


def _what_was_played(result: AdhocResult) -> str:
    recipe = result.recipe
    games = recipe.episodes * recipe.games_per_episode
    return (
        f"Each player meets each partner in {games:,} games: {recipe.episodes:,} episodes of "
        f"{recipe.games_per_episode} games, half of them in each seat, on the same decks for "
        f"all. Partners are {recipe.source}. Low-shot and naive players learn in "
        f"{recipe.trials} trials, each from {recipe.support_games} fresh self-play games of the "
        "partner. Besides these, the partner of the row is left out: of the training of the "
        "meta-model of its row, of the pools of meta-agents and of random partners. The decks "
        "are nobody's training decks. A network that is named here was trained once: intervals "
        "do not tell how another training would have done."
    )


def _by_seat(table: AdhocTable) -> Iterator[Block]:
    yield Heading("By seat")
    for score in SCORES:
        for seat in list(SEATS)[1:]:
            heading, *rows = table_rows(table, score, seat)
            yield Table([[f"{score} score, {seat}", *heading[1:]], *rows])


def _beside_published(table: AdhocTable) -> Iterator[Block]:
    """Show each published figure beside ours of the same score and seat."""
    rows = [
        [
            row,
            player,
            f"{figure.score}, {figure.seat}",
            show(table.over_repetitions(row, player, figure.score, figure.seat)),
            ", ".join(map(str, figure.values)),
            figure.source,
        ]
        for row in table.rows
        for player in table.players
        for figure in published(table.partners_of(row), player)
    ]
    if rows:
        yield Heading("Beside published figures")
        yield Paragraph(
            "In the seat that the publication used. The thesis's partners are imitators, and its "
            "meta-models took some 30,000 (2 epochs) and 71,000 steps (5); other pools and "
            "partners have other scores. Means over some of its partners are not the thesis's own."
        )
        yield Table(
            [["partner", "player", "score and seat", "here", "published", "source"], *rows],
            numbers=False,
        )


def _differences(table: AdhocTable) -> Iterator[Block]:
    lenient, strict = (table.comparisons(score) for score in SCORES)
    if not lenient:
        return
    yield Heading("Differences between players")
    yield Paragraph(
        "Over all partners. p of the paired t-test, whose pairs are repetitions on the same "
        "decks, and of Welch's t-test: with these partners and networks, what would other decks "
        "and trials show? By partner: p of the paired t-test whose pairs are the means with each "
        "partner: what would other partners show? All are two-sided, not corrected for the number "
        "of comparisons."
    )
    heading = ["first − second"]
    heading += [f"{score}{what}" for score in SCORES for what in ("", *_TESTS)]
    rows = [
        [
            f"{first} − {second}",
            *_compared(lenient[first, second]),
            *_compared(strict[first, second]),
        ]
        for first, second in lenient
    ]
    yield Table([heading, *rows])


def _meta_training(trainings: Mapping[str, MetaTraining], folder: Path) -> Iterator[Block]:
    if not trainings:
        return
    yield Heading("Training of the meta-models")
    facts = {partner: training.facts() for partner, training in trainings.items()}
    heading = ["held-out partner", *next(iter(facts.values()))]
    yield Table([heading, *([partner, *found.values()] for partner, found in facts.items())])
    if any(training.curves for training in trainings.values()):
        yield old_figure(folder / _TRAINING, _what_the_curves_show(trainings))


def _what_the_curves_show(trainings: Mapping[str, MetaTraining]) -> str:
    partners = {_HELD_OUT[training.card["recipe"]["source"]] for training in trainings.values()}
    return (
        "How each meta-model does with its held-out partner as its training goes on: with "
        f"{' or '.join(sorted(partners))}, whoever the partners of the table are. Low-shot takes "
        "one inner step here, as in training; in the table it takes the inner steps at play. The "
        "partner has no say in which checkpoint plays, nor in which of the recipe's inner rates "
        "is taken, if there are several."
    )


def _how_it_was_made(result: AdhocResult) -> Iterator[Block]:
    recipe = result.recipe.model_dump(mode="json")
    seconds = {"games and learning": result.seconds}
    yield from how_it_was_made(result.made_with, result.recipe.seed, seconds, recipe)
    dates = {row.made_with["date"] for row in result.rows.values()}
    if dates != {result.made_with["date"]}:
        yield Paragraph("Not all rows were played by that command:")
        rows = [
            [
                partner,
                f"{row.seconds:.0f} s",
                ", ".join(row.made_with["commits"]),
                *(str(row.made_with[key]) for key in _OF_A_ROW),
            ]
            for partner, row in result.rows.items()
        ]
        yield Table([["partner", "wall time", "commits", *_OF_A_ROW], *rows], numbers=False)


def _compared(tests: Comparisons) -> list[str]:
    return [f"{tests.paired.difference:+.2f}", *(show_p(test.p) for test in tests)]
