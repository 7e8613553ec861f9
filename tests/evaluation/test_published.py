import pytest

from hoad.evaluation.adhoc_table import SEATS
from hoad.evaluation.published import published
from hoad.evaluation.statistics import SCORES

PARTNERS = (
    "simplebot",
    "valuebot",
    "holmesbot",
    "outer",
    "iggi",
    "piers",
    "rainbow",
    "van-den-bergh",
)


@pytest.mark.parametrize("player", ["random-partner", "naive", "zero-shot", "low-shot"])
def test_the_thesis_averages_are_those_of_its_rows(player):
    rows = zip(*([f.values[0] for f in published([p], player)] for p in PARTNERS), strict=True)
    averages = [figure.values[0] for figure in published(PARTNERS, player)]

    assert averages == pytest.approx([sum(row) / len(row) for row in rows], abs=0.06)


def test_the_thesis_averages_without_rainbow_are_those_of_the_other_rows():
    others = [partner for partner in PARTNERS if partner != "rainbow"]

    (_, zero_shot), (_, low_shot) = published(others, "zero-shot"), published(others, "low-shot")

    assert zero_shot.values == (7.1,)
    assert low_shot.values == (6.9,)


def test_every_figure_has_a_seat_and_a_score():
    figures = [f for p in PARTNERS for f in published([p], "self-play")]
    figures += published(PARTNERS, "adaptive")

    assert figures
    assert {figure.seat for figure in figures} <= set(SEATS) - {"both"}
    assert {figure.score for figure in figures} <= set(SCORES)


def test_canaan_s_meta_agents_move_first_and_the_thesis_s_partners_do():
    assert {f.seat for f in published(PARTNERS, "generalist")} == {"player first"}
    assert {f.seat for f in published(["iggi"], "low-shot")} == {"partner first"}


def test_nothing_is_published_of_others():
    assert published(["iggi", "cautious"], "low-shot") == []
    assert published(PARTNERS, "self-play") == []
    assert published(["cautious"], "low-shot") == []
    assert published(["iggi"], "piers") == []
