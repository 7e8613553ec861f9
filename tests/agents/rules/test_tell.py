"""Rules that give a hint: about a card that they choose, or the best of all hints."""

import pytest

from hoad.game.game import Game
from tests.agents.positions import choice, position, weights

CARDS = "W1 W2 W3 W4 W5  Y4 R1 G1 G1 B5"


def _ranks_known() -> Game:
    return position(CARDS, "hint 1", "hint 5")


def _dead_red_1() -> Game:
    """The red 1 lies; player 1 holds another one, first in slot order."""
    return position("R1 W2 W3 W4 W5  R1 R3 G4 G5 Y3", "play 0", "hint 5")


@pytest.mark.parametrize(
    ("rule", "first", "then"),
    [
        (13, "hint 1", "hint red"),
        (21, "hint 1", "hint red"),
        (18, "hint 1", "hint red"),
        (119, "hint red", "hint red"),
        (12, "hint green", "hint green"),
        (120, "hint 1", "hint green"),
        (121, "hint 1", "hint red"),
        (10, None, "hint red"),
        (11, "hint 1", "hint red"),
    ],
)
def test_playable_cards_are_told(rule: int, first: str | None, then: str) -> None:
    assert choice(rule, position(CARDS)) == first
    assert choice(rule, _ranks_known()) == then


@pytest.mark.parametrize("rule", [72, 73, 74, 75, 76, 77])
def test_the_last_playable_card_that_is_not_fully_known_is_told(rule: int) -> None:
    all_green_known = position(CARDS, "hint 1", "hint 5", "hint green", "hint 4")

    assert choice(rule, position(CARDS)) == "hint green"
    assert choice(rule, all_green_known) == "hint red"
    assert choice(12, all_green_known) is None  # it minds the last one alone


@pytest.mark.parametrize("rule", range(72, 78))
def test_a_missing_card_stops_a_rule_that_lacks_a_colour(rule: int) -> None:
    game = position(CARDS)
    game.state.table.hand_length[1] = 4

    assert choice(rule, game) is None


def test_a_playable_card_is_told_by_a_hint_that_touches_it_alone() -> None:
    assert choice(127, position(CARDS)) == "hint red"
    assert choice(127, position("W1 W2 W3 W4 W5  R1 Y4 W3 G1 B5")) == "hint green"
    assert choice(127, position("W1 W2 W3 W4 W5  Y4 R1 G1 G1 R5")) is None


def test_what_is_known_is_not_told_though_it_touches_one_card_alone() -> None:
    cards = "W1 W2 W3 W4 W5  Y4 R1 G3 G2 R5"

    assert choice(127, position(cards)) == "hint 1"
    assert choice(127, position(cards, "hint 1", "hint 5")) is None


def test_useless_cards_are_told_rank_or_colour_first() -> None:
    assert choice(14, _dead_red_1()) == "hint 1"
    assert choice(122, _dead_red_1()) == "hint red"


def test_a_useless_card_counts_as_usable_if_a_token_is_missing() -> None:
    game = _dead_red_1()

    assert choice(18, game) == "hint 1"
    game.state.table.tokens = 8
    assert choice(18, game) is None


def test_a_dispensable_card_is_told_once_half_of_it_is_known() -> None:
    cards = "R1 W2 W3 W4 W5  R1 R3 G4 G5 Y3"
    rank_known = position(cards, "hint 1", "hint 5", "play 0", "hint 4")

    assert choice(15, _dead_red_1()) is None
    assert choice(15, rank_known) == "hint red"
    assert choice(48, rank_known) is None
    rank_known.state.table.tokens = 3
    assert choice(48, rank_known) == "hint red"


def test_necessary_cards_are_told() -> None:
    assert choice(17, position(CARDS)) == "hint 5"
    assert choice(124, position(CARDS)) == "hint 5"
    assert choice(123, position(CARDS)) is None  # the oldest card is the yellow 4


def test_the_oldest_untouched_card_is_saved() -> None:
    oldest_touched = position("W1 W2 W3 W4 W5  Y4 B5 R1 G1 G1", "hint yellow", "hint 1")

    assert choice(123, oldest_touched) == "hint 5"


def test_unknown_cards_are_told_colour_first() -> None:
    assert choice(23, position(CARDS)) == "hint yellow"


def test_a_playable_card_is_told_by_chance() -> None:
    assert weights("rules:20", position(CARDS)) == {"hint red": 0.5, "hint 1": 0.5}


@pytest.mark.parametrize("rule", [22, 129])
def test_a_random_card_is_told_by_chance(rule: int) -> None:
    told = weights(f"rules:{rule}", position(CARDS))

    assert told == pytest.approx(
        {
            "hint red": 0.1,
            "hint yellow": 0.1,
            "hint green": 0.2,
            "hint blue": 0.1,
            "hint 1": 0.3,
            "hint 4": 0.1,
            "hint 5": 0.1,
        }
    )


def test_some_rules_want_many_tokens() -> None:
    game = position(CARDS)

    game.state.table.tokens = 7
    assert weights("rules:129", game) == weights("legal-random", game)
    assert choice(130, game) == "hint 1"
    game.state.table.tokens = 3
    assert choice(130, game) is None


@pytest.mark.parametrize(
    ("rule", "move"),
    [(83, "hint 5"), (85, "hint 5"), (86, "hint 5"), (87, None), (93, None)],
)
def test_an_unplayable_card_that_looks_playable_is_told(rule: int, move: str | None) -> None:
    """At first every card looks playable in 15 of 50 cases; ties go to the highest slot."""
    assert choice(rule, position(CARDS)) == move


