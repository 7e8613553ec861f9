"""What is compiled before the page is served."""

from hoad.human.beliefs import pool
from hoad.human.warm_up import warm_up


def test_all_hypotheses_are_loaded() -> None:
    warm_up()

    assert pool.cache_info().currsize == 1
    assert all(agent.choose.signatures for agent in pool())
