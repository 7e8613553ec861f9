"""Behaviour, cross-play and self-play of agents, compared with published results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from hoad.agents.behaviour import features_of
from hoad.agents.features import OBSERVABLE
from hoad.reports.output import Result, Started, six_digits
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table, numbered_matrix
from hoad.reports.plots import draw_matrices
from hoad.reports.published import (
    COMMUNICATIVENESS,
    IMITATOR_CROSS_PLAY,
    INFORMATION_PER_PLAY,
    ORIGINAL_SELF_PLAY,
    MatrixComparison,
)
from hoad.reports.statistics import SCORES, half_width
from hoad.studies.crossplay import NOT_FAIR, CrossPlay, cross_play

FEATURE_LABELS: Final = tuple(feature.replace("_", " ") for feature in OBSERVABLE)
"""The features of :func:`hoad.agents.behaviour.features_of` in tables and figures."""

_FEATURE_MEANINGS: Final = (
    "Hints given as a share of the agent's turns that began with a hint token",
    "Known attributes (colour, rank) of the cards that the agent played, as a share of all their "
    "attributes. An attribute is known if hints alone leave one value. - without plays",
)


@dataclass(frozen=True)
class AgentsResult(Result):
    """Cross-play of some agents, and longer self-play of those with a measured original."""

    pairs: CrossPlay
    self_play: tuple[CrossPlay, ...]


def measure_behaviour(
    names: Sequence[str], games: int, self_play_games: int, seed: int, threads: int = 1
) -> AgentsResult:
    """Play cross-play of the agents, and self-play of those with a measured original.

    ``games`` are those of each ordered pair; the result does not depend on ``threads``. It
    raises a HoadError if an agent is unknown.
    """
    started = Started(seed)
    pairs = cross_play(names, games, seed, threads)
    measured = [name for name in names if name in ORIGINAL_SELF_PLAY]
    self_play = tuple(cross_play([name], self_play_games, seed, threads) for name in measured)
    return AgentsResult(pairs, self_play, **started.ended())


def features_with_partners(pairs: CrossPlay) -> np.ndarray:
    """Return the features of each agent with each partner, over both seats.

    Float64, shape ``(agents, partners, 2)``; NaN where undefined.
    """
    return features_of(pairs.behaviour[:, :, 0] + pairs.behaviour[:, :, 1].swapaxes(0, 1))


def compare_with_originals(self_play: Sequence[CrossPlay]) -> Iterator[dict[str, Any]]:
    """Compare each agent's mean scores with those of the original program.

    For each agent and score: our mean ``here`` and its standard error ``here_sem``, the mean of the
    ``original``, and the difference in ``standard_errors`` of the difference. That of an original
    is estimated from the spread of our scores, which the same player has too.
    """
    for pairs in self_play:
        [agent] = pairs.agents
        original = ORIGINAL_SELF_PLAY[agent]
        for score in SCORES:
            mean, sem = getattr(pairs, score).item(), getattr(pairs, f"{score}_sem").item()
            expected = getattr(original, score)
            both = sem * np.sqrt(1 + pairs.games / original.games)
            with np.errstate(divide="ignore"):  # few games can all have the same score
                off = 0.0 if mean == expected else float(np.divide(mean - expected, both))
            row = {"agent": agent, "score": score, "games": pairs.games, "here": mean}
            row |= {"here_sem": sem, "original": expected, "original_games": original.games}
            yield {**row, "standard_errors": off}


def report(result: AgentsResult) -> Report:
    """Return features, comparisons with published values, self-play and cross-play.

    A row for each agent and partner: features over both seats, scores where the agent moves first.
    """
    pairs = result.pairs
    features = np.moveaxis(features_with_partners(pairs), -1, 0)
    matrices = zip((COMMUNICATIVENESS, INFORMATION_PER_PLAY), features, strict=True)
    canaan = [matrix.compare(pairs.agents, ours) for matrix, ours in matrices]
    thesis = IMITATOR_CROSS_PLAY.compare(pairs.agents, pairs.strict)
    originals = list(compare_with_originals(result.self_play))
    introduction = f"Each ordered pair plays {pairs.games:,} games. All pairs play the same decks"
    introduction += f" (seed {result.seed})." + ("" if all(pairs.fair) else f" {NOT_FAIR}.")
    blocks = [
        Paragraph(introduction),
        *_feature_tables(pairs.labels, features),
        *_canaan(canaan),
        *_originals(originals),
        *pairs.sections("Cross-play", "Mean ± 95 % interval; row = first player."),
    ]
    text = (
        "Here / published / difference; row = first player. The players of the thesis are "
        "imitators of the agents."
    )
    blocks += thesis.section("Compared with", text, decimals=1)
    panels, labels = dict(zip(FEATURE_LABELS, features, strict=True)), (pairs.labels, pairs.labels)
    behaviour = Figure(
        "behaviour.png",
        "Features of each agent (row) with each partner (column).",
        lambda: draw_matrices(panels, labels, ("agent", "partner"), highest=1, decimals=2),
    )
    blocks += [Heading("Heat maps"), behaviour, pairs.heat_maps()]
    facts: dict[str, Any] = {
        "features": dict(zip(OBSERVABLE, features, strict=True)),
        "compared_with_canaan": dict(zip(OBSERVABLE, map(asdict, canaan), strict=True)),
        "compared_with_thesis": asdict(thesis),
        "self_play": originals,
        "cross_play": pairs.as_mapping() | {"fair": pairs.fair},
    }
    rows = []
    for (row, agent), (column, partner) in product(enumerate(pairs.agents), repeat=2):
        values = dict(zip(OBSERVABLE, map(six_digits, features[:, row, column]), strict=True))
        rows.append({"agent": agent, "partner": partner, **values, **pairs.scores(row, column)})
    return result.report("Behaviour and scores of agents", blocks, rows, facts)


def _feature_tables(labels: Sequence[str], features: np.ndarray) -> Iterator[Block]:
    for label, meaning, matrix in zip(FEATURE_LABELS, _FEATURE_MEANINGS, features, strict=True):
        yield Heading(label.capitalize())
        yield Paragraph(f"{meaning}. Row = agent, column = partner; over both seats.")
        cells = [["-" if np.isnan(v) else f"{v:.2f}" for v in row] for row in matrix]
        yield numbered_matrix("agent \\ partner", labels, cells)


def _canaan(comparisons: Sequence[MatrixComparison]) -> Iterator[Block]:
    published = [comparison for comparison in comparisons if comparison.agents]
    for comparison in published:
        off = np.abs(comparison.here - comparison.published)
        row, column = np.unravel_index(np.nanargmax(off), off.shape)
        text = (
            f"Here / published / difference. Mean absolute difference {np.nanmean(off):.2f}; "
            f"largest {off[row, column]:.2f}, of {comparison.agents[row]} with "
            f"{comparison.partners[column]}."
        )
        yield from comparison.summarised().section("Compared with", text, decimals=2)
    if published:
        yield Paragraph("results/agents/README.md explains the differences.")


def _originals(comparisons: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    if not comparisons:
        return
    yield Heading("Self-play compared with the original programs")
    yield Paragraph(
        "Mean scores of separate games, ± 95 % interval, and their difference in standard errors "
        "of the difference. The scores of an original program are assumed to have the same spread "
        "as ours."
    )
    heading = ["agent", "score", "games", "here", "original games", "original", "difference/s.e."]
    cells = ["{agent}", "{score}", "{games:,}", "{here:.3f} ± {width:.3f}"]
    cells += ["{original_games:,}", "{original:.3f}", "{standard_errors:+z.2f}"]
    rows = ({**row, "width": half_width(row["here_sem"], row["games"])} for row in comparisons)
    yield Table([heading, *([cell.format(**row) for cell in cells] for row in rows)])
