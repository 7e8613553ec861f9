"""The report of ``evaluate.py imitators``."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from hoad.reports.output import how_it_was_made, how_to_make_it_again
from hoad.reports.page import Block, Heading, Paragraph, Report, Table
from hoad.reports.published import IMITATOR_ACCURACY, IMITATOR_CROSS_PLAY, imitator_self_play
from hoad.reports.statistics import SCORES
from hoad.studies.imitators.measure import ImitatorsResult


def report(result: ImitatorsResult) -> Report:
    """Return accuracy, self-play and cross-play; a row for each ordered pair."""
    recipe, pairs = result.recipe, result.pairs
    imitators = slice(len(recipe.agents), None)
    thesis = IMITATOR_CROSS_PLAY.compare(recipe.agents, pairs.strict[imitators, imitators])
    text = "Strict scores: here / published / difference; row = first player."
    blocks = [*_accuracy(result), *_self_play(result)]
    blocks += thesis.section("Cross-play of imitators, compared with", text, decimals=1)
    text = f"Mean of {pairs.games:,} games ± 95 % interval; row = first player. All pairs play "
    text += "the same decks, which are disjoint from training decks."
    blocks += pairs.sections("Cross-play of agents and imitators", text)
    blocks += [Heading("Heat maps"), pairs.heat_maps()]
    values = recipe.model_dump(mode="json")
    facts: dict[str, Any] = {
        "recipe": values,
        "seconds": result.seconds,
        "imitators": {
            agent: asdict(imitation) | {"published_accuracy": IMITATOR_ACCURACY.get(agent)}
            for agent, imitation in result.imitations.items()
        },
        "cross_play": pairs.as_mapping(),
        "made_with": result.made_with,
    }
    seconds = {"measures and games": result.seconds}
    made = how_it_was_made(result.made_with, recipe.seed, seconds, values)
    title = "Imitators compared with the agents that they imitate"
    command, again = how_to_make_it_again("imitators", values)
    appendix = [*_networks(result), *made, *command]
    return Report(title, blocks, pairs.tidy_rows(), facts, appendix, again)


def _accuracy(result: ImitatorsResult) -> Iterator[Block]:
    yield Heading("Accuracy on test games")
    yield Paragraph(
        "Share of moves that are the network's first choice among all 20 moves, and among the "
        "legal moves. The ceiling is the accuracy of the agent's true distribution, given the "
        "agent's memory and slots; the imitator sees only the observation. The thesis splits its "
        "games by transition (table 2.1), so its training data include parts of its test "
        "games."
    )
    rows = [["agent", "decisions", "accuracy", "among legal", "ceiling", "thesis", "loss"]]
    for agent, imitation in result.imitations.items():
        measures = imitation.measures
        shares = (measures.accuracy, measures.masked_accuracy, imitation.ceiling)
        thesis = f"{IMITATOR_ACCURACY[agent]:.1%}" if agent in IMITATOR_ACCURACY else "-"
        cells = [f"{imitation.transitions:,}", *(f"{share:.2%}" for share in shares), thesis]
        rows.append([agent, *cells, f"{measures.loss:.4f}"])
    yield Table(rows)


def _self_play(result: ImitatorsResult) -> Iterator[Block]:
    yield Heading("Self-play")
    yield Paragraph(
        f"Mean of {result.pairs.games:,} games ± 95 % interval. The thesis reports strict scores "
        "of imitators (table 2.2)."
    )
    kinds = [f"{kind}, {score}" for kind in ("agent", "imitator") for score in SCORES]
    rows = [["agent", *kinds, "thesis, strict"]]
    count = len(result.recipe.agents)
    for index, agent in enumerate(result.recipe.agents):
        players = (index, index + count)
        scores = [result.pairs.cell(score, name, name) for name in players for score in SCORES]
        published = imitator_self_play(agent)
        rows.append([agent, *scores, "-" if published is None else f"{published:.1f}"])
    yield Table(rows)


def _networks(result: ImitatorsResult) -> Iterator[Block]:
    rows = [["agent", "steps", "best step", "trained at commits"]]
    for agent, imitation in result.imitations.items():
        cells = ["-", "-", "-"]
        if metadata := imitation.metadata:
            commits = metadata["made_with"]["commits"]
            steps, best = metadata["recipe"]["steps"], metadata["step"]
            cells = [f"{steps:,}", f"{best:,}", ", ".join(commits)]
        rows.append([agent, *cells])
    yield Heading("The networks")
    yield Table(rows)
