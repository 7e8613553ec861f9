"""Rules that play or discard a card, and the two that do neither this nor play nor tell."""

import pytest

from hoad.game.moves import move_name
from hoad.game.state import full_game
from tests.agents.positions import assert_choice, choice, position, weights

ONES = "R1 Y1 G3 W4 B5  R2 R3 R4 W2 B2"
TOLD_ONES = "hint red, hint 1"
TOLD_FIVE = "hint red, hint 5"
TWOS = "R2 Y2 G2 W2 B2  R1 Y4 G4 W4 B4  R5"
TOLD_TWOS = "hint 1, play 0, hint 4, hint 2"
"""Player 0 knows to hold five 2s, sees none, and the red 1 lies: each fits in 2 of 10 cases."""
RED_ONES = "R1 R1 G3 W4 B5  Y2 Y3 G4 W3 B2"
DEAD = "hint 4, hint 1, play 0, hint red"
"""Player 0 knows its card in slot 1, the oldest, to be a red 1; the red 1 lies."""

PLAYED = [
    # A card is certain once colour and rank are known; a rank is safe while all its cards fit.
    (2, "R1 Y2 G3 W4 B5  R2 Y1 G2 W2 B2", "hint 1, hint red", {}, None),
    (2, "R1 Y2 G3 W4 B5  R2 Y1 G2 W2 B2", "hint 1, hint red, hint 2, hint 1", {}, "play 0"),
    (2, "R3 Y1 G3 W4 B5  R2 Y1 G2 W2 B2", "hint 1, hint 1", {}, None),
    (8, "R3 Y1 G3 W4 B5  R2 Y1 G2 W2 B2", "hint 1, hint 1", {}, "play 1"),
    # Safe cards are taken by slot or the newest first. A card drawn into slot 0 is the newest.
    (8, ONES, TOLD_ONES, {}, "play 0"),
    (116, ONES, TOLD_ONES, {}, "play 1"),
    ((8, 116), f"R3{ONES[2:]}  G1", "hint red, hint 1, discard 0, hint 1", {}, "play 4"),
    # The likeliest card is in the highest slot where they are alike; the chance of the threshold
    # is enough.
    (3, ONES, "", {}, "play 4"),
    ((3, 4, 44), TWOS, TOLD_TWOS, {}, "play 4"),
    ((49, 5, 45, 105, 106, 107, 108), TWOS, TOLD_TWOS, {}, None),
    # Some rules are not for the last life, or only for it.
    ((43, 44, 110, 111, 112, 117, 118), ONES, "", {"lives": 1}, None),
    (109, ONES, TOLD_ONES, {}, None),
    (109, ONES, TOLD_ONES, {"lives": 1}, "play 0"),
    # Some wait until the deck is short.
    ((110, 111), ONES, TOLD_ONES, {"deck_left": 11}, None),
    ((110, 111), ONES, TOLD_ONES, {"deck_left": 0}, "play 1"),
    # The newest card is played if it may fit, the newest untouched one if that is likely enough.
    ((117, 118), ONES, "", {}, "play 4"),
    (117, ONES, TOLD_FIVE, {}, None),
    (118, ONES, TOLD_FIVE, {}, "play 3"),
    # Just likely enough, or not: of 45 unseen cards 9 or 8 are 2s.
    (118, "R1 Y1 G3 W4 B5  R2 R3 R4 W3 B3", "", {"fireworks": 1}, "play 4"),
    (118, "R1 Y1 G3 W4 B5  R2 Y2 R4 W3 B3", "", {"fireworks": 1}, None),
    # Some published rules never fire.
    ((0, 1, 16, 41, 42), ONES, TOLD_ONES, {"deck_left": 0}, None),
    # A rank hint on one card means play, a colour hint on one card the rank on top. By a quirk of
    # the published program it does not fire with no card of the colour played.
    (9, "R1 Y2 G3 W4 B5  R2 R3 R4 W2 B2", TOLD_ONES, {}, "play 0"),
    (9, ONES, TOLD_ONES, {}, None),
    (9, "R2 Y1 G3 W4 B5  R1 Y3 G4 W2 B2", "hint 1, hint red", {}, None),
    (9, "R2 Y1 G3 W4 B5  R1 Y3 G4 W2 B2", "hint 1, play 0, hint 3, hint red", {}, "play 0"),
    # A hinted card is played even if it cannot fit, or has to be likely enough.
    (range(50, 55), ONES, TOLD_FIVE, {}, "play 4"),
    ((55, 58, 59, 62, 63, 66), ONES, TOLD_FIVE, {}, None),
    # A hint may have to touch one card, or the newest.
    ((63, 64, 65), ONES, TOLD_ONES, {}, None),
    (66, ONES, TOLD_ONES, {}, "play 1"),
    # Once a life is lost only certain cards are played.
    (50, ONES, TOLD_FIVE, {"lives": 2}, "play 4"),
    (54, ONES, TOLD_FIVE, {"lives": 2}, None),
    (54, ONES, TOLD_ONES, {"lives": 2}, "play 1"),
    # Hints count until the partner plays or discards. By a quirk of the published program a card
    # drawn into a hinted slot counts as hinted.
    (53, ONES, f"{TOLD_FIVE}, hint 2, hint yellow", {}, "play 4"),
    (53, ONES, f"{TOLD_FIVE}, hint 2, discard 0", {}, None),
    (53, ONES, f"{TOLD_FIVE}, discard 4, hint 1", {}, "play 4"),
    # Our own rules play the newest card of a hint unless it cannot fit, or with one life left.
    ((113, 114, 115), ONES, TOLD_ONES, {}, "play 1"),
    ((113, 114, 115), ONES, TOLD_ONES, {"lives": 1}, None),
    ((113, 114, 115), ONES, TOLD_FIVE, {}, None),
    # The best card of a hint is the likeliest: both are red, but the newer one was not there when
    # player 0 heard which card is a 5.
    (113, f"{ONES}  R3", f"{TOLD_FIVE}, discard 1, hint red", {}, "play 4"),
    (114, f"{ONES}  R3", f"{TOLD_FIVE}, discard 1, hint red", {}, "play 0"),
    # The last hint may be old, but its card must still be there.
    ((113, 114), ONES, f"{TOLD_ONES}, hint 2, discard 0", {}, None),
    (115, ONES, f"{TOLD_ONES}, hint 2, discard 0", {}, "play 1"),
    (115, ONES, f"{TOLD_ONES}, play 1, discard 0", {}, "play 0"),
]

