"""The catalogue of rules, and lists of rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hoad.agents import get_agent, play, same_agent
from hoad.agents.agent import Agent, Batch
from hoad.agents.follow import move_probabilities
from hoad.agents.rules.catalogue import CATALOGUE, Row, find_rule, rule_parameters
from hoad.agents.rules.conditions import condition_bits, requirements_met
from hoad.agents.rules.discard import DISCARD_PROBABLY_USELESS_CARD
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.agents.rules.soft_list import soft_list_agent
from hoad.core.errors import HoadError
from hoad.game.game import Game
from hoad.game.log import replay
from hoad.game.moves import PLAY
from tests.agents.bot_games import recorded_decisions, transformed, weights_of_recorded
from tests.agents.positions import position, weights

# The catalogue of rules, and when a rule is asked at all.


# The catalogue of rules.


def test_the_catalogue_has_the_numbers_of_the_archives():
    assert list(CATALOGUE) == [*range(135), *range(200, 431)]
    assert all(rule.number == number for number, rule in CATALOGUE.items())


def test_every_rule_has_a_name_of_its_own_and_a_line_of_words():
    assert len({rule.name for rule in CATALOGUE.values()}) == 135 + 231
    assert all(rule.words and "\n" not in rule.words for rule in CATALOGUE.values())


@pytest.mark.parametrize("same", [(13, 21), (28, 36), range(72, 78), (0, 1, 16, 41, 42)])
def test_rules_that_the_publication_has_twice_are_one(same):
    assert len({CATALOGUE[number].row for number in same}) == 1


@pytest.mark.parametrize("number", [-1, 135, 431])
def test_an_unknown_number_is_refused(number):
    with pytest.raises(
        HoadError, match=f"unknown rule {number}; the catalogue has 0 to 134 and 200 to 430"
    ):
        find_rule(number)


def test_rules_that_never_fire_are_left_out():
    assert np.array_equal(rule_parameters([0, 8, 41]), rule_parameters([8]))
    assert len(rule_parameters([16])) == 0


def test_a_rule_without_a_number_is_a_row():
    assert np.array_equal(rule_parameters([Row(*CATALOGUE[5].row), 8]), rule_parameters([5, 8]))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**63 - 1))
def test_every_rule_alone_plays_legal_games_to_the_end(seed):
    for rule in CATALOGUE:
        agent = get_agent(f"rules:{rule}")

        outcomes = replay(play([agent, agent], 10, seed))

        assert outcomes.over.all(), rule
        assert (outcomes.illegal_turn == -1).all(), rule


@settings(max_examples=100, deadline=None)
@given(
    rules=st.lists(st.sampled_from(list(CATALOGUE)), max_size=15), seed=st.integers(0, 2**63 - 1)
)
def test_rules_in_any_order_play_legal_games_to_the_end(rules, seed):
    agent = get_agent("rules:" + ",".join(map(str, rules or [8])))

    assert replay(play([agent, agent], 20, seed)).over.all()


# When a rule of the catalogue is asked at all.


def _asked(rule: int, lives: int = 3, tokens: int = 8, deck_left: int = 40, seat: int = 0) -> bool:
    table = Game().state.table
    table.lives, table.tokens, table.deck_left = lives, tokens, deck_left
    return not CATALOGUE[rule].row.condition & ~requirements_met(table, seat)


@pytest.mark.parametrize(
    ("rule", "table", "asked"),
    [
        (43, {"lives": 2}, True),
        (43, {"lives": 1}, False),
        (48, {"tokens": 3}, True),
        (48, {"tokens": 4}, False),
        (83, {"seat": 0}, True),
        (104, {"seat": 1}, False),
        (108, {"lives": 3}, True),
        (108, {"lives": 2}, False),
        (109, {"lives": 1}, True),
        (109, {"lives": 2}, False),
        (110, {"deck_left": 0}, True),
        (110, {"deck_left": 1}, False),
        (110, {"deck_left": 0, "lives": 1}, False),
        (111, {"deck_left": 10}, True),
        (111, {"deck_left": 11}, False),
        (112, {"tokens": 8}, True),
        (112, {"tokens": 7}, False),
        (130, {"tokens": 4}, True),
        (130, {"tokens": 3}, False),
    ],
)
def test_rules_are_asked_under_their_conditions(rule, table, asked):
    assert _asked(rule, **table) == asked


def test_conditions_are_written_in_words():
    assert condition_bits("lives>1 and tokens=8") == CATALOGUE[112].row.condition
    assert CATALOGUE[112].name.startswith("If(lives>1 and tokens=8) ")


# Rule lists: recorded moves have the weights that ours give them; soft lists skip rules.


# Recorded moves of the original rule lists have the weights that ours give them.  In the
# "rulewise" files each rule leads the list, or follows others, in 16 games; of the published
# elites each distinct one plays 10 games. Games that the original program aborted count until
# then. Then rule lists with parameters.


VAN_DEN_BERGH = "van-den-bergh:0.6:1.0:NEXT_USEFUL_THEN_MOST_CARDS:MOST_CERTAIN_IS_USELESS"

RULE_AGENTS = (
    "walton_iggi_selfplay",
    "walton_piers_selfplay",
    "walton_outer_selfplay",
    "walton_internal_selfplay",
    "walton_flawed_selfplay",
    "walton_cautious_selfplay",
    "walton_van-den-bergh_selfplay",
    "walton_iggi_piers",
    "walton_flawed_iggi",
    "walton_outer_van-den-bergh",
    "walton_piers_outer",
)
CHROMOSOMES = tuple(f"walton_chromosome_{number}" for number in range(6))
PUBLISHED = ("walton_rulewise", "walton_published_rulewise", "walton_published_elites")
FEW_RANDOM_MOVES = {
    "walton_van-den-bergh_selfplay",
    *(f"walton_chromosome_{number}" for number in (1, 2, 4, 5)),
}


@pytest.mark.parametrize("name", RULE_AGENTS + CHROMOSOMES + PUBLISHED)
def test_recorded_moves_have_the_weights_of_the_originals(reference, name):
    """Each recorded move is possible, so a move of weight 1 is the recorded one.

    The randomised probability transform of random moves is uniform.
    """
    generator = np.random.default_rng(0)
    draws: list[float] = []
    for decisions, rules in recorded_decisions(reference / f"{name}.jsonl.gz"):
        assert (weights_of_recorded(decisions) > 0).all()
        # Where no rule fired the originals of the chromosomes had another fallback than ours.
        spread = (decisions.weights.max(axis=1) < 1) & (rules >= 0)
        draws.extend(transformed(decisions, generator)[spread])
    if name in FEW_RANDOM_MOVES:
        return
    assert len(draws) >= 100

    counts = np.histogram(draws, bins=10, range=(0, 1))[0]

    assert stats.chisquare(counts).pvalue > 1e-4


def test_the_named_van_den_bergh_is_one_of_many():
    assert same_agent("van-den-bergh", VAN_DEN_BERGH)
    assert not same_agent("van-den-bergh", VAN_DEN_BERGH.replace("0.6", "0.7"))


@pytest.mark.parametrize(
    ("hint", "rules"),
    [
        ("RANDOM", "22"),
        ("MOST_CARDS", "19"),
        ("NEXT_USEFUL_THEN_MOST_CARDS", "13,125"),
        ("NEXT_USEFUL_THEN_NEXT_USELESS_THEN_MOST_CARDS", "13,14,125"),
    ],
)
@pytest.mark.parametrize(
    ("discard", "rule"),
    [
        ("RANDOM", "34"),
        ("LONGEST_HELD", "27"),
        ("LEAST_LIKELY_TO_BE_NECESSARY", "26"),
        ("MOST_CERTAIN_IS_USELESS", "29"),
    ],
)
def test_van_den_bergh_hints_and_discards_as_told(hint, rules, discard, rule):
    name = f"van-den-bergh:0.6:1.0:{hint}:{discard}"

    assert same_agent(name, f"rules:46,109,131,{rules},{rule}")


@pytest.mark.parametrize(("threshold", "rule"), [("0.6", 6), ("0.25", 49), ("1", 107), ("0", 3)])
def test_risky_plays_from_its_threshold_on(threshold, rule):
    assert same_agent(f"risky:{threshold}", f"rules:2,{rule},13,38,27")


def test_a_threshold_is_exact():
    """Each of five 2s fits in 2 of 10 cases."""
    cards = "R2 Y2 G2 W2 B2  R1 Y4 G4 W4 B4  R5"
    game = position(cards, "hint 1", "play 0", "hint 4", "hint 2")
    game.state.table.tokens = 0

    assert weights("risky:0.2", game) == {"play 4": 1}
    assert weights("risky:0.201", game) == {"discard 0": 1}


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("risky:much", "risky:much: 'much' should be a probability"),
        ("risky:1.5", "'1.5' should be a probability from 0 to 1"),
        ("risky:0.1234", "at most three decimals"),
        ("van-den-bergh:0.6", "expected van-den-bergh:WP:WD:HINT:DISCARD"),
        ("van-den-bergh:0.6:1.0:ALWAYS:RANDOM", "'ALWAYS' should be one of RANDOM, MOST_CARDS"),
        ("van-den-bergh:0.6:1.0:RANDOM:NEVER", "'NEVER' should be one of RANDOM, LONGEST_HELD"),
    ],
)
def test_bad_parameters_are_refused(name, complaint):
    with pytest.raises(HoadError, match=complaint):
        get_agent(name)


def test_canaan_s_threshold_of_99_percent_is_certainty():
    """At most 45 cards are unseen, so that less than certain is at most 44 in 45."""
    threshold = Row(DISCARD_PROBABLY_USELESS_CARD, 990)
    published = rule_list_agent("published", [46, 109, threshold, 13, 14, 19, 29])
    named = get_agent("canaan-van-den-bergh")

    games, named_games = (play([agent, agent], 300, seed=5) for agent in (published, named))

    assert np.array_equal(games.actions, named_games.actions)


# Rule lists that skip each rule at times.


CARDS = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"


def _weights(agent: Agent, *moves: str) -> np.ndarray:
    game = position(CARDS, *moves)
    states = np.array([game.state], game.state.dtype)
    return agent.weights(Batch(states, game.current_player, agent.new_memory(1)))[0]


def test_without_skips_it_is_the_rule_list():
    numbers = [8, 13, 38, 28, 22, 34]
    soft = soft_list_agent("soft", [CATALOGUE[number].row for number in numbers], [0.0] * 6, 0.5)
    hard = get_agent("rules:" + ",".join(map(str, numbers)))
    logs = play([hard, get_agent("outer")], 20, seed=1)

    assert move_probabilities(soft, logs) == pytest.approx(move_probabilities(hard, logs))


def test_a_skip_leads_to_the_next_rule_that_fires_or_astray():
    """The newest 1 is played (rule 116), else the first one (8), else the oldest card goes (27)."""
    rules = [CATALOGUE[number].row for number in (116, 2, 8, 27)]
    soft = soft_list_agent("soft", rules, [0.25, 0.9, 0.5, 0.2], 0.4)

    moves = _weights(soft, "hint red", "hint 1")

    any_legal = 0.25 * 0.4 + 0.25 * 0.6 * 0.5  # astray, or a second rule is skipped
    legal = 10 + len({"red", "white", "blue", "2", "3", "4"})
    assert moves.sum() == pytest.approx(1.0)
    assert moves[PLAY + 1] == pytest.approx(0.75 + any_legal / legal)
    assert moves[PLAY] == pytest.approx(0.25 * 0.6 * 0.5 + any_legal / legal)
    assert moves[0] == pytest.approx(any_legal / legal)  # no third rule is asked


def test_what_no_rule_makes_is_any_legal_move():
    soft = soft_list_agent("soft", [CATALOGUE[2].row], [0.1], 0.5)

    assert _weights(soft).max() == pytest.approx(
        1 / (5 + len({"red", "white", "blue", "2", "3", "4"}))
    )
