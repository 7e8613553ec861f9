"""The report of ``evaluate.py search``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

import numpy as np

from hoad.core.provenance import provenance_of_all
from hoad.core.recipe import Recipe
from hoad.reports.output import how_to_make_it_again
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import Estimate, estimate, show, show_difference
from hoad.studies.search.measure import Searched, SearchResult, Who

_WORDS: Final[Mapping[Who, str]] = {
    "itself": "self-play",
    "one": "one searches",
    "both": "both search",
}


def report(result: SearchResult) -> Report:
    """Return the table of all agents, and the curve of scores by rollouts."""
    recipe = result.recipe
    blocks: list[Block] = [
        Paragraph(
            "One-ply search over a belief of the own hand, with the agent itself as the model of "
            "the partner and as blueprint (after Lerer et al. 2020). Where both search, each takes "
            "the other for the agent without search. All rows start with the same decks (seed "
            f"{result.seed}); means ± 95 % interval. What search gains is the strict score minus "
            "that of self-play in the same games. Times are processor seconds."
        ),
        Table([_HEADING, *(_cells(played, result) for played in result.table)]),
    ]
    if result.curve:
        blocks += [
            Heading("Score by rollouts"),
            Paragraph("One player searches."),
            Table([_HEADING, *(_cells(played, result) for played in result.curve)]),
            Figure(
                "rollouts.png",
                "Mean strict score by the most rollouts of a decision, with 95 % intervals.",
                lambda: draw_lines([_curves(result)]),
            ),
        ]
    rows = [_row(played, result) for played in (*result.table, *result.curve)]
    page = result.report("Search with a known partner", blocks, rows, {"games": recipe.games})
    inside = {played.setting for played in result.table}  # which may hold points of the curve
    points = [played for played in result.curve if played.setting not in inside]
    return with_games(page, "search", recipe, [*result.table, *points])


_HEADING: Final = [
    *("agent", "who searches", "rollouts", "games", "strict", "minus self-play", "lenient"),
    *("seconds a game", "seconds a move", "95th percentile"),
]


def _cells(played: Searched, result: SearchResult) -> list[str]:
    setting, row, gain = played.setting, _row(played, result), _gain(played, result)
    times = [row[key] for key in ("seconds_a_game", "seconds_a_move", "p95")]
    return [
        setting.agent,
        _WORDS[setting.who],
        "" if _is_self_play(played) else f"{setting.rollouts:,}",
        f"{row['games']:,}",
        show(estimate(played.strict)),
        show_difference(gain) if gain else "",
        show(estimate(played.lenient)),
        *("" if value is None else f"{value:.3f}" for value in times),
    ]


def with_games(
    page: Report, command: str, recipe: Recipe, settings: Sequence[Searched], what: str = "games"
) -> Report:
    """Return a page that also says what played the games, and how to make it again."""
    values = recipe.model_dump(mode="json", exclude={"kept"})
    lines, again = how_to_make_it_again(command, values)
    played = _played_by(settings, page.facts["made_with"], what)
    return replace(page, appendix=[*page.appendix, *played, *lines], recipe=again)


def _played_by(
    settings: Sequence[Searched], made_with: Mapping[str, Any], what: str
) -> Iterator[Block]:
    """Yield the processor time of all games, and what played them if not this run alone."""
    agents: dict[tuple[str, str], list[str]] = {}  # by commit and machine
    for played in settings:
        for made in played.made_with:
            origin = provenance_of_all([made]) if made else {"commits": ["not recorded"]}
            where = origin["commits"][0], origin.get("machines", ["not recorded"])[0]
            agents.setdefault(where, []).append(played.setting.agent)
    seconds = sum(played.seconds for played in settings)
    yield Paragraph(f"All {what} took {seconds:,.0f} s of processor time.")
    if any(made != made_with for played in settings for made in played.made_with):
        yield Paragraph(f"Not all {what} were played by that command:")
        lines = [[", ".join(dict.fromkeys(names)), *where] for where, names in agents.items()]
        yield Table([["games of", "commit", "machine"], *lines], numbers=False)


def _gain(played: Searched, result: SearchResult) -> Estimate | None:
    """Return what search gains on self-play, in the games that both have played; None if none."""
    self_play = {row.setting.agent: row.strict for row in result.table if _is_self_play(row)}
    if _is_self_play(played) or played.setting.agent not in self_play:
        return None
    before = self_play[played.setting.agent]
    games = min(len(played.strict), len(before))
    return estimate(played.strict[:games] - before[:games])


def _is_self_play(played: Searched) -> bool:
    return played.setting.who == "itself"


def _row(played: Searched, result: SearchResult) -> dict[str, Any]:
    strict, lenient, gain = estimate(played.strict), estimate(played.lenient), _gain(played, result)
    searched = played.moves.size > 0
    return {
        **{key: getattr(played.setting, key) for key in ("agent", "who", "rollouts")},
        "games": len(played.strict),
        **_of_estimate("strict", strict),
        **_of_estimate("minus_self_play", gain),
        **_of_estimate("lenient", lenient),
        "seconds_a_game": played.seconds / len(played.strict),
        "seconds_a_move": float(played.moves.mean()) if searched else None,
        "p95": float(np.percentile(played.moves, 95)) if searched else None,
    }


def _of_estimate(name: str, value: Estimate | None) -> dict[str, float | None]:
    mean, half_width = (value.mean, value.half_width) if value else (None, None)
    return {name: mean, f"{name}_half_width": half_width}


def _curves(result: SearchResult) -> Panel:
    series = []
    for agent, group in groupby(result.curve, key=lambda played: played.setting.agent):
        points = list(group)
        rollouts = [float(played.setting.rollouts) for played in points]
        means = (estimate(played.strict) for played in points)
        series.append(Series.of_estimates(agent, rollouts, means))
    ticks = sorted(result.recipe.curve_rollouts)
    return Panel("rollouts", "mean strict score", series, log_ticks=ticks)
