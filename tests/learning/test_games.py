"""Games to learn from, and their observations."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.learning.games import RecordedGames, find_games, person_games
from hoad.learning.network_inputs import unpack
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.transitions import MoveSampler
from hoad.replay.dataset import read_dataset
from hoad.replay.formats.convert import import_games
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from tests.meta_models import save_meta_model
from tests.replay.formats.records import write_people

NETWORK = "maml:flawed"


def test_games_are_found_even_without_the_network_but_not_if_it_was_trained_again(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path / "checkpoints"))
    save_meta_model(tmp_path / "checkpoints", "flawed")
    record(PlayRecipe(games=3, agents=(NETWORK,)), tmp_path, resume=False, threads=1)
    path = find_checkpoint("maml", "flawed")
    weights, about = load_checkpoint(path)
    assert len(find_games(tmp_path, NETWORK)) == 3
    path.unlink()
    assert len(find_games(tmp_path, NETWORK)) == 3

    save_checkpoint(path, {name: torch.zeros_like(w) for name, w in weights.items()}, about)
    with pytest.raises(HoadError, match="games of another maml:flawed"):
        find_games(tmp_path, NETWORK)


def test_recorded_games_are_a_torch_dataset_of_whole_games(logs, transitions):
    games = RecordedGames(logs)
    assert len(games) == len(logs)

    observations, legal, actions = games[5]

    rows = transitions.games == 5
    bits = np.unpackbits(transitions.observations[rows], axis=1)[:, :658]
    assert observations.dtype == torch.float32
    assert np.array_equal(observations.numpy(), bits)
    assert legal.dtype == torch.bool and legal.shape == (len(actions), 20)
    sets = (legal.long() << torch.arange(20)).sum(dim=1)
    assert np.array_equal(sets.numpy(), transitions.legal[rows])
    assert np.array_equal(actions.numpy(), transitions.actions[rows])
    assert legal[torch.arange(len(actions)), actions].all()


def test_a_game_without_a_turn_has_empty_arrays(logs):
    none = replace(logs.select(np.arange(1)), actions=logs.actions[:0], offsets=np.zeros(2, int))

    observations, legal, actions = RecordedGames(none)[0]

    assert (observations.shape, legal.shape, actions.shape) == ((0, 658), (0, 20), (0,))


def test_recorded_games_are_read_from_a_path_or_a_dataset_of_two_players(tmp_path, logs):
    [path] = record(PlayRecipe(games=3, agents=("iggi",)), str(tmp_path), resume=False, threads=1)
    sources = (str(path), path, read_dataset(path), read_dataset(str(path)).logs)

    datasets = [RecordedGames(source) for source in sources]

    actions = [[games[game][2].tolist() for game in range(3)] for games in datasets]
    assert all(len(games) == 3 for games in datasets)
    assert all(found == actions[0] for found in actions)
    with pytest.raises(HoadError, match="3 players"):
        RecordedGames(replace(logs, players=3))


def test_recorded_games_are_batched_by_a_torch_loader(logs):
    games = RecordedGames(logs)
    loader = DataLoader(games, batch_size=8, collate_fn=RecordedGames.collate)
    observations, legal, actions = next(iter(loader))
    assert len(observations) == len(legal) == len(actions) == logs.offsets[8]
    assert torch.equal(actions, torch.from_numpy(logs.actions[: logs.offsets[8]].astype("int64")))


def test_bits_are_those_of_numpy(transitions):
    packed = transitions.observations
    expected = np.unpackbits(packed, axis=1)[:, :658]
    for dtype in (torch.float32, torch.bfloat16):
        bits = unpack(torch.from_numpy(packed), dtype)
        assert bits.dtype == dtype
        assert np.array_equal(bits.float().numpy(), expected)


def test_games_of_a_person_are_split_and_have_its_moves_apart_from_those_of_others(tmp_path):
    """Of two people with the program eger-full: five each, of 20 turns."""
    write_people(tmp_path / "log", people=2, games=5)
    people = tmp_path / "people.h5"
    import_games(tmp_path / "log", people)

    games = person_games(people, "P001")

    everybody = read_dataset(people)
    first, second = (np.flatnonzero(everybody.names[:, 1] == who) for who in ("P001", "P002"))
    moves = [
        np.concatenate([everybody.logs.actions_of(g)[1::2] for g in own.tolist()])
        for own in (first, second)
    ]
    assert np.array_equal(games.turns(np.arange(5)).actions, moves[0])
    assert np.array_equal(games.added.actions, moves[1])  # and none of the program
    split = {name: part.tolist() for name, part in games.split().items()}
    assert split == {"train": [0, 1, 2], "validation": [3], "test": [4]}
    with pytest.raises(HoadError, match="0 games of P003, expected at least 5"):
        person_games(people, "P003")


def test_a_batch_holds_a_players_own_share_and_added_moves(transitions):
    turns = len(transitions.actions)
    own, added = (replace(transitions, actions=np.full(turns, move)) for move in (3, 7))

    batches = [next(MoveSampler(own, added, 256, moves, seed=0)) for moves in (8, 256)]

    assert [np.count_nonzero(batch.actions == 3) for batch in batches] == [8, 256]
    assert all(len(batch.actions) == 256 for batch in batches)
