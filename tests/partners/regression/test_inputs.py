"""Inputs of legal moves, in compiled code: what rules would do, traits and relations of moves."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.agents.follow import follow, in_order, states_at
from hoad.game.log import GameLogs
from hoad.partners.choices import choices_of
from hoad.partners.program.firing import NUMBERS
from hoad.partners.regression.move_traits import SIZES as TRAIT_SIZES
from hoad.partners.regression.move_traits import WORDS as TRAIT_WORDS
from hoad.partners.regression.move_traits import move_traits
from hoad.partners.regression.relations import SIZES as RELATION_SIZES
from hoad.partners.regression.relations import WORDS as RELATION_WORDS
from hoad.partners.regression.relations import move_relations
from hoad.partners.regression.rule_moves import rule_moves
from tests.scripts import prints_the_same_without_compilation

_PROGRAM = """
import numpy as np
from hoad.partners.regression.move_traits import move_traits
from hoad.partners.regression.relations import move_relations
from hoad.partners.regression.rule_moves import rule_moves
from hoad.agents import get_agent, play
from hoad.agents.follow import states_at
from hoad.game.log import GameLogs
game = play([get_agent("iggi")] * 2, 1, seed=4)
begun = GameLogs(2, game.decks, game.actions[:12], np.array([0, 12]))
for measure in (rule_moves, move_traits, move_relations):
    columns = measure(states_at(begun, np.ones((1, 2), bool)))
    print(np.flatnonzero(columns).tolist(), columns[columns != 0].tolist())
