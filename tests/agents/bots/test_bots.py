"""What is true of every bot, and moves of bots in single positions."""

import numpy as np
import pytest

from hoad.agents import Batch, get_agent, play
from hoad.game.log import replay
from tests.agents.bot_games import InLockstep, decide, recorded_decisions, weights_of_recorded

_QUUX = {
    "simplebot": ("simplebot", "valuebot", "holmesbot"),
    "valuebot": ("valuebot", "simplebot", "holmesbot"),
    "holmesbot": ("holmesbot", "simplebot", "valuebot"),
    "smartbot": ("smartbot",),
    "cheatbot": ("cheatbot",),
    "infobot": ("infobot",),
}
"""The partners of each bot in games of the original programs."""

BOTS = [*_QUUX, "wtfwt", "fireflower"]


def _recorded() -> list[tuple[str, str, str]]:
    """Return bots, files in which they play, and the order in which these count the colours."""
    files = [("wtfwt", "wtfwt_selfplay", "RYGBW"), ("fireflower", "fireflower_selfplay", "RYGWB")]
    for bot, partners in _QUUX.items():
        for partner in partners:
            players = [f"{bot}_{partner}", f"{partner}_{bot}"]
            names = [f"{bot}_selfplay"] if partner == bot else players
            files += [(bot, f"quux_{name}", "RYGWB") for name in names]
    return files


@pytest.mark.parametrize(("bot", "file", "colours"), _recorded())
def test_it_makes_every_recorded_move(reference, bot, file, colours):
    decided = list(recorded_decisions(reference / f"{file}.jsonl.gz", {bot}, colours))

    assert decided
    assert all((weights_of_recorded(decisions) == 1).all() for decisions, _ in decided)


@pytest.mark.parametrize(
    ("bot", "lenient", "strict", "games"),
    [
        ("simplebot", 16.918, 16.918, 100_000),
        ("valuebot", 19.790, 19.790, 100_000),
        ("holmesbot", 20.740, 19.493, 100_000),
        ("smartbot", 23.107, 23.004, 100_000),
        ("cheatbot", 24.904, 24.904, 100_000),
        ("infobot", 20.002, 20.002, 100_000),
        ("wtfwt", 22.5217, 22.5217, 20_000),
    ],
)
def test_it_scores_as_published(bot, lenient, strict, games):
    """Means of self-play are within 3 combined standard errors."""
    outcomes = replay(play([get_agent(bot)] * 2, 20_000, seed=31))

    for scores, published in ((outcomes.scores, lenient), (outcomes.strict, strict)):
        error = scores.std() * (1 / 20_000 + 1 / games) ** 0.5
        assert abs(scores.mean() - published) < 3 * error


class AskedTwice(InLockstep):
    """An agent that is asked for every distribution twice."""

    def weights(self, batch: Batch) -> np.ndarray:
        self.inner.weights(batch)
        return self.inner.weights(batch)


@pytest.mark.parametrize("bot", BOTS)
def test_games_do_not_depend_on_how_it_is_asked(bot):
    games = 20 if bot == "fireflower" else 100
    asked_once, asked_twice = (
        play([agent] * 2, games, seed=3) for agent in (get_agent(bot), AskedTwice(get_agent(bot)))
    )

    assert (asked_once.actions == asked_twice.actions).all()


@pytest.mark.parametrize("bot", BOTS)
def test_it_copes_with_anybody(bot):
    """Playing refuses illegal moves."""
    games = 25 if bot == "fireflower" else 1_000
    for partner in ("legal-random", "flawed", "iggi", "simplebot"):
        for seats in ([bot, partner], [partner, bot]):
            assert len(play([get_agent(name) for name in seats], games, seed=8)) == games


NO_PLAYS = "R3 Y3 G3 W3 B3"
REDS = "R1 R2 R3 R4 R5"
COMPLETE = "play 0, hint red, " * 4 + "play 0, hint 3, "
"""Completes the red firework, if player 0 holds the reds."""
DRAWS = "Y3 G3 W3 B3 R3"
PLAYED = ", ".join(["play 0, hint red"] * 4)
ONES = "hint 2, hint 3, hint 1"
LAST_COPY = "R5 Y3 G3 W4 B4"
COLOURS = "hint red, play 1, hint yellow, play 1, hint green, play 1, hint white, play 1, hint 2"

