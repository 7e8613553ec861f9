import json
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.bayes.matchups import (
    Matchups,
    join_rows,
    known_matchups,
    load_matchups,
    matchups_path,
    play_matchups,
    play_rows,
    read_published,
    save_matchups,
    saved_matchups,
    scores_with,
)
from hoad.bayes.pool import Pool
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer
from hoad.evolution.population import load_population
from hoad.game.log import replay

POOL = ("iggi", "flawed", "internal")
GAMES, SEED = 40, 3
ABORTING = set(range(78, 83))


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return play_matchups(POOL, GAMES, SEED)


def assert_equal(some: Matchups, others: Matchups) -> None:
    assert some.agents == others.agents
    for name in ("lenient", "strict", "features"):
        np.testing.assert_array_equal(getattr(some, name), getattr(others, name))


def test_matchup_is_the_mean_of_its_games_and_views_of_a_seat_are_by_response(matchups):
    logs = play([get_agent("flawed"), get_agent("internal")], GAMES, SEED)

    shown = features_of(count_behaviour(logs).sum(0))
    assert matchups.lenient[1, 2] == matchups.scores(0)[1, 2] == replay(logs).scores.mean()
    assert matchups.strict[1, 2] == replay(logs).strict.mean()
    np.testing.assert_array_equal(matchups.features[1, 2], shown)
    np.testing.assert_array_equal(matchups.expected_features(0)[1, 2], shown[1])
    np.testing.assert_array_equal(matchups.expected_features(1)[2, 1], shown[0])
    assert matchups.scores(1)[2, 1] == matchups.lenient[1, 2]


def test_selected_matchups_are_those_of_the_agents_that_remain(matchups):
    selected = replace(matchups, score="strict").select([2, 0])

    assert selected.agents == (POOL[2], POOL[0])
    np.testing.assert_array_equal(selected.features, matchups.features[[2, 0]][:, [2, 0]])
    np.testing.assert_array_equal(selected.scores(0), matchups.strict[[2, 0]][:, [2, 0]])


