"""What FireFlower remembers, made to be looked at."""

import numpy as np

from hoad.agents import get_agent
from hoad.agents.agent import new_view, see
from hoad.agents.bots.fireflower.bot import digest
from hoad.agents.bots.fireflower.mind import MIND
from hoad.agents.follow import memory_at
from tests.agents.positions import position


def mind_after(state: np.record, seat: int) -> np.record:
    """What FireFlower in a seat makes of the game that led to a state."""
    memory = memory_at(get_agent("fireflower"), np.array([state], state.dtype), seat)[0]
    hands = new_view()[0]
    see(state, seat, hands)
    digest(state.table, hands, seat, memory.view(MIND)[0])
    return memory.view(MIND)[0]


def cards_of(mind: np.record, player: int) -> list[int]:
    """The numbers of a player's cards, newest first."""
    return [int(card) for card in mind.hands[player, : mind.hand_length[player]]]


def belief(mind: np.record, card: int) -> tuple[int, list[int]]:
    """The kind of a card's top belief, and the cards of its list."""
    cards = int(mind.list_of[card])
    return int(mind.kinds[cards]), mind.lists[cards, : mind.list_length[cards]].tolist()


def mind_of_receiver(first: str, second: str, *moves: str, draws: str = "") -> np.record:
    """What the player to move makes of a game with these hands, oldest card first."""
    game = position(f"{first} {second} {draws}", *moves)
    return mind_after(game.state, game.current_player)
