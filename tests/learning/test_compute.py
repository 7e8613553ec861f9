"""The number of torch's threads while networks learn."""

import torch

from hoad.learning.compute import one_thread


def test_learning_at_the_same_time_takes_one_thread_until_the_last_has_ended() -> None:
    torch.set_num_threads(2)
    first, second = one_thread(), one_thread()

    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert torch.get_num_threads() == 1
    second.__exit__(None, None, None)
    assert torch.get_num_threads() == 2
    torch.set_num_threads(1)