"""


def test_inputs_do_not_depend_on_compilation() -> None:
    assert prints_the_same_without_compilation(_PROGRAM)


Measure = Callable[[np.ndarray], np.ndarray]
SIZES_OF: Mapping[Measure, Mapping[str, int]] = {
    move_traits: TRAIT_SIZES,
    move_relations: RELATION_SIZES,
}


def values_of(logs: GameLogs, measure: Measure) -> dict[str, np.ndarray]:
    """Return the value of each group of columns, -1 for none; int64, shape ``(decisions, 20)``."""
    choices = choices_of(logs, np.ones((len(logs), 2), np.bool_))
    columns = measure(states_at(logs, np.ones((len(logs), 2), np.bool_)))
    sizes = SIZES_OF[measure]
    assert columns.shape == (choices.legal.sum(), sum(sizes.values()))
    values = {}
    for name, end in zip(sizes, np.cumsum(list(sizes.values())), strict=True):
        group = columns[:, end - sizes[name] : end]
        assert (group.sum(1) <= 1).all(), name
        values[name] = np.full(choices.legal.shape, -1)
        values[name][choices.legal] = np.where(group.any(1), group.argmax(1), -1)
    return values


WORDS_OF: Mapping[Measure, Sequence[str]] = {
    move_traits: TRAIT_WORDS,
    move_relations: RELATION_WORDS,
}


def words_of(logs: GameLogs, measure: Measure, turn: int, move: int) -> set[str]:
    """Return what is said of a move in a turn."""
    seats = np.ones((len(logs), 2), np.bool_)
    legal = choices_of(logs, seats).legal
    row = legal[:turn].sum() + legal[turn, :move].sum()
    columns = measure(states_at(logs, seats))[row]
    return {WORDS_OF[measure][column] for column in np.flatnonzero(columns).tolist()}


LOGS = play([get_agent("iggi"), get_agent("holmesbot")], 3, seed=1)
SECOND_SEATS = np.tile([False, True], (3, 1))


@pytest.mark.parametrize("number", [8, 22, 27, 125])
def test_a_rule_moves_as_the_agent_with_this_rule_alone(number: int) -> None:
    choices = choices_of(LOGS, SECOND_SEATS)
    alone = in_order(follow(get_agent(f"rules:{number}"), LOGS, SECOND_SEATS), LOGS, SECOND_SEATS)

    column = rule_moves(states_at(LOGS, SECOND_SEATS))[:, NUMBERS.index(number)]

    weights = np.zeros(choices.legal.shape)
    weights[choices.legal] = column
    fires = weights.any(axis=1)
    assert fires.sum() > 0
    np.testing.assert_allclose(weights[fires], alone[fires], atol=1e-6)
    np.testing.assert_allclose(alone[~fires], choices.uniform[~fires])


COLOUR_HINTS, RANK_HINTS = slice(10, 15), slice(15, 20)


def first_turn(*decks: list[int]) -> GameLogs:
    """Return games in which player 0 has made its first move, a hint of rank 1."""
    rest = [[card for card in range(25) for _ in range((3, 2, 2, 2, 1)[card % 5])] for _ in decks]
    for deck, cards in zip(decks, rest, strict=True):
        for card in deck:
            cards.remove(card)
    dealt = np.array([deck + cards for deck, cards in zip(decks, rest, strict=True)], np.uint8)
    number = len(decks)
    return GameLogs(2, dealt, np.full(number, 15, np.uint8), np.arange(number + 1))


@given(st.integers(0, 10_000), st.sampled_from(["iggi", "wtfwt", "simplebot", "rules:8"]))
@settings(max_examples=20, deadline=None)
def test_each_move_has_a_value_of_each_trait_and_relation_of_its_kind(seed: int, name: str) -> None:
    logs = play([get_agent(name), get_agent("legal-random")], 2, seed=seed)
    legal = choices_of(logs, np.ones((2, 2), np.bool_)).legal

    of_kinds = {"discard": slice(0, 5), "play": slice(5, 10), "hint": slice(10, 20)}
    for measure in SIZES_OF:
        for group, values in values_of(logs, measure).items():
            has, allowed = values >= 0, np.zeros(20, np.bool_)
            allowed[of_kinds.get(group.split(":")[0], slice(0, 20))] = True
            assert not (has & ~(legal & allowed)).any(), group
            may_lack = "just touched" in group or "if touched" in group
            if measure is move_traits and not may_lack:
                assert (has == (legal & allowed)).all(), group


def test_hints_are_described_by_the_cards_that_they_touch() -> None:
    # Player 1 holds R1 R1 Y1 G5 W2: oldest first.
    logs = first_turn([20, 21, 22, 23, 24, 0, 0, 5, 14, 16])

    traits = {name: values[0] for name, values in values_of(logs, move_traits).items()}

    touched = traits["hint: by rank, cards"]
    assert touched[COLOUR_HINTS].tolist() == [2, 1, 1, 1, -1]
    assert (touched[RANK_HINTS] - 6).tolist() == [3, 1, -7, -7, 1]
    assert traits["hint: by rank, playable cards"][10] == 2
    assert traits["hint: by rank, necessary cards"][19] == 6 + 1
    assert traits["hint: by rank, cards now known to be playable"][15] == 6 + 3
    assert traits["hint: by rank, worth of the newest card"][15] == 5 + 4
    assert traits["hint: newest playable card, oldest touched card"][15] == 2 * 5 + 0
    assert traits["hint: newest playable card, newest touched card"][13] == 2 * 5 + 4


def test_own_cards_are_described_by_what_hints_say_of_them() -> None:
    # Player 0 hints rank 1 to player 1, who holds R1 R2 Y1 G5 W2: its cards 0 and 2 are touched.
    logs = first_turn([20, 21, 22, 23, 24, 0, 1, 5, 14, 16])
    second = GameLogs(2, logs.decks, np.array([15, 5], np.uint8), np.array([0, 2]))

    traits = {name: values[1] for name, values in values_of(second, move_traits).items()}

    plays = slice(5, 10)
    assert traits["play: hinted colour, rank"][plays].tolist() == [1, 0, 1, 0, 0]
    assert traits["play: known colour, rank"][plays].tolist() == [1, 0, 1, 0, 0]
    assert traits["play: probably playable, untouched"][5] == 6 * 2
    assert traits["play: probably playable, untouched"][6] == 1  # no 1: nothing else fits
    assert traits["play: just touched by rank, newer ones"][plays].tolist() == [6, -1, 5, -1, -1]
    assert traits["play: value of the hint, position"][7] == (5 + 1) * 5 + 2
    assert traits["play: newest touched card, position"][8] == 2 * 5 + 3
    assert traits["discard: older untouched cards"][:5].tolist() == [5, 0, 5, 1, 2]
    assert traits["discard: newer untouched cards"][:5].tolist() == [5, 2, 5, 1, 0]


def test_own_cards_are_not_seen() -> None:
    mine, other = [20, 21, 22, 23, 24], [0, 1, 2, 3, 4]
    logs = first_turn(*([*hand, 5, 6, 7, 8, 9] for hand in (mine, other)))

    for values in values_of(logs, move_traits).values():
        assert (values[0] == values[1]).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_only_followed_seats_are_described(seat: int) -> None:
    logs = play([get_agent("iggi")] * 2, 3, seed=1)
    seats = np.tile(np.arange(2) == seat, (3, 1))
    choices = choices_of(logs, np.ones((3, 2), np.bool_))
    rows = np.repeat(choices.turns % 2 == seat, choices.legal.sum(1))

    columns = move_traits(states_at(logs, seats))

    assert (columns == move_traits(states_at(logs, np.ones((3, 2), np.bool_)))[rows]).all()


R1, R2, Y1, Y2, G1, G3, W5, B4, B5 = 0, 1, 5, 6, 10, 12, 19, 23, 24
DISCARDS, PLAYS, HINTS = slice(0, 5), slice(5, 10), slice(10, 20)
PLAY_OLDEST, HINT_RED, HINT_BLUE, HINT_1 = 5, 10, 14, 15


def game(first: list[int], second: list[int], actions: list[int]) -> GameLogs:
    """Return a game of two hands, oldest card first, and moves; a decision follows each of them.

    Blue cards of high ranks are drawn first.
    """
    cards = [card for card in range(24, -1, -1) for _ in range((3, 2, 2, 2, 1)[card % 5])]
    for card in (*first, *second):
        cards.remove(card)
    deck = np.array([[*first, *second, *cards]], np.uint8)
    made = np.array([*actions, PLAY_OLDEST], np.uint8)
    return GameLogs(2, deck, made, np.array([0, len(made)]))


FIRST, SECOND = [W5, Y2, G3, R2, B4], [R1, G3, Y1, B5, G1]


def test_neighbours_of_a_card_just_touched_and_the_best_chance_to_play() -> None:
    of_red, of_1 = (values_of(game(FIRST, SECOND, [hint]), move_relations) for hint in (10, 15))

    touched, newer, other = 0, 1, 4
    neighbours = of_red["play: neighbour of the cards just touched"][1, PLAYS]
    assert neighbours.tolist() == [touched, newer, other, other, other]
    order = of_1["play: chance to be playable, better cards, ties"][1, PLAYS] % 6
    assert order.tolist() == [1, 5, 1, 5, 1]  # three tie, three are better than the others


def test_a_card_is_due_until_it_leaves() -> None:
    discard = 3
    logs = game(FIRST, SECOND, [HINT_1, discard, PLAY_OLDEST, PLAY_OLDEST, PLAY_OLDEST])

    relations = values_of(logs, move_relations)

    age, due = (
        relations["play: last call, cards in it"] // 4,
        relations["kind, cards due of the player"],
    )
    assert age[1, PLAYS].tolist() == [1, 0, 1, 0, 1]
    assert age[3, PLAYS].tolist() == [2, 0, 2, 2, 0]  # the card at 3 was discarded
    assert age[5, PLAYS].tolist() == [0, 3, 3, 0, 0]  # that at 0 was played
    assert [due[turn, 5] % 4 for turn in (1, 3, 5)] == [3, 3, 2]


def test_hints_that_only_touch_touched_cards_again_or_fewer_than_the_other_kind() -> None:
    relations = values_of(game(FIRST, SECOND, [HINT_1, 3]), move_relations)

    due = relations["hint: by rank, all cards are due, some playable"][2]
    repeats = relations["hint: repeats the player's last hint"][2]
    assert due[HINT_1] == 4 + 2 + 1
    assert due[HINT_RED] == 2 + 1
    assert due[HINT_BLUE] == 0  # of a card just drawn
    assert (repeats[HINT_1], repeats[HINT_RED]) == (2, 1)
    before = values_of(game(FIRST, SECOND, []), move_relations)
    compared = before["hint: by rank, oldest playable card, fewer cards than the other kind"][0]
    assert compared[HINT_RED] == 1  # red touches one card
    assert compared[HINT_1] == 4 + 3  # ones are three
    assert compared[11] == 0  # yellow is not about it


def test_traits_and_relations_are_told_in_words() -> None:
    logs = game(FIRST, SECOND, [HINT_1, 3])  # of R1 G3 Y1 B5 G1; then that player discards B5

    hint, discard, play_newest = (
        words_of(logs, move_traits, 0, HINT_1),
        words_of(logs, move_traits, 1, 3),
        words_of(logs, move_traits, 1, 9),
    )

    assert {
        "hints 1s",
        "hints a rank with 8 hint tokens",
        "hints a rank as the first move of the game",
        "hints a rank that touches 3 playable cards",
        "hints a rank that shows 3 cards to be playable",
        "hints a rank, and the newest card it touches is playable",
        "hints the rank that the lowest firework needs next",
        "gives a hint that touches only playable cards, with 8 hint tokens",
        "gives a hint whose oldest card is the partner's oldest, when the partner's newest "
        "playable card is the fifth oldest",
        "hints 1s when the partner's oldest playable card is the oldest",
    } <= hint
    assert {
        "discards after a rank hint of the partner",
        "discards when the partner's oldest untouched card is necessary",  # W5
        "discards the fourth oldest card",
        "discards the second oldest untouched card",
        "discards the newest untouched card",
        "discards a card of unknown colour and rank",
        "discards the fourth oldest card when 3 cards were just touched",
        "discards the fourth oldest card just after a hint of 1s",
        "discards an untouched card that is playable with a chance of 0%",
    } <= discard
    assert {
        "plays the newest of the cards that a rank hint has just touched",
        "plays a card that a rank hint has just touched and no hint of the other kind touched "
        "before",
        "plays a touched card that is playable with a chance of 100%",
        "plays a card of known rank and unknown colour",
    } <= play_newest
    assert {
        "plays the newest card still held of the hint just given",
        "plays a card just touched, together with 2 or more others",
        "plays a card that one hint has touched, the last one by rank",
        "plays a card known to be a 1, which 3 or more fireworks need next",
        "plays the card of the hand most likely to be playable (100%), tied with another",
        "plays a card just touched by rank, playable with a chance of 100%",
        "plays a card of unknown colour",
    } <= words_of(logs, move_relations, 1, 9)
    assert {
        "hints a rank that touches 3 or more playable cards and no unplayable card for the first "
        "time",
        "gives one's first hint of the game",
        "hints a rank that touches more cards than any other hint",
        "hints a rank that touches the partner's oldest playable card, and more cards than the "
        "other hint about it",
        "hints a rank that touches a card for the first time; at least one of the cards it "
        "touches is playable",
        "hints a rank when the partner holds no touched card",
        "hints 1s, which 3 or more fireworks need next",
        "hints a rank after which the newest card touched looks playable with a chance of 100%, "
        "and is playable",
    } <= words_of(logs, move_relations, 0, HINT_1)
