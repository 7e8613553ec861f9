"""The scores are those that plain play of the same games gives."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
import torch

from hoad.agents import Agent, get_agent, play
from hoad.game.log import GameLogs, join_logs, replay
from hoad.learning.maml.adhoc_scores import adhoc_scores
from hoad.learning.policies import PolicyAgent

SEED = 9
FIRST_PLAY, FIRST_COLOUR_HINT, FIRST_RANK_HINT = 5, 10, 15


class Stubborn(torch.nn.Module):
    """Prefers one move, then the next higher one, and so on round, whatever it sees."""

    def __init__(self, favourite: int) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(torch.arange(20.0, 0.0, -1.0).roll(favourite))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.logits.expand(len(x), 20)


@pytest.fixture
def partner() -> Agent:
    return get_agent("iggi")


@pytest.fixture
def networks() -> list[Stubborn]:
    """Three that score differently; the first one loses its lives."""
    return [Stubborn(move) for move in (FIRST_PLAY, FIRST_COLOUR_HINT, FIRST_RANK_HINT)]


def in_both_seats(partner: Agent, network: torch.nn.Module, game: int) -> Iterator[GameLogs]:
    """Play one game of the run twice, the second time with the seats exchanged."""
    player = PolicyAgent("player", network)
    yield play([partner, player], 1, SEED, first_game=game)
    yield play([player, partner], 1, SEED, first_game=game)


def assert_means(found: dict[str, float], parts: Sequence[GameLogs]) -> None:
    outcomes = replay(join_logs(parts))
    expected = {"lenient": np.mean(outcomes.scores), "strict": np.mean(outcomes.strict)}
    assert found == pytest.approx(expected)


def test_half_of_the_games_are_in_each_seat_on_the_same_decks(
    partner: Agent, networks: list[Stubborn]
) -> None:
    network = networks[-1]
    by_hand = [logs for game in range(20) for logs in in_both_seats(partner, network, game)]

    found = adhoc_scores(partner, [network], games=40, seed=SEED)

    assert_means(found, by_hand)


def test_networks_share_the_games_evenly_and_play_different_ones(
    partner: Agent, networks: list[Stubborn]
) -> None:
    by_hand = [
        logs for game in range(12) for logs in in_both_seats(partner, networks[game // 4], game)
    ]

    found = adhoc_scores(partner, networks, games=24, seed=SEED)

    assert_means(found, by_hand)
    assert found["strict"] < found["lenient"]


@pytest.mark.parametrize("games", [0, 5, 11])
def test_each_network_plays_a_game_in_each_seat_however_few_are_wanted(
    partner: Agent, networks: list[Stubborn], games: int
) -> None:
    by_hand = [
        logs
        for game, network in enumerate(networks)
        for logs in in_both_seats(partner, network, game)
    ]

    found = adhoc_scores(partner, networks, games, SEED)

    assert_means(found, by_hand)
