"""Logs are written as JSON Lines or HDF5 by the project itself, or are reference games."""

from pathlib import Path

import numpy as np
import pytest
import torch

from hoad.agents import get_agent, play, registry
from hoad.agents.agent import MOVES
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, encode_turns
from hoad.game.moves import legal_flags
from hoad.game.observation import OBSERVATION_BITS
from hoad.learning.policies import PolicyAgent
from hoad.replay.dataset import make_dataset, write_dataset
from hoad.replay.formats.jsonl import write_records
from hoad.reports.page import to_text
from hoad.studies.agreement import Agreement, measure_agreement, report, total_agreement
from tests.replay.formats.records import records_of


def write_log(path: Path, names: tuple[str, ...], logs: GameLogs, **notes) -> Path:
    records = records_of(logs, *names)
    write_records(path, (record.model_copy(update=notes) for record in records))
    return path


def games_of(*names: str, games: int = 20) -> GameLogs:
    return play([get_agent(name) for name in names], games, seed=3)


def written(folder: Path, *names: str, games: int = 20) -> tuple[GameLogs, Path]:
    """Write games of these agents; return them too."""
    logs = games_of(*names, games=games)
    return logs, write_log(folder / "log.jsonl", names, logs)


def test_an_agent_makes_its_own_moves(tmp_path):
    logs, path = written(tmp_path, "simplebot", "simplebot")

    agreement = measure_agreement("simplebot", [path])["simplebot"]

    turns = len(logs.actions)
    assert agreement == Agreement(decisions=turns, possible=turns, modal=turns)


def test_random_moves_are_possible_but_no_more_probable_than_others(tmp_path):
    logs, path = written(tmp_path, "legal-random", "legal-random")

    agreement = measure_agreement("legal-random", [path])["legal-random"]

    choices = np.array([int(legal).bit_count() for legal in encode_turns(logs).legal])
    assert agreement.possible == agreement.modal == len(choices)
    assert agreement.log_probability == pytest.approx(-np.log(choices).sum())


