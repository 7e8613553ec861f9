"""A table in words says what its numbers say."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.tables.adhoc.in_words import in_words
from tests.scripts import ROOT

ADHOC = ROOT / "results" / "adhoc"


def strict(folder: Path, player: str) -> str:
    """Return the strict score of a player over all partners as the page shows it."""
    with (folder / "results.csv").open() as file:
        for row in csv.DictReader(file):
            if (row["partner"], row["player"], row["score"], row["seat"]) == (
                *("all partners", player, "strict", "both"),
            ):
                return f"{float(row['mean']):.2f} ± {float(row['half_width']):.2f}"
    raise AssertionError(player)


def test_a_gain_beyond_its_interval_is_a_gain() -> None:
    words = in_words(ADHOC / "agents")

    assert strict(ADHOC / "agents", "zero-shot") in words
    assert f"{strict(ADHOC / 'agents', 'low-shot')} after" in words
    assert "a gain of 2.07 ± 0.53 points" in words


def test_a_difference_within_its_interval_is_none() -> None:
    assert "no measurable difference (0.30 ± 0.47)" in in_words(ADHOC / "agents-family")


def test_the_best_player_is_one_that_does_not_know_the_partner() -> None:
    words = in_words(ADHOC / "search")

    assert f"search+elites with {strict(ADHOC / 'search', 'search+elites')}" in words
    [close] = re.findall(r"difference from ([^)]*)\)", words.partition("The best")[2])
    assert close == "search"
    assert words.endswith(f"{strict(ADHOC / 'search', 'self-play')}.")


def test_a_loss_is_called_a_loss(tmp_path: Path) -> None:
    facts = json.loads((ADHOC / "agents" / "results.json").read_text())
    for found in facts["comparisons"]["strict"]:
        found["difference"] *= -1
    (tmp_path / "results.json").write_text(json.dumps(facts))
    shutil.copy(ADHOC / "agents" / "results.csv", tmp_path)

    assert "a loss of 2.07 ± 0.53 points" in in_words(tmp_path)


def test_a_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=r"results\.json"):
        in_words(tmp_path)
