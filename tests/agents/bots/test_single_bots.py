"""SimpleBot, ValueBot, HolmesBot, SmartBot and CheatBot in single positions."""

from tests.agents.bot_games import decide

# SimpleBot, ValueBot and HolmesBot, which remember what hints meant.


# SimpleBot: every hint means "play these cards".


NO_PLAYS = "R3 Y3 G3 W3 B3"


def test_simplebot_names_the_colour_or_rank_of_most_playable_cards() -> None:
    assert decide("simplebot", NO_PLAYS, "R1 Y1 G3 W3 B3", []) == "hint 1"


def test_of_equal_hints_the_first_colour_comes_first() -> None:
    assert decide("simplebot", NO_PLAYS, "R4 Y3 B1 W3 G1", []) == "hint 1"
    assert decide("simplebot", NO_PLAYS, "R4 Y3 B1 W3 G4", []) == "hint blue"


def test_simplebot_plays_what_a_hint_touched_in_order_of_value() -> None:
    hints = ["hint 2", "hint 3", "hint red", "hint 3"]

    assert decide("simplebot", NO_PLAYS, "Y4 Y2 G4 R1 B4", hints[:1]) == "play 1"
    assert decide("simplebot", NO_PLAYS, "Y4 Y2 G4 R1 B4", hints[:3]) == "play 3"


def test_to_simplebot_a_rank_hint_of_the_oldest_card_at_8_tokens_means_nothing() -> None:
    assert decide("simplebot", NO_PLAYS, "R1 Y4 G4 W4 B4", ["hint 1"]) == "discard 0"


def test_a_card_that_may_be_a_copy_of_the_one_just_played_is_no_longer_played() -> None:
    moves = ["hint 2", "hint 3", "hint 1", "play 1"]
    hand = "Y4 R1 G2 Y1 B4"

    assert decide("simplebot", NO_PLAYS, hand, ["hint 2", "hint 3", "hint 1"]) == "play 1"
    assert decide("simplebot", NO_PLAYS, hand, [*moves, "discard 0"]) == "play 1"


def test_a_card_on_a_complete_firework_is_played_first() -> None:
    reds = "R1 R2 R3 R4 R5"
    rounds = ["play 0", "hint red", "play 0", "hint red", "play 0", "hint red", "play 0"]
    moves = [*rounds, "hint red", "play 0", "hint 3", "hint 1", "hint 3", "hint red"]

    assert decide("simplebot", reds, "Y4 G1 R1 W4 B4", moves, "Y3 G3 W3 B3 R3") == "play 2"


# ValueBot: a hint may warn of the loss of a last copy.


def test_valuebot_warns_of_the_loss_of_a_last_copy() -> None:
    assert decide("valuebot", NO_PLAYS, "R5 Y3 G3 W4 B4", []) == "hint 5"


def test_a_hint_at_plays_saves_the_last_copy_too() -> None:
    assert decide("valuebot", NO_PLAYS, "R5 Y3 G1 W4 B4", []) == "hint green"


def test_valuebot_keeps_the_card_that_it_was_warned_of() -> None:
    hands = ("R5 Y3 G3 W4 B4", "Y4 G4 W3 B3 Y2")

    assert decide("valuebot", *hands, ["hint 4", "hint 4"]) == "play 3"
    assert decide("valuebot", *hands, ["hint 4", "hint 5"]) == "discard 1"


def test_to_valuebot_a_rank_hint_of_the_oldest_card_at_8_tokens_means_nothing() -> None:
    assert decide("valuebot", NO_PLAYS, "R1 Y4 G4 W4 B4", ["hint 1"]) == "discard 0"
    assert decide("valuebot", NO_PLAYS, "Y4 R1 G4 W4 B4", ["hint 1"]) == "play 1"


def test_valuebot_throws_away_a_card_of_a_complete_firework() -> None:
    moves = ["play 0", "hint red"] * 4 + ["play 0", "hint 3", "hint red"]
    hands = ("R1 R2 R3 R4 R5", "Y4 G4 R1 W4 B4")

    assert decide("valuebot", *hands, moves, "Y3 G3 W3 B3 R3") == "discard 2"


# HolmesBot: it knows what a card cannot be.


def test_holmesbot_does_not_play_a_card_of_known_colour_for_its_rank_alone() -> None:
    """Four colours were named, and the oldest card was none of them: it is blue, and no blue 1."""
    hands = (NO_PLAYS, "B2 R1 Y1 G1 W1")
    colours = ["hint red", "play 1", "hint yellow", "play 1", "hint green", "play 1"]
    moves = [*colours, "hint white", "play 1", "hint 2"]

    assert decide("valuebot", *hands, moves, "B4 R4 Y4 G4") == "play 0"
    assert decide("holmesbot", *hands, moves, "B4 R4 Y4 G4") == "discard 0"


def test_holmesbot_warns_of_the_loss_of_a_last_copy() -> None:
    assert decide("holmesbot", NO_PLAYS, "R5 Y3 G3 W4 B4", []) == "hint 5"


def test_holmesbot_copes_with_a_colour_hint_on_a_complete_firework() -> None:
    moves = ["play 0", "hint red"] * 4 + ["play 0", "hint 3", "hint red"]
    hands = ("R1 R2 R3 R4 R5", "Y4 G4 R1 W4 B4")

    assert decide("holmesbot", *hands, moves, "Y3 G3 W3 B3 R3") == "discard 2"


# SmartBot: what was not said counts too.


def test_smartbot_takes_a_hint_to_mean_the_newest_touched_card_that_may_be_playable() -> None:
    assert decide("smartbot", NO_PLAYS, "R4 Y3 R1 W3 B3", ["hint red"]) == "play 2"


def test_smartbot_gives_no_hint_that_would_be_taken_for_the_wrong_card() -> None:
    assert decide("smartbot", NO_PLAYS, "R1 Y3 R4 W3 B3", []) == "hint 1"


def test_smartbot_hands_a_playable_card_over_to_the_partner_who_has_it_as_newest() -> None:
    hands = ("Y3 R1 G3 W3 B3", "Y4 G4 W4 B3 R1")
    moves = ["hint 3", "hint red"]

    assert decide("smartbot", *hands, moves) == "discard 1"
    assert decide("smartbot", *hands, [*moves, "discard 1"], "W2") == "play 4"


def test_smartbot_warns_of_the_loss_of_a_last_copy() -> None:
    assert decide("smartbot", NO_PLAYS, "R5 Y3 G3 W4 B4", []) == "hint 5"


# CheatBot: it sees both hands, and is marked so.


def test_cheatbot_plays_what_it_was_never_told_of() -> None:
    assert decide("cheatbot", "R3 Y3 G1 W3 B3", NO_PLAYS, []) == "play 2"


def test_cheatbot_plays_first_what_the_partner_can_continue() -> None:
    assert decide("cheatbot", "R3 Y1 G1 W3 B3", "R4 Y4 G2 W4 B4", []) == "play 2"


def test_cheatbot_the_next_colour_does_not_continue_a_five() -> None:
    """Red 5 and yellow 1 have neighbouring numbers."""
    moves = ["play 0", "hint red"] * 4

    assert decide("cheatbot", "R1 R2 R3 R4 R5", "Y1 Y4 G4 W4 B4", moves, "Y1 G3 W3 B3") == "play 1"
