import pytest

from hoad.evaluation.adhoc_table import ALL_PARTNERS, SCORES, SEATS
from hoad.evaluation.published import published

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
    rows = zip(*([f.values[0] for f in published(p, player)] for p in PARTNERS), strict=True)
    averages = [figure.values[0] for figure in published(ALL_PARTNERS, player)]

    assert averages == pytest.approx([sum(row) / len(row) for row in rows], abs=0.06)


def test_every_figure_has_a_seat_and_a_score():
    figures = [f for p in (*PARTNERS, ALL_PARTNERS) for f in published(p, "self-play")]
    figures += published(ALL_PARTNERS, "adaptive")

    assert figures
    assert {figure.seat for figure in figures} <= set(SEATS) - {"both"}
    assert {figure.score for figure in figures} <= set(SCORES)


def test_canaan_s_meta_agents_move_first_and_the_thesis_s_partners_do():
    assert {f.seat for f in published(ALL_PARTNERS, "generalist")} == {"player first"}
    assert {f.seat for f in published("iggi", "low-shot")} == {"partner first"}


def test_nothing_is_published_of_others():
    assert published("cautious", "low-shot") == []
    assert published("iggi", "piers") == []
