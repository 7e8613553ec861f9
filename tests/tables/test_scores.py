"""Scores of a table, and of its meta-models during their training."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from hoad.adhoc_player import Beliefs, Episodes
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.players.roster import TablePartner
from hoad.reports.statistics import estimate, group_means, paired_test, welch_test
from hoad.tables.meta_training import CURVES, meta_training
from hoad.tables.scores import ALL_PARTNERS, Cell, CellKey, ScoreTable, find_partners

EPISODES, GAMES = 6, 4
SEATS = np.array([1, 0, 1, 0])


def cell(lenient, trials=EPISODES):
    scores = np.asarray(lenient, np.uint8)
    strict = np.where(scores > 5, scores, 0)
    return Cell(Episodes(scores, strict, SEATS), np.arange(EPISODES) * trials // EPISODES, {})


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    draws = {
        (partner, player): random.integers(low, low + 8, (EPISODES, GAMES))
        for partner, low in (("iggi", 10), ("outer", 2))
        for player in ("fixed", "learner")
    }
    cells = {
        CellKey("", TablePartner(partner), player): cell(
            scores, 2 if player == "learner" else EPISODES
        )
        for (partner, player), scores in draws.items()
    }
    rows = {name: [("", TablePartner(name))] for name in ("iggi", "outer")}
    rows[ALL_PARTNERS] = [("", TablePartner("iggi")), ("", TablePartner("outer"))]
    return ScoreTable(rows, ("fixed", "learner"), cells)


def cell_of(table, partner, player):
    return table.cells[CellKey("", TablePartner(partner), player)]


def test_scores_are_kept_by_seat():
    one = cell(np.tile([10, 11, 12, 13], (EPISODES, 1)))

    assert one.scores("lenient", "partner first")[0].tolist() == [10, 12]
    assert one.scores("lenient", "player first")[0].tolist() == [11, 13]
    assert one.scores("lenient")[0].tolist() == [10, 11, 12, 13]


def test_repetitions_are_episodes_of_a_fixed_player_and_trials_of_a_learner(table):
    fixed, learner = (
        table.over_repetitions("iggi", player, "lenient") for player in ("fixed", "learner")
    )

    assert fixed == estimate(cell_of(table, "iggi", "fixed").episodes.lenient.mean(axis=1))
    scores = cell_of(table, "iggi", "learner").episodes.lenient
    assert learner == estimate(np.array([scores[:3].mean(), scores[3:].mean()]))
    assert (learner.count, learner.mean) == (2, pytest.approx(scores.mean()))


def test_every_game_counts_over_games_and_by_number_and_several_partners_are_their_mean(table):
    assert table.over_games("iggi", "learner", "strict").count == EPISODES * GAMES
    assert table.over_games("iggi", "learner", "strict", "player first").count == EPISODES * 2
    means = cell_of(table, "outer", "fixed").episodes.lenient.mean(axis=0)
    by_game = table.by_game("outer", "fixed", "lenient")
    assert [one.mean for one in by_game] == pytest.approx(means.tolist())
    rows = [table.over_games(row, "fixed", "lenient").mean for row in table.rows]
    assert rows[2] == pytest.approx((rows[0] + rows[1]) / 2)


def test_players_are_compared_over_the_fewer_repetitions(table):
    pairs, apart, _, difference = table.compare(ALL_PARTNERS, "fixed", "learner", "lenient")

    cells = table.cells.values()
    expected = sum(c.episodes.lenient.mean() * (-1) ** i for i, c in enumerate(cells)) / 2
    assert pairs.difference == pytest.approx(expected)
    assert [apart.difference, difference.mean] == pytest.approx([expected] * 2)
    episodes, trials = np.arange(EPISODES), table.repetitions("learner")
    fixed, learner = (table.scores(ALL_PARTNERS, p, "lenient") for p in ("fixed", "learner"))
    assert pairs == paired_test(group_means(fixed, trials), group_means(learner, trials))
    assert pairs != paired_test(group_means(fixed, episodes), group_means(learner, episodes))
    assert apart == welch_test(group_means(fixed, episodes), group_means(learner, trials))


def test_players_are_compared_over_the_partners_if_there_are_several(table):
    comparison = table.compare(ALL_PARTNERS, "fixed", "learner", "strict")

    fixed, learner = (
        np.array([cell_of(table, p, player).episodes.strict.mean() for p in ("iggi", "outer")])
        for player in ("fixed", "learner")
    )
    assert comparison.by_partner == paired_test(fixed, learner)
    assert comparison.by_partner.difference == pytest.approx(comparison.paired.difference)
    assert np.isnan(table.compare("iggi", "fixed", "learner", "strict").by_partner.p)


def beliefs_that_found(found):
    array = np.array(found, dtype=np.float64)
    means, estimates = np.zeros((array.shape[1], 1)), np.full((len(array), 2), np.nan)
    return Beliefs(("a",), means, means, array, array, estimates)


def test_partner_is_found_from_the_game_on_after_which_no_other_is_as_likely():
    finds = find_partners(
        [
            beliefs_that_found([[0, 1, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0]]),
            beliefs_that_found([[0, 0, 1, 1], [0, 1, 1, 1], [0, 1, 1, 0]]),
        ]
    )

    assert finds is not None
    assert finds.found == pytest.approx([0, 5 / 6, 5 / 6, 4 / 6])
    assert finds.ever == pytest.approx(4 / 6)
    assert finds.soon == 2.5
    no_hypothesis = [beliefs_that_found([[0, 1]]), beliefs_that_found([[np.nan] * 2])]
    assert find_partners(no_hypothesis) is find_partners([]) is None


def test_players_of_few_repetitions_are_not_called_as_good_as_the_best():
    def made(player, mean, trials):
        scores = mean + np.arange(EPISODES * GAMES).reshape(EPISODES, GAMES) % 3
        return {CellKey("", TablePartner("iggi"), player): cell(scores, trials)}

    rows = {"iggi": [("", TablePartner("iggi"))]}
    for trials, close in ((2, set()), (EPISODES, {"close"})):
        cells = made("best", 17, trials) | made("close", 17, trials) | made("worse", 11, trials)
        table = ScoreTable(rows, ("best", "close", "worse"), cells)
        assert table.best("iggi", table.players, "strict") == ("best", close)
        assert table.can_compare("best", "worse") == (trials == EPISODES)


@pytest.mark.usefixtures("checkpoints")
def test_trainings_come_with_their_curves() -> None:
    training = meta_training("iggi")

    assert training
    facts = training.facts()
    assert facts["layers"] == "2, 16 to 16 wide"
    expected = "FOMAML with 2 times the unadapted loss; FOMAML alone for the first 3 steps"
    assert facts["objective"] == expected
    chosen = facts["inner rate of training"], facts["inner steps chosen"]
    assert (facts["steps"], *chosen) == ("4", "0.01", "2")
    assert training.curves.keys() == set(CURVES)
    assert {tuple(steps) for steps, _ in training.curves.values()} == {(2, 4)}
    assert meta_training("flawed") is None


def test_a_training_that_goes_on_is_not_described_by_metadata_of_its_older_model(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = meta_training("iggi")
    assert shipped and shipped.facts()["objective"] == "FOMAML with the unadapted loss"
    commits = shipped.metadata["made_with"]["commits"]
    assert shipped.facts()["trained at commits"] == ", ".join(commit[:7] for commit in commits)
    shutil.copytree(trained, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    model = tmp_path / "maml" / "iggi" / "model.safetensors"
    weights, about = load_checkpoint(model)
    save_checkpoint(model, weights, about | {"step": about["step"] + 2})

    assert meta_training("iggi") is None
