"""Rules in games of three to five players."""

import gzip
import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.agents.agent import SPREAD, new_view, see
from hoad.agents.games import play_larger_games
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.agents.rules.several_partners import choose_with_several, rules_for_several
from hoad.core.errors import HoadError
from hoad.game.game import Game
from hoad.game.log import replay
from hoad.game.moves import move_name
from hoad.game.state import MAX_MOVES, full_game
from tests.agents.positions import position

RULES = [*range(50), *range(105, 113), *range(116, 135)]
"""Those that are defined for any number of players."""


def weights(rules: Sequence[int], game: Game) -> dict[str, float]:
    """The moves that a list of rules may make, as text, with their probabilities."""
    found, hands, me = np.zeros(MAX_MOVES), new_view(), game.current_player
    see(game.state, me, hands)
    parameters = rules_for_several("test", rules)
    move = choose_with_several(parameters, game.state.table, hands, me, found)
    if move != SPREAD:
        found = np.eye(MAX_MOVES)[move]
    return {
        move_name(game.variant, int(move)): float(found[move]) for move in np.flatnonzero(found)
    }


def choice(rule: int, game: Game) -> str | None:
    """The move of a rule that leaves nothing to chance, or None where it does not fire."""
    moves = weights([rule], game)
    if len(moves) == 1:
        return next(iter(moves))
    assert moves == weights([39], game)
    return None


ME = "W1 W2 W3 W4 W5"
FOUR = "W1 W2 W3 W4 R5  G3 G4 B4 B5 R4  Y1 Y2 Y3"
TWOS = "R1 R2 W3 W4 W5  Y2 Y2 G2 G2 B5  W2 W2 B2"
FOURS = f"{ME}  Y4 R4 G3 B4 B5  R4 G1 Y3 Y5 B3"
ASKED = f"{ME}  Y4 R4 G3 B4 R1  R2 G3 Y3 Y5 B4"
ANSWERED = f"{ME}  Y4 R4 G3 B4 R1  G3 R2 Y3 Y5 B4"
FINESSE = f"{ME}  Y4 R4 G3 B4 R1"

CASES = [
    # Hints go to the first player after me who can be told.
    (13, f"{ME}  Y4 R1 G3 B4 B5  R1 G1 Y3 Y5 B3", "", "hint 1"),
    (13, f"{ME}  Y4 R3 G3 B4 B5  R2 G1 Y3 Y5 B3", "", "hint 1 +2"),
    # The most informative hint goes by the number of the player.
    (19, f"{FOUR} Y4 R1  R1", "hint 5", "hint white +2"),
    (19, f"{FOUR} Y4 Y5  R1", "hint 5", "hint yellow"),
    (125, f"{FOUR} Y4 R1  R1", "hint 5", "hint white +2"),
    # Cards in all other hands are seen.
    (8, f"{TWOS} B2 B4  G3 G4", "play 0, hint 2 +2, discard 4", "play 0"),
    (8, f"{TWOS} B3 B4  G3 G4", "play 0, hint 2 +2, discard 4", None),
    # A hint of any player that touches one card asks to play it; not one given to player 2.
    (9, FOURS, "hint 1 +2, discard 0", "play 1"),
    (9, FOURS, "hint 5, hint 1", "play 1"),
    (9, FOURS, "hint 1 +2", None),
    (9, FOURS, "hint 3 +2, hint 3 +2", None),
    # A hint to the next player about a card two too high makes a finesse.
    (0, ASKED, "hint 2 +2", "play 4"),
    (0, ASKED, "hint 3 +2", None),
    (0, ASKED, "hint red", None),
    # A finesse that another player has answered is played, unless the hint touches two.
    (1, ANSWERED, "hint 2 +2, play 4", "play 1"),
    (1, ANSWERED, "hint 2 +2, discard 4", None),
    (1, ANSWERED, "hint 3 +2, play 4", None),
    # A finesse is told by a hint that touches one card, and from a card that fits.
    (16, f"{FINESSE}  G3 R2 Y3 Y5 B4", "", "hint 2 +2"),
    (16, f"{FINESSE}  G2 R2 Y3 Y5 B4", "", "hint red +2"),
    (16, f"{FINESSE}  G3 R2 R3 Y5 B4", "", "hint 2 +2"),
    (16, f"{FINESSE}  G2 R2 R3 Y5 B4", "", None),
    (16, f"{FINESSE}  G3 R3 Y3 Y5 B4", "", None),
    (16, f"{ME}  Y4 R4 G3 B4 R2  G3 R3 Y3 Y5 B4", "", None),
    (16, f"{ME}  Y4 R4 G3 B4 R5  G3 R3 Y3 Y5 B4", "", None),
]


