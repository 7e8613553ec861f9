"""Rules that play or discard a card."""

import pytest

from hoad.game.game import Game
from hoad.game.moves import move_name
from hoad.game.state import full_game
from tests.agents.positions import choice, position, weights

# Rules that play a card, for what is known of it or for what a hint seems to have meant.


HINTED = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"


def _five_twos() -> Game:
    """Player 0 knows to hold five 2s, sees none, and the red 1 lies: each fits in 2 of 10 cases."""
    cards = "R2 Y2 G2 W2 B2  R1 Y4 G4 W4 B4  R5"
    return position(cards, "hint 1", "play 0", "hint 4", "hint 2")


def test_a_card_is_certain_once_colour_and_rank_are_known() -> None:
    cards = "R1 Y2 G3 W4 B5  R2 Y1 G2 W2 B2"
    colour_known = position(cards, "hint 1", "hint red")
    both_known = position(cards, "hint 1", "hint red", "hint 2", "hint 1")

    assert choice(2, colour_known) is None
    assert choice(2, both_known) == "play 0"


def test_a_known_rank_is_safe_while_all_its_cards_fit() -> None:
    game = position("R3 Y1 G3 W4 B5  R2 Y1 G2 W2 B2", "hint 1", "hint 1")

    assert choice(2, game) is None
    assert choice(8, game) == "play 1"


def test_a_card_may_be_safe_only_because_the_others_are_seen() -> None:
    """My 2 is the red one: all others lie on the table, in the partner's hand or in the discard."""
    game = position("R1 R2 G3 W4 B5  R3 Y2 G2 W2 B2", "play 0", "hint 2")
    for card in (6, 11, 16, 21):
        game.state.table.left[1] &= ~(1 << card)  # as if its other copy had been discarded

    assert choice(8, game) == "play 0"


def test_safe_cards_are_taken_by_slot_or_the_newest_first() -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")

    assert choice(8, game) == "play 0"
    assert choice(116, game) == "play 1"


def test_a_slot_is_not_an_age() -> None:
    """The card drawn into slot 0 is the newest, and the first in slot order."""
    cards = "R3 Y1 G3 W4 B5  R2 R3 R4 W2 B2  G1"
    game = position(cards, "hint red", "hint 1", "discard 0", "hint 1")

    assert choice(8, game) == "play 4"
    assert choice(116, game) == "play 4"


def test_the_likeliest_card_is_the_highest_slot_where_they_are_alike() -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2")

    assert choice(3, game) == "play 4"


@pytest.mark.parametrize(("rule", "move"), [(3, "play 4"), (4, "play 4"), (44, "play 4")])
def test_a_chance_equal_to_the_threshold_is_enough(rule: int, move: str) -> None:
    assert choice(rule, _five_twos()) == move


@pytest.mark.parametrize("rule", [49, 5, 45, 105, 106, 107, 108])
def test_a_chance_below_the_threshold_is_not(rule: int) -> None:
    assert choice(rule, _five_twos()) is None


@pytest.mark.parametrize("rule", [43, 44, 110, 111, 112, 117, 118])
def test_some_rules_are_not_for_the_last_life(rule: int) -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2")
    game.state.table.lives = 1

    assert choice(rule, game) is None


def test_safe_cards_of_the_last_life() -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")

    assert choice(109, game) is None
    game.state.table.lives = 1
    assert choice(109, game) == "play 0"


@pytest.mark.parametrize("rule", [110, 111])
def test_some_rules_wait_until_the_deck_is_short(rule: int) -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")

    game.state.table.deck_left = 11
    assert choice(rule, game) is None
    game.state.table.deck_left = 0
    assert choice(rule, game) == "play 1"


def test_the_newest_card_is_played_if_it_may_fit() -> None:
    cards = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"
    nothing_known, five_known = position(cards), position(cards, "hint red", "hint 5")

    assert choice(117, nothing_known) == "play 4"
    assert choice(117, five_known) is None


def test_the_newest_untouched_card_is_played_if_likely_enough() -> None:
    cards = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"

    assert choice(118, position(cards)) == "play 4"
    assert choice(118, position(cards, "hint red", "hint 5")) == "play 3"


@pytest.mark.parametrize(
    ("partner", "move"), [("R2 R3 R4 W3 B3", "play 4"), ("R2 Y2 R4 W3 B3", None)]
)
def test_an_untouched_card_may_be_just_likely_enough(partner: str, move: str | None) -> None:
    """Of 45 unseen cards 9 or 8 are 2s."""
    game = position(f"R1 Y1 G3 W4 B5  {partner}")
    game.state.table.fireworks[:] = 1

    assert choice(118, game) == move


