"""Measure how fast HOAD is on this machine: `make bench`, or `python benchmarks/run.py --help`."""

import json as json_format
from collections.abc import Callable
from functools import partial
from typing import Final

from benchmarks.adapting import search_learning_s, search_move_p95_s
from benchmarks.agents import (
    compile_everything_s,
    process_moves_per_s,
    random_chromosomes_games_per_s,
    self_play_games_per_s,
    two_thread_speedup,
)
from benchmarks.environments import environment_decisions_per_s
from benchmarks.game import random_steps_per_s, replay_transitions_per_s
from benchmarks.learning import (
    imitator_matrix_share,
    imitator_transitions_per_s,
    matrix_gflop_per_s,
    meta_step_matrix_share,
    meta_step_s,
)
from benchmarks.likelihood import judgements_per_s
from benchmarks.loader import loader_transitions_per_s, training_with_loader_share
from benchmarks.rainbow import (
    hours_of_training,
    moves_per_s,
    playing_matrix_share,
    update_matrix_share,
    updates_per_s,
)
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.core.provenance import provenance

MEASURES: Final[dict[str, Callable[[], float]]] = {
    "simplebot_games_per_s": partial(self_play_games_per_s, "simplebot"),
    "valuebot_games_per_s": partial(self_play_games_per_s, "valuebot"),
    "holmesbot_games_per_s": partial(self_play_games_per_s, "holmesbot"),
    "smartbot_games_per_s": partial(self_play_games_per_s, "smartbot"),
    "infobot_games_per_s": partial(self_play_games_per_s, "infobot"),
    "wtfwt_games_per_s": partial(self_play_games_per_s, "wtfwt"),
    "iggi_games_per_s": partial(self_play_games_per_s, "iggi"),
    "van_den_bergh_games_per_s": partial(self_play_games_per_s, "van-den-bergh"),
    "random_chromosomes_games_per_s": random_chromosomes_games_per_s,
    "process_moves_per_s": process_moves_per_s,
    "random_steps_per_s": random_steps_per_s,
    "environment_decisions_per_s": environment_decisions_per_s,
    "replay_transitions_per_s": replay_transitions_per_s,
    "likelihood_judgements_per_s": judgements_per_s,
    "search_learning_s": search_learning_s,
    "search_move_p95_s": search_move_p95_s,
    "loader_transitions_per_s": loader_transitions_per_s,
    "training_with_loader_share": training_with_loader_share,
    "matrix_gflop_per_s": matrix_gflop_per_s,
    "imitator_transitions_per_s": imitator_transitions_per_s,
    "imitator_matrix_share": imitator_matrix_share,
    "meta_step_s": meta_step_s,
    "meta_step_matrix_share": meta_step_matrix_share,
    "rainbow_moves_per_s": moves_per_s,
    "rainbow_playing_matrix_share": playing_matrix_share,
    "rainbow_updates_per_s": updates_per_s,
    "rainbow_update_matrix_share": update_matrix_share,
    "rainbow_hours_of_20_million_moves": hours_of_training,
    "two_thread_speedup": two_thread_speedup,
    "compile_everything_s": compile_everything_s,
}


def bench(only: tuple[str, ...] = (), json: bool = False) -> None:
    """Measure how fast HOAD is on this machine.

    Everything but networks runs on one thread, after compilation. A figure is the median of nine
    runs; of five for a meta-step, and of three for the training of an imitator. The moves of
    processes, the decisions in environments, and search are measured in one run, and compiling
    every agent is timed once. Shares are of the speed of plain matrix products.

    Args:
        only: Measure these keys alone.
        json: Print the figures as one JSON object, as the last line.
    """
    unknown = [key for key in only if key not in MEASURES]
    if unknown:
        raise HoadError(f"unknown key {unknown[0]!r}; choose from {', '.join(MEASURES)}")
    keys = only or tuple(MEASURES)
    figures = {key: MEASURES[key]() for key in progress(keys, "benchmarks")}
    for key, figure in figures.items():
        print(f"{key:32}{figure:>14,.2f}" if figure < 100 else f"{key:32}{figure:>14,.0f}")
    if json:
        print(json_format.dumps(figures | {"made_by": provenance()}))


if __name__ == "__main__":
    cli.run(bench)