@pytest.mark.parametrize(("rule", "cards", "moves", "move"), CASES)
def test_what_rules_do_among_three(rule, cards, moves, move):
    assert choice(rule, position(cards, *filter(None, moves.split(", ")), players=3)) == move


def test_what_is_known_is_not_told_again():
    game = position(f"{ME}  Y4 R1 G3 B4 B5  G1 R2 Y3 Y5 B3", players=3)
    game.state.table.colour_mask[1, 1] = game.state.table.rank_mask[1, 1] = 1
    finesse = position(f"{FINESSE}  G3 R2 Y3 Y5 B4", players=3)
    finesse.state.table.rank_mask[2, 1] = 1 << 1

    assert choice(13, game) == "hint 1 +2"
    assert choice(16, finesse) == "hint red +2"


def test_the_dispensable_card_of_the_player_with_the_lowest_number_is_told():
    game = position("R2 W2 W3 W4 W5  G3 G4 B4 B5 Y4  Y1 R3 Y3 Y2 G1", "hint 5", players=3)
    game.state.table.fireworks[0] = 5

    assert choice(15, game) == "hint red +2"
    assert choice(14, game) == "hint 3"  # all other rules begin with the next player


def test_hands_of_four_cards():
    cards = "W1 W2 W3 W4  G3 G4 B4 B5  Y1 Y2 Y3 Y4  R1 R2 R3 R4"
    game = position(cards, "hint blue", "hint white +3", players=4)

    assert game.current_player == 2
    assert choice(3, game) == "play 3"  # ties go to the highest slot
    assert choice(27, game) == "discard 0"
    assert choice(36, game) == "discard 0"
    assert choice(24, game) is None
    assert weights([34], game) == {f"discard {place}": 0.25 for place in range(4)}
    assert weights([22], game) == {
        "hint red": 0.5,
        **{f"hint {rank}": 0.125 for rank in range(1, 5)},
    }
    assert choice(13, game) == "hint 1"


@settings(max_examples=60)
@given(rules=st.lists(st.sampled_from(RULES), max_size=10), seed=st.integers(0, 2**63 - 1))
def test_with_two_players_the_rules_are_those_of_two_players(rules, seed):
    agents = [rule_list_agent("test", rules)] * 2

    games = play(agents, 4, seed), play_larger_games(agents, np.arange(4), seed)

    assert games[0].actions.tolist() == games[1].actions.tolist()
    assert games[0].decks.tolist() == games[1].decks.tolist()


@settings(max_examples=60)
@given(
    rules=st.lists(st.lists(st.sampled_from(RULES), max_size=10), min_size=3, max_size=5),
    seed=st.integers(0, 2**63 - 1),
)
def test_all_games_of_rule_lists_are_legal_and_over(rules, seed):
    agents = [rule_list_agent("test", one) for one in rules]

    outcomes = replay(play(agents, 4, seed))

    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_recorded_random_moves_are_among_those_of_legal_random(reference, players):
    with gzip.open(reference / f"hle_random_{players}p.jsonl.gz", "rt") as lines:
        games = [json.loads(next(lines)) for _ in range(20)]

    for recorded in games:
        game = Game(full_game(players), deck=recorded["deck"])
        for move in recorded["actions"]:
            name, moves = move_name(game.variant, move), weights([39], game)
            assert moves[name] == pytest.approx(1 / len(game.legal_moves))
            game.step(move)


@pytest.mark.parametrize("rule", [50, 51, 69, 72, 78, 83, 104, 113, 114, 115, 200, 325])
def test_rules_of_two_players_are_refused(rule):
    with pytest.raises(HoadError, match=f"agent rules:8,{rule}: rule {rule} is defined for two"):
        play([get_agent(f"rules:8,{rule}")] * 3, 1, seed=0)
