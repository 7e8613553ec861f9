"""The report of ``evaluate.py bounds``."""

from collections.abc import Iterator
from typing import Final

from hoad.agents.registry import shown_name
from hoad.reports.output import six_digits
from hoad.reports.page import Block, Heading, Paragraph, Report, Table
from hoad.reports.statistics import SCORES, estimate, show
from hoad.studies.bounds.measure import KINDS, Bound, Bounds
from hoad.studies.search.report import with_games

_GAMES_OF_SEAT: Final = {
    "both": slice(None),
    "partner first": slice(1, None, 2),
    "player first": slice(0, None, 2),
}
"""The games of a bound in which the player and its partner have these seats."""


def report(result: Bounds) -> Report:
    """Return tables of the bounds of both scores, over both seats and by seat."""
    recipe = result.recipe
    blocks: list[Block] = [Paragraph(_explanation(result))]
    for score in reversed(SCORES):
        blocks += [Heading(f"{score.capitalize()} scores"), _table(result, score)]
    blocks.append(Heading("By seat"))
    for score in reversed(SCORES):
        blocks += [Paragraph(f"{score.capitalize()} scores."), _table_by_seat(result, score)]
    keys = ("games", "choosing_games", "rollouts")
    facts = {"agents": result.agents, **{key: getattr(recipe, key) for key in keys}}
    rows = [row for bound in result.bounds for row in _rows(bound)]
    page = result.report("Best-response bounds", blocks, rows, facts)
    return with_games(page, "bounds", recipe, result.searched, "games of search-oracle")


def _explanation(result: Bounds) -> str:
    recipe = result.recipe
    searched = {played.setting.agent for played in result.searched}
    missing = [name for name in result.agents if name not in searched]
    text = (
        "How well one can play with each agent: lower bounds of the score of its best response, "
        f"which nobody knows. The best response is the one of these {len(result.agents)} agents "
        f"that scores most with the agent in {2 * recipe.choosing_games:,} games, half of them in "
        f"each seat. Its score here is that of {recipe.games:,} games on other decks, so it is not "
        "the maximum of noisy means. search-oracle searches with the agent itself as the model of "
        f"its partner, with up to {recipe.rollouts:,} rollouts a decision; its blueprint is the "
        "best response that is compiled, by the strict score. Strict scores are 0 after the loss "
        "of the last life. All players play the same decks, each in both seats, search-oracle the "
        "first of them; means ± 95 % interval."
    )
    if missing:
        text += f" Agents without games of search-oracle: {len(missing)}; their cells are empty."
    return text


def _table(result: Bounds, score: str) -> Table:
    rows = [["agent", "self-play", "best response", "its score", "search-oracle", "games"]]
    for name in result.agents:
        bounds = result.of(name, score)
        own, best, search = (bounds.get(kind) for kind in KINDS)
        cells = [_cell(own), shown_name(best.player) if best else "", _cell(best), _cell(search)]
        rows.append([shown_name(name), *cells, f"{len(search.scores):,}" if search else ""])
    return Table(rows)


def _table_by_seat(result: Bounds, score: str) -> Table:
    seats = [seat for seat in _GAMES_OF_SEAT if seat != "both"]
    kinds = [kind for kind in KINDS if kind != "self-play"]
    rows = [["agent", *(f"{kind}, {seat}" for kind in kinds for seat in seats)]]
    for name in result.agents:
        bounds = result.of(name, score)
        cells = [_cell(bounds.get(kind), seat) for kind in kinds for seat in seats]
        rows.append([shown_name(name), *cells])
    return Table(rows)


def _cell(bound: Bound | None, seat: str = "both") -> str:
    return show(estimate(bound.scores[_GAMES_OF_SEAT[seat]])) if bound else ""


def _rows(bound: Bound) -> Iterator[dict[str, object]]:
    """Yield a row for each seat; the seats of self-play are alike."""
    for seat, games in _GAMES_OF_SEAT.items():
        if bound.kind == "self-play" and seat != "both":
            continue
        estimated = estimate(bound.scores[games])
        what = {"agent": bound.partner, "bound": bound.kind, "player": bound.player}
        mean, width = six_digits(estimated.mean), six_digits(estimated.half_width)
        numbers = {"mean": mean, "half_width": width, "games": estimated.count}
        yield {**what, "score": bound.score, "seat": seat, **numbers}
