import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.replay.formats.convert import import_games
from hoad.replay.formats.jaxmarl import sources
from tests.game.examples import random_logs
from tests.replay.formats.records import read_all

LOGS = random_logs(2, 2, 1)


def decks_of(logs: GameLogs) -> list[list[list[int]]]:
    return [[[card // 5, card % 5] for card in deck] for deck in logs.decks.tolist()]


def actions_of(logs: GameLogs) -> list[list[int]]:
    return [logs.actions_of(game).tolist() for game in range(len(logs))]


def write(folder: Path, decks: Any, actions: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "decks.json").write_text(json.dumps(decks))
    (folder / "actions.json").write_text(json.dumps(actions))
    return folder


@settings(deadline=None, max_examples=15)
@given(games=st.integers(1, 4), seed=st.integers(0, 999))
def test_games_are_read_as_they_were_played(games: int, seed: int) -> None:
    logs = random_logs(2, games, seed)

    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name), decks_of(logs), actions_of(logs))
        dataset = import_games(folder, folder / "a.h5")

    assert dataset.logs.decks.tolist() == logs.decks.tolist()
    assert dataset.logs.actions.tolist() == logs.actions.tolist()
    assert dataset.agents == ("jaxmarl", "jaxmarl")


@pytest.mark.parametrize("form", ["pair", "text", "digits"])
def test_cards_may_be_written_as_they_are_printed(tmp_path: Path, form: str) -> None:
    forms = {
        "pair": lambda colour, rank: ["RYGWB"[colour], rank + 1],
        "text": lambda colour, rank: f"{'RYGWB'[colour]}{rank + 1}",
        "digits": lambda colour, rank: ["RYGWB"[colour], str(rank + 1)],
    }
    decks = [
        {"seed_idx": 0, "jax_rng": [1, 2], "deck": [forms[form](*card) for card in deck]}
        for deck in decks_of(LOGS)
    ]

    records = read_all(sources(write(tmp_path, decks, actions_of(LOGS))))

    assert [record.deck for record in records] == LOGS.decks.tolist()


def test_a_game_against_the_rules_is_named(tmp_path: Path) -> None:
    first, second = actions_of(LOGS)
    folder = write(tmp_path / "corpus", decks_of(LOGS), [first, [0, *second]])

    with pytest.raises(HoadError, match="corpus: game 1, turn 0: action 0 is illegal"):
        import_games(folder, tmp_path / "a.h5")

    assert not (tmp_path / "a.h5").exists()


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        ([[15]], "2 games in decks.json, 1 in actions.json"),
        ({}, "actions.json: expected a list of games"),
        ([[15], [20]], "actions.json: game 1: action 20 of turn 0 is not a move id"),
        ([[15], 3], "actions.json: game 1: actions = 3"),
        ([[15], [True]], "actions.json: game 1: actions.0 = True"),
    ],
)
def test_wrong_actions_are_named(tmp_path: Path, actions: Any, complaint: str) -> None:
    with pytest.raises(HoadError) as failure:
        read_all(sources(write(tmp_path, decks_of(LOGS), actions)))

    assert str(failure.value).startswith(str(tmp_path))
    assert complaint in str(failure.value)


@pytest.mark.parametrize(
    "card", [[5, 0], [0, 5], [0, -1], [0], [0, 0, 0], [0.0, 0], [True, 0], "R6", "X1", "", None, {}]
)
def test_what_is_no_card_is_named(tmp_path: Path, card: Any) -> None:
    decks: list[Any] = decks_of(LOGS)
    decks[1][7] = card

    with pytest.raises(HoadError, match=r"decks\.json: game 1, card 7: .* is not a card"):
        read_all(sources(write(tmp_path, decks, actions_of(LOGS))))


@pytest.mark.parametrize("deck", [[], [[0, 0]] * 49, {"cards": []}, None])
def test_a_deck_has_fifty_cards(tmp_path: Path, deck: Any) -> None:
    with pytest.raises(HoadError, match=r"decks\.json: game 0: expected a list of 50 cards"):
        read_all(sources(write(tmp_path, [deck], [[15]])))
