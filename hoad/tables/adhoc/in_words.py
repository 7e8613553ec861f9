"""What an ad-hoc table shows, in a paragraph that is computed from its scores."""

from pathlib import Path

from hoad.players.registry import Column
from hoad.reports.statistics import Estimate, show
from hoad.tables.adhoc.published import difference_of, estimate_of, overall_scores, read_table


def in_words(folder: Path) -> str:
    """Say what adapting gains, and which player does best, in the strict scores of a table.

    A difference is called a gain or a loss if its 95 % interval does not contain 0. A folder
    without an ad-hoc table is a HoadError.
    """
    facts = read_table(folder)
    scores = {row["player"]: estimate_of(row) for row in overall_scores(folder, facts)}
    partners = ", ".join(facts["recipe"]["partners"])
    support = facts["recipe"]["support_games"]
    sentences = [f"Strict scores with {partners}; players have seen at most {support} games of it."]
    if {"zero-shot", "low-shot"} <= scores.keys():
        gain = difference_of(facts, "low-shot", "zero-shot")
        sentences.append(
            f"The meta-model scores {show(scores['zero-shot'])} as it is, and "
            f"{show(scores['low-shot'])} after it has adapted to {support} games: {_gain(gain)}."
        )
    if "random-partner" in scores and "low-shot" in scores:
        gain = difference_of(facts, "low-shot", "random-partner")
        sentences.append(f"Adapted, against random partners: {_gain(gain)}.")
    competing = [name for name in scores if not Column.parse(name).kind.knows_partner]
    if len(competing) > 1:
        best = max(competing, key=lambda name: scores[name].mean)
        close = [
            name
            for name in competing
            if name != best and not _is_certain(difference_of(facts, best, name))
        ]
        sentences.append(
            f"The best player that does not know the partner is {best} with {show(scores[best])}"
            + (f" (no measurable difference from {', '.join(close)})." if close else ".")
        )
    if "self-play" in scores:
        sentences.append(f"The partner with itself scores {show(scores['self-play'])}.")
    return " ".join(sentences)


def _is_certain(difference: Estimate) -> bool:
    return difference.count > 1 and abs(difference.mean) > difference.half_width


def _gain(difference: Estimate) -> str:
    size = show(Estimate(abs(difference.mean), difference.half_width, difference.count))
    if not _is_certain(difference):
        return f"no measurable difference ({size})"
    return f"a {'gain' if difference.mean > 0 else 'loss'} of {size} points"