@pytest.mark.parametrize("rule", [0, 1, 16, 41, 42])
def test_some_published_rules_never_fire(rule: int) -> None:
    game = position("R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")
    game.state.table.deck_left = 0

    assert choice(rule, game) is None


def test_a_rank_hint_on_one_card_means_play() -> None:
    alone = position("R1 Y2 G3 W4 B5  R2 R3 R4 W2 B2", "hint red", "hint 1")
    not_alone = position(HINTED, "hint red", "hint 1")

    assert choice(9, alone) == "play 0"
    assert choice(9, not_alone) is None


def test_a_colour_hint_on_one_card_means_the_rank_that_lies_on_top() -> None:
    """A quirk of the published program: with no card of the colour played it does not fire."""
    cards = "R2 Y1 G3 W4 B5  R1 Y3 G4 W2 B2"
    nothing_played = position(cards, "hint 1", "hint red")
    red_1_played = position(cards, "hint 1", "play 0", "hint 3", "hint red")

    assert choice(9, nothing_played) is None
    assert choice(9, red_1_played) == "play 0"


@pytest.mark.parametrize("rule", [50, 51, 52, 53, 54])
def test_a_hinted_card_is_played_even_if_it_cannot_fit(rule: int) -> None:
    assert choice(rule, position(HINTED, "hint red", "hint 5")) == "play 4"


@pytest.mark.parametrize("rule", [55, 58, 59, 62, 63, 66])
def test_a_hinted_card_has_to_be_likely_enough(rule: int) -> None:
    assert choice(rule, position(HINTED, "hint red", "hint 5")) is None


def test_a_hint_may_have_to_touch_one_card_or_the_newest() -> None:
    game = position(HINTED, "hint red", "hint 1")

    assert [choice(rule, game) for rule in (63, 64, 65, 66)] == [None, None, None, "play 1"]


def test_once_a_life_is_lost_only_certain_cards_are_played() -> None:
    unfit, fit = position(HINTED, "hint red", "hint 5"), position(HINTED, "hint red", "hint 1")
    for game in (unfit, fit):
        game.state.table.lives = 2

    assert choice(50, unfit) == "play 4"
    assert choice(54, unfit) is None
    assert choice(54, fit) == "play 1"


def test_hints_count_until_the_partner_plays_or_discards() -> None:
    hint_and_hint = position(HINTED, "hint red", "hint 5", "hint 2", "hint yellow")
    hint_and_discard = position(HINTED, "hint red", "hint 5", "hint 2", "discard 0")

    assert choice(53, hint_and_hint) == "play 4"
    assert choice(53, hint_and_discard) is None


def test_a_card_drawn_into_a_hinted_slot_counts_as_hinted() -> None:
    """A quirk of the published program."""
    game = position(HINTED, "hint red", "hint 5", "discard 4", "hint 1")

    assert choice(53, game) == "play 4"


@pytest.mark.parametrize("rule", [113, 114, 115])
def test_the_newest_card_of_a_hint_is_played(rule: int) -> None:
    game = position(HINTED, "hint red", "hint 1")

    assert choice(rule, game) == "play 1"
    game.state.table.lives = 1
    assert choice(rule, game) is None


@pytest.mark.parametrize("rule", [113, 114, 115])
def test_own_rules_do_not_play_a_hinted_card_that_cannot_fit(rule: int) -> None:
    assert choice(rule, position(HINTED, "hint red", "hint 5")) is None


def test_the_best_card_of_a_hint_is_the_likeliest() -> None:
    """Both are red, but the newer one was not there when player 0 heard which card is a 5."""
    game = position(f"{HINTED}  R3", "hint red", "hint 5", "discard 1", "hint red")

    assert choice(113, game) == "play 4"
    assert choice(114, game) == "play 0"


def test_the_last_hint_may_be_old_but_its_card_must_still_be_there() -> None:
    discarded = position(HINTED, "hint red", "hint 1", "hint 2", "discard 0")
    played_one = position(HINTED, "hint red", "hint 1", "play 1", "discard 0")

    assert [choice(rule, discarded) for rule in (113, 114, 115)] == [None, None, "play 1"]
    assert choice(115, played_one) == "play 0"


# Rules that discard a card, and the two that do neither this nor play nor tell.


