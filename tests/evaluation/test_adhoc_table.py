import numpy as np
import pytest
from hoad.evaluation.adhoc_table import ALL_BUT_RAINBOW, ALL_PARTNERS, AdhocTable, Cell

from hoad.adhoc.session import Session
from hoad.evaluation.statistics import estimate, group_means, paired, welch

EPISODES, GAMES = 6, 4
SEATS = np.array([1, 0, 1, 0])


def cell(lenient, trials=EPISODES):
    scores = np.asarray(lenient, np.uint8)
    strict = np.where(scores > 5, scores, 0)
    return Cell(Session(scores, strict, SEATS), np.arange(EPISODES) * trials // EPISODES)


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    draws = {
        (partner, player): random.integers(low, low + 8, (EPISODES, GAMES))
        for partner, low in (("iggi", 10), ("outer", 2))
        for player in ("fixed", "learner")
    }
    cells = {
        key: cell(scores, trials=2 if key[1] == "learner" else EPISODES)
        for key, scores in draws.items()
    }
    return AdhocTable(("iggi", "outer"), ("fixed", "learner"), cells)


def test_scores_are_kept_by_seat():
    one = cell(np.tile([10, 11, 12, 13], (EPISODES, 1)))

    assert one.scores("lenient", "partner first")[0].tolist() == [10, 12]
    assert one.scores("lenient", "player first")[0].tolist() == [11, 13]
    assert one.scores("lenient")[0].tolist() == [10, 11, 12, 13]


def test_repetitions_of_a_fixed_player_are_episodes(table):
    found = table.over_repetitions("iggi", "fixed", "lenient")

    episodes = table.cells["iggi", "fixed"].session.lenient.mean(axis=1)
    assert found == estimate(episodes)


def test_repetitions_of_a_learner_are_trials(table):
    found = table.over_repetitions("iggi", "learner", "lenient")

    scores = table.cells["iggi", "learner"].session.lenient
    assert found.count == 2
    assert found.mean == pytest.approx(scores.mean())
    assert found == estimate(np.array([scores[:3].mean(), scores[3:].mean()]))


def test_over_games_counts_every_game(table):
    assert table.over_games("iggi", "learner", "strict").count == EPISODES * GAMES
    assert table.over_games("iggi", "learner", "strict", "player first").count == EPISODES * 2


def test_last_row_is_the_mean_over_partners(table):
    means = [table.over_games(row, "fixed", "lenient").mean for row in table.rows]

    assert table.rows == ("iggi", "outer", ALL_PARTNERS)
    assert means[2] == pytest.approx((means[0] + means[1]) / 2)


def test_rainbow_counts_in_one_of_two_means(table):
    cells = table.cells | {("rainbow", "fixed"): cell(np.full((EPISODES, GAMES), 1))}

    found = AdhocTable(("iggi", "rainbow", "outer"), ("fixed",), cells)

    assert found.rows == ("iggi", "rainbow", "outer", ALL_PARTNERS, ALL_BUT_RAINBOW)
    without = found.over_repetitions(ALL_BUT_RAINBOW, "fixed", "lenient")
    assert without == table.over_repetitions(ALL_PARTNERS, "fixed", "lenient")
    assert found.over_games(ALL_PARTNERS, "fixed", "lenient").mean < without.mean


def test_a_single_partner_needs_no_mean(table):
    assert AdhocTable(("iggi",), table.players, table.cells).rows == ("iggi",)


def test_score_by_game_number(table):
    found = table.by_game("outer", "fixed", "lenient")

    means = table.cells["outer", "fixed"].session.lenient.mean(axis=0)
    assert [one.mean for one in found] == pytest.approx(means.tolist())


def test_players_are_compared_over_the_fewer_repetitions(table):
    pairs, apart, _ = table.comparisons("lenient")["fixed", "learner"]

    cells = table.cells.values()
    expected = sum(c.session.lenient.mean() * (-1) ** i for i, c in enumerate(cells)) / 2
    assert pairs.difference == pytest.approx(expected)
    assert apart.difference == pytest.approx(expected)
    episodes, trials = np.arange(EPISODES), table.repetitions("learner")
    fixed, learner = (table.scores(ALL_PARTNERS, p, "lenient") for p in ("fixed", "learner"))
    assert pairs == paired(group_means(fixed, trials), group_means(learner, trials))
    assert pairs != paired(group_means(fixed, episodes), group_means(learner, episodes))
    assert apart == welch(group_means(fixed, episodes), group_means(learner, trials))


def test_players_are_compared_over_the_partners_too(table):
    found = table.comparisons("strict")["fixed", "learner"]

    fixed, learner = (
        np.array([table.cells[p, player].session.strict.mean() for p in ("iggi", "outer")])
        for player in ("fixed", "learner")
    )
    assert found.by_partner == paired(fixed, learner)
    assert found.by_partner.difference == pytest.approx(found.paired.difference)


def test_a_single_partner_tells_nothing_of_others(table):
    alone = AdhocTable(("iggi",), table.players, table.cells)

    assert np.isnan(alone.comparisons("strict")["fixed", "learner"].by_partner.p)
