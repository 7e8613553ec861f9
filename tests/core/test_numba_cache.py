"""Compiled code on disk is used again, but never after the source has changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import hoad

PROGRAM = """
from hoad.game.deck import shuffled_deck
from hoad.game.state import full_game
print(shuffled_deck(full_game().full_deck(), 0, 0).tolist())
print(sum(shuffled_deck.stats.cache_hits.values()))
"""


def _deck_and_cache_hits(folder: Path) -> list[str]:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-c", PROGRAM]
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.splitlines()


def test_a_change_in_another_file_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "hoad"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(hoad.__file__).parent, package, ignore=ignored)
    first, _ = _deck_and_cache_hits(tmp_path)
    again = _deck_and_cache_hits(tmp_path)

    callee = package / "game" / "stream.py"
    callee.write_text(callee.read_text().replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"))
    changed = _deck_and_cache_hits(tmp_path)

    assert again == [first, "1"]
    assert changed[0] != first
