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
def test_outcomes_observations_and_legal_moves_are_as_recorded(reference, players, games):
    recorded, logs = recorded_games(reference, players)

    outcomes, transitions = replay(logs), encode_turns(logs)

    assert len(logs) == games
    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()
    found = (outcomes.scores, outcomes.strict, outcomes.lives, np.diff(logs.offsets))
    for values, key in zip(found, ("score", "hle_score", "lives", "turns"), strict=True):
        assert values.tolist() == [game[key] for game in recorded], key
    for index, game in enumerate(recorded):
        rows = transitions.observations[logs.offsets[index] : logs.offsets[index + 1]]
        assert hashlib.sha1(rows.tobytes()).hexdigest() == game["obs_sha1"], f"game {index}"
    assert (transitions.legal >> transitions.actions & 1).all()
