"""Every recorded move of the original programs is one that our agents may make, or the only one."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from hoad.agents import get_agent
from hoad.agents.follow import Decisions, follow
from hoad.game.log import logs_of

RULE_AGENTS = (
    "walton_iggi_selfplay",
    "walton_piers_selfplay",
    "walton_outer_selfplay",
    "walton_internal_selfplay",
    "walton_flawed_selfplay",
    "walton_cautious_selfplay",
    "walton_van-den-bergh_selfplay",
    "walton_iggi_piers",
    "walton_flawed_iggi",
    "walton_outer_van-den-bergh",
    "walton_piers_outer",
)
RANDOM_MOVES = (*RULE_AGENTS[:6], *RULE_AGENTS[7:], "walton_chromosome_0", "walton_chromosome_3")
CHROMOSOMES = (*(f"walton_chromosome_{number}" for number in range(6)), "walton_rulewise")
SIMPLEBOT = (
    "quux_simplebot_selfplay",
    "quux_simplebot_holmesbot",
    "quux_holmesbot_simplebot",
    "quux_simplebot_valuebot",
    "quux_valuebot_simplebot",
)


def _decisions(path: Path, agents: set[str] | None) -> Iterator[tuple[Decisions, np.ndarray]]:
    """Yield the decisions of each agent of a file, with the rule that the original used."""
    with gzip.open(path) as lines:
        games = [json.loads(line) for line in lines]
    seats_of: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, game in enumerate(games):
        for seat, name in enumerate(game["players"]):
            if "chromosome" in game:
                name = "rules:" + ",".join(map(str, game["chromosome"]))
            if agents is None or name in agents:
                seats_of[name].append((index, seat))
    logs = logs_of(2, [game["deck"] for game in games], [game["actions"] for game in games])
    for name, pairs in seats_of.items():
        seats = np.zeros((len(games), 2), bool)
        seats[tuple(np.transpose(pairs))] = True
        for decisions in follow(get_agent(name), logs, seats):
            recorded = [
                games[game].get("rule", [0] * 999)[turn]
                for game, turn in zip(decisions.games, decisions.turns, strict=True)
            ]
            yield decisions, np.array(recorded)


def _weight_of_recorded(decisions: Decisions) -> np.ndarray:
    return decisions.weights[np.arange(len(decisions.actions)), decisions.actions]


@pytest.mark.parametrize("name", RULE_AGENTS + CHROMOSOMES)
def test_recorded_moves_of_rule_lists_are_possible(reference: Path, name: str) -> None:
    for decisions, _ in _decisions(reference / f"{name}.jsonl.gz", None):
        assert (_weight_of_recorded(decisions) > 0).all()


@pytest.mark.parametrize("name", SIMPLEBOT)
def test_recorded_moves_of_simplebot_are_its_own(reference: Path, name: str) -> None:
    for decisions, _ in _decisions(reference / f"{name}.jsonl.gz", {"simplebot"}):
        assert (_weight_of_recorded(decisions) == 1).all()


@pytest.mark.parametrize("name", (*RANDOM_MOVES, "walton_rulewise"))
def test_random_rules_have_the_weights_of_the_originals(reference: Path, name: str) -> None:
    """The randomised probability transform of what was recorded is uniform."""
    generator = np.random.default_rng(0)
    transformed = []
    for decisions, rules in _decisions(reference / f"{name}.jsonl.gz", None):
        # Where no rule fired the originals of the chromosomes had another fallback than ours.
        spread = (decisions.weights.max(axis=1) < 1) & (rules >= 0)
        moves = np.arange(decisions.weights.shape[1])
        below = (decisions.weights * (moves < decisions.actions[:, None])).sum(axis=1)
        draw = below + generator.random(len(below)) * _weight_of_recorded(decisions)
        transformed.extend(draw[spread])
    assert len(transformed) >= 100

    counts = np.histogram(transformed, bins=10, range=(0, 1))[0]

    assert stats.chisquare(counts).pvalue > 1e-4
