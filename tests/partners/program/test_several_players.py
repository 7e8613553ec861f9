"""Programs of players in games of three to five: what rules fire, and what is learned from them."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import distributions
from hoad.core.errors import HoadError
from hoad.game.state import full_game
from hoad.partners.choices import Seen
from hoad.partners.logit.model import Logit
from hoad.partners.model import PartnerModel
from hoad.partners.program.firing import SILENT, fill_with_several, firing_table, rules_for
from hoad.partners.program.posterior import ProgramPosterior, program_in_words
from tests.partners.observed import every_seat, self_play
from tests.scripts import prints_the_same_without_compilation


def test_games_of_two_give_the_same_table_for_the_rules_that_are_defined_for_several() -> None:
    seen = every_seat(play([get_agent("iggi"), get_agent("outer")], 2, seed=1))
    table, several = firing_table(seen), rules_for(5)
    weights = np.empty((len(seen.states), len(several)), np.float32)
    legal = np.empty(len(weights), np.int64)

    fill_with_several(seen.states, seen.choices.actions, np.array([*several]), weights, legal)

    both = [row for row in several if row in rules_for(2)]
    of_two, of_several = ([*rules].index for rules in (rules_for(2), several))
    assert [several[row] for row in several if row not in both] == [0, 1, 16]  # the finesses
    assert np.array_equal(legal, table.legal)
    for row in both:
        assert np.array_equal(weights[:, of_several(row)], table.weights[of_two(row)]), row


def test_weights_are_those_of_each_rule_alone_which_otherwise_leaves_any_legal_move() -> None:
    logs = play([get_agent(name) for name in ("iggi", "outer", "rules:0,1,16,9,22")], 2, seed=1)
    in_turn = np.eye(3, dtype=np.bool_)[[1, 2]]  # the second player in one game, the third in one
    seen = Seen(logs, in_turn)

    table = firing_table(seen)

    assert len(table.legal) == len(seen.choices)
    assert set(seen.choices.turns % 3) == {1, 2}
    for rule, number in list(enumerate(rules_for(3).values()))[::6]:
        alone = seen.choices.made(distributions(get_agent(f"rules:{number}"), logs, in_turn))
        is_silent = table.weights[rule] == SILENT
        expected = np.where(is_silent, 1 / table.legal, table.weights[rule])
        assert np.allclose(alone, expected), number


def test_agents_of_two_players_have_no_distribution_there() -> None:
    seen = self_play("iggi", 1, seed=1, players=3)

    with pytest.raises(HoadError, match="agent simplebot plays the two-player game only"):
        seen.weights_of(get_agent("simplebot"))


@pytest.mark.parametrize(
    ("name", "players"), [("iggi", 3), ("outer", 4), ("rules:16,0,1,8,13,38,27,22", 5)]
)
def test_ten_games_show_a_rule_list(name: str, players: int) -> None:
    """Within 0.05 nats a move of the entropy of the list itself, on unseen games."""
    model, unseen = ProgramPosterior(players=players), self_play(name, 30, 2, players)
    model.learn(self_play(name, 10, 1, players))

    expected, itself = model.expected(unseen), unseen.weights_of(get_agent(name))

    losses = [-np.log(unseen.choices.made(each)).mean() for each in (expected, itself)]
    assert losses[0] < losses[1] + 0.05
    assert losses[0] < 0.25 * -np.log(unseen.choices.made(unseen.uniform)).mean()
    assert expected.sum(axis=1) == pytest.approx(1.0)
    assert not expected[~unseen.legal].any()
    assert len(program_in_words(model)) >= 3


def test_before_any_game_every_legal_move_is_possible() -> None:
    seen = self_play("piers", 2, seed=1, players=4)

    weights = ProgramPosterior(players=4).expected(seen)

    assert weights.shape == (len(seen.choices), full_game(4).moves)
    assert ((weights > 0) == seen.legal).all()
    assert weights.max() < 0.9


PROGRAM = """
import numpy as np
from hoad.agents import get_agent, play
from hoad.agents.follow import distributions, states_at
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen
from hoad.partners.program.firing import firing_table, rules_for
from hoad.partners.program.prediction import WeightedLists, predict_moves
game, seats = play([get_agent("iggi")] * 3, 1, seed=4), np.ones((1, 3), bool)
logs = GameLogs(3, game.decks, game.actions[:20], np.array([0, 20]))
table = firing_table(Seen(logs, seats))
lists = np.array([[5, 40, 33, -1], [20, 60, 0, 1]])
skips = np.full(lists.shape, 0.1)
programs = WeightedLists(np.array([*rules_for(3)]), lists, skips, skips[:, 0], np.full(2, 0.5))
weights = predict_moves(states_at(logs, seats), programs, 3)
itself = distributions(get_agent("van-den-bergh"), logs, seats)
print(table.weights.tolist(), table.legal.tolist())
print(weights.round(9).tolist(), itself.round(9).tolist())
"""


def test_tables_and_predictions_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)


@pytest.mark.parametrize(
    ("model", "players"),
    [(ProgramPosterior(), 3), (Logit(), 4), (ProgramPosterior(players=3), 2)],
    ids=["program", "logit", "program of three"],
)
def test_models_refuse_games_of_other_numbers_of_players(model: PartnerModel, players: int) -> None:
    games = self_play("legal-random", 2, 1, players)

    for ask in (model.learn, model.expected):
        with pytest.raises(HoadError, match="games of"):
            ask(games)


def test_no_agent_plays_a_program_of_games_of_three() -> None:
    model = ProgramPosterior(players=3)

    for ask in (model.ensemble, lambda: model.likeliest):
        with pytest.raises(HoadError, match="no agent plays a program of games of 3"):
            ask()