BLOCKED = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2"
DEAD_RED_1 = ("hint 4", "hint 1", "play 0", "hint red")


def _dead_red_1() -> Game:
    """Player 0 knows its card in slot 1, the oldest, to be a red 1; the red 1 lies."""
    cards = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2  G2"
    return position(cards, "hint 4", "hint 1", "play 0", "hint red", "hint 3", "hint 2")


@pytest.mark.parametrize("rule", [25, 29, 33, 35, 38, 131, 133])
def test_a_card_known_to_be_dead_is_discarded(rule: int) -> None:
    assert choice(rule, _dead_red_1()) == "discard 0"


@pytest.mark.parametrize("rule", [25, 30, 33, 35, 37, 38, 131, 133])
def test_no_card_is_dead_at_first(rule: int) -> None:
    assert choice(rule, position("R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 1")) is None


def test_cards_beyond_reach_are_discarded_where_their_colour_is_known() -> None:
    """Both blue 2s are gone, so that no blue card above 1 can be played."""
    cards = "B2 B2 B3 W4 R5  Y2 Y3 G4 W3 G2  G1 G1"
    discarded = ("hint 4", "hint 2", "discard 0", "hint 3", "discard 0", "hint 5")
    rank_known = position(cards, *discarded)
    both_known = position(cards, *discarded, "hint 3", "hint blue")

    assert choice(37, rank_known) is None
    assert choice(35, both_known) == "discard 0"
    assert choice(37, both_known) == "discard 0"


@pytest.mark.parametrize("rule", [24, 25, 26, 27, 28, 29, *range(30, 39), 131, 132, 133, 134])
def test_nothing_is_discarded_with_all_tokens(rule: int) -> None:
    game = _dead_red_1()
    game.state.table.tokens = 8

    assert weights(f"rules:{rule}", game) == weights("legal-random", game)


def test_the_oldest_card_is_discarded() -> None:
    game = _dead_red_1()

    assert choice(27, game) == "discard 0"
    game.state.table.tokens = 4
    assert choice(134, game) is None
    game.state.table.tokens = 3
    assert choice(134, game) == "discard 0"


def test_a_card_of_which_nothing_is_known_is_the_first_by_slot_or_by_age() -> None:
    """The card drawn into slot 0 is the newest."""
    cards = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2  G2"
    game = position(cards, "hint 4", "hint 5", "discard 0", "hint 5")

    assert choice(28, game) == "discard 4"
    assert choice(36, game) == "discard 4"
    assert choice(132, game) == "discard 0"


def test_the_card_of_the_highest_known_rank_is_discarded() -> None:
    cards = "R1 R5 G3 W4 B5  Y2 Y3 G4 W3 B2"

    assert choice(24, position(cards, "hint 4", "hint red")) is None
    assert choice(24, position(cards, "hint 4", "hint 3", "hint 2", "hint 5")) == "discard 1"


def test_the_card_least_likely_to_be_necessary_is_in_the_highest_slot_where_they_are_alike() -> (
    None
):
    five_known = position("R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 5")

    assert choice(26, five_known) == "discard 3"


def test_a_random_card_is_discarded() -> None:
    told = weights("rules:34", position("R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 5"))

    assert told == {f"discard {position}": 0.2 for position in range(5)}


def test_any_legal_move_is_as_likely() -> None:
    game = position(BLOCKED, "hint 4")
    legal = [move_name(full_game(2), move) for move in game.legal_moves]

    assert weights("rules:39", game) == pytest.approx(dict.fromkeys(legal, 1 / len(legal)))


def test_a_token_is_regained_for_a_partner_who_has_no_safe_move() -> None:
    game = position(BLOCKED, *DEAD_RED_1)

    assert choice(40, game) is None
    game.state.table.tokens = 0
    assert choice(40, game) == "discard 0"


def test_a_partner_who_knows_a_playable_card_is_not_blocked() -> None:
    cards = "R1 R1 G3 W4 B5  Y1 Y3 G4 W3 B2"
    game = position(cards, *DEAD_RED_1, "hint 1", "hint 3", "hint yellow", "hint 4")
    game.state.table.tokens = 0

    assert choice(40, game) is None


def test_a_five_that_completes_a_firework_regains_a_token_too() -> None:
    game = position("R5 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4", "hint 5", "hint 3", "hint red")
    game.state.table.tokens = 0
    game.state.table.fireworks[0] = 4
    assert choice(40, game) == "play 0"

    game.state.table.fireworks[0] = 3

    assert choice(40, game) is None