def test_matchups_depend_on_their_agents_alone(matchups):
    assert_equal(play_matchups(POOL, GAMES, SEED, threads=3), matchups)
    assert_equal(matchups.select([2, 0]), play_matchups(("internal", "iggi"), GAMES, SEED))
    rows = dict(play_rows(POOL, [2, 0, 1], GAMES, SEED, threads=2))
    assert_equal(join_rows(POOL, np.array([rows[index] for index in range(3)])), matchups)
    with pytest.raises(HoadError, match="agent iggi is named twice"):
        play_matchups(("iggi", "piers", "iggi"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_published_elites_do_and_behave_as_published(reference, published, number):
    """100 games of each pair here, 400 there; the decks that all pairs share differ.

    Elites with rules 78 to 82 are left out: there, those rules abort games.
    """
    path = reference / f"canaan_5x5_population_{number}.json"
    elites = sorted(load_population(path).elites, key=lambda elite: elite.niche)
    alike = [i for i, elite in enumerate(elites) if not ABORTING & set(elite.chromosome)]
    theirs = published(number).select(alike)
    names = [f"elite:{path}/{name[0]},{name[1]}" for name in theirs.agents]

    ours = play_matchups(names, games=100, seed=number, threads=2)

    differences = ours.scores(0) - theirs.scores(0)
    assert differences.mean() == pytest.approx(0, abs=0.4)
    assert differences.std() < 0.5
    shown, expected = ours.expected_features(0), theirs.expected_features(0)
    np.testing.assert_array_equal(np.isnan(shown), np.isnan(expected))
    assert np.nanmean(shown - expected, axis=(0, 1)) == pytest.approx([0, 0], abs=0.01)
    assert (np.nanstd(shown - expected, axis=(0, 1)) < 0.03).all()


def test_without_seats_both_orders_count_the_same():
    lenient = np.array([[1.0, 2.0], [4.0, 8.0]])
    features = np.arange(16.0).reshape(2, 2, 2, 2)

    mixed = Matchups(("a", "b"), lenient, lenient / 2, features).without_seats()

    for seat in range(2):
        assert mixed.scores(seat).tolist() == [[1, 3], [3, 8]]
        shown = mixed.expected_features(seat)
        for response in range(2):
            for hypothesis in range(2):
                second, first = features[response, hypothesis, 1], features[hypothesis, response, 0]
                np.testing.assert_allclose(shown[response, hypothesis], (first + second) / 2)
    assert mixed.strict.tolist() == [[0.5, 1.5], [1.5, 4]]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    return tmp_path


def write_population(checkpoints: Path, name: str, rules: list[int]) -> None:
    folder = checkpoints / "populations" / name
    folder.mkdir(parents=True, exist_ok=True)
    values = {"name": name, "grid": [5, 5], "rules": "published"}
    elites = [{"niche": [1, 1], "fitness": None, "chromosome": rules}]
    (folder / "population.json").write_text(json.dumps(values | {"elites": elites}))


def test_matchups_are_played_once_and_then_found_but_not_saved_if_only_known(
    matchups, folder, monkeypatch
):
    assert_equal(known_matchups(POOL, GAMES, SEED), matchups)
    assert not list(folder.rglob("*"))
    make_folder(parent := matchups_path(POOL, GAMES, SEED).parent)
    with only_writer(parent, "other-pool.npz.lock"):  # another program plays another pool
        assert_equal(saved_matchups(POOL, GAMES, SEED), matchups)
    monkeypatch.setattr("hoad.bayes.matchups.play_rows", None)
    monkeypatch.setattr("hoad.bayes.matchups.play_matchups", None)

    assert_equal(saved_matchups(POOL, GAMES, SEED), matchups)
    assert_equal(known_matchups(POOL, GAMES, SEED), matchups)


def test_matchups_that_another_program_plays_are_waited_for(matchups, capsys):
    path = matchups_path(POOL, GAMES, SEED)
    make_folder(path.parent)
    with ExitStack() as other:
        other.enter_context(only_writer(path.parent, f"{path.name}.lock"))
        save_matchups(path.with_name("theirs.npz"), matchups)

        def end():
            path.with_name("theirs.npz").rename(path)
            other.close()

        ending = threading.Timer(0.5, end)
        ending.start()
        found = saved_matchups(POOL, GAMES, SEED)
        ending.join()

    assert_equal(found, matchups)
    assert "waiting for another program" in capsys.readouterr().err


def test_interrupted_matchups_go_on_where_they_stopped(matchups, monkeypatch):
    asked = []

    def stop_after_one(agents, first, games, seed, threads):
        rows = play_rows(agents, first, games, seed, threads)
        yield next(rows)
        raise KeyboardInterrupt

    def note(agents, first, games, seed, threads):
        asked.append(first)
        return play_rows(agents, first, games, seed, threads)

    monkeypatch.setattr("hoad.bayes.matchups.play_rows", stop_after_one)
    with pytest.raises(KeyboardInterrupt):
        saved_matchups(POOL, GAMES, SEED)
    monkeypatch.setattr("hoad.bayes.matchups.play_rows", note)

    assert_equal(saved_matchups(POOL, GAMES, SEED), matchups)
    assert asked == [[1, 2]]
    assert not list(matchups_path(POOL, GAMES, SEED).parent.glob("*.unfinished"))


def test_files_are_told_apart_by_all_that_matters(folder, monkeypatch):
    paths = {matchups_path(POOL, *rest) for rest in ((40, 3), (41, 3), (40, 4))}
    paths.add(matchups_path(POOL[::-1], 40, 3))
    for rules in ([8, 13], [8, 38]):  # a population that has changed
        monkeypatch.setenv("HOAD_CHECKPOINTS", str(folder / str(rules[1])))
        write_population(folder / str(rules[1]), "mine", rules)
        paths.add(matchups_path(["elite:mine/1,1"], GAMES, SEED))

    assert len({path.name for path in paths}) == 6


def test_the_same_rules_under_another_name_have_the_same_matchups(folder):
    rules = "rules:8,13,38"
    write_population(folder, "mine", [8, 13, 38])

    matchups = saved_matchups([rules], GAMES, SEED)
    again = saved_matchups(["elite:mine/1,1"], GAMES, SEED)

    assert again.agents == ("elite:mine/1,1",)
    assert again.lenient == matchups.lenient
    assert len(list(folder.rglob("*.npz"))) == 1


def test_matchups_are_loaded_as_saved_and_other_files_refused(tmp_path, matchups):
    save_matchups(tmp_path / "pool.npz", matchups)
    assert_equal(load_matchups(tmp_path / "pool.npz"), matchups)

    whole = (tmp_path / "pool.npz").read_bytes()
    half = len(whole) // 2
    flipped = bytes(byte ^ 255 for byte in whole[half : half + 40])
    contents = {
        "truncated": whole[:half],
        "text": b"no matchups",
        "empty": b"",
        "flipped": whole[:half] + flipped + whole[half + 40 :],
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.npz").write_bytes(content)
    np.savez(tmp_path / "other.npz", agents=np.zeros(3))
    for name in (*contents, "other", "absent"):
        with pytest.raises(HoadError, match=rf"{name}\.npz: "):
            load_matchups(tmp_path / f"{name}.npz")


ELITES = Pool(("low", "high"), ((0, 0), (1, 2)), (5, 5))
HEADING = "population,r_comm_idx,r_ipp_idx,h_comm_idx,h_ipp_idx,h_comm,h_ipp,score"
ROWS = (
    "1,0,0,0,0,0.1,0.2,3",
    "1,0,0,1,2,0.3,0.4,5",
    "1,1,2,0,0,0.5,NaN,7",
    "1,1,2,1,2,0.7,0.8,9",
    "2,0,0,0,0,0,0,99",
)


def written(path, *lines):
    path.write_text("\n".join(lines))
    return path


def test_rows_are_responses_in_the_first_seat(tmp_path):
    matchups = read_published(written(tmp_path / "published.csv", HEADING, *ROWS), 1, ELITES)

    assert matchups.agents == ELITES.agents
    assert matchups.scores(0).tolist() == [[3, 5], [7, 9]]
    shown = matchups.expected_features(0)
    assert shown[0].tolist() == [[0.1, 0.2], [0.3, 0.4]]
    assert shown[1, 0, 0] == 0.5
    assert shown[1, 0, 1] != shown[1, 0, 1]  # not a number


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (("a,b", "1,2"), "not the table"),
        ((HEADING,), "not the table"),
        ((HEADING, *ROWS[:3]), "does not have all pairs"),
        ((HEADING, *ROWS[:4], "1,4,4,0,0,0,0,1"), r"niche \(4, 4\) is not in the pool"),
        ((HEADING, *ROWS[:2], "one,0,0,0,0,0,0,1"), "line 4: .*'one'"),
        ((HEADING, "1,0,0,0,0,0.1"), "line 2: "),
    ],
)
def test_other_tables_are_refused(lines, complaint, tmp_path):
    with pytest.raises(HoadError, match=rf"published\.csv: .*{complaint}"):
        read_published(written(tmp_path / "published.csv", *lines), 1, ELITES)
    with pytest.raises(HoadError, match=r"absent\.csv: cannot read"):
        read_published(tmp_path / "absent.csv", 1, ELITES)


def test_scores_with_a_partner_are_means_by_seat():
    partner, responses = get_agent("piers"), [get_agent("iggi"), get_agent("flawed")]

    scores = scores_with(partner, responses, games=30, seed=4)

    assert scores[0, 1] == replay(play([responses[1], partner], 30, 4)).scores.mean()
    assert scores[1, 0] == replay(play([partner, responses[0]], 30, 4)).scores.mean()
