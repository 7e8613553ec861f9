"""Games that HLE itself recorded: 800 games of 2 to 5 players replay exactly."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.game.log import GameLogs, encode_turns, logs_of, replay


def recorded_games(reference: Path, players: int) -> tuple[list[dict[str, Any]], GameLogs]:
    with gzip.open(reference / f"hle_random_{players}p.jsonl.gz", "rt") as lines:
        games = [json.loads(line) for line in lines]
    logs = logs_of(players, [game["deck"] for game in games], [game["actions"] for game in games])
    return games, logs


@pytest.mark.parametrize(("players", "games"), [(2, 500), (3, 100), (4, 100), (5, 100)])
def test_outcomes_are_as_recorded(reference: Path, players: int, games: int) -> None:
    recorded, logs = recorded_games(reference, players)

    outcomes = replay(logs)

    assert len(logs) == games
    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()
    assert outcomes.scores.tolist() == [game["score"] for game in recorded]
    assert outcomes.strict.tolist() == [game["hle_score"] for game in recorded]
    assert outcomes.lives.tolist() == [game["lives"] for game in recorded]
    assert np.diff(logs.offsets).tolist() == [game["turns"] for game in recorded]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observations_are_as_recorded(reference: Path, players: int) -> None:
    recorded, logs = recorded_games(reference, players)

    transitions = encode_turns(logs)

    for index, game in enumerate(recorded):
        rows = transitions.observations[logs.offsets[index] : logs.offsets[index + 1]]
        assert hashlib.sha1(rows.tobytes()).hexdigest() == game["obs_sha1"], f"game {index}"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_recorded_action_is_among_the_legal_moves(reference: Path, players: int) -> None:
    _, logs = recorded_games(reference, players)

    transitions = encode_turns(logs)

    assert (transitions.legal >> transitions.actions & 1).all()