DEAD_BLUE = "B2 B2 B3 W4 R5  Y2 Y3 G4 W3 G2  G1 G1"
LOST_TWOS = "hint 4, hint 2, discard 0, hint 3, discard 0, hint 5"

YELLOW_1 = RED_ONES.replace("Y2", "Y1")

DISCARDED = [
    # A card known to be dead is discarded; none is at first.
    ((25, 29, 33, 35, 38, 131, 133), f"{RED_ONES}  G2", f"{DEAD}, hint 3, hint 2", {}, "discard 0"),
    ((25, 30, 33, 35, 37, 38, 131, 133), RED_ONES, "hint 4, hint 1", {}, None),
    # Cards beyond reach are dead where their colour is known: both blue 2s are gone.
    (37, DEAD_BLUE, LOST_TWOS, {}, None),
    ((35, 37), DEAD_BLUE, f"{LOST_TWOS}, hint 3, hint blue", {}, "discard 0"),
    # The oldest card is discarded, by one rule when tokens are few.
    (27, RED_ONES, DEAD, {}, "discard 0"),
    (134, RED_ONES, DEAD, {"tokens": 4}, None),
    (134, RED_ONES, DEAD, {"tokens": 3}, "discard 0"),
    # A card of which nothing is known, the first by slot or by age: that in slot 0 is the newest.
    ((28, 36), f"{RED_ONES}  G2", "hint 4, hint 5, discard 0, hint 5", {}, "discard 4"),
    (132, f"{RED_ONES}  G2", "hint 4, hint 5, discard 0, hint 5", {}, "discard 0"),
    # The card of the highest known rank.
    (24, "R1 R5 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4, hint red", {}, None),
    (24, "R1 R5 G3 W4 B5  Y2 Y3 G4 W3 B2", "hint 4, hint 3, hint 2, hint 5", {}, "discard 1"),
    # The card least likely to be necessary, in the highest slot where they are alike.
    (26, RED_ONES, "hint 4, hint 5", {}, "discard 3"),
    # A token is regained for a partner who has no safe move, not for one who knows a playable card.
    (40, RED_ONES, DEAD, {}, None),
    (40, RED_ONES, DEAD, {"tokens": 0}, "discard 0"),
    (40, YELLOW_1, f"{DEAD}, hint 1, hint 3, hint yellow, hint 4", {"tokens": 0}, None),
    # A random card is discarded.
    (34, RED_ONES, "hint 4, hint 5", {}, dict.fromkeys([f"discard {n}" for n in range(5)], 0.2)),
]


@pytest.mark.parametrize(("rules", "cards", "moves", "table", "move"), [*PLAYED, *DISCARDED])
def test_what_rules_do(rules, cards, moves, table, move):
    assert_choice(rules, cards, moves, table, move)


def test_a_card_may_be_safe_only_because_the_others_are_seen():
    """My 2 is the red one: all others lie on the table, in the partner's hand or in the discard."""
    game = position("R1 R2 G3 W4 B5  R3 Y2 G2 W2 B2", "play 0", "hint 2")
    for card in (6, 11, 16, 21):
        game.state.table.left[1] &= ~(1 << card)  # as if its other copy had been discarded

    assert choice(8, game) == "play 0"


@pytest.mark.parametrize("rule", [24, 25, 26, 27, 28, 29, *range(30, 39), 131, 132, 133, 134])
def test_nothing_is_discarded_with_all_tokens(rule):
    game = position(f"{RED_ONES}  G2", *DEAD.split(", "), "hint 3", "hint 2", tokens=8)

    assert weights(f"rules:{rule}", game) == weights("legal-random", game)


def test_any_legal_move_is_as_likely():
    game = position(RED_ONES, "hint 4")
    legal = [move_name(full_game(2), move) for move in game.legal_moves]

    assert weights("rules:39", game) == pytest.approx(dict.fromkeys(legal, 1 / len(legal)))


@pytest.mark.parametrize(("height", "move"), [(4, "play 0"), (3, None)])
def test_a_five_that_completes_a_firework_regains_a_token_too(height, move):
    moves = ("hint 4", "hint 5", "hint 3", "hint red")
    game = position("R5 R1 G3 W4 B5  Y2 Y3 G4 W3 B2", *moves, tokens=0)
    game.state.table.fireworks[0] = height

    assert choice(40, game) == move