def test_seats_under_the_name_count_or_every_seat_if_asked(tmp_path):
    logs = games_of("iggi", "legal-random")
    path = write_log(tmp_path / "log.jsonl.gz", ("iggi", "legal-random"), logs)

    named, every = (
        measure_agreement("iggi", [path], every_seat=asked)["iggi"] for asked in (False, True)
    )

    assert named.decisions == named.possible == ((np.diff(logs.offsets) + 1) // 2).sum()
    assert every.decisions == len(logs.actions) > every.possible


def test_hdf5_files_name_their_seats_too_and_a_name_of_no_seat_is_refused(tmp_path):
    logs, path = written(tmp_path, "iggi", "piers")
    hdf5 = tmp_path / "log.h5"
    write_dataset(hdf5, make_dataset(logs, [("iggi", "piers")], {}, "test"))

    logged = measure_agreement("logged", [hdf5])
    assert measure_agreement("iggi", [hdf5]) == {"iggi": logged["iggi"]}
    with pytest.raises(HoadError, match=r"simplebot; the logs name iggi, piers.*--every-seat"):
        measure_agreement("simplebot", [path])


def test_logged_holds_each_seat_against_its_own_agent_or_chromosome(tmp_path):
    _, path = written(tmp_path, "outer", "flawed")
    logs = games_of("rules:8,13,38", "rules:8,13,38")
    listed = write_log(tmp_path / "2.jsonl", ("who", "knows"), logs, chromosome=[8, 13, 38])

    by_agent, of_rules = (measure_agreement("logged", [one]) for one in (path, listed))

    assert set(by_agent) == {"outer", "flawed"}
    total = total_agreement(by_agent)
    assert total.possible == total.decisions == sum(one.decisions for one in by_agent.values())
    assert set(of_rules) == {"rules:8,13,38"}
    assert of_rules["rules:8,13,38"].possible == len(logs.actions)


def test_several_files_are_summed_and_moves_of_aborted_games_count(tmp_path):
    logs = games_of("iggi", "iggi")
    cut = GameLogs(2, logs.decks[:1], logs.actions[:9], np.array([0, 9]))
    paths = [
        write_log(tmp_path / "whole.jsonl", ("iggi", "iggi"), logs),
        write_log(tmp_path / "cut.jsonl", ("iggi", "iggi"), cut, aborted=True),
    ]

    assert measure_agreement("iggi", paths)["iggi"].decisions == len(logs.actions) + 9


def test_illegal_games_are_refused_by_file_game_and_turn(tmp_path):
    logs = games_of("iggi", "iggi", games=2)
    actions = logs.actions.copy()
    actions[logs.offsets[1]] = 0  # a discard with all hint tokens there
    wrong = GameLogs(2, logs.decks, actions, logs.offsets)
    path = write_log(tmp_path / "log.jsonl", ("iggi", "iggi"), wrong)

    with pytest.raises(HoadError, match=r"log\.jsonl: game 1, turn 0: action 0 is illegal"):
        measure_agreement("iggi", [path])


def test_files_without_games_of_two_players_are_refused(reference, tmp_path):
    (tmp_path / "empty.jsonl").touch()

    with pytest.raises(HoadError, match="3 players, and agreement is for two"):
        measure_agreement("iggi", [reference / "hle_random_3p.jsonl.gz"])
    with pytest.raises(HoadError, match=r"empty\.jsonl: no games"):
        measure_agreement("iggi", [tmp_path / "empty.jsonl"])


def test_a_network_is_asked_for_its_softmax_over_legal_moves(tmp_path, monkeypatch):
    torch.manual_seed(0)
    network = PolicyAgent("some-network", torch.nn.Linear(OBSERVATION_BITS, MOVES))
    entry = registry._Entry(lambda: network, "for a test")
    monkeypatch.setitem(registry._agents, "some-network", entry)
    own = play([network, network], 10, seed=0)
    own_path = write_log(tmp_path / "own.jsonl", ("some-network",) * 2, own)
    of_own = measure_agreement("some-network", [own_path])["some-network"]
    assert of_own.modal == of_own.decisions == len(own.actions)
    logs, path = written(tmp_path, "legal-random", "legal-random")

    agreement = measure_agreement("some-network", [path], every_seat=True)["some-network"]

    transitions = encode_turns(logs)
    logits = network.outputs(transitions.observations).double().cpu()
    legal = torch.from_numpy(legal_flags(transitions.legal))
    masked = logits.masked_fill(~legal, -torch.inf).log_softmax(1).numpy()
    made = masked[np.arange(len(masked)), transitions.actions]
    assert agreement.decisions == agreement.possible == len(masked)
    assert agreement.modal == (masked.argmax(1) == transitions.actions).sum()
    assert agreement.unmasked_modal is not None
    assert agreement.unmasked_modal == (logits.numpy().argmax(1) == transitions.actions).sum()
    assert agreement.unmasked_modal < agreement.modal
    assert agreement.log_probability == pytest.approx(made.sum())


def test_the_report_has_a_row_for_each_agent_and_the_sums():
    found = {"iggi": Agreement(4, 3, 2, -1.5), "net": Agreement(2, 1, 1, -0.5, unmasked_modal=1)}

    made = report("logged", found)

    assert [row["agent"] for row in made.rows] == ["iggi", "net"]
    assert made.rows[0]["mean_log_probability"] == -0.5
    assert [row["unmasked_modal"] for row in made.rows] == [None, 1]
    assert made.facts == total_agreement(found).as_mapping("logged")
    assert made.facts["possible"] == 4
    text = to_text(made)
    assert "3 (75.00%)" in text and "1 (50.00%)" in text
    nothing_possible = Agreement(decisions=3).as_mapping("iggi")
    assert (nothing_possible["modal"], nothing_possible["mean_log_probability"]) == (0, None)


@pytest.mark.parametrize("name", ["python:{}:Agent", "noisy:0.1:python:{}:Agent"])
def test_a_log_cannot_load_code(tmp_path, name):
    code, mark = tmp_path / "code.py", tmp_path / "mark"
    code.write_text(f"open({str(mark)!r}, 'w')")
    named = name.format(code)
    path = write_log(tmp_path / "log.jsonl", (named,) * 2, games_of("iggi", "iggi", games=1))

    with pytest.raises(HoadError, match=r"log\.jsonl: names .*, and data may not load code"):
        measure_agreement("logged", [path])

    assert not mark.exists()
