"""What is compiled, or loaded from the cache of an earlier run, before the page is served.

The compiler works for one thread at a time. If it had to compile for the server while it compiles
an agent, the page would not answer meanwhile.
"""

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.game.state import full_game
from hoad.game.view import turns_of, view_of
from hoad.human.beliefs import pool
from hoad.human.review import review
from hoad.human.session import Partner
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import Record
from hoad.watch.position import position


def warm_up() -> None:
    """Play and review a game, for which all hypotheses are loaded."""
    for hypothesis in pool():
        hypothesis.compile()
    agent = get_agent("iggi")
    logs = play([agent, agent], 1, seed=0)
    deck, actions = logs.decks[0], logs.actions.tolist()
    for turn in turns_of(deck, actions):
        position(view_of(full_game(2), turn.state[0], observer=0))
    Partner(agent, 0, deck).think(actions[:2], 0, lambda done: None)
    review([Record(players=[PERSON, "iggi"], deck=deck.tolist(), actions=actions)], 0)
