import hoad.adhoc.matchup_files
import pytest
from hoad.adhoc.matchup_files import known_match_ups

from hoad.adhoc.matchups import play_match_ups
from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.game.log import replay

POOL = ("iggi", "flawed", "piers")


def test_generalist_is_who_does_best_with_the_pool_in_each_seat():
    scores = known_match_ups(POOL).lenient

    generalist = get_agent("generalist:iggi+flawed+piers")

    assert generalist.in_seat(0).name == POOL[int(scores.mean(1).argmax())]
    assert generalist.in_seat(1).name == POOL[int(scores.mean(0).argmax())]
    play([generalist, get_agent("iggi")], 5, seed=1)


def test_generalist_is_not_chosen_on_the_decks_of_a_table_of_seed_0(monkeypatch):
    chosen_on = []

    def spied(agents, games, seed):
        chosen_on.append(play([get_agent("iggi")] * 2, games, seed).decks)
        return play_match_ups(agents, 2, seed)

    monkeypatch.setattr(hoad.adhoc.matchup_files, "play_match_ups", spied)

    get_agent("generalist:iggi+internal")

    [decks] = chosen_on
    tested_on = play([get_agent("iggi")] * 2, 1_000, seed=0).decks
    assert len(decks) == 400
    assert not {deck.tobytes() for deck in decks} & {deck.tobytes() for deck in tested_on}


def test_adaptive_agents_sit_at_any_table():
    adaptive = get_agent("adaptive:iggi+flawed+piers")

    logs = play([adaptive, adaptive], 5, seed=1)

    assert replay(logs).over.all()
    assert adaptive.identity == get_agent("adaptive:iggi+flawed+piers").identity
    assert adaptive.identity != get_agent("adaptive:iggi+flawed").identity


@pytest.mark.parametrize("prefix", ["generalist", "adaptive"])
@pytest.mark.parametrize("argument", ["absent", "iggi+igi", "iggi+iggi", "absent.json", ""])
def test_pools_that_do_not_exist_are_refused(prefix, argument, tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    with pytest.raises(HoadError, match=f"^{prefix}:{argument.replace('+', '.')}: "):
        get_agent(f"{prefix}:{argument}")