@pytest.mark.parametrize(
    ("rule", "move"), [(94, None), (96, None), (97, "hint 1"), (98, "hint 1"), (104, "hint 1")]
)
def test_a_playable_card_that_looks_unplayable_is_told(rule: int, move: str | None) -> None:
    assert choice(rule, position(CARDS)) == move


@pytest.mark.parametrize("rule", range(83, 105))
def test_probable_mistakes_are_seen_from_the_first_seat_only(rule: int) -> None:
    """A quirk of the published program."""
    game = position("Y4 R1 G1 G1 B5  W1 W2 W3 W4 W5", "hint 5")

    assert choice(rule, game) is None


@pytest.mark.parametrize("rule", [*range(10, 24), 48, *range(67, 105), *range(119, 131)])
def test_nothing_is_told_without_a_token(rule: int) -> None:
    game = position(CARDS)
    game.state.table.tokens = 0

    assert weights(f"rules:{rule}", game) == weights("legal-random", game)


def test_the_hint_that_touches_most_may_be_repeated_or_not() -> None:
    ones_known = position(CARDS, "hint 1", "hint 5")

    assert choice(19, position(CARDS)) == "hint 1"
    assert choice(19, ones_known) == "hint 1"
    assert choice(125, position(CARDS)) == "hint 1"
    assert choice(125, ones_known) == "hint green"


def test_ties_go_to_ranks_then_to_lower_ones() -> None:
    assert choice(19, position("W1 W2 W3 W4 W5  B2 B3 G2 G3 R4")) == "hint 2"


def test_every_hint_that_says_something_new_is_as_likely() -> None:
    ones_known = position(CARDS, "hint 1", "hint 5")

    hints = ["hint red", "hint yellow", "hint green", "hint blue", "hint 4", "hint 5"]
    assert weights("rules:126", ones_known) == pytest.approx(dict.fromkeys(hints, 1 / 6))


def test_a_hint_on_playable_cards_alone() -> None:
    assert choice(128, position(CARDS)) == "hint 1"
    assert choice(128, position("W1 W2 W3 W4 W5  R1 R2 R3 Y1 G2")) == "hint 1"
    assert choice(128, position("W1 W2 W3 W4 W5  R1 R2 R3 Y2 G2")) == "hint 1"
    assert choice(128, position("W1 W2 W3 W4 W5  Y2 R2 R3 Y2 G2")) is None
    assert choice(128, position(CARDS, "hint 1", "hint 5")) == "hint green"


def test_confusion_with_playable_cards_is_sought_or_with_others_avoided() -> None:
    """A 1 would be told together with the other playable 1 and with the dead red 1."""
    game = position("R1 W2 W3 W4 W5  R1 Y1 G1 W4 B5", "play 0", "hint 5")

    assert choice(67, game) == "hint 1"
    assert choice(68, game) == "hint yellow"


@pytest.mark.parametrize("rule", [67, 68])
def test_nothing_known_is_told_again(rule: int) -> None:
    cards = "W1 W2 W3 W4 W5  Y4 R1 R4 G4 B5"
    game = position(cards, "hint 1", "hint 5", "hint red", "hint 4")

    assert choice(rule, game) is None


@pytest.mark.parametrize("rule", [69, 70, 71])
def test_playable_cards_are_made_to_look_playable_even_again(rule: int) -> None:
    ones_known = position(CARDS, "hint 1", "hint 5")

    assert choice(rule, position(CARDS)) == "hint 1"
    assert choice(69, ones_known) == "hint 1"


def test_the_weight_of_other_cards_matters() -> None:
    """Player 1 knows its red 2: only how the others look can still change."""
    moves = ("hint 2", "hint 5", "play 0", "hint 4", "hint red", "hint 2")
    game = position("R1 W1 W2 W4 W5  R2 B3 W3 Y3 G4", *moves)

    assert choice(69, game) == "hint 2"
    assert choice(70, game) == "hint 3"
    assert choice(71, game) == "hint 3"


def test_useless_cards_are_shown_by_the_last_hint_that_does() -> None:
    game = position("R1 W2 W3 W4 W5  R1 G4 G4 G5 Y3", "hint 1", "hint 5", "play 0", "hint 4")

    assert choice(78, game) == "hint red"


def test_of_two_hints_that_show_a_useless_card_the_last_is_given() -> None:
    """Player 1 knows a dead card's rank to be 1, and another one's colour to be yellow."""
    plays = ("play 0", "hint 4", "play 0", "hint 4", "play 0", "hint 4")
    moves = ("hint 1", "hint 5", *plays, "hint yellow", "hint 4")
    game = position("R1 Y1 Y2 W4 W5  R1 Y2 G4 G4 B3", *moves)

    assert choice(78, game) == "hint red"


def test_useless_cards_are_not_shown_if_there_are_too_few_or_one_is_known() -> None:
    """Where the published program aborts the game, the rule does not fire."""
    moves = ("hint 1", "hint 5", "play 0", "hint 4")
    game = position("R1 W2 W3 W4 W5  R1 G4 G4 G5 Y3", *moves)
    known = position("R1 W2 W3 W4 W5  R1 G4 G4 G5 Y3", *moves, "hint red", "hint 3")

    assert choice(79, game) is None
    assert choice(78, known) is None


@pytest.mark.parametrize("rule", [67, 68, 69, 70, 71, 78])
def test_a_missing_card_stops_some_published_rules(rule: int) -> None:
    game = position("R1 W2 W3 W4 W5  R1 Y1 G1 W4 B5", "hint 1", "hint 5", "play 0", "hint 4")
    assert choice(rule, game) is not None

    game.state.table.hand_length[1] = 4

    assert choice(rule, game) is None
