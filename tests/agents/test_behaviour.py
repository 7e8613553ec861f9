import csv
import gzip
import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import behaviour, get_agent, play
from hoad.game import Game
from hoad.game.log import GameLogs, logs_of
from hoad.game.moves import move_id
from hoad.game.state import full_game


class Card:
    """A card in a hand, with what hints have left of its colours and ranks."""

    def __init__(self, identity: int) -> None:
        self.colour, self.rank = divmod(identity, 5)
        self.colours, self.ranks = set(range(5)), set(range(5))

    def hear(self, hint: int) -> None:
        """Narrow down what the card may be; hints 0..4 are colours, 5..9 ranks."""
        value, is_rank = hint % 5, hint >= 5
        told, real = (self.ranks, self.rank) if is_rank else (self.colours, self.colour)
        told &= {value} if real == value else told - {value}

    def chance(self, unseen: Counter[tuple[int, int]], heights: list[int]) -> Fraction:
        """The share of the unseen copies that hints leave open for it that would fit."""
        fits = {(c, r): n for (c, r), n in unseen.items() if c in self.colours and r in self.ranks}
        good = sum(n for (colour, rank), n in fits.items() if rank == heights[colour])
        return Fraction(good, sum(fits.values()))

    @property
    def known(self) -> int:
        return (len(self.colours) == 1) + (len(self.ranks) == 1)


def count_slowly(deck: list[int], actions: list[int]) -> np.ndarray:
    """The definition, on hands of cards in order of age."""
    game = Game(deck=deck)
    cards = [Card(identity) for identity in deck]
    hands, rest = [cards[:5], cards[5:10]], cards[10:]
    gone: list[Card] = []
    counts = np.zeros((2, behaviour.COUNTS), int)
    for turn, action in enumerate(actions):
        me = turn % 2
        counts[me, behaviour.OPPORTUNITIES] += game.state.table.tokens > 0
        if action >= 10:
            counts[me, behaviour.HINTS] += 1
            for card in hands[1 - me]:
                card.hear(action - 10)
        else:
            unseen = Counter((card.colour, card.rank) for card in cards)
            unseen.subtract((card.colour, card.rank) for card in gone + hands[1 - me])
            card = hands[me].pop(action % 5)
            gone.append(card)
            hands[me] += rest[:1]
            rest = rest[1:]
            if action >= 5:
                counts[me, behaviour.PLAYS] += 1
                counts[me, behaviour.KNOWN] += card.known
                heights = game.state.table.fireworks.tolist()
                counts[me, behaviour.SAFETY] += int(
                    card.chance(unseen, heights) * behaviour.CERTAINTY
                )
        game.step(action)
    return counts


def play_by_hand(*moves: str) -> GameLogs:
    """A game on the ordered deck: both hands are R1 R1 R1 R2 R2 and R3 R3 R4 R4 R5."""
    deck = full_game().full_deck().tolist()
    return logs_of(2, [deck], [[move_id(full_game(), move) for move in moves]])


@settings(max_examples=25)
@given(
    seats=st.tuples(*[st.sampled_from(["iggi", "flawed", "legal-random", "internal"])] * 2),
    seed=st.integers(0, 1000),
)
def test_counts_are_those_of_the_slow_definition(seats, seed):
    logs = play([get_agent(name) for name in seats], 3, seed)

    counts = behaviour.count_behaviour(logs)

    for game in range(3):
        deck, actions = logs.decks[game].tolist(), logs.actions_of(game).tolist()
        np.testing.assert_array_equal(counts[game], count_slowly(deck, actions))


NEVER_THE_R5 = "hint 3, discard 0, hint 4, discard 0, hint 1, discard 0, hint 1, discard 0, hint 2"


@pytest.mark.parametrize(
    ("moves", "seat", "expected"),  # hints, turns with a token, plays, what is known of their cards
    [
        ("hint 3, play 0", 0, [1, 1, 0, 0, 0]),
        ("hint 3, play 0", 1, [0, 1, 1, 1]),  # known by the hint just given
        (f"{NEVER_THE_R5}, play 0", 1, [0, 5, 1, 1]),  # known by what hints left
        (f"{'hint red, ' * 8}discard 0", 0, [4, 4, 0, 0, 0]),
        # Of the 45 cards that are not in the partner's hand, which has no 1, 15 are 1s.
        ("play 0", 0, [0, 1, 1, 0, 15 * behaviour.CERTAINTY // 45]),
        ("hint 3, hint red, hint 4, hint 1, play 0", 0, [2, 3, 1, 2, behaviour.CERTAINTY]),
    ],
)
def test_counts_of_games_by_hand(moves: str, seat: int, expected: list[int]):
    counts = behaviour.count_behaviour(play_by_hand(*moves.split(", ")))[0, seat]

    assert counts[: len(expected)].tolist() == expected


def test_features_are_ratios_of_sums_over_games_and_undefined_without_an_occasion():
    per_game = np.array([[1, 2, 1, 2, 0], [3, 10, 3, 0, 3 * behaviour.CERTAINTY]])
    asked = ("risk_aversion", "communicativeness")

    assert behaviour.features_of(per_game.sum(0)).tolist() == [4 / 12, 2 / 8]
    np.testing.assert_array_equal(behaviour.features_of(per_game.sum(0), asked), [3 / 4, 4 / 12])
    assert np.isnan(behaviour.features_of(np.zeros((3, behaviour.COUNTS)))).all()


def test_published_elites_behave_as_the_published_matchups_say(reference):
    """Ten self-play games of each elite against seat 1's features over the authors' 400."""
    recorded, differences = recorded_elites(reference), []
    for population in (1, 2, 3):
        published = published_self_play(reference, population)
        for chromosome, logs in recorded.items():
            if chromosome in published:
                ours = behaviour.features_of(behaviour.count_behaviour(logs)[:, 1].sum(0))
                differences.append(ours - published[chromosome])

    assert len(differences) >= 60
    assert np.abs(np.mean(differences, axis=0)) == pytest.approx(0, abs=0.015)
    assert np.std(differences, axis=0) == pytest.approx(0, abs=0.06)


def published_self_play(reference, population) -> dict[tuple[int, ...], np.ndarray]:
    """Features that each elite of a population shows in seat 1 with itself."""
    elites = json.loads((reference / f"canaan_5x5_population_{population}.json").read_text())
    chromosomes = {tuple(e["niche"]): tuple(e["chromosome"]) for e in elites["elites"]}
    found = {}
    with (reference / "canaan_5x5_matchups.csv").open() as file:
        for row in csv.DictReader(file):
            niche = int(row["h_comm_idx"]), int(row["h_ipp_idx"])
            response = int(row["r_comm_idx"]), int(row["r_ipp_idx"])
            if int(row["population"]) == population and niche == response:
                found[chromosomes[niche]] = np.array([float(row["h_comm"]), float(row["h_ipp"])])
    return found


def recorded_elites(reference) -> dict[tuple[int, ...], GameLogs]:
    """Self-play games of the published elites, by chromosome."""
    games: dict[tuple[int, ...], list[dict]] = {}
    with gzip.open(reference / "walton_published_elites.jsonl.gz", "rt") as file:
        for line in file:
            game = json.loads(line)
            games.setdefault(tuple(game["chromosome"]), []).append(game)
    return {
        chromosome: logs_of(2, [g["deck"] for g in mine], [g["actions"] for g in mine])
        for chromosome, mine in games.items()
    }