CASES = [
    # SimpleBot names the colour or rank of most playable cards; of equal hints the first colour.
    ("simplebot", NO_PLAYS, "R1 Y1 G3 W3 B3", "", "", "hint 1"),
    ("simplebot", NO_PLAYS, "R4 Y3 B1 W3 G1", "", "", "hint 1"),
    ("simplebot", NO_PLAYS, "R4 Y3 B1 W3 G4", "", "", "hint blue"),
    # To SimpleBot every hint means "play these cards", which it does in order of value.
    ("simplebot", NO_PLAYS, "Y4 Y2 G4 R1 B4", "hint 2", "", "play 1"),
    ("simplebot", NO_PLAYS, "Y4 Y2 G4 R1 B4", "hint 2, hint 3, hint red", "", "play 3"),
    # A rank hint of the oldest card at 8 tokens means nothing.
    ("simplebot", NO_PLAYS, "R1 Y4 G4 W4 B4", "hint 1", "", "discard 0"),
    # A card that may be a copy of the one just played is left.
    ("simplebot", NO_PLAYS, "Y4 R1 G2 Y1 B4", ONES, "", "play 1"),
    ("simplebot", NO_PLAYS, "Y4 R1 G2 Y1 B4", f"{ONES}, play 1, discard 0", "", "play 1"),
    # A card on a complete firework is played first.
    ("simplebot", REDS, "Y4 G1 R1 W4 B4", f"{COMPLETE}hint 1, hint 3, hint red", DRAWS, "play 2"),
    # ValueBot warns of the loss of a last copy; a hint at plays saves it too.
    ("valuebot", NO_PLAYS, LAST_COPY, "", "", "hint 5"),
    ("valuebot", NO_PLAYS, "R5 Y3 G1 W4 B4", "", "", "hint green"),
    # It keeps the card that it was warned of.
    ("valuebot", LAST_COPY, "Y4 G4 W3 B3 Y2", "hint 4, hint 4", "", "play 3"),
    ("valuebot", LAST_COPY, "Y4 G4 W3 B3 Y2", "hint 4, hint 5", "", "discard 1"),
    # A rank hint of the oldest card at 8 tokens means nothing, of another card to play it.
    ("valuebot", NO_PLAYS, "R1 Y4 G4 W4 B4", "hint 1", "", "discard 0"),
    ("valuebot", NO_PLAYS, "Y4 R1 G4 W4 B4", "hint 1", "", "play 1"),
    # It throws away a card of a complete firework, as does HolmesBot.
    ("valuebot", REDS, "Y4 G4 R1 W4 B4", f"{COMPLETE}hint red", DRAWS, "discard 2"),
    ("holmesbot", REDS, "Y4 G4 R1 W4 B4", f"{COMPLETE}hint red", DRAWS, "discard 2"),
    # HolmesBot knows what a card cannot be: four colours were named, and the oldest card was none
    # of them, so it is blue, and no blue 1. It does not play it for its rank alone.
    ("valuebot", NO_PLAYS, "B2 R1 Y1 G1 W1", COLOURS, "B4 R4 Y4 G4", "play 0"),
    ("holmesbot", NO_PLAYS, "B2 R1 Y1 G1 W1", COLOURS, "B4 R4 Y4 G4", "discard 0"),
    ("holmesbot", NO_PLAYS, LAST_COPY, "", "", "hint 5"),
    # SmartBot takes a hint to mean the newest touched card that may be playable, and gives no hint
    # that would be taken for the wrong card.
    ("smartbot", NO_PLAYS, "R4 Y3 R1 W3 B3", "hint red", "", "play 2"),
    ("smartbot", NO_PLAYS, "R1 Y3 R4 W3 B3", "", "", "hint 1"),
    # It hands a playable card over to the partner who has it as newest.
    ("smartbot", "Y3 R1 G3 W3 B3", "Y4 G4 W4 B3 R1", "hint 3, hint red", "", "discard 1"),
    ("smartbot", "Y3 R1 G3 W3 B3", "Y4 G4 W4 B3 R1", "hint 3, hint red, discard 1", "W2", "play 4"),
    ("smartbot", NO_PLAYS, LAST_COPY, "", "", "hint 5"),
    # CheatBot sees both hands, and plays first what the partner can continue. The next colour does
    # not continue a five: red 5 and yellow 1 have neighbouring numbers.
    ("cheatbot", "R3 Y3 G1 W3 B3", NO_PLAYS, "", "", "play 2"),
    ("cheatbot", "R3 Y1 G1 W3 B3", "R4 Y4 G2 W4 B4", "", "", "play 2"),
    ("cheatbot", REDS, "Y1 Y4 G4 W4 B4", PLAYED, "Y1 G3 W3 B3", "play 1"),
    # FireFlower plays what a hint points at.
    ("fireflower", NO_PLAYS, "R4 Y1 G4 W1 B4", "", "", "hint 1"),
    ("fireflower", NO_PLAYS, "R4 Y1 G4 W1 B4", "hint 1", "", "play 3"),
]


@pytest.mark.parametrize(("bot", "first", "second", "moves", "draws", "move"), CASES)
def test_what_bots_do(bot: str, first: str, second: str, moves: str, draws: str, move: str) -> None:
    assert decide(bot, first, second, list(filter(None, moves.split(", "))), draws) == move
