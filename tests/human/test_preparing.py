"""The page while the game and the agents are compiled, and the thread that computes."""

import asyncio
import sys
import threading
import time
import urllib.error
import urllib.request

import pytest

from hoad.agents import get_agent
from hoad.core.errors import HoadError
from hoad.core.thinking import Worker
from hoad.human.beliefs import pool
from hoad.human.door import address_of, listen, new_token
from hoad.human.preparing import preparing
from hoad.human.warm_up import warm_up


def test_the_page_says_that_it_prepares_until_the_block_ends() -> None:
    token = new_token()
    with listen(0) as listening:
        address = address_of(listening, token)
        with preparing(listening, token):
            with urllib.request.urlopen(address, timeout=10) as answer:
                page = answer.read().decode()
            with urllib.request.urlopen(f"{address}style.css", timeout=10) as answer:
                assert b"--accent" in answer.read()
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(address.replace(token, "guess"), timeout=10)

        assert 'http-equiv="refresh"' in page and "Preparing" in page
        assert listening.fileno() != -1
        with preparing(listening, token), urllib.request.urlopen(address, timeout=10) as answer:
            assert answer.status == 200


def test_all_hypotheses_are_loaded() -> None:
    warm_up()

    assert pool.cache_info().currsize == 1
    assert all(agent.choose.signatures for agent in pool())


def test_the_loop_goes_on_while_the_worker_computes() -> None:
    async def both() -> tuple[str, int]:
        ticks = 0
        slow = asyncio.create_task(Worker().do(slowly, "done"))
        while not slow.done():
            await asyncio.sleep(0.005)
            ticks += 1
        return await slow, ticks

    result, ticks = asyncio.run(both())

    assert result == "done"
    assert ticks > 3


def test_what_goes_wrong_is_raised_to_the_caller_and_does_not_stop_the_worker() -> None:
    async def exit_then_work() -> str:
        worker = Worker()
        with pytest.raises(RuntimeError, match="SystemExit"):
            await worker.do(sys.exit, 3)
        with pytest.raises(HoadError, match="'igi'"):
            await worker.do(get_agent, "igi")
        return await worker.do(slowly, "still there")

    assert asyncio.run(exit_then_work()) == "still there"


def test_a_task_that_never_ends_does_not_keep_the_others_from_a_new_worker() -> None:
    never = threading.Event()

    async def give_up() -> str:
        stuck = asyncio.create_task(Worker().do(never.wait))
        await asyncio.sleep(0.01)
        stuck.cancel()
        return await Worker().do(slowly, "next")

    assert asyncio.run(give_up()) == "next"
    never.set()


def slowly(answer: str) -> str:
    time.sleep(0.1)
    return answer
