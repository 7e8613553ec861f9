"""Agents in other programs play like any other, and cost one line if they do not."""

import gc
import os
import shlex
import shutil
import sys

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.check import check_agent
from hoad.agents.follow import move_probabilities
from hoad.agents.process import child
from hoad.agents.process.agent import stop_idle
from hoad.agents.process.child import Child
from hoad.bayes.pool import agents_of, find_pool, make_pool
from hoad.core.errors import HoadError
from hoad.game.log import replay
from tests.agents.process.bots import PYTHON_BOT, misbehaving, processes, wait_until_gone
from tests.scripts import ROOT


def test_the_example_is_sound_and_plays_well_with_itself():
    bot = get_agent(PYTHON_BOT)

    assert replay(play([bot, bot], 8, seed=1)).scores.mean() > 12
    assert check_agent(bot, games=2) == []
    assert bot.identity == ("process", (sys.executable, PYTHON_BOT.split()[-1]), "simple", "2")


def test_the_example_in_javascript_plays_the_same_games():
    if not (node := shutil.which("node")):
        pytest.skip("node is not installed")
    bots = get_agent(PYTHON_BOT), get_agent(f"process:{node} {ROOT / 'examples/simple_bot.js'}")

    logs = [play([bot, get_agent("iggi")], 4, seed=2).actions.tolist() for bot in bots]

    assert logs[0] == logs[1]


def test_any_order_of_games_and_seats_gives_the_same_games():
    bot, iggi = get_agent(PYTHON_BOT), get_agent("iggi")

    first = play([bot, iggi], 4, seed=3)
    play([iggi, bot], 3, seed=3)
    again = play([bot, iggi], 2, seed=3, first_game=2)

    assert again.actions.tolist() == first.select(np.array([2, 3])).actions.tolist()


def test_a_fork_leaves_programs_to_the_process_that_started_them():
    bot = get_agent(PYTHON_BOT)
    play([bot, bot], 1, seed=0)

    if not (fork := os.fork()):
        os._exit(0)
    os.waitpid(fork, 0)

    assert len(play([bot, bot], 1, seed=1)) == 1


def test_its_own_games_have_probability_one():
    bot = get_agent(PYTHON_BOT)
    logs = play([bot, get_agent("iggi")], 4, seed=4)

    given = move_probabilities(bot, logs, seats=[0])

    assert given.sum() == ((np.diff(logs.offsets) + 1) // 2).sum()


def test_nothing_is_started_by_a_name_and_complaints_on_standard_error_block_nothing():
    bot = get_agent(misbehaving("complains", times=2, mark="only-named"))

    assert processes("only-named") == 0
    assert replay(play([bot, bot], 3, seed=0)).over.all()


def test_no_bot_is_left_if_what_would_end_it_cannot_be_started(monkeypatch):
    command = shlex.split(misbehaving("hangs", mark="unkept").partition(":")[2])
    monkeypatch.setattr(child, "_keeper", None)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    with pytest.raises(HoadError, match="cannot start the program that ends bots"):
        Child("agent bot", command)

    assert processes("unkept") == 0


STDERR = "its standard error ends with"


@pytest.mark.parametrize(
    ("how", "named"),
    [
        ("dies", f"ended with status 3 without an answer; {STDERR} 'out of cards'"),
        ("is killed", "ended by signal 9"),
        ("closes its output", "closed its standard output without an answer"),
        ("hangs", r"""no answer to {"act": true} but '{"type": "pl' in 0.5 seconds"""),
        ("talks", "answered 'I think' in turn 0: this is not JSON"),
        ("answers a list", "answered '[1, 2]' in turn 0"),
        ("leaves the hand", '"position" from 0 to 4'),
        ("discards with all tokens", "not legal"),
        ("writes bytes", r"answered '\xff\xfe' in turn 0: this is not JSON in UTF-8"),
        ("nests", "[[["),
        ("writes without end", "a line of more than 65,536 bytes, 'xxx"),
        ("answers without end", "before it was asked for a move"),
        ("complains without end", f"in 0.5 seconds (--timeout or HOAD_TIMEOUT); {STDERR}"),
        ("leaves a child", "ended with status 0 without an answer"),
        ("hangs with a daemon", "in 0.5 seconds"),
    ],
)
def test_whatever_it_does_costs_one_line(how, named, monkeypatch):
    monkeypatch.setenv("HOAD_TIMEOUT", "0.5" if "0.5" in named else "5")
    name = misbehaving(how, mark=f"mark-{how}")

    with pytest.raises(HoadError) as refused:
        play([get_agent(name)] * 2, 3, seed=0)

    complaint = str(refused.value)
    assert complaint.startswith(f"agent {name}: ")
    assert named in complaint
    assert "\n" not in complaint
    assert len(complaint) < 1_000
    del refused
    gc.collect()  # the child of the other seat may be in the middle of a game
    stop_idle()
    wait_until_gone(f"mark-{how}")


def test_after_a_failure_another_child_plays_and_no_other_file_is_written_to(tmp_path):
    agent = get_agent(misbehaving("talks", times=3))
    with pytest.raises(HoadError, match="answered 'I think'"):
        play([agent, get_agent("iggi")], 1, seed=0)

    files = [(tmp_path / str(number)).open("wb") for number in range(6)]
    with pytest.raises(HoadError, match="answered 'I think'"):
        play([agent, get_agent("iggi")], 1, seed=0)

    for file in files:
        file.close()
    assert not any(path.read_bytes() for path in tmp_path.iterdir())


def test_a_child_whose_answer_was_not_waited_for_plays_no_other_game(monkeypatch):
    bot, iggi = get_agent(PYTHON_BOT), get_agent("iggi")
    expected = play([bot, iggi], 1, seed=1).actions.tolist()
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Child, "_wait", interrupt)
        play([bot, iggi], 1, seed=0)

    assert play([bot, iggi], 1, seed=1).actions.tolist() == expected


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("command", "timeout", "named"),
    [
        ("", "5", "no command"),
        ("'open", "5", "No closing quotation"),
        ("no-such-program --fast", "5", "no program 'no-such-program'"),
        ("cat", "5", 'answered \'{"hello": '),
        ("cat", "soon", "HOAD_TIMEOUT is 'soon', expected a number above 0"),
    ],
)
def test_commands_that_are_no_bots_and_settings_that_are_no_numbers_are_refused(
    command, timeout, named, monkeypatch
):
    monkeypatch.setenv("HOAD_TIMEOUT", timeout)

    with pytest.raises(HoadError) as refused:
        play([get_agent(f"process:{command}")] * 2, 1, seed=0)

    assert named in str(refused.value)


def test_it_is_refused_as_a_hypothesis_and_as_a_model_of_search():
    for name in (PYTHON_BOT, f"noisy:0.1:{PYTHON_BOT}"):
        with pytest.raises(HoadError, match="cannot be in a pool: meta-agents ask"):
            agents_of(make_pool([name, "iggi"]).agents)
    with pytest.raises(HoadError, match="cannot be in a pool"):
        get_agent(f"bayes-moves:iggi+{PYTHON_BOT}")
    assert find_pool(f"iggi+{PYTHON_BOT}").agents == ("iggi", PYTHON_BOT)
    with pytest.raises(HoadError, match="compiled"):
        get_agent(f"search:{PYTHON_BOT}")
