"""What is true of every bot: its recorded moves, its published scores, and that it is an agent."""

from pathlib import Path

import pytest

from tests.agents.bot_games import (
    asking_twice_changes_nothing,
    copes_with_anybody,
    disagreements,
    self_play_is_as_published,
)

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
def test_it_makes_every_recorded_move(reference: Path, bot: str, file: str, colours: str) -> None:
    assert disagreements(reference / f"{file}.jsonl.gz", bot, colours) == []


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
def test_it_scores_as_published(bot: str, lenient: float, strict: float, games: int) -> None:
    self_play_is_as_published(bot, lenient, strict, games)


@pytest.mark.parametrize("bot", BOTS)
def test_games_do_not_depend_on_how_it_is_asked(bot: str) -> None:
    asking_twice_changes_nothing(bot)


@pytest.mark.parametrize("bot", BOTS)
def test_it_copes_with_anybody(bot: str) -> None:
    copes_with_anybody(bot, games=100 if bot == "fireflower" else 1_000)
